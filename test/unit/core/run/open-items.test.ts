// What keeps a dev cycle or a dev loop from being done, row by row.
import { describe, expect, it } from 'vitest'
import type { TestRun } from '../../../../src/contract/test-run.js'
import {
  hasCommitted,
  openCount,
  openItems,
  openTexts,
} from '../../../../src/core/run/open-items.js'
import type { Evidence } from '../../../../src/core/run/open-evidence.js'

type Tests = Extract<TestRun, { kind: 'measured' }>
const FILE = { path: '/f', sha256: 'x', bytes: 1 }
const measured = (
  passed: number,
  failures: Tests['failures'] = [],
  known?: { total: number; tests: string[]; differently: number },
): Tests => ({
  kind: 'measured',
  commit: 'c1',
  total: passed + failures.length,
  passed,
  failed: failures.length,
  skipped: 0,
  flaky: 0,
  flakyTests: [],
  failures,
  failuresTotal: failures.length,
  results: FILE,
  output: FILE,
  fingerprint: '',
  durationMs: 1,
  ...(known === undefined
    ? {}
    : { comparison: { known } as unknown as NonNullable<Tests['comparison']> }),
})
const fails = (
  test: string,
  more: Partial<Tests['failures'][number]> = {},
): Tests['failures'][number] => ({ test, file: 'a.test.js', error: 'expected 2', ...more })
const AGREES: NonNullable<Evidence['verdict']> = {
  commit: 'c1',
  status: 'success',
  ready: true,
  critical: 0,
}
const DONE: Evidence = {
  description: 'Add the CSV export',
  tasks: [{ id: 'TASK-001', text: 'the export', state: 'done' }],
  namesTasks: true,
  committed: true,
  head: 'c1',
  run: measured(3),
  requireGreen: false,
  checks: [],
  verdict: AGREES,
  findings: [],
  decisions: [],
  blockers: [],
}
const kinds = (change: Partial<Evidence>) =>
  openItems({ ...DONE, ...change }).items.map(({ kind, text }) => `${kind}: ${text}`)

it('is done where everything that was promised is shown', () => {
  expect(openItems(DONE)).toEqual({ items: [], review: [] })
})

describe('a task', () => {
  it.each<[string, Partial<Evidence>, string[]]>(
    // prettier-ignore
    [
    ['that the developer does not name is open', { tasks: [{ id: 'TASK-002', text: 'the import', state: 'open' }] }, ['task: TASK-002 is not done: the import']],
    ['that is open, where the developer names none: a validation closes it', { namesTasks: false, tasks: [{ id: 'TASK-002', text: 'the import', state: 'open' }] }, []],
    ['that is open, where the developer names none and only another worker committed', { namesTasks: false, developed: false, tasks: [{ id: 'TASK-002', text: '', state: 'open' }] }, ['task: TASK-002 is not done']],
    ['that is open, where the developer names none and nothing was committed', { namesTasks: false, committed: false, tasks: [{ id: 'TASK-002', text: '', state: 'open' }] }, ['no_commit: nothing was committed: no file of the project has changed', 'task: TASK-002 is not done']],
    ['that is open, where the developer names none and the validation does not agree', { namesTasks: false, tasks: [{ id: 'TASK-002', text: '', state: 'open' }], verdict: { ...AGREES, status: 'partial' } }, ['task: TASK-002 is not done', 'validation: the validation does not agree: its status is partial']],
    ['that needs no change, with a validation that agrees', { tasks: [{ id: 'TASK-001', text: '', state: 'no_change', why: 'it is there' }] }, []],
    ['that needs no change, without one', { tasks: [{ id: 'TASK-001', text: '', state: 'no_change' }], verdict: { ...AGREES, ready: false } }, ['task: TASK-001 needs no change according to the developer, but no validation agrees', 'validation: the validation does not agree: it is not ready']],
    ['that is named without a commit', { tasks: [{ id: 'TASK-001', text: '', state: 'open', claimed: true }] }, ['task: TASK-001 is named as done, but nothing was committed for it: do it, or give the reason in no_change']],
    ['whose commit another one took back is open again', { tasks: [{ id: 'T1', text: '', state: 'open', takenBack: true }] }, ['task: a later commit reverted the work on T1: every file that it changed is as it was before']],
    ['whose commit was lost in a merge is open again', { tasks: [{ id: 'T1', text: '', state: 'done', lost: 'a.js' }] }, ['task: T1 was lost in the merge of a.js']],
  ],
  )('%s', (_, change, expected) => {
    expect(kinds(change)).toEqual(expected)
  })
})

