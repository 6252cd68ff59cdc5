// How a turn ends, with foreign agents. Each fake is a small program in test/support/agents; the
// driver talks to it over real pipes.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFileSync, statSync } from 'node:fs'
import { findMarked } from '../../../src/adapters/process/find.js'
import { MissingVariableError } from '../../../src/adapters/agents/errors.js'
import { waitsIn } from '../../../src/adapters/agents/turn/person-waits.js'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { Bench } from '../../support/agents/bench.js'
import { waitFor } from '../../support/wait.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

const play = (agent: unknown, more = {}) =>
  bench.call(bench.driver(), bench.config(agent, more)).result
const files = () => turnFiles(layout.turn(bench.dirs, bench.spec().key))

test('a foreign agent gets header and prompt, and its answer, usage and session are kept', async () => {
  const result = await bench.call(
    bench.driver({ changedFiles: () => Promise.resolve(['src/a.js']) }),
    bench.config(bench.foreign('echo.mjs')),
  ).result
  expect(result).toMatchObject({
    outcome: 'completed',
    attempts: 1,
    crashes: 0,
    leftovers: 0,
    changedFiles: ['src/a.js'],
    usage: { inputTokens: 105, outputTokens: 20, estimated: false },
  })
  expect(readFileSync(result.answer.path, 'utf8')).toBe(
    `echo: ratchet-turn: {"run":"${bench.run}","kind":"test-fix","role":"test-fix-agent","task":"IMPL-fix-1","iteration":1,"turn":"work","attempt":1,"paths":{"project":"${bench.cwd}","workspace":"${bench.cwd}"}}\n\nDo it.`,
  )
  expect(result.sessionId).toMatch(/^s-/)
  expect(readFileSync(result.transcript, 'utf8')).toContain('something_of_next_year')
})

test('a long answer and many changed files travel in short: the rest is in files or in git', async () => {
  const changed = Array.from({ length: 60 }, (_, n) => `src/${n}.js`)
  const { tail, changedFiles, answer } = await bench.call(
    bench.driver({ changedFiles: () => Promise.resolve(changed) }),
    bench.config(bench.foreign('echo.mjs')),
    bench.spec({ prompt: `${'Do it. '.repeat(1_000)}end` }),
  ).result
  expect(tail).toHaveLength(500)
  expect(tail.endsWith('Do it. end')).toBe(true)
  expect(readFileSync(answer.path, 'utf8').length).toBeGreaterThan(7_000)
  expect(changedFiles).toEqual(changed.slice(0, 50))
})

test('tokens on empty chunks are summed, and a cost is taken', async () => {
  expect((await play(bench.foreign('counts-on-chunks.mjs'))).usage).toEqual({
    inputTokens: 30,
    outputTokens: 3,
    costUsd: 0.25,
    estimated: false,
  })
})

test('where an agent reports no usage, characters / 4 are counted and marked', async () => {
  const { usage } = await play(bench.foreign('chatter.mjs'))
  expect(usage).toMatchObject({ outputTokens: 1, estimated: true })
})

