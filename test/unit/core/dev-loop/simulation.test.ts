// Whole loops in auto mode: scripted workers, real decisions. The end of a worker changes the
// state as in the workflow: iteration, commit, measurement, then the end itself.
import { expect, test } from 'vitest'
import {
  LoopState as Schema,
  type LoopState,
  type WorkerEnd,
} from '../../../../src/contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../../../src/contract/dev-loop/loop-input.js'
import type { TestRun } from '../../../../src/contract/test-run.js'
import { withWorker } from '../../../../src/core/dev-loop/after-action.js'
import { forNext } from '../../../../src/core/dev-loop/loop-carried.js'
import { completedTasks, furtherTask, taskFor } from '../../../../src/core/dev-loop/loop-tasks.js'
import { nextAction } from '../../../../src/core/dev-loop/loop-next-action.js'
import { validationOf, wordOfWorker } from '../../../../src/core/dev-loop/validation.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'
import { ended, late, loopState, task } from './loop-state.js'

const green = measured(5, 5)
const red = measured(4, 5)
const tasks = (n: number) => Array.from({ length: n }, (_, i) => task(`T${i + 1}`))
const back = (to: LoopAction) => ({ loopBack: { to, said: to } })

/** What a worker does in its n-th turn, from 1; `tests`: what its commit is measured as. */
type Play = (
  n: number,
  state: LoopState,
) => Partial<WorkerEnd> & {
  tests?: TestRun | undefined
  changes?: boolean
  late?: boolean
  meanwhile?: (state: LoopState) => void
}
type Script = Partial<Record<LoopAction, Play>> & { maxIterations?: number; suite?: false }

function play(script: Script): { path: string[]; end: string; reason: string; state: LoopState } {
  let state = loopState({
    initialised: false,
    tasks: [],
    workersCompleted: [],
    commits: [],
    iteration: 0,
    maxIterations: script.maxIterations ?? 10,
  })
  const path: string[] = []
  const turns = new Map<LoopAction, number>()
  let tests: TestRun | undefined = script.suite === false ? undefined : red
  for (let guard = 0; guard < 50; guard++) {
    const next = nextAction(state)
    if ('end' in next) return { path, end: next.end, reason: next.reason ?? '', state }
    const { action } = next
    const n = (turns.get(action) ?? 0) + 1
    turns.set(action, n)
    state.iteration++
    const own = action === 'develop' ? taskFor(state) : undefined
    if (own !== undefined)
      state.tasks = state.tasks.map((one) =>
        one.id === own.id ? { ...one, status: 'in_progress' } : one,
      )
    const {
      tests: measures,
      changes = action === 'develop',
      late: isLate = false,
      meanwhile,
      ...rest
    } = script[action]?.(n, state) ?? {}
    if (script.suite !== false && measures !== undefined) tests = measures
    const commit = changes ? `${state.iteration}`.padStart(40, '0') : null
    if (commit !== null) {
      state.head = commit
      state.commits = [...state.commits, commit]
    }
    const of = {
      iteration: state.iteration,
      commit,
      ...(own === undefined ? {} : { task: own.id }),
      ...rest,
    }
    const end = isLate ? late(action, of) : ended(action, of)
    if (action === 'validate') {
      if (tests === undefined) state.unmeasured = 'there are no tests'
      else state.lastRun = tests
      state.validation = validationOf({
        ...(tests === undefined ? { unmeasured: 'there are no tests' } : { run: tests }),
        claimed: null,
        iteration: state.iteration,
        commit: state.head,
        word: wordOfWorker(end),
        before: state.validation,
      })
    }
    meanwhile?.(state)
    Object.assign(
      state,
      withWorker(state, end, { files: [], filesTotal: 0 }, { commit: state.head }),
    )
    path.push(own === undefined ? action : `${action} ${own.id}`)
    state = Schema.parse(forNext(state)) // every boundary is one more
  }
  throw new Error(`the loop does not end: ${path.join(', ')}`)
}

test('the simple sequence', () => {
  const { path, end, reason, state } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green, tasksCompleted: ['T1'] }),
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'complete'])
  expect([end, reason, state.iteration]).toEqual(['completed', '', 4])
  expect(state.workersCompleted).toEqual(['init', 'develop', 'validate', 'complete'])
})

test('the complex sequence: a validation fails, its cause is found, fixed, validated', () => {
  const { path, end, state } = play({
    init: () => ({ tasks: tasks(1) }),
    debug: () => ({ findings: ['off by one'] }),
    develop: (n, { findings }) => {
      if (n === 2) expect(findings).toMatchObject([{ description: 'off by one', status: 'open' }])
      return { tests: n === 2 ? green : red }
    },
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'validate',
    'debug',
    'develop',
    'validate',
    'complete',
  ])
  expect(end).toBe('completed')
  expect(state.findings).toMatchObject([{ status: 'closed' }])
})