describe('nothing committed', () => {
  it('is open', () => {
    expect(kinds({ committed: false })).toEqual([
      'no_commit: nothing was committed: no file of the project has changed',
    ])
  })
  it('is done where every task needs no change and a validation agrees, and is looked at', () => {
    expect(
      openItems({
        ...DONE,
        committed: false,
        tasks: [{ id: 'TASK-001', text: '', state: 'no_change', why: 'it is there' }],
      }),
    ).toEqual({
      items: [],
      review: ['TASK-001 needed no change: it is there', 'nothing was committed'],
    })
  })
  it('is done where the task that came last needs no change and the earlier ones are done', () => {
    expect(
      kinds({
        committed: false,
        tasks: [
          { id: 'T1', text: '', state: 'done' },
          { id: 'T2', text: '', state: 'no_change' },
        ],
      }),
    ).toEqual([])
    expect(kinds({ committed: false, tasks: [{ id: 'T1', text: '', state: 'done' }] })).toEqual([
      'no_commit: nothing was committed: no file of the project has changed',
    ])
  })
  it.each(
    // prettier-ignore
    [
    { why: 'nothing', state: { commits: [], head: 'a' }, committed: false },
    { why: 'a commit', state: { commits: ['a'], head: 'a' }, committed: true },
    { why: 'a commit of an earlier task', state: { commits: ['a'], head: 'a', workFrom: 'a' }, committed: false },
    { why: 'a commit behind one', state: { commits: ['a', 'b'], head: 'b', workFrom: 'a' }, committed: true },
    { why: 'a commit that another one took back', state: { commits: ['a', 'b'], head: 'b', takenBack: true as const }, committed: false },
  ],
  )('has committed for its task, with $why: $committed', ({ state, committed }) =>
    expect(hasCommitted(state)).toBe(committed),
  )
  it.each<{ why: string; takenBack: 'run' | 'task'; expected: number }>([
    { why: 'open, where a task of the run was done', takenBack: 'run', expected: 1 },
    { why: 'no item, where only the last task needs no change', takenBack: 'task', expected: 0 },
  ])('is $why, and its commit was taken back', ({ takenBack, expected }) => {
    const { items, review } = openItems({
      ...DONE,
      committed: false,
      takenBack,
      tasks: [
        { id: 'T1', text: '', state: 'done' },
        { id: 'T2', text: '', state: 'no_change' },
      ],
    })
    expect(items).toHaveLength(expected)
    for (const { text } of items) expect(text).toContain('a later commit reverted the work')
    expect(review).toContain('the committed work was reverted')
  })
  it('is open where one task of two needs a change', () => {
    expect(
      kinds({
        committed: false,
        tasks: [
          { id: 'T1', text: '', state: 'no_change' },
          { id: 'T2', text: '', state: 'open' },
        ],
      }),
    ).toEqual([
      'no_commit: nothing was committed: no file of the project has changed',
      'task: T2 is not done',
    ])
  })
})

