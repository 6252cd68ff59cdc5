// Whole loops in auto mode: scripted workers, real decisions. A worker's end changes the state as the
// workflow does it: iteration, commit, measurement, then the end itself.
import { expect, test } from 'vitest'
import type { LoopState, WorkerEnd } from '../../../../src/contract/loop.js'
import { LoopState as Schema } from '../../../../src/contract/loop.js'
import type { LoopAction } from '../../../../src/contract/loop-input.js'
import type { TestRun } from '../../../../src/contract/test-run.js'
import { withWorker } from '../../../../src/core/loop/after-worker.js'
import { forNext } from '../../../../src/core/loop/carried.js'
import { completedTasks, furtherTask, taskFor } from '../../../../src/core/loop/loop-tasks.js'
import { nextAction } from '../../../../src/core/loop/next-action.js'
import { validationOf } from '../../../../src/core/loop/validation.js'
import { measured } from '../../../support/test-runs.js'
import { ended, late, loopState, task } from './loop-state.js'

const green = measured(5, 5)
const red = measured(4, 5)
const tasks = (n: number) => Array.from({ length: n }, (_, i) => task(`T${i + 1}`))
const back = (to: LoopAction) => ({ loopBack: { to, said: to } })

/** What a worker does in its n-th turn, from 1; `tests`: what its commit is measured as. */
type Play = (n: number, state: LoopState) => Partial<WorkerEnd> & { tests?: TestRun | undefined; changes?: boolean; late?: boolean; meanwhile?: (state: LoopState) => void }
type Script = Partial<Record<LoopAction, Play>> & { maxIterations?: number; suite?: false }

function play(script: Script): { path: string[]; end: string; reason: string; state: LoopState } {
  let state = loopState({ initialised: false, tasks: [], workersCompleted: [], iteration: 0, maxIterations: script.maxIterations ?? 10 })
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
    if (own !== undefined) state.tasks = state.tasks.map((one) => (one.id === own.id ? { ...one, status: 'in_progress' } : one))
    const { tests: measures, changes = action === 'develop', late: isLate = false, meanwhile, ...rest } = script[action]?.(n, state) ?? {}
    if (script.suite !== false && measures !== undefined) tests = measures
    const commit = changes ? `${state.iteration}`.padStart(40, '0') : null
    if (commit !== null) state.head = commit
    if (action === 'validate') {
      if (tests !== undefined) state.lastRun = tests
      state.validation = validationOf({ ...(tests === undefined ? { unmeasured: 'there are no tests' } : { run: tests }), claimed: null, iteration: state.iteration, commit: state.head })
    }
    const of = { iteration: state.iteration, commit, ...(own === undefined ? {} : { task: own.id }), ...rest }
    meanwhile?.(state)
    Object.assign(state, withWorker(state, isLate ? late(action, of) : ended(action, of), { files: [], filesTotal: 0 }))
    path.push(own === undefined ? action : `${action} ${own.id}`)
    state = Schema.parse(forNext(state)) // every boundary is one more
  }
  throw new Error(`the loop does not end: ${path.join(', ')}`)
}

test('002 §2.3 the simple sequence', () => {
  const { path, end, reason, state } = play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ tests: green }) })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'complete'])
  expect([end, reason, state.iteration]).toEqual(['completed', '', 4])
  expect(state.workersCompleted).toEqual(['init', 'develop', 'validate', 'complete'])
})

test('ccw §2.2 the complex sequence: a validation fails, its cause is found, mended, validated', () => {
  const { path, end, state } = play({ init: () => ({ tasks: tasks(1) }), debug: () => ({ findings: ['off by one'] }), develop: (n, { findings }) => {
    if (n === 2) expect(findings).toMatchObject([{ description: 'off by one', status: 'open' }])
    return { tests: n === 2 ? green : red }
  } })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop', 'validate', 'complete'])
  expect(end).toBe('completed')
  expect(state.findings).toMatchObject([{ status: 'closed' }])
})

test('ccw §2.4 trap 1: a debug that always sends back to develop does not keep the loop from validate', () => {
  const { path, end } = play({ init: () => ({ tasks: tasks(2) }), debug: () => back('develop'), develop: (n) => ({ tests: n === 3 ? green : red }) })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'validate', 'debug', 'develop', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('ccw §2.4 trap 1: nor does it go on for ever where nothing helps', () => {
  const { path, end, reason } = play({ init: () => ({ tasks: tasks(1) }), debug: () => back('develop'), maxIterations: 40 })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop', 'validate', 'debug', 'develop', 'validate', 'debug'])
  expect([end, reason]).toEqual(['failed', 'debug went back to develop 3 times without progress (done)'])
})

test('architecture §7.19 a develop that changes nothing has had its turn: what there is is validated again', () => {
  const { path, end } = play({ init: () => ({ tasks: tasks(1) }), develop: (n) => (n === 1 ? {} : { changes: false }), maxIterations: 9 })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop', 'validate', 'debug', 'develop', 'validate'])
  expect(end).toBe('max_iterations')
})

test('ccw §2.4 trap 2: five tasks are five develops', () => {
  const { path, end, state } = play({ init: () => ({ tasks: tasks(5) }), develop: (n) => (n === 5 ? { tests: green } : {}) })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'develop T3', 'develop T4', 'develop T5', 'validate', 'complete'])
  expect([end, completedTasks(state.tasks).length]).toEqual(['completed', 5])
})

