// Keys that an agent prints while it runs, and the environment of a sandboxed agent. The other
// outputs of a turn are in outcomes.test.ts; a whole run is in test/processes/secrets.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, Config } from '../../../src/contract/config/config.js'
import type { PermissionRequest } from '../../../src/adapters/agents/agent-port.js'
import { Bench } from '../../support/agents/bench.js'
import { waitFor } from '../../support/wait.js'
import type { AgentDefinition } from '../../../src/contract/config/agent-config.js'

const KEY = 'sk-planted-0123456789abcdef'
const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PLANTED_KEY: KEY,
  ANTHROPIC_API_KEY: KEY,
}
let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

describe('a secret does not leave a running turn', () => {
  test('in a permission question, an error, a changed file, a heartbeat', async () => {
    writeFileSync(path.join(bench.cwd, 'calc.py'), 'a - b\n')
    const agent = {
      ...bench.foreign('tells-secret.mjs', path.join(bench.root, 'been')),
      passEnv: ['PLANTED_KEY'],
    }
    const asked: PermissionRequest[] = []
    const driver = bench.driver({ env, changedFiles: () => Promise.resolve([`note-${KEY}.txt`]) })
    const call = bench.call(driver, bench.config(agent, { permissions: 'ask' }), bench.spec(), {
      onPermission: async (request) => {
        asked.push(request)
        await waitFor(
          () => call.seen.some((p) => p.lastEvent?.includes('[redacted:PLANTED_KEY]') === true),
          { what: 'the tool call in a heartbeat' },
        )
        return 'deny'
      },
    })
    const result = await call.result
    expect(result).toMatchObject({
      outcome: 'failed',
      changedFiles: ['note-[redacted:PLANTED_KEY].txt'],
      denied: ['send [redacted:PLANTED_KEY] somewhere'],
      reason: expect.stringContaining('401 for [redacted:PLANTED_KEY]') as string,
    })
    expect(asked).toMatchObject([
      { title: 'send [redacted:PLANTED_KEY] somewhere', input: { key: '[redacted:PLANTED_KEY]' } },
    ])
    for (const told of [result, asked, call.seen, bench.claim()])
      expect(JSON.stringify(told)).not.toContain(KEY)
  })

  test('not even half of it: a title is cut after redaction', async () => {
    const long = 'x'.repeat(60)
    const agent = {
      ...bench.playbook([{ do: [{ hang: { tool: `${long} ${KEY}`, cancel: 'heed' } }] }]),
      passEnv: ['PLANTED_KEY'],
    }
    const call = bench.call(bench.driver({ env }), bench.config(agent))
    await waitFor(() => call.seen.some((p) => p.lastEvent?.startsWith('tool') === true), {
      what: 'the tool in a heartbeat',
    })
    call.abort('stop')
    await call.result
    expect(JSON.stringify(call.seen)).toContain('[redact')
    expect(JSON.stringify(call.seen)).not.toContain('sk-plan')
  })

  test('not with a tool call between its halves', async () => {
    const file = path.join(bench.root, 'halves.mjs')
    writeFileSync(
      file,
      `const key = process.env.PLANTED_KEY
const line = (update) => console.log(JSON.stringify(update))
const say = (text) => line({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
say('the key is ' + key.slice(0, 9))
line({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'look', status: 'completed' })
say(key.slice(9) + ', I think')
line({ type: 'result', session_id: 's' })
`,
    )
    const agent = {
      protocol: 'exec',
      command: process.execPath,
      args: [file],
      output: 'stream-json',
      passEnv: ['PLANTED_KEY'],
    }
    const result = await bench.call(bench.driver({ env }), bench.config(agent)).result
    expect(result).toMatchObject({
      outcome: 'completed',
      tail: 'the key is [redacted:PLANTED_KEY], I think',
    })
    expect(readFileSync(result.answer.path, 'utf8')).toBe(result.tail)
    expect(readFileSync(result.transcript, 'utf8')).not.toMatch(/sk-plante|0123456789abcdef/)
  })

  test('not as a half at the end of a long error', async () => {
    const file = path.join(bench.root, 'long-error.mjs')
    writeFileSync(
      file,
      `console.log(JSON.stringify({ is_error: true, error: { type: 'bad', message: 'x'.repeat(290) + process.env.PLANTED_KEY } }))
`,
    )
    const result = await bench.call(
      bench.driver({ env }),
      bench.config({
        protocol: 'exec',
        command: process.execPath,
        args: [file],
        output: 'json',
        passEnv: ['PLANTED_KEY'],
      }),
    ).result
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('xxx[redacted') as string,
    })
  })

  test('a variable that a known agent gets by default counts as a secret too', async () => {
    const { command, args } = bench.foreign('tells-secret.mjs', path.join(bench.root, 'been'))
    const config = bench.config(bench.foreign('echo.mjs'), {
      agents: { opencode: { command, args, env: { PLANTED_KEY: KEY } } },
    })
    const result = await bench.call(
      bench.driver({ env }),
      config,
      bench.spec({
        agent: 'opencode',
        prompt: 'x',
        header: { ...bench.spec().header, role: 'cli-planning-agent' },
      }),
    ).result
    expect(result.outcome).toBe('completed')
    expect(readFileSync(result.answer.path, 'utf8')).toContain(
      'The key is [redacted:ANTHROPIC_API_KEY]',
    )
    expect(readFileSync(result.transcript, 'utf8')).not.toContain(KEY)
  })
})