describe('a test that failed before the run', () => {
  const BEFORE = { total: 1, tests: ['src/a.test.js > old one'], differently: 0 }
  const holds = (description: string): boolean =>
    kinds({
      description,
      run: measured(2, [{ ...fails('old one'), file: 'src/a.test.js' }], BEFORE),
    }).length > 0
  it.each([
    'Make tests pass',
    'Fix the tests',
    'Repair the test suite.',
    'Get CI green',
    'Make all the tests pass',
    'Make npm test pass',
    'Fix all failing specs',
    'fix the 3 failing unit tests',
    'The suite is red, repair it',
    'Fix the failures in a.test.js',
    'Make src/a.test.js pass.',
    'Repariere die fehlschlagenden Tests',
    'Get the tests to pass on CI',
    'Bring CI back to green, then add the endpoint',
    'Fix the unit tests of the store',
    'Fix the failing tests in a.test.js',
    'Fix the test of the store in src/a.test.js',
    'Fix b.test.js and a.test.js',
    'a.test.js fails. Repair it.',
    'Fix the test for old one',
    'All tests must pass',
  ])('is open where the task is "%s"', (description) => {
    expect(holds(description)).toBe(true)
  })
  it.each([
    'Add a store',
    'Add a store with tests',
    'Fix the test runner',
    'Fix the CI cache',
    'Fix the login and write tests for it',
    'Make the store, and get its tests to pass',
    'Make new tests pass',
    'Add a case to a.test.js',
    'Fix b.test.js',
    'Fix the latest report',
    'Add a retry. Make sure tests pass.',
    'Add a retry and make sure that the tests pass',
    'Make the test runner work on Windows',
    'Make checkout work, and test that guests pass the address step',
    'Make the suite pass faster',
    'Get CI caching to work',
    'Get the tests to run faster',
    'Fix the test for parse',
    'Fix the tests in b.test.js',
    'Fix the failing tests in b.test.js',
    'Fix the crash in src/pay.ts, see src/a.test.js',
    'Refactor a.js; a.test.js must pass',
    'Fix the parser and add tests in a.test.js',
    'Make a test that passes a token to a.test.js',
    'Add a test that fails without the fix',
    'Add tests; broken input must fail in a.test.js',
  ])('is known where the task is "%s"', (description) => {
    expect(holds(description)).toBe(false)
  })
  it('is open beyond the names that travel', () => {
    expect(
      kinds({
        description: 'Fix the tests',
        run: {
          ...measured(2, [fails('old one')], { ...BEFORE, total: 30 }),
          total: 32,
          failed: 30,
        },
      })[0],
    ).toBe('test: 30 of 32 tests fail, 1 of them are named')
  })
  it('is open alone where the task names it by a short title', () => {
    const known = { total: 2, tests: ['a.test.js > t0', 'a.test.js > t1'], differently: 0 }
    const run = measured(2, [fails('t0'), fails('t1')], known)
    expect(kinds({ description: 'Fix the test for t0', run })).toEqual([
      'test: a.test.js > t0: expected 2',
    ])
  })
})

describe('tests', () => {
  const BEFORE = { total: 1, tests: ['a.test.js > old one'], differently: 0 }
  it.each<[string, Partial<Evidence>, string[]]>(
    // prettier-ignore
    [
    ['one that fails now is open', { run: measured(2, [fails('adds')]) }, ['test: a.test.js > adds: expected 2']],
    ['one that failed before the run is none', { run: measured(2, [fails('old one')], BEFORE) }, []],
    ['one that failed before the run counts with cycle.requireGreen', { requireGreen: true, run: measured(2, [fails('old one')], BEFORE) }, ['test: a.test.js > old one: expected 2']],
    ['one that failed before the run and that the task names', { description: 'Repair "old one"', run: measured(2, [fails('old one')], BEFORE) }, ['test: a.test.js > old one: expected 2']],
    ['one that failed before the run, where the task is about the failing tests', { description: 'Make the failing tests pass', run: measured(2, [fails('old one')], BEFORE) }, ['test: a.test.js > old one: expected 2']],
    ['a new one and one that failed before', { run: measured(2, [fails('old one'), fails('adds')], BEFORE) }, ['test: a.test.js > adds: expected 2']],
    ['one that is gone is open', { run: measured(2, [fails('gone', { missing: true })]) }, ['missing_test: a.test.js > gone: it existed before the run and is missing now']],
    ['more than travel by name', { run: { ...measured(2, [fails('adds')]), total: 20, failed: 18 } }, ['test: 18 of 20 tests fail that did not fail before the run, 1 of them are named', 'test: a.test.js > adds: expected 2']],
    ['a suite that does not start', { run: { kind: 'not_started', commit: 'c1', reason: 'SyntaxError', tail: '', durationMs: 1 } }, ['not_measured: the test suite did not start: SyntaxError']],
    ['a command that is missing', { run: { kind: 'cannot_execute', commit: 'c1', reason: 'ENOENT', tail: '', durationMs: 1 } }, ['not_measured: the tests could not be run: ENOENT']],
    ['a suite in which nothing passes', { run: { ...measured(0), total: 0 } }, ['not_measured: the suite ran no test that passes']],
    ['a project without tests', { run: undefined, unmeasured: 'no test command was found' }, []],
  ],
  )('%s', (_, change, expected) => {
    expect(kinds(change)).toEqual(expected)
  })
  it('what failed before is said, with how many fail for another reason', () => {
    expect(
      openItems({ ...DONE, run: measured(2, [fails('old one')], { ...BEFORE, differently: 1 }) })
        .known,
    ).toBe(
      '1 test failed before the run and still does, 1 of them for another reason now: a.test.js > old one',
    )
  })
  it('a project without tests and one with flaky tests are looked at', () => {
    expect(
      openItems({ ...DONE, run: undefined, unmeasured: 'no test command was found' }).review,
    ).toEqual(['no test ran: no test command was found'])
    expect(
      openItems({ ...DONE, run: { ...measured(3), flaky: 1, flakyTests: ['a'] } }).review,
    ).toEqual(['passed only on re-run: a'])
  })
})

