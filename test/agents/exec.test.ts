// The recipes of docs/configuration.md for one-shot commands, on the real CLIs and the model stub:
// they write a file, continue the session with its history, count the tokens of the prompt, and
// handle limits and kills.
import { afterEach, expect, test } from 'vitest'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { KNOWN_NAMES, type KnownName } from '../../src/contract/known-agents.js'
import { isAlive } from '../../src/adapters/process/identity.js'
import { driverProgram } from '../support/agents/driver-program.js'
import { CALL_TOKENS } from '../support/model-stub/conversation.js'
import { claudeProgram } from '../support/model-stub/set-up.js'
import { waitFor } from '../support/wait.js'
import { PARTICULARS } from './particulars.js'
import { Rig } from './rig.js'

const program = driverProgram()
let open: Rig | undefined
afterEach(async () => {
  await open?.end()
  open = undefined
})

async function bench(name: KnownName) {
  const rig = (open = await Rig.start(name))
  if (name === 'gemini')
    rig.file(
      '.gemini/settings.json',
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { sessionRetention: { enabled: false }, maxAttempts: 1 },
      }),
    )
  const given = { agents: { one: recipe(name) }, roles: { default: 'one' } }
  return {
    rig,
    given,
    driver: rig.driver(rig.env, { cancelGraceMs: 2_000, endGraceMs: 1_000 }),
    config: rig.config(given),
  }
}

function claude(): string {
  const bin =
    (JSON.parse(process.env['RATCHET_AGENTS_BINS'] ?? '{}') as Record<string, string>)['claude'] ??
    ''
  return claudeProgram(bin) ?? createRequire(import.meta.url).resolve('@anthropic-ai/claude-code')
}

/** What a recipe also needs to reach the stub. */
const BESIDES: Record<KnownName, () => { command?: string; passEnv?: string[] }> = {
  claude: () => ({ command: claude(), passEnv: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] }),
  codex: () => ({}),
  gemini: () => ({ passEnv: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'] }),
  qwen: () => ({}),
  opencode: () => ({}),
}

function recipe(name: KnownName): Record<string, unknown> {
  const block = [...readFileSync('docs/configuration.md', 'utf8').matchAll(/```json\n([^]*?)```/g)]
    .map(([, json]) => json ?? '')
    .find((json) => json.includes(`"${name}-once"`))
  const { agents } = JSON.parse(block ?? '{}') as {
    agents: Record<string, Record<string, unknown>>
  }
  return { ...agents[`${name}-once`], ...BESIDES[name]() }
}

test.each(KNOWN_NAMES)(
  'docs/configuration.md: %s as a one-shot command',
  async (name) => {
    const { config, rig, driver } = await bench(name)
    const { stub } = rig
    stub.script('one', [{ write: 'a.txt', content: 'hello\n' }, { say: 'Written.' }])
    stub.script('two', [{ say: 'Again.' }])
    const first = rig.spec('one', { agent: 'one' })
    const wrote = await rig.call(driver, first, config).result
    expect(wrote).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      crashes: 0,
      usage: { estimated: false },
      tail: expect.stringContaining('Written.') as string,
    })
    expect(rig.read('a.txt')).toBe('hello\n')

    const second = rig.spec('two', { agent: 'one', sessionId: wrote.sessionId as string })
    const again = await rig.call(driver, second, config).result
    expect(again).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      usage: { estimated: false },
      tail: expect.stringContaining('Again.') as string,
    })
    expect(stub.calls('two')[0]?.marks).toContain('one')
    // Counts of earlier prompts in the session are subtracted; qwen makes one more call, for its
    // memory.
    expect(again.usage).toMatchObject({
      inputTokens: CALL_TOKENS.input * (name === 'qwen' ? 2 : 1),
    })
  },
  120_000,
)

test.each(KNOWN_NAMES)(
  'docs/configuration.md: %s starts a new session if it does not know the given one',
  async (name) => {
    const { config, rig, driver } = await bench(name)
    rig.stub.script('lost', [{ say: 'Started again.' }])
    const unknown =
      name === 'opencode'
        ? 'ses_00000000000000000000000000'
        : '01a00000-0000-7000-8000-000000000000'
    const spec = rig.spec('lost', { agent: 'one', sessionId: unknown })
    const result = await rig.call(driver, spec, config).result
    expect(result).toMatchObject({
      outcome: 'completed',
      tail: expect.stringContaining('Started again.') as string,
    })
    expect(result.sessionId).not.toBe(unknown)
  },
  120_000,
)