describe('a program that is no agent', () => {
  test('a missing command fails the turn and says what to do', async () => {
    expect(await play({ protocol: 'acp', command: 'no-such-agent' })).toMatchObject({
      outcome: 'failed',
      attempts: 0,
      reason:
        'agent "a" cannot be started: command not found: no-such-agent; install it, or correct agents.a in the config',
    })
  })

  test('a program that ends at once is started three times, then fails the turn with what it wrote', async () => {
    expect(await play(bench.foreign('quits.mjs'))).toMatchObject({
      outcome: 'failed',
      attempts: 0,
      crashes: 3,
      reason: expect.stringMatching(
        /exited with code 64 before it took a prompt; it died 3 times in this turn; it had written: error: unknown option --acp/,
      ) as string,
    })
  })

  test('one that stops reading and then dies has failed: its provider was not away', async () => {
    expect(await play(bench.foreign('hangs-up.mjs'))).toMatchObject({
      outcome: 'failed',
      crashes: 3,
      reason: expect.stringMatching(/exited with code 64 before it took a prompt/) as string,
    })
  })

  test('a program that never answers is given up after the start limit', async () => {
    const result = await bench.call(
      bench.driver({ timing: { startMs: 300 } }),
      bench.config(bench.foreign('mute.mjs')),
    ).result
    expect(result).toMatchObject({
      outcome: 'failed',
      attempts: 0,
      reason: expect.stringContaining('did not answer initialize within 0.3 s') as string,
    })
    expect(readFileSync(files().stderr, 'utf8')).toContain('Welcome!')
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('children of a program that is no agent are ended', async () => {
    const script =
      "require('child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()"
    expect(
      await play({ protocol: 'acp', command: process.execPath, args: ['-e', script] }),
    ).toMatchObject({ outcome: 'failed', leftovers: 3 }) // one of each start
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })

  test('a stop during a hanging start ends it', async () => {
    const call = bench.call(bench.driver(), bench.config(bench.foreign('mute.mjs')))
    await call.sees('starting')
    call.abort('stop')
    expect(await call.result).toMatchObject({ outcome: 'stopped', attempts: 0 })
  })

  test('an agent name without a definition is refused before anything is written', async () => {
    await expect(
      bench.call(
        bench.driver(),
        bench.config(bench.foreign('echo.mjs')),
        bench.spec({ agent: 'unknown' }),
      ).result,
    ).rejects.toMatchObject({ type: 'BadConfig', message: 'no agent is called "unknown"' })
    expect(bench.claim()).toBeUndefined()
  })
})

test('lines on standard output that are no messages are skipped and kept in the log', async () => {
  const result = await play(bench.foreign('chatter.mjs'))
  expect(result).toMatchObject({ outcome: 'completed', tail: 'fine' })
  const log = readFileSync(files().stderr, 'utf8')
  for (const line of [
    'Loaded 3 extensions',
    '"level":"info"',
    '[1,2,3]',
    'warning: {"jsonrpc": broken',
  ])
    expect(log).toContain(line)
})

test('requests that the client does not know are answered with -32601', async () => {
  expect((await play(bench.foreign('meddles.mjs'))).tail).toBe('codes -32601 -32601')
})

test.each(
  // prettier-ignore
  [
  { way: 'auth', outcome: 'failed', reason: 'the agent is not logged in or has no key: Authentication required' },
  { way: 'login', outcome: 'failed', reason: 'the agent is not logged in or has no key: Authentication required' },
  { way: 'rate', outcome: 'rate_limited', reason: "the agent's model provider limits the rate: Internal error (slow down)" },
  { way: 'error', outcome: 'failed', reason: 'the agent answered with error -32603: Internal error (the model fell over)' },
  { way: 'refusal', outcome: 'failed', reason: 'the agent refused the task' },
],
)('an agent that fails by $way ends the turn as $outcome', async ({ way, outcome, reason }) => {
  expect(await play(bench.foreign('refuses.mjs', way))).toMatchObject({ outcome, reason })
})

test('an agent that writes about a rate limit has not hit one', async () => {
  expect((await play(bench.foreign('refuses.mjs', 'talks'))).outcome).toBe('completed')
})

describe('50 MB of answer', () => {
  test('are read to the end in bounded memory, and kept in bounded files that say so', async () => {
    const before = process.memoryUsage().rss
    const result = await play(bench.foreign('flood.mjs'))
    expect(result.outcome).toBe('completed')
    const answer = readFileSync(result.answer.path, 'utf8')
    expect(answer).toMatch(/^BEGIN y+\n\[… \d+ characters left out …\]\ny+ END$/)
    expect(answer.length).toBeLessThan(600_000)
    expect(statSync(result.transcript).size).toBeLessThan(9_000_000)
    expect(readFileSync(result.transcript, 'utf8')).toContain(
      '"truncated":"more than 8388608 bytes',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20)
  })

  test('in one line without an end fail the turn', async () => {
    expect(await play(bench.foreign('flood.mjs', 'line'))).toMatchObject({
      outcome: 'failed',
      reason: 'the agent wrote a line of more than 16 MB to its standard output',
    })
    expect(findMarked('RATCHET_RUN', bench.run)).toEqual([])
  })
})

describe('permissions', () => {
  const outcomeOf = async (policy: string, onPermission?: () => Promise<'allow' | 'deny'>) =>
    (
      await bench.call(
        bench.driver(),
        bench.config(bench.foreign('asks.mjs'), { permissions: policy }),
        bench.spec(),
        onPermission ? { onPermission } : {},
      ).result
    ).tail

  test.each([
    { policy: 'deny', told: 'mango' },
    { policy: 'allow', told: 'apple' },
  ])('$policy chooses the one-time option of that kind, with any id', async ({ policy, told }) => {
    expect(await outcomeOf(policy)).toBe(`told {"outcome":"selected","optionId":"${told}"}`)
  })

  test('ask asks a person, with the action', async () => {
    let asked: unknown
    const result = await bench.call(
      bench.driver(),
      bench.config(bench.foreign('asks.mjs'), { permissions: 'ask' }),
      bench.spec(),
      {
        onPermission: (request) => {
          asked = request
          return Promise.resolve('allow')
        },
      },
    ).result
    expect(result.tail).toContain('apple')
    expect(asked).toEqual({
      id: 'c1',
      title: 'touch the moon',
      kind: 'execute',
      input: { command: 'touch moon' },
      paths: [],
    })
  })

  test.each([
    { policy: 'ask', waits: 1 },
    { policy: 'allow', waits: 0 },
  ])(
    'records the wait for a person; a policy waits for no person: $policy',
    async ({ policy, waits }) => {
      const before = Date.now()
      const onPermission = async (): Promise<'allow'> => {
        await waitFor(() => Date.now() >= before + 20, { what: 'the answer' })
        return 'allow'
      }
      await bench.call(
        bench.driver(),
        bench.config(bench.foreign('asks.mjs'), { permissions: policy }),
        bench.spec(),
        { onPermission },
      ).result
      const kept = waitsIn(files().waits)
      expect(kept).toHaveLength(waits)
      for (const { from, to = 0 } of kept)
        expect(before <= from && from <= to && to >= before + 20 && to <= Date.now()).toBe(true)
    },
  )

  test('ask without a person denies', async () => {
    expect(await outcomeOf('ask')).toContain('mango')
  })

  test('a question that is open at the stop is answered with cancelled', async () => {
    const call = bench.call(
      bench.driver(),
      bench.config(bench.foreign('asks.mjs'), { permissions: 'ask' }),
      bench.spec(),
      {
        onPermission: () => {
          call.abort('stop')
          return new Promise(() => {})
        },
      },
    )
    expect(await call.result).toMatchObject({
      outcome: 'stopped',
      tail: 'told {"outcome":"cancelled"}',
    })
  })

  test('a question that comes after the cancel is answered with cancelled', async () => {
    const call = bench.call(
      bench.driver({ timing: { cancelGraceMs: 8_000 } }),
      bench.config(bench.foreign('asks.mjs', 'late'), { permissions: 'allow' }),
    )
    await bench.busy()
    call.abort('stop')
    expect(await call.result).toMatchObject({
      outcome: 'stopped',
      tail: expect.stringContaining('told {"outcome":"cancelled"}') as string,
    })
  })
})

describe('environment and secrets', () => {
  const KEY = 'sk-secret-"quoted"-0123456789'
  const env = {
    PATH: process.env['PATH'],
    HOME: '/home/x',
    LC_ALL: 'C',
    AWS_SECRET: 'not for agents',
    MY_KEY: KEY,
  }

  test('an agent gets what every program needs and what is named for it, nothing else', async () => {
    const agent = { ...bench.foreign('tells-env.mjs'), env: { OWN: '1' }, passEnv: ['MY_KEY'] }
    const result = await bench.call(bench.driver({ env }), bench.config(agent)).result
    expect(result.tail).toContain('names HOME,LC_ALL,MY_KEY,OWN,PATH,RATCHET_RUN,RATCHET_STEP key')
  })

  test('a secret is found in answer, transcript, log and reason, also in pieces', async () => {
    const agent = { ...bench.foreign('tells-env.mjs', 'die'), passEnv: ['MY_KEY'] }
    const result = await bench.call(bench.driver({ env }), bench.config(agent)).result
    expect(result.outcome).toBe('failed')
    const kept = [
      JSON.stringify(result),
      readFileSync(result.answer.path, 'utf8'),
      readFileSync(result.transcript, 'utf8'),
      readFileSync(files().stderr, 'utf8'),
      readFileSync(files().claim, 'utf8'),
    ]
    for (const text of kept) expect(text).not.toMatch(/sk-s|quoted|0123456789/)
    expect(kept[1]).toContain('key [redacted:MY_KEY] end')
    expect(kept[3]).toContain('key=[redacted:MY_KEY]')
  })

  test('names a missing variable and starts nothing', async () => {
    const agent = { ...bench.foreign('echo.mjs'), passEnv: ['NOT_SET', 'MY_KEY'] }
    const call = bench.call(bench.driver({ env }), bench.config(agent))
    await expect(call.result).rejects.toThrow(MissingVariableError)
    await expect(call.result).rejects.toMatchObject({ variables: ['NOT_SET'] })
    expect(bench.claim()).toBeUndefined()
  })

  test('the sandbox comes before the command', async () => {
    const agent = { ...bench.foreign('tells-env.mjs'), sandbox: ['env', 'BOXED=1'] }
    expect((await bench.call(bench.driver({ env }), bench.config(agent)).result).tail).toContain(
      'BOXED,',
    )
  })
})

test('an unknown mode, or a model that cannot be chosen, fails the turn', async () => {
  expect(await play({ ...bench.foreign('echo.mjs'), mode: 'plan' })).toMatchObject({
    outcome: 'failed',
    attempts: 0,
    reason:
      'the agent does not take the mode "plan" (error -32601: no such method: session/set_mode)',
  })
  await bench.end()
  bench = new Bench()
  expect(await play({ ...bench.foreign('echo.mjs'), model: 'm' })).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('remove "model"') as string,
  })
})