it('changed files that no test runs, and tasks that were not followed, are looked at', () => {
  expect(openItems({ ...DONE, untested: ['src/a.ts', 'src/b.ts'] })).toEqual({
    items: [],
    review: ['no test runs what was changed in src/a.ts, src/b.ts'],
  })
  expect(openItems({ ...DONE, untracked: 3 })).toEqual({
    items: [],
    review: ['the plan has 4 tasks, of which 3 were not tracked individually'],
  })
})

it.each(
  // prettier-ignore
  [
    { ids: ['T1'], change: {},                                  review: ['the developer did not name T1 as done, so the validation closed it'] },
    { ids: ['T1', 'T2'], change: {},                            review: ['the developer did not name T1, T2 as done, so the validation closed them'] },
    { ids: ['T1'], change: { verdict: undefined },              review: [] },
    { ids: [], change: {},                                      review: [] },
  ],
)(
  'tasks that are done and were not named need a review: $ids $change',
  ({ ids, change, review }) => {
    const unnamed = ids.map((id) => ({ id, text: id, state: 'done' as const, unnamed: true }))
    const { tasks } = DONE
    expect(openItems({ ...DONE, tasks: [...tasks, ...unnamed], ...change }).review).toEqual(review)
  },
)

it('existing tests that were changed are named for a person, and are not open', () => {
  const files = ['a.test.js', 'b.test.js', 'c.test.js', 'd.test.js', 'e.test.js', 'f.test.js']
  expect(openItems({ ...DONE, changedTests: { files, total: 30 } })).toEqual({
    items: [],
    review: [
      'existing tests were changed: a.test.js, b.test.js, c.test.js, d.test.js, e.test.js and 25 more',
    ],
  })
})

it('tasks that undo each other are named, and are not open', () => {
  const [one] = DONE.tasks
  const two = { id: 'TASK-002', text: 'b', state: 'done' as const, contradicts: 'TASK-001' }
  expect(openItems({ ...DONE, tasks: [...(one === undefined ? [] : [one]), two] })).toEqual({
    items: [],
    review: ['TASK-001 and TASK-002 contradict each other: each reverts the work of the other'],
  })
})