test('a debug that always sends back to develop does not keep the loop from validate', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(2) }),
    debug: () => back('develop'),
    develop: (n) => ({ tests: n === 3 ? green : red }),
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'develop T2',
    'validate',
    'debug',
    'develop',
    'validate',
    'complete',
  ])
  expect(end).toBe('completed')
})

test('ends where nothing helps', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    debug: () => back('develop'),
    maxIterations: 40,
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'validate',
    'debug',
    'develop',
    'validate',
    'debug',
    'develop',
    'validate',
    'debug',
  ])
  expect([end, reason]).toEqual([
    'failed',
    'debug went back to develop 3 times without progress (done)',
  ])
})

test('a develop that changes nothing has had its turn: what there is is validated again, and the same found twice without a commit ends the loop', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: (n) => (n === 1 ? {} : { changes: false }),
    maxIterations: 40,
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop', 'validate'])
  expect([end, reason]).toEqual([
    'failed',
    expect.stringMatching(
      /^two validations in a row found the same, and nothing was committed in between; 2 items are open: a\.test\.ts > test 1: expected 1;/,
    ),
  ])
})

test('a commit between two validations that find the same keeps the loop at work', () => {
  const { path, end } = play({ init: () => ({ tasks: tasks(1) }), maxIterations: 9 })
  expect(path).toEqual([
    'init',
    'develop T1',
    'validate',
    'debug',
    'develop',
    'validate',
    'debug',
    'develop',
    'validate',
  ])
  expect(end).toBe('max_iterations')
})

test('a new finding of debug is another state: the loop continues once more', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(1) }),
    debug: () => ({ findings: ['off by one'] }),
    develop: (n) => (n === 1 ? {} : { changes: false }),
    maxIterations: 40,
  })
  expect(path.filter((step) => step === 'validate')).toHaveLength(3)
  expect(end).toBe('failed')
})

test('tests that cannot be executed after a develop end the loop and say what to set', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: notStarted({ kind: 'cannot_execute', reason: 'npm: not found' }) }),
    maxIterations: 40,
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop', 'validate'])
  expect([end, reason]).toEqual([
    'failed',
    'the tests still cannot be run, and the developer could not change that: npm: not found; set "test.command" in ratchet.config.json',
  ])
})

test('five tasks are five develops', () => {
  const { path, end, state } = play({
    init: () => ({ tasks: tasks(5) }),
    develop: (n) => (n === 5 ? { tests: green } : {}),
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'develop T2',
    'develop T3',
    'develop T4',
    'develop T5',
    'validate',
    'complete',
  ])
  expect([end, completedTasks(state.tasks).length]).toEqual(['completed', 5])
})

test('a validate that sends back for ever is stopped', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green }),
    validate: () => ({ ...back('develop'), summary: 'not nice' }),
    maxIterations: 40,
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'validate',
    'develop',
    'validate',
    'develop',
    'validate',
  ])
  expect([end, reason]).toEqual([
    'failed',
    'validate went back to develop 3 times without progress (not nice)',
  ])
})

test('a validate that sends back while more and more passes is not', () => {
  const { end, path } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: (n) => ({ tests: measured(Math.min(5, n), 5) }),
    validate: (n) => (n < 5 ? back('develop') : {}),
    maxIterations: 40,
  })
  expect(end).toBe('completed')
  expect(path.filter((step) => step === 'validate')).toHaveLength(5)
})

test('a blocked task is debugged, then done', () => {
  const { path, end, state } = play({
    init: () => ({ tasks: tasks(2) }),
    develop: (n) =>
      n === 1 ? { status: 'failed', blocked: true, changes: false } : { tests: green },
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'debug',
    'develop T2',
    'develop T1',
    'validate',
    'complete',
  ])
  expect([end, completedTasks(state.tasks).length]).toEqual(['completed', 2])
})

test('a task that stays blocked ends the loop', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ status: 'failed', blocked: true, changes: false, summary: 'no key' }),
    maxIterations: 40,
  })
  expect(path).toEqual(['init', 'develop T1', 'debug', 'develop T1'])
  expect([end, reason]).toEqual([
    'failed',
    'T1 is blocked after 2 tries: no key; 3 items are open: nothing was committed: no file of the project has changed; T1 is not done: build T1; no validation has checked the work',
  ])
})

