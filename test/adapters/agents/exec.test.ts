// One-shot commands as agents, on real processes. conformance.test.ts has the duties of every
// driver; this file has those of commands alone.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findMarked } from '../../../src/adapters/process/find.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { layout } from '../../../src/adapters/state-dir.js'
import type { TurnSpec } from '../../../src/contract/turn.js'
import type { AgentDriver } from '../../../src/adapters/agents/driver.js'
import { Bench, ManualClock } from '../../support/agents/bench.js'
import { command, commandThat } from '../../support/agents/exec-commands.js'
import { waitFor } from '../../support/wait.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

/** exec-tells.mjs in one of its modes; it prints one document. */
const tells = (way: string, ...args: string[]) => ({
  ...command('exec-tells.mjs', way, ...args),
  output: 'json' as string,
})
const play = (agent: unknown, spec: Partial<TurnSpec> = {}, driver: AgentDriver = bench.driver()) =>
  bench.call(driver, bench.config(agent), bench.spec(spec)).result
const folder = () => layout.turn(bench.dirs, bench.spec().key)
const again = (sessionId: string | undefined) => ({
  key: `${bench.run}/1/again`,
  ...(sessionId !== undefined && { sessionId }),
})
const LONG = 'Do it.\n'.repeat(100_000)

describe('the prompt', () => {
  test('goes to standard input, whole, and not into the arguments', async () => {
    const { answer } = await play(tells('called'), { prompt: LONG })
    const { args, stdin, chars } = JSON.parse(readFileSync(answer.path, 'utf8')) as {
      args: string[]
      stdin: string
      chars: number
    }
    expect(args).toEqual([])
    expect(stdin).toMatch(/^ratchet-turn: /)
    expect(chars).toBeGreaterThan(LONG.length)
  })

  test('goes into a private file outside of the workspace where {promptFile} asks for one, which is removed afterwards', async () => {
    const agent = tells('called', '--file', '{promptFile}')
    const { answer } = await play(agent)
    const { stdin, file } = JSON.parse(readFileSync(answer.path, 'utf8')) as {
      stdin: string
      file: { text: string; mode: string; path: string }
    }
    expect(stdin).toBe('')
    expect(file).toMatchObject({
      mode: '600',
      text: expect.stringMatching(/^ratchet-turn: .*\n\nDo it\.$/s) as string,
    })
    expect(file.path.startsWith(bench.cwd)).toBe(false)
    expect(existsSync(file.path)).toBe(false)
    expect(readdirSync(bench.cwd)).toEqual([])
  })

  test('its file is removed too where the command dies', async () => {
    const agent = tells('no-such-way', '{promptFile}')
    expect(await play(agent)).toMatchObject({ outcome: 'failed', attempts: 3 })
    expect(readdirSync(folder()).filter((name) => name.startsWith('prompt'))).toEqual([])
  })

  test('need not be read', async () => {
    expect(await play(tells('deaf'), { prompt: LONG })).toMatchObject({
      outcome: 'completed',
      tail: 'did not listen',
    })
  })
})

describe('a session', () => {
  test('without resumeArgs a follow-up begins a new one, and says so', async () => {
    const agent = commandThat('answers', bench, 'json', { resumeArgs: undefined })
    const driver = bench.driver()
    const first = await play(agent, { followUp: true }, driver)
    const second = await play(agent, again(first.sessionId), driver)
    expect(second).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      tail: 'first prompt of this session',
    })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(JSON.stringify(bench.transcript(again('').key))).toContain('## NEW SESSION')
  })

  test('that the command names is kept under this name', async () => {
    const agent = commandThat('answers', bench, 'json', { args: [] })
    const first = await play(agent)
    expect(await play(agent, again(first.sessionId))).toMatchObject({
      sessionId: first.sessionId,
      tail: 'second prompt of this session',
    })
  })

  test('that the command never names is not resumed', async () => {
    const agent = commandThat('answers', bench, 'text', { args: [] })
    const first = await play(agent)
    expect(await play(agent, again(first.sessionId))).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      tail: 'first prompt of this session',
    })
  })

  test('that the command does not know is started again, once, and is no crash', async () => {
    const agent = commandThat('answers', bench, 'stream-json')
    const result = await play(agent, { sessionId: 'of-another-machine' })
    expect(result).toMatchObject({
      outcome: 'completed',
      attempts: 2,
      crashes: 0,
      tail: expect.stringContaining('first prompt of this session') as string,
    })
    expect(JSON.stringify(bench.transcript())).toContain('## STARTED AGAIN')
  })
})

