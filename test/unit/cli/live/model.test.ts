// Who is at work and for how long, from heartbeats that come late or not at all; what was spent,
// from the state.
import { expect, test } from 'vitest'
import { Clocks, carriedOf } from '../../../../src/cli/live/model.js'
import type { PendingActivity } from '../../../../src/contract/result.js'

const turn = (
  progress: Record<string, unknown> | undefined,
  rest: Partial<PendingActivity> = {},
): PendingActivity => ({
  name: 'agentTurn',
  attempt: 1,
  started: true,
  running: true,
  progress,
  ...rest,
})
const WORKS = {
  role: 'code-developer',
  agent: 'codex',
  state: 'running',
  lastEvent: 'tool edit a.ts',
  elapsedMs: 10_000,
}

test.each(
  // prettier-ignore
  [
  { why: 'the tool of an agent', pending: turn(WORKS), row: { who: 'code-developer', agent: 'codex', doing: 'edit a.ts', elapsedMs: 10_000 } },
  { why: 'it writes', pending: turn({ ...WORKS, lastEvent: 'text' }), row: { who: 'code-developer', agent: 'codex', doing: 'writes', elapsedMs: 10_000 } },
  { why: 'it starts', pending: turn({ ...WORKS, state: 'starting' }), row: { who: 'code-developer', agent: 'codex', doing: 'starting', elapsedMs: 10_000 } },
  { why: 'what it said so far', pending: turn({ ...WORKS, tokens: 120 }), row: { who: 'code-developer', agent: 'codex', doing: 'edit a.ts', elapsedMs: 10_000, tokens: 120 } },
  { why: 'a tool title of several lines is one line', pending: turn({ ...WORKS, lastEvent: 'tool run\n\u001b[2Jnpm test' }), row: { who: 'code-developer', agent: 'codex', doing: 'run [2Jnpm test', elapsedMs: 10_000 } },
  { why: 'tests with their lines', pending: turn({ phase: 'tests', lines: 120, elapsedMs: 5_000 }, { name: 'runTests' }), row: { who: 'tests', doing: '120 lines', elapsedMs: 5_000 } },
  { why: 'issue 8: tests that tell how far they are', pending: turn({ phase: 'tests', lines: 120, elapsedMs: 5_000, counted: { runner: 'vitest', unit: 'tests', done: 83, total: 247, about: true, failed: 2 } }, { name: 'runTests' }), row: { who: 'tests', doing: 'vitest: 83 of about 247, 2 failed', elapsedMs: 5_000 } },
  { why: 'issue 8: some of them again', pending: turn({ phase: 'flaky re-run', elapsedMs: 5_000, counted: { runner: 'pytest', unit: 'tests', done: 1, total: 2, failed: 0 } }, { name: 'runTests' }), row: { who: 'tests', doing: 'flaky re-run, pytest: 1 of 2', elapsedMs: 5_000 } },
  { why: 'tests again', pending: turn({ phase: 'tests again', elapsedMs: 5_000 }, { name: 'runTests' }), row: { who: 'tests', doing: 'tests again', elapsedMs: 5_000 } },
  { why: 'the workspace', pending: turn({ state: 'copying dependencies' }, { name: 'prepareRun' }), row: { who: 'workspace', doing: 'copying dependencies', elapsedMs: 0 } },
  { why: 'since when, by the server, where a heartbeat does not say', pending: turn({ state: 'copying' }, { name: 'prepareRun', startedAt: 70_000 }), row: { who: 'workspace', doing: 'copying', elapsedMs: 30_000 } },
  { why: 'a slot is waited for elsewhere', pending: turn({ ...WORKS, state: 'slot' }), row: undefined },
  { why: 'an attempt that is over', pending: turn(WORKS, { running: false }), row: undefined },
  { why: 'a step that says nothing and is short', pending: turn(undefined, { name: 'serverFacts' }), row: undefined },
],
)('at work: $why', ({ pending, row }) =>
  expect(new Clocks().atWork([pending], 100_000)).toEqual(row === undefined ? [] : [row]),
)

test('the local clock runs between heartbeats; a heartbeat that lags a little does not set it back, one that lags more does', () => {
  const clocks = new Clocks()
  const elapsed = (progress: Record<string, unknown>, now: number): number | undefined =>
    clocks.atWork([turn(progress)], now)[0]?.elapsedMs
  expect(elapsed(WORKS, 1_000)).toBe(10_000)
  expect(elapsed(WORKS, 5_000)).toBe(14_000)
  expect(elapsed({ ...WORKS, elapsedMs: 14_500 }, 6_000)).toBe(15_000)
  expect(elapsed({ ...WORKS, elapsedMs: 20_000, lastEvent: 'text' }, 7_000)).toBe(20_000)
  expect(elapsed({ ...WORKS, elapsedMs: 21_000 }, 60_000)).toBe(21_000)
})

test('sorts turns by their start, then by name, in any order of the server', () => {
  const team = [
    ['b', 5],
    ['a', 5],
    ['c', 1],
  ].map(([role, startedAt]) => turn({ ...WORKS, role }, { startedAt: startedAt as number }))
  const order = (pending: PendingActivity[]): string[] =>
    new Clocks().atWork(pending, 10_000).map(({ who }) => who)
  expect([order(team), order([...team].reverse())]).toEqual([
    ['c', 'a', 'b'],
    ['c', 'a', 'b'],
  ])
})

test('another attempt starts at zero', () => {
  const clocks = new Clocks()
  expect(clocks.atWork([turn(WORKS)], 0)[0]?.elapsedMs).toBe(10_000)
  expect(
    clocks.atWork([turn({ ...WORKS, elapsedMs: 500 }, { attempt: 2 })], 9_000)[0]?.elapsedMs,
  ).toBe(500)
})

const usage = { turns: 2, inputTokens: 10, outputTokens: 5, estimated: false }

test.each(
  // prettier-ignore
  [
  { why: 'nothing is known before the workspace is ready', answer: { status: {}, state: null }, carried: { warnings: [] } },
  { why: 'a run without a budget', answer: { state: { startedAt: 5, usage, warnings: ['w'], prepared: {} } }, carried: { startedAt: 5, warnings: ['w'], spent: { usage } } },
  { why: 'a budget and what a person added', answer: { state: { usage, prepared: { spending: { onRateLimit: 'wait', budget: { turns: 3, tokens: 100 } } }, raised: { times: 1, tokens: 50 } } }, carried: { warnings: [], spent: { usage, budget: { turns: 3, tokens: 150 } } } },
  { why: 'an answer of another version', answer: 'later', carried: { warnings: [] } },
],
)('carried: $why', ({ answer, carried }) => expect(carriedOf(answer)).toEqual(carried))
