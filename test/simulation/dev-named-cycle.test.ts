// Sequences of a cycle that were judged wrong once, each by its name: gates, work that is taken back,
// checks, and what a person edits.
import { expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/output/ending.js'
import { checkCycle } from './dev/check-cycle.js'
import { CYCLE, resultOf } from './dev/named-worlds.js'
import { RIGHT } from './dev/phase-answers.js'
import { playCycle } from './dev/play.js'
import { PREP } from './dev/world.js'

test.each([
  {
    why: 'VAS says 40 %',
    coverage: '40%' as const,
    reason: 'the iterations are spent; the coverage is 40 %, 80 % are needed',
  },
  {
    why: 'no agent says it',
    coverage: 'n/a' as const,
    reason:
      'the iterations are spent; nothing measures the coverage and no agent reported it, 80 % are needed',
  },
])(
  'a prep package wants a coverage of 80 %: $why, and the run is not completed',
  async ({ coverage, reason }) => {
    const played = await playCycle({
      ...CYCLE,
      limit: 2,
      prep: PREP,
      moves: { ...CYCLE.moves, vas: [{ ...RIGHT, coverage }] },
    })
    checkCycle(played)
    const result = resultOf(played)
    expect(result).toMatchObject({ outcome: 'completed_with_issues', reviewNeeded: true, reason })
    expect(exitCodeOf(result)).toBe(1)
  },
)

test('a prep package, and the last iteration reaches only its first gate', async () => {
  const played = await playCycle({ ...CYCLE, limit: 1, prep: PREP })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed_with_issues',
    reason: 'the iterations are spent; 0→1 has converged: 100 % (3 of 3); 1→100 is not reached',
  })
})

test('CD rewrites an existing test, and all tests pass: a person has to look at it', async () => {
  const played = await playCycle({
    ...CYCLE,
    moves: { ...CYCLE.moves, cd: [{ ...RIGHT, edit: 'rewrite test' }] },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    reviewNeeded: true,
    reason: 'existing tests were changed: src/a.test.ts',
    changedTestFiles: ['src/a.test.ts'],
  })
})

test('the second iteration takes back what the first one did: nothing is left, and a reason says so', async () => {
  const played = await playCycle({
    ...CYCLE,
    limit: 2,
    moves: {
      ...CYCLE.moves,
      cd: [
        { ...RIGHT, edit: 'write' },
        { ...RIGHT, edit: 'nothing' },
        { ...RIGHT, edit: 'take back' },
      ],
      vas: [{ ...RIGHT, ready: 'false' }, { ...RIGHT, ready: 'false' }, RIGHT],
    },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    nothingCommitted: true,
    reason: expect.stringContaining('a later commit reverted the work') as unknown,
  })
})

const FIRST = { ...RIGHT, edit: 'write', names: 'first' } as const
const OTHER = { ...RIGHT, names: 'none' } as const
/** The second task takes back what the first one did; each turn of feedback changes nothing. */
const SWAPPED = [
  FIRST,
  { ...FIRST, edit: 'nothing' as const },
  { ...OTHER, edit: 'swap' as const, adds: { lines: ['- tasks_completed: [TASK-002]'] } },
  { ...OTHER, edit: 'nothing' as const },
]
test('the second task takes back what the first one did, and stays: the first one is open', async () => {
  const played = await playCycle({
    ...CYCLE,
    limit: 2,
    moves: {
      ...CYCLE.moves,
      cd: [...SWAPPED],
    },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed_with_issues',
    reason: expect.stringContaining('a later commit reverted the work on TASK-001') as unknown,
  })
})

test('the same, and the next iteration does the first one again: nothing is open', async () => {
  const played = await playCycle({
    ...CYCLE,
    moves: {
      ...CYCLE.moves,
      cd: [...SWAPPED, { ...RIGHT, edit: 'write', names: 'first' }],
    },
  })
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 3 })
})

test.each([13, 16, 18])(
  'the same, and a further task comes at %i: the first one can be done again',
  async (at) => {
    const played = await playCycle({
      ...CYCLE,
      events: [{ at, what: 'extend' }],
      moves: {
        ...CYCLE.moves,
        cd: [...SWAPPED, { ...RIGHT, edit: 'write', names: 'all' }],
      },
    })
    checkCycle(played)
    expect(resultOf(played).outcome).toBe('completed')
  },
)

test('what is taken back is done again in the next iteration', async () => {
  const played = await playCycle({
    ...CYCLE,
    moves: {
      ...CYCLE.moves,
      cd: [
        { ...RIGHT, edit: 'write' },
        { ...RIGHT, edit: 'take back' },
        { ...RIGHT, edit: 'write' },
      ],
      vas: [{ ...RIGHT, ready: 'false' }, RIGHT],
    },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 2, reason: null })
})

const LOST = 'line coverage was 80 % before the run and'

// prettier-ignore
test.each([
  { edit: 'lint gone' as const,       reason: 'lint ran before the run and does not now: the project no longer has it' },
  { edit: 'lint hangs' as const,      reason: 'lint ran before the run and does not now: it could not be run' },
  { edit: 'coverage fails' as const,  reason: `${LOST} could not be measured now: its run failed` },
])('$edit, and it ran at the base: a person looks at it', async ({ edit, reason }) => {
  const played = await playCycle({ ...CYCLE, moves: { ...CYCLE.moves, cd: [{ ...RIGHT, edit }] } })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', reviewNeeded: true, reason })
})