describe('a command that fails', () => {
  test('is not there', async () => {
    expect(await play({ protocol: 'exec', command: 'no-such-command' })).toMatchObject({
      outcome: 'failed',
      reason:
        'agent "a" cannot be started: command not found: no-such-command; install it, or correct agents.a in the config',
    })
  })

  test('says so in fields', async () => {
    expect(
      await play(tells('fails', '{"type":"overloaded_error","message":"try later"}')),
    ).toMatchObject({
      outcome: 'unavailable',
      attempts: 1,
      crashes: 0,
      reason: "the agent's model provider is unavailable, overloaded: try later",
    })
  })

  test('without an answer has died, and its last words are kept', async () => {
    expect(await play(tells('no-such-way'))).toMatchObject({
      outcome: 'failed',
      attempts: 3,
      crashes: 3,
      reason: expect.stringContaining(
        'exited with code 64; it died 3 times in this turn; it had written: no such way: no-such-way',
      ) as string,
    })
  })

  test('of which plain text is all that there is fails by its code', async () => {
    expect(await play({ ...tells('fails', '{}'), output: 'text' })).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      reason: expect.stringContaining(
        'answered with error 1: it ended with this code, after: {"is_error":true',
      ) as string,
    })
  })

  test('prints no JSON where it was promised', async () => {
    const agent = {
      protocol: 'exec',
      command: process.execPath,
      args: ['-e', 'console.log("I am done.")'],
    }
    expect(await play({ ...agent, output: 'json' })).toMatchObject({
      outcome: 'failed',
      reason:
        'the agent ended without a JSON document on its standard output, which "output": "json" promises; it had written: [stdout, not JSON] I am done.',
    })
    expect(await play({ ...agent, output: 'stream-json' }, again(undefined))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('without a line of JSON') as string,
    })
    expect(readFileSync(turnFiles(folder()).stderr, 'utf8')).toContain(
      '[stdout, not JSON] I am done.',
    )
  })

  test('prints nothing at all: there is no answer, and its standard error is kept', async () => {
    const agent = {
      protocol: 'exec',
      command: process.execPath,
      args: ['-e', 'console.error("please log in")'],
    }
    expect(await play(agent)).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      crashes: 0,
      reason:
        'the agent ended without a word on its standard output, which "output": "text" promises; it had written: please log in',
    })
  })

  test('writes 3 MB to its standard error: a megabyte is kept, the cut is marked once, and the end has its last words', async () => {
    const agent = {
      protocol: 'exec',
      command: process.execPath,
      args: [
        '-e',
        'for (let i = 0; i < 48; i++) console.error("e".repeat(65_535)); console.error("that was all")',
      ],
    }
    expect(await play(agent)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/eee that was all$/) as string,
    })
    const kept = readFileSync(turnFiles(folder()).stderr, 'utf8')
    const cut = '\n[more than 1048576 bytes: the rest is not kept]\n'
    expect(kept.endsWith(cut)).toBe(true)
    expect(kept.indexOf(cut)).toBe(kept.length - cut.length)
    expect(kept.length - cut.length).toBeGreaterThan(900_000)
    expect(kept.length - cut.length).toBeLessThanOrEqual(1 << 20)
  })

  test.each([
    { output: 'json', what: 'a document' },
    { output: 'stream-json', what: 'a line' },
  ])('writes $what of 20 MB, and is ended', async ({ output, what }) => {
    expect(await play({ ...tells('floods'), output })).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      reason: `the agent wrote ${what} of more than 16 MB to its standard output`,
    })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })
})