test('the loop continues after one timeout; two in a row end it', () => {
  expect(
    play({ init: () => ({ tasks: tasks(1) }), develop: (n) => ({ late: n === 1, tests: green }) }),
  ).toMatchObject({
    path: ['init', 'develop T1', 'develop T1', 'validate', 'complete'],
    end: 'completed',
  })
  expect(
    play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ late: true }) }),
  ).toMatchObject({
    path: ['init', 'develop T1', 'develop T1'],
    end: 'failed',
    reason: 'develop ran out of time: workers ran out of time twice in a row',
  })
})

test('timeouts of init and complete do not stop a passing loop; a validate is asked again', () => {
  const { path, end } = play({
    init: () => ({ late: true }),
    develop: () => ({ tests: green }),
    validate: (n) => ({ late: n === 1 }),
    complete: () => ({ late: true }),
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('the iterations are spent', () => {
  const { path, end, reason } = play({ init: () => ({ tasks: tasks(9) }), maxIterations: 4 })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'develop T3'])
  expect([end, reason]).toEqual([
    'max_iterations',
    'the 4 iterations are spent, and develop is next: T4 is pending; 7 items are open: T4 is not done: build T4; no validation has checked the work; T5 is not done: build T5; T6 is not done: build T6; T7 is not done: build T7; and 2 more',
  ])
})

test('a develop that fails on the only task ends the loop', () => {
  expect(
    play({
      init: () => ({ tasks: tasks(1) }),
      develop: () => ({ status: 'failed', changes: false, summary: 'no compiler' }),
    }),
  ).toMatchObject({
    path: ['init', 'develop T1'],
    end: 'failed',
    reason: 'Worker develop failed: no compiler',
  })
})

test('a project without tests completes, and says that nothing was measured', () => {
  expect(
    play({
      suite: false,
      init: () => ({ status: 'failed' }),
      develop: () => ({ tasksCompleted: ['T1'] }),
    }),
  ).toMatchObject({
    path: ['init', 'develop T1', 'validate', 'complete'],
    end: 'completed',
    reason: 'no test ran: there are no tests',
  })
})

test('a further task that arrives during validate is done before complete', () => {
  const add = (state: LoopState): void => void state.tasks.push(furtherTask(state, 'Also MFA'))
  const { path, end } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green }),
    validate: (n) => (n === 1 ? { meanwhile: add } : {}),
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'develop T2', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('a validate that adds a test is measured with it', () => {
  const { path } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green }),
    validate: (n) => (n === 1 ? { changes: true, tests: red } : {}),
  })
  expect(path.slice(0, 5)).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop'])
})

const word = (status: 'success' | 'failed', rest: Partial<WorkerEnd> = {}) => ({ status, ...rest })

test('a validate that refuses green tests sends the loop through debug and develop; a later validation of a later commit closes it', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green }),
    validate: (n) => (n === 1 ? word('failed', { findings: ['the total is not rounded'] }) : {}),
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'validate',
    'debug',
    'develop',
    'validate',
    'complete',
  ])
  expect(end).toBe('completed')
})

test('the same commit is not right because a second validate says so', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: (n) => ({ tests: green, changes: n === 1 }),
    validate: (n) => (n === 1 ? word('failed') : {}),
    maxIterations: 8,
  })
  expect(path.filter((step) => step === 'validate').length).toBeGreaterThan(1)
  expect(path).not.toContain('complete')
  expect([end, reason]).toEqual([
    'failed',
    expect.stringContaining(
      'validate refused this commit in iteration 3, and nothing was committed',
    ),
  ])
})

test('a finding of low severity does not block', () => {
  expect(
    play({
      init: () => ({ tasks: tasks(1) }),
      develop: () => ({ tests: green }),
      validate: () => word('success', { findings: ['[low] a name could be shorter'] }),
    }),
  ).toMatchObject({ path: ['init', 'develop T1', 'validate', 'complete'], end: 'completed' })
})

test('a lazy loop, in which every worker says success and nothing is committed, is not completed, and says why', () => {
  const { path, end, reason } = play({
    suite: false,
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ changes: false }),
  })
  expect(path).toEqual(['init', 'develop T1', 'develop T1'])
  expect([end, reason]).toEqual([
    'failed',
    expect.stringMatching(
      /^T1 is not done after 2 tries: develop says that it is done, and changed nothing; .*nothing was committed/,
    ),
  ])
})

test('tasks that need no change are closed by a validation that agrees, and a person should look', () => {
  const noChange = [{ id: 'T1', why: 'add is right' }]
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ changes: false, noChange, tests: green }),
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'complete'])
  expect([end, reason]).toEqual([
    'completed',
    'T1 needed no change: add is right; nothing was committed',
  ])
})

test('a success without a change whose work an earlier commit has is closed by the validation, where the developer names no task', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(2) }),
    develop: (n) => ({ tests: green, changes: n === 1 }),
  })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'develop T2', 'validate', 'complete'])
  expect([end, reason]).toEqual([
    'completed',
    'the developer named no task of the plan, so the validation closed all of them',
  ])
})