test('lint failed before the cycle and is gone: nothing is said of it', async () => {
  const cd = [{ ...RIGHT, edit: 'lint gone' as const }]
  const played = await playCycle({ ...CYCLE, lint: false, moves: { ...CYCLE.moves, cd } })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    reviewNeeded: false,
    reason: null,
  })
})

test('a run of coverage succeeds and gives no number any more: that is an open item', async () => {
  const cd = [{ ...RIGHT, edit: 'coverage silent' as const }]
  const played = await playCycle({ ...CYCLE, limit: 2, moves: { ...CYCLE.moves, cd } })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed_with_issues',
    reason: `the iterations are spent; 1 item is open: ${LOST} is not measured now`,
  })
})

test('a test failed before the cycle, and VAS rightly says that it is ready: that is no false claim', async () => {
  const played = await playCycle({
    ...CYCLE,
    failing: [0],
    moves: { ...CYCLE.moves, cd: [{ ...RIGHT, edit: 'write' }] },
  })
  checkCycle(played)
  const { reason, ...result } = resultOf(played)
  expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false })
  expect(reason).toMatch(/^1 test failed before the run and still does/)
})

test('a person edits seven documents at once: the developer sees each', async () => {
  const played = await playCycle({ ...CYCLE, events: [{ at: 8, what: 'many edits' }] })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed' })
})

test('work is rightly withdrawn, with no change for each task, and VAS agrees', async () => {
  const NONE = { ...RIGHT, edit: 'nothing', names: 'none', noChange: 'all' } as const
  const played = await playCycle({
    ...CYCLE,
    moves: {
      ...CYCLE.moves,
      cd: [{ ...RIGHT, edit: 'write' }, NONE, { ...NONE, edit: 'take back' }, NONE],
      vas: [{ ...RIGHT, ready: 'false' }, { ...RIGHT, ready: 'false' }, RIGHT],
    },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    reviewNeeded: true,
    nothingCommitted: true,
    reason: expect.stringContaining('the committed work was reverted') as unknown,
  })
})

const HONEST: Partial<Record<'cd' | 'vas', object>>[] = [
  { vas: { lines: ['- status: Completed successfully with 100% pass rate'] } },
  { vas: { lines: ['- status: success - not blocked'] } },
  { vas: { details: { issues: ['Note: docs could be longer', 'src/a.ts:12: [low] naming'] } } },
  { vas: { details: { findings: ['FR-001 is met: checkout works'] } } },
  { cd: { lines: ['- tasks_completed: ["TASK-001: Dialog: open, close", "TASK-002"]'] } },
  { cd: { lines: ['- tasks_completed: ["TASK-001 (was blocked, now done)", "TASK-002"]'] } },
  { cd: { lines: ['- tasks_completed: [{"id":"TASK-001","status":"all done"},"TASK-002"]'] } },
  { cd: { lines: ['- tasks_completed: ["TASK-001: in progress", "TASK-001", "TASK-002"]'] } },
]
test.each(HONEST)('an honest wording holds nothing up: %j', async ({ cd, vas }) => {
  const once = { ...RIGHT, ...(cd === undefined ? {} : { names: 'none' as const, adds: cd }) }
  const played = await playCycle({
    ...CYCLE,
    limit: 3,
    tasks: 2,
    input: { scheduling: 'staged' },
    moves: {
      ...CYCLE.moves,
      cd: [once],
      ...(vas === undefined ? {} : { vas: [{ ...RIGHT, adds: vas }] }),
    },
  })
  expect(resultOf(played)).toMatchObject({ outcome: 'completed' })
})

test('a blocked agent gives no usable answer to its feedback: it is still blocked', async () => {
  const played = await playCycle({
    ...CYCLE,
    limit: 1,
    moves: {
      ...CYCLE.moves,
      ep: [
        { ...RIGHT, blocker: 1 },
        { ...RIGHT, went: 'no block' },
      ],
    },
  })
  checkCycle(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed_with_issues',
    reason: expect.stringContaining('ep cannot reach service 1') as unknown,
  })
})

test('a test failed before the cycle, and CD never answers: the test is no open item', async () => {
  const played = await playCycle({
    ...CYCLE,
    limit: 1,
    failing: [0],
    moves: { ...CYCLE.moves, cd: [{ ...RIGHT, went: 'fails' }] },
  })
  checkCycle(played)
  expect(resultOf(played).outcome).toBe('failed')
  expect(played.facts.state().openIssues.join()).not.toContain('t0')
})

test('a person stops at the first of two blockers, and at the other after a resume: both stops end the run', async () => {
  const played = await playCycle({
    ...CYCLE,
    input: { ...CYCLE.input, interactive: true },
    then: 'resume',
    chosen: { 'approve-plan-1': 'approve', 'DEC-001': 'stop', 'DEC-002': 'stop' },
    moves: {
      ...CYCLE.moves,
      ep: [{ ...RIGHT, blocker: 1 }],
      vas: [{ ...RIGHT, blocker: 1 }],
    },
  })
  checkCycle(played)
  expect(played.runs.map(({ result }) => [result.outcome, result.reason?.slice(0, 26)])).toEqual([
    ['stopped', 'stopped by choice: BLK-001'],
    ['stopped', 'stopped by choice: BLK-002'],
  ])
})