describe('processes', () => {
  test('a process that holds the pipe of an ended command is not waited for, and is ended', async () => {
    expect(await play(tells('holds'))).toMatchObject({
      outcome: 'completed',
      tail: 'answered',
      sessionId: 'held',
    })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('nor is a server that it left running and that keeps printing', async () => {
    expect(await play(tells('serves'))).toMatchObject({
      outcome: 'completed',
      tail: 'answered',
      sessionId: 'served',
    })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('between two turns no process runs and no slot is held', async () => {
    const driver = bench.driver()
    const { sessionId } = await play(
      commandThat('answers', bench, 'json'),
      { followUp: true },
      driver,
    )
    expect(sessionId).toBeDefined()
    expect(bench.claim()?.kept).toBeUndefined()
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
    await (
      await acquireSlot(layout.slots(bench.dirs), 1)
    )()
  })

  test('qwen: an interrupt reaches the program behind a wrapper', async () => {
    const call = bench.call(
      bench.driver({ timing: { cancelGraceMs: 10_000 } }),
      bench.config({ ...tells('wraps'), output: 'text' }),
    )
    await waitFor(() => bench.transcript().some((line) => 'text' in line), {
      what: 'the program to begin',
    })
    call.abort('stop')
    expect(await call.result).toMatchObject({
      outcome: 'stopped',
      tail: expect.stringContaining('interrupted') as string,
    })
  })

  test('one that ignores the interrupt is ended after the grace', async () => {
    const call = bench.call(bench.driver(), bench.config(tells('stubborn')))
    await waitFor(() => existsSync(turnFiles(folder()).stderr), { what: 'the command to begin' })
    call.abort('stop')
    expect(await call.result).toMatchObject({ outcome: 'stopped' })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('gets the environment that is named for it, and its sandbox comes before the command', async () => {
    const env = { PATH: process.env['PATH'], AWS_SECRET: 'not for agents', MY_KEY: 'k' }
    const agent = {
      ...tells('env'),
      env: { OWN: '1' },
      passEnv: ['MY_KEY'],
      sandbox: ['env', 'BOXED=1'],
    }
    expect((await play(agent, {}, bench.driver({ env }))).tail).toBe(
      'BOXED,MY_KEY,OWN,PATH,RATCHET_RUN,RATCHET_STEP',
    )
  })
})

describe('a command that does not end after its last event', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'has answered', event: { type: 'result', result: 'done', session_id: 'l-1', usage: { input_tokens: 5, output_tokens: 1 } }, is: { outcome: 'completed', tail: 'done', sessionId: 'l-1' } },
    { why: 'has answered', event: { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 1 } }, is: { outcome: 'completed' } },
    { why: 'has failed', event: { type: 'turn.failed', error: { message: 'the model is away' } }, is: { outcome: 'failed', reason: expect.stringContaining('the model is away') as string } },
  ],
  )('$why ($event.type): it is ended without waiting for a clock', async ({ event, is }) => {
    expect(
      await play({ ...tells('lingers', JSON.stringify(event)), output: 'stream-json' }),
    ).toMatchObject({ attempts: 1, crashes: 0, ...is })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
    expect(readFileSync(turnFiles(folder()).stderr, 'utf8')).toContain(
      'it kept running after its last event',
    )
  })
})

describe('the idle clock', () => {
  test.each(['text', 'json'])(
    'of %s the silence before the first word is none: many print only at their end',
    async (output) => {
      const clock = new ManualClock()
      clock.tickMs = 10_000
      const call = bench.call(
        bench.driver({ clock }),
        bench.config({ ...tells('quiet'), output }),
        bench.spec({ idleMs: 60_000, limitMs: 300_000 }),
      )
      await waitFor(() => existsSync(turnFiles(folder()).stderr), { what: 'the command to begin' })
      clock.advance(299_000)
      expect(call.seen.at(-1)?.state).toBe('running')
      clock.advance(2_000)
      expect((await call.result).outcome).toBe('timed_out')
    },
  )
})

describe('what it reports', () => {
  const counting = (n: string) => ({
    ...tells('counts', n),
    output: 'stream-json',
    resumeArgs: tells('counts', n).args,
  })

  test('codex: subtracts earlier tokens of the thread', async () => {
    const driver = bench.driver()
    expect((await play(counting('1'), {}, driver)).usage).toEqual({
      inputTokens: 100,
      outputTokens: 10,
      estimated: false,
    })
    expect((await play(counting('3'), again('t-1'), driver)).usage).toEqual({
      inputTokens: 200,
      outputTokens: 20,
      estimated: false,
    })
  })

  test('codex: also in a thread that another worker began', async () => {
    await play(counting('1'))
    expect((await play(counting('3'), again('t-1'))).usage).toEqual({
      inputTokens: 200,
      outputTokens: 20,
      estimated: false,
    })
  })

  test('codex: estimates the share of the prompt in a thread without a record', async () => {
    expect((await play(counting('3'), again('t-1'))).usage.estimated).toBe(true)
  })

  test('claude: a cost is that of the call, not of the session', async () => {
    const driver = bench.driver()
    const costing = (usd: string) => ({
      ...tells('costs', usd),
      resumeArgs: tells('costs', usd).args,
    })
    expect((await play(costing('0.25'), {}, driver)).usage.costUsd).toBe(0.25)
    expect((await play(costing('0.75'), again('c-1'), driver)).usage.costUsd).toBe(0.75)
    expect(
      (await play(costing('0.5'), { ...again('c-1'), key: `${bench.run}/1/third` }, driver)).usage
        .costUsd,
    ).toBe(0.5)
  })
})