describe('mode and model by config, of an agent that lists them with a new session only', () => {
  test.each(
    // prettier-ignore
    [
    { by: 'set_model', tail: 'earlier plan cheap', why: 'are chosen by the method' },
    { by: 'option', tail: 'earlier plan cheap', why: 'are chosen by an option' },
    { by: 'none', tail: 'new plan cheap', why: 'need a new session where neither exists: another model is never paid for unnoticed' },
  ],
  )('of a resumed session $why', async ({ by, tail }) => {
    const agent = { ...bench.foreign('forgets-choice.mjs', by), mode: 'plan', model: 'cheap' }
    const spec = bench.spec({ sessionId: 'earlier' })
    expect(await bench.call(bench.driver(), bench.config(agent), spec).result).toMatchObject({
      outcome: 'completed',
      tail,
    })
    expect(bench.claim(spec.key)?.model).toBe('cheap')
  })

  test('names a missing mode, with the existing ones', async () => {
    expect(
      await play({ ...bench.foreign('forgets-choice.mjs', 'none'), mode: 'yolo' }),
    ).toMatchObject({
      outcome: 'failed',
      attempts: 0,
      reason:
        'the agent does not take the mode "yolo" (error -32603: Internal error); it offers default, plan',
    })
  })
})

describe('an agent that dies in the middle', () => {
  test('is restarted and resumed in the same call', async () => {
    const agent = bench.playbook([
      { do: [{ say: 'before' }, { crash: { code: 7, attempts: 1 } }, { say: 'after' }] },
    ])
    const result = await play(agent)
    expect(result).toMatchObject({ outcome: 'completed', attempts: 2, crashes: 1 })
    expect(readFileSync(result.answer.path, 'utf8')).toMatch(/before[^]*after/)
    expect(bench.starts().map((s) => [s.attempt, s.turn])).toEqual([
      [1, 'work'],
      [2, 'work'],
    ])
  })

  test('fails the turn when it dies for the third time, with its last words', async () => {
    const result = await play(bench.playbook([{ do: [{ say: 'hm' }, { crash: 7 }] }]))
    expect(result).toMatchObject({ outcome: 'failed', attempts: 3, crashes: 3 })
    expect(result.reason).toMatch(
      /exited with code 7; it died 3 times in this turn; it had written: .*crashes on purpose with code 7/s,
    )
    expect(bench.starts()).toHaveLength(3)
  })
})

test('a session is loaded where resume is missing, and replayed history is no answer', async () => {
  const result = await bench.call(
    bench.driver(),
    bench.config({ ...bench.foreign('late-replay.mjs'), mode: 'yolo' }),
    bench.spec({ sessionId: 'earlier' }),
  ).result
  expect(result).toMatchObject({ outcome: 'completed', sessionId: 'earlier', tail: 'in earlier' })
})

test('a follow-up whose session is lost starts a new one and says so', async () => {
  const result = await bench.call(
    bench.driver(),
    bench.config(bench.foreign('echo.mjs')),
    bench.spec({ sessionId: 'earlier' }),
  ).result
  expect(result.tail).toContain('## NEW SESSION')
  expect(result.sessionId).not.toBe('earlier')
})