test('architecture §7.19 a validate that sends back for ever is stopped', () => {
  const { path, end, reason } = play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ tests: green }), validate: () => ({ ...back('develop'), summary: 'not nice' }), maxIterations: 40 })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'develop', 'validate', 'develop', 'validate'])
  expect([end, reason]).toEqual(['failed', 'validate went back to develop 3 times without progress (not nice)'])
})

test('architecture §7.19 a validate that sends back while more and more passes is not', () => {
  const { end, path } = play({ init: () => ({ tasks: tasks(1) }), develop: (n) => ({ tests: measured(Math.min(5, n), 5) }), validate: (n) => (n < 5 ? back('develop') : {}), maxIterations: 40 })
  expect(end).toBe('completed')
  expect(path.filter((step) => step === 'validate')).toHaveLength(5)
})

test('architecture §7.19 a blocked task is debugged, then done', () => {
  const { path, end, state } = play({ init: () => ({ tasks: tasks(2) }), develop: (n) => (n === 1 ? { status: 'failed', blocked: true, changes: false } : { tests: green }) })
  expect(path).toEqual(['init', 'develop T1', 'debug', 'develop T1', 'develop T2', 'validate', 'complete'])
  expect([end, completedTasks(state.tasks).length]).toEqual(['completed', 2])
})

test('architecture §7.19 a task that stays blocked ends the loop', () => {
  const { path, end, reason } = play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ status: 'failed', blocked: true, changes: false, summary: 'no key' }), maxIterations: 40 })
  expect(path).toEqual(['init', 'develop T1', 'debug', 'develop T1', 'debug', 'develop T1'])
  expect([end, reason]).toEqual(['failed', 'develop went back to debug 3 times without progress (no key)'])
})

test('architecture §7.20 one timeout is used, and the loop goes on; two in a row end it', () => {
  expect(play({ init: () => ({ tasks: tasks(1) }), develop: (n) => ({ late: n === 1, tests: green }) })).toMatchObject({ path: ['init', 'develop T1', 'develop T1', 'validate', 'complete'], end: 'completed' })
  expect(play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ late: true }) })).toMatchObject({ path: ['init', 'develop T1', 'develop T1'], end: 'failed', reason: 'develop ran out of time: workers ran out of time twice in a row' })
})

test('ccw §2.4 trap 9: init, validate and complete out of time cost a passing loop nothing', () => {
  const { path, end } = play({ init: () => ({ late: true }), develop: () => ({ tests: green }), validate: () => ({ late: true }), complete: () => ({ late: true }) })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('002 §2.3 the iterations are spent', () => {
  const { path, end, reason } = play({ init: () => ({ tasks: tasks(9) }), maxIterations: 4 })
  expect(path).toEqual(['init', 'develop T1', 'develop T2', 'develop T3'])
  expect([end, reason]).toEqual(['max_iterations', 'the 4 iterations are spent, and develop is next: T4 is pending; pending: T4, T5, T6, T7, T8 and 1 more'])
})

test('002 §2.3 a develop that fails ends the loop', () => {
  expect(play({ init: () => ({ tasks: tasks(2) }), develop: (n) => (n === 1 ? {} : { status: 'failed', summary: 'no compiler' }) })).toMatchObject({ path: ['init', 'develop T1', 'develop T2'], end: 'failed', reason: 'Worker develop failed: no compiler' })
})

test('a project without tests completes, and says that nothing was measured', () => {
  expect(play({ suite: false, init: () => ({ status: 'failed' }) })).toMatchObject({ path: ['init', 'develop T1', 'validate', 'complete'], end: 'completed', reason: 'nothing was measured: there are no tests' })
})

test('architecture §7.15 a further task that comes in while validate runs is done before complete', () => {
  const add = (state: LoopState): void => void state.tasks.push(furtherTask(state, 'Also MFA'))
  const { path, end } = play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ tests: green }), validate: (n) => (n === 1 ? { meanwhile: add } : {}) })
  expect(path).toEqual(['init', 'develop T1', 'validate', 'develop T2', 'validate', 'complete'])
  expect(end).toBe('completed')
})

test('a validate that adds a test is measured with it', () => {
  const { path } = play({ init: () => ({ tasks: tasks(1) }), develop: () => ({ tests: green }), validate: (n) => (n === 1 ? { changes: true, tests: red } : {}) })
  expect(path.slice(0, 5)).toEqual(['init', 'develop T1', 'validate', 'debug', 'develop'])
})