describe('a validation', () => {
  it.each<[string, Partial<Evidence>, string[]]>(
    // prettier-ignore
    [
    ['that never was', { verdict: undefined }, ['validation: no validation has checked the work']],
    ['of an earlier commit', { verdict: { ...AGREES, commit: 'c0' } }, ['validation: the last validation checked c0, and the branch is at c1']],
    ['that is partial', { verdict: { ...AGREES, status: 'partial', summary: 'FR-001 is not met' } }, ['validation: the validation does not agree: its status is partial (FR-001 is not met)']],
    ['that is not ready', { verdict: { ...AGREES, ready: false } }, ['validation: the validation does not agree: it is not ready']],
    ['with critical issues that it does not name', { verdict: { ...AGREES, critical: 2 } }, ['validation: the validation does not agree: 2 critical issues']],
    ['whose fields are left out counts as its status says', { verdict: { ...AGREES, ready: null, critical: null } }, []],
    ['with a finding', { findings: ['FR-001 is not met'] }, ['finding: FR-001 is not met']],
    ['a decision that is pending', { decisions: [{ id: 'DEC-001', text: 'JWT?', state: 'pending' }] }, ['decision: DEC-001 is not decided: JWT?']],
    ['a decision that the developer has not heard of', { decisions: [{ id: 'DEC-001', text: 'JWT?', state: 'untold' }] }, ['decision: DEC-001 is decided, but the developer has not seen it: JWT?']],
    ['a blocker', { blockers: [{ id: 'BLK-001', text: 'no key' }] }, ['blocker: BLK-001: no key']],
    ['a check that fails now', { checks: ['lint fails and did not before the run'] }, ['check: lint fails and did not before the run']],
    ['coverage that fell', { coverage: { before: 90, now: 88 } }, ['coverage: line coverage fell from 90 % to 88 %']],
    ['coverage that fell by a point', { coverage: { before: 90, now: 89 } }, []],
    ['coverage that was not measured before', { coverage: { before: null, now: 10 } }, []],
  ],
  )('%s', (_, change, expected) => {
    expect(kinds(change)).toEqual(expected)
  })
})

describe('a missing test', () => {
  const gone = (passed: number, tests: string[], total = tests.length): Tests => ({
    ...measured(
      passed,
      tests.map((test) => fails(test, { missing: true })),
    ),
    total: passed + total,
    failed: total,
    failuresTotal: total,
    comparison: {
      removed: [{ file: 'a.test.js', passed: true, total, tests }],
    } as unknown as NonNullable<Tests['comparison']>,
  })
  const says = (...removed: string[]): NonNullable<Evidence['verdict']> => ({ ...AGREES, removed })
  it.each<[string, Partial<Evidence>, string[]]>(
    // prettier-ignore
    [
    ['is open where the validation names no removal', { run: gone(3, ['adds']) }, ['missing_test: a.test.js > adds: it existed before the run and is missing now']],
    ['is closed where the validation names its removal as meant', { run: gone(3, ['adds']), verdict: says('a.test.js > adds') }, []],
    ['is closed by its title, with a reason', { run: gone(3, ['sums > adds']), verdict: says('adds (renamed)') }, []],
    ['is closed by its file, with all others of it', { run: gone(3, ['adds'], 30), verdict: says('a.test.js') }, []],
    ['is open where its file is another one', { run: gone(3, ['adds']), verdict: says('b.test.js > subtracts') }, ['missing_test: a.test.js > adds: it existed before the run and is missing now']],
    ['is not named by a longer title', { run: gone(3, ['adds']), verdict: says('a.test.js > adds twice') }, ['missing_test: a.test.js > adds: it existed before the run and is missing now']],
    ['is open where no commit changed its file', { run: measured(3, [fails('adds', { missing: true })]), verdict: says('a.test.js > adds') }, ['missing_test: a.test.js > adds: it existed before the run and is missing now']],
    ['is open where the validation looked at another commit', { run: gone(3, ['adds']), verdict: { ...says('adds'), commit: 'c0' } }, ['missing_test: a.test.js > adds: it existed before the run and is missing now', 'validation: the last validation checked c0, and the branch is at c1']],
    ['leaves the others open', { run: gone(3, ['adds', 'subtracts']), verdict: says('adds') }, ['missing_test: a.test.js > subtracts: it existed before the run and is missing now']],
  ],
  )('%s', (_, change, expected) => {
    expect(kinds(change)).toEqual(expected)
  })
  it('is looked at by a person where it is closed', () => {
    expect(openItems({ ...DONE, run: gone(3, ['adds']), verdict: says('adds') })).toEqual({
      items: [],
      review: ['1 test removed on purpose according to the validation: a.test.js > adds'],
      removed: { total: 1, passed: 1 },
    })
  })
})

it.each([0, 1, 10, 11, 25])('%i items: their lines stand for as many', (count) => {
  const lines = openTexts(
    Array.from({ length: count }, (_, n) => ({ kind: 'finding', text: `${n} more` })),
  )
  expect(lines.length).toBeLessThanOrEqual(11)
  expect(openCount(lines)).toBe(count)
})