test('a develop that never names the task that it was given is closed by the validation', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(2) }),
    develop: (n) => ({ tests: green, ...(n === 1 ? { tasksCompleted: ['T1'] } : {}) }),
  })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'validate', 'complete'])
  expect([end, reason]).toEqual([
    'completed',
    'the developer did not name T2 as done, so the validation closed it',
  ])
})

test('a develop that names its own task among those that remain has not done it', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: (n) => ({
      tests: green,
      ...(n === 1 ? { tasksCompleted: ['T1'], tasksRemaining: ['T1'] } : {}),
    }),
  })
  expect(path).toEqual(['init', 'develop T1', 'develop T1', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('a blocked task is set aside after one debug, the others are done, it is tried once more, and the loop is not completed', () => {
  const { path, end, reason, state } = play({
    init: () => ({ tasks: tasks(3) }),
    develop: (_, { tasks: all }) =>
      all.some(({ id, status }) => id === 'T1' && status === 'in_progress')
        ? { status: 'failed', blocked: true, changes: false, summary: 'no key' }
        : { tests: green },
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'debug',
    'develop T2',
    'develop T3',
    'develop T1',
    'validate',
  ])
  expect([end, reason]).toEqual([
    'failed',
    'T1 is blocked after 2 tries: no key; 1 item is open: T1 is not done: build T1',
  ])
  expect(completedTasks(state.tasks).map(({ id }) => id)).toEqual(['T2', 'T3'])
})

test('five tasks that are all blocked are all tried', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(5) }),
    develop: () => ({ status: 'failed', blocked: true, changes: false, ...back('debug') }),
    maxIterations: 40,
  })
  expect(new Set(path.filter((step) => step.startsWith('develop'))).size).toBe(5)
  expect(end).toBe('failed')
})

test('what debug commits is no progress of a develop', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ status: 'partial', changes: false, next: 'debug', summary: 'half' }),
    debug: () => ({ changes: true }),
    maxIterations: 40,
  })
  expect(path).toEqual(['init', 'develop T1', 'debug', 'develop T1', 'debug', 'develop T1'])
  expect([end, reason]).toEqual([
    'failed',
    'develop went back to debug 3 times without progress (half)',
  ])
})

test('one develop of several that fails does not end the loop: the others are done, and its task is tried once more', () => {
  const { path, end } = play({
    init: () => ({ tasks: tasks(3) }),
    develop: (n) =>
      n === 1 ? { status: 'failed', changes: false, summary: 'out of memory' } : { tests: green },
  })
  expect(path).toEqual([
    'init',
    'develop T1',
    'develop T2',
    'develop T3',
    'develop T1',
    'validate',
    'complete',
  ])
  expect(end).toBe('completed')
})

test('where it fails again, the rest is validated, and the loop is not completed', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(2) }),
    develop: (n) =>
      n === 1 ? { tests: green } : { status: 'failed', changes: false, summary: 'no compiler' },
  })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'develop T2', 'validate'])
  expect([end, reason]).toEqual([
    'failed',
    'T2 is not done after 2 tries: no compiler; 1 item is open: T2 is not done: build T2',
  ])
})

test('init that asks for debug first is heard', () => {
  expect(
    play({ init: () => ({ tasks: tasks(1), next: 'debug' }), develop: () => ({ tests: green }) })
      .path,
  ).toEqual(['init', 'debug', 'develop T1', 'validate', 'complete'])
  expect(
    play({ init: () => ({ tasks: tasks(1), ...back('debug') }), develop: () => ({ tests: green }) })
      .path,
  ).toEqual(['init', 'debug', 'develop T1', 'validate', 'complete'])
})

test('tests that failed before the loop are said, and keep it from nothing', () => {
  const known = measured(4, 5, {
    comparison: compared({ known: { total: 1, tests: ['a.test.ts > test 1'], differently: 0 } }),
  })
  expect(
    play({
      init: () => ({ tasks: tasks(1) }),
      develop: () => ({ tests: known, tasksCompleted: ['T1'] }),
    }),
  ).toMatchObject({
    path: ['init', 'develop T1', 'validate', 'complete'],
    end: 'completed',
    reason: '1 test failed before the run and still does: a.test.ts > test 1',
  })
})

test('a validate that never answers completes nothing', () => {
  const { path, end, reason } = play({
    init: () => ({ tasks: tasks(1) }),
    develop: () => ({ tests: green }),
    validate: () => ({ status: 'unknown', summary: '' }),
  })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'validate'])
  expect([end, reason]).toEqual([
    'failed',
    expect.stringContaining('validate gave no answer twice'),
  ])
})