describe('`sandbox` comes before the command, which gets the same environment', () => {
  const spy = (bench: Bench) => {
    const file = path.join(bench.root, 'spy.mjs')
    writeFileSync(
      file,
      `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const [out, command, ...args] = process.argv.slice(2)
writeFileSync(out, JSON.stringify({ command, args, key: process.env.PLANTED_KEY, other: process.env.ANTHROPIC_API_KEY }))
spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
`,
    )
    return [process.execPath, file, path.join(bench.root, 'spied.json')]
  }
  test.each<{
    protocol: string
    agent: (bench: Bench) => Record<string, unknown>
    command: RegExp
  }>(
    // prettier-ignore
    [
    { protocol: 'acp', agent: (b) => b.foreign('echo.mjs'), command: /node/ },
    { protocol: 'exec', agent: () => ({ protocol: 'exec', command: 'cat' }), command: /^cat$/ },
    { protocol: 'playbook', agent: (b) => { writeFileSync(path.join(b.cwd, 'play.yaml'), 'steps: [{ do: [{ say: done }] }]\n'); return { protocol: 'playbook', file: 'play.yaml', env: { RATCHET_PLAYBOOK_STATE: path.join(b.root, 'sessions') } } }, command: /node/ },
  ],
  )('$protocol', async ({ agent, command }) => {
    mkdirSync(path.join(bench.root, 'sessions'), { recursive: true })
    const config = bench.config({ ...agent(bench), sandbox: spy(bench), passEnv: ['PLANTED_KEY'] })
    const result = await bench.call(bench.driver({ env }), config).result
    expect(result).toMatchObject({ outcome: 'completed' })
    const spied = JSON.parse(readFileSync(path.join(bench.root, 'spied.json'), 'utf8')) as {
      command: string
      args: string[]
      key: string
      other?: string
    }
    expect(spied.command).toMatch(command)
    expect(spied).toMatchObject({ key: KEY })
    expect(spied.other).toBeUndefined()
  })
})

test('a limit belongs to a definition and an account, for any permissions of the run', async () => {
  const { limitFiles } = await import('../../../src/adapters/agents/agent-limits.js')
  const of = (raw: unknown, project = '/p', env: NodeJS.ProcessEnv = {}) =>
    limitFiles(
      bench.dirs,
      agentDefinition(
        Config.parse({ agents: { claude: raw, qwen: {} } }),
        'claude',
      ) as AgentDefinition,
      project,
      env,
    ).limit
  expect(of({})).toBe(of({ sandbox: ['box'], mode: 'plan' }, '/other'))
  expect(of({ model: 'm' })).not.toBe(of({}))
  expect(of({ passEnv: ['MY_KEY'] })).not.toBe(of({}))
  expect(of({}, '/p', { CLAUDE_CONFIG_DIR: '/work-account' })).not.toBe(of({}))
  expect(of({}, '/p', { ANTHROPIC_API_KEY: 'one' })).not.toBe(
    of({}, '/p', { ANTHROPIC_API_KEY: 'two' }),
  )
  expect(of({}, '/p', { EDITOR: 'vi' })).toBe(of({}))
  expect(of({ protocol: 'playbook' })).not.toBe(of({ protocol: 'playbook' }, '/other'))
})