test.each(['claude', 'codex', 'gemini', 'qwen'] as const)(
  '%s fails when its model fails',
  async (name) => {
    const { config, rig, driver } = await bench(name)
    rig.stub.script('bad', [{ fail: { status: 400 } }])
    const spec = rig.spec('bad', { agent: 'one' })
    const result = await rig.call(driver, spec, config).result
    expect(result).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      reason: expect.stringContaining('the stub failed with 400') as string,
    })
  },
  120_000,
)

/** The reason for a 429: the agent's own words, or ours if the command retries. */
const SAYS: Record<KnownName, RegExp> = {
  claude: /limits the rate: .*429/,
  codex: /hit your usage limit/,
  gemini: /the stub failed with 429/,
  qwen: /the limit of 10 s was reached/,
  opencode: /the limit of 10 s was reached/,
}

test.each(KNOWN_NAMES)(
  'a limit of the provider ends a one-shot %s once, with its reason',
  async (name) => {
    const { config, rig, driver } = await bench(name)
    const { onLimitOnce } = PARTICULARS[name]
    rig.stub.script('limited', [{ fail: { status: 429, resetsInS: 3_600 } }])
    const spec = rig.spec('limited', {
      agent: 'one',
      limitMs: onLimitOnce === 'retries' ? 10_000 : 60_000,
    })
    const result = await rig.call(driver, spec, config).result
    expect(result).toMatchObject({
      outcome: onLimitOnce === 'retries' ? 'timed_out' : onLimitOnce,
      attempts: 1,
      crashes: 0,
      reason: expect.stringMatching(SAYS[name]) as string,
    })
    expect(result.limitedUntil !== undefined).toBe(onLimitOnce === 'rate_limited')
  },
  120_000,
)

/**
 * A program killed before it stored its session cannot continue it: this is tried, then a new
 * session starts.
 */
const ATTEMPTS = expect.toSatisfy(
  (attempts: unknown) => attempts === 2 || attempts === 3,
  'two attempts, or three',
) as number

test.each(KNOWN_NAMES)(
  'a killed one-shot %s is restarted, and the turn continues',
  async (name) => {
    const { config, rig, driver } = await bench(name)
    rig.stub.script('killed', [{ write: 'a.txt', content: 'hello\n' }, { slowS: 100 }])
    const spec = rig.spec('killed', { agent: 'one', limitMs: 110_000 })
    const call = rig.call(driver, spec, config)
    await waitFor(() => rig.stub.calls('killed').length > 1, {
      what: 'the second model call',
      timeoutMs: 60_000,
    })
    rig.stub.script('killed', [{ say: 'Finished after all.' }])
    process.kill(rig.agentOf(spec).pid, 'SIGKILL')
    const result = await call.result
    expect(result).toMatchObject({
      outcome: 'completed',
      attempts: ATTEMPTS,
      crashes: 1,
      tail: expect.stringContaining('Finished after all.') as string,
    })
    if (result.attempts === 2)
      expect(rig.stub.calls('killed').at(-1)?.marks).toEqual(['killed', 'killed'])
  },
  120_000,
)

test.each(KNOWN_NAMES)(
  'the driver of a one-shot %s is killed: the next driver ends its processes and continues the turn',
  async (name) => {
    const { config, given, rig, driver } = await bench(name)
    rig.stub.script('orphan', [{ write: 'a.txt', content: 'hello\n' }, { slowS: 100 }])
    const spec = rig.spec('orphan', { agent: 'one', limitMs: 110_000 })
    const killed = rig.driverProcess(program(), spec, given)
    await waitFor(() => rig.stub.calls('orphan').length > 1, {
      what: 'the second model call',
      timeoutMs: 60_000,
    })
    const agent = rig.agentOf(spec)
    rig.stub.script('orphan', [{ say: 'Finished after all.' }])
    process.kill(killed, 'SIGKILL')
    expect(await rig.call(driver, spec, config).result).toMatchObject({
      outcome: 'completed',
      attempts: ATTEMPTS,
      crashes: 1,
      tail: expect.stringContaining('Finished after all.') as string,
    })
    expect(isAlive(agent)).toBe(false)
  },
  120_000,
)
