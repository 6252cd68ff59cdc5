import { expect, test } from 'vitest'
import { TASK_CHARS } from '../../../../../src/contract/dev-cycle/cycle-input.js'
import { LOOP_ACTIONS } from '../../../../../src/contract/dev-loop/loop-input.js'
import { loopBrief } from '../../../../../src/core/dev-loop/prompts/brief.js'
import { jsonBytes } from '../../../../../src/core/text/test-text.js'
import { measured } from '../../../../support/test-runs.js'
import { fullState } from '../full-state.js'
import { finding, loopState, quality, summary, task, validation } from '../loop-state.js'

const tasks = [task('T1', 'completed'), task('T2'), task('T3', 'blocked'), task('T4')]
const state = loopState({
  texts: ['Add login', 'Also MFA'],
  tasks,
  findings: [finding('F-001'), finding('F-002', 'closed')],
  workers: [summary('init')],
  lastRun: measured(4, 5),
  quality: quality({ name: 'lint' }),
  parallelResults: {
    develop: null,
    debug: null,
    validate: null,
    conflicts: [{ file: 'a.ts', workers: ['develop', 'debug'], resolution: 'manual' }],
    merged_at: '',
  },
  changedFiles: 3,
})

test('the state of the loop', () => {
  expect(loopBrief(state, 'develop', { task: task('T2'), parallel: false })).toMatchObject({
    loopId: 'loop-b-x',
    action: 'develop',
    mode: 'auto',
    parallel: false,
    iteration: 2,
    maxIterations: 10,
    description: 'Add login\n\n--- FURTHER TASK 1 ---\nAlso MFA',
    tasks: [task('T2')],
    pending: 2,
    completed: 1,
    blocked: ['T3: build T3'],
    findings: ['wrong in F-001'],
    workers: [summary('init')],
    conflicts: [],
    changedFiles: 3,
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'develop: its one',                     action: 'develop',  p: { task: task('T2'), parallel: false },   tasks: ['T2'] },
  { why: 'develop, none is pending',             action: 'develop',  p: { parallel: false },                     tasks: [] },
  { why: 'validate has none',                    action: 'validate', p: { task: task('T2'), parallel: false },   tasks: [] },
  { why: 'in parallel: all that are pending',    action: 'develop',  p: { parallel: true },                      tasks: ['T2', 'T4'] },
  { why: 'in parallel, another worker',          action: 'debug',    p: { parallel: true },                      tasks: ['T2', 'T4'] },
] as const,
)('tasks of the turn: $why', ({ action, p, tasks: ids }) =>
  expect(loopBrief(state, action, p).tasks.map(({ id }) => id)).toEqual(ids),
)

test.each(
  // prettier-ignore
  [
  { why: 'init begins',                          action: 'init',     passed: undefined, told: false },
  { why: 'develop before any validation',        action: 'develop',  passed: undefined, told: true },
  { why: 'develop after one that failed',        action: 'develop',  passed: false,     told: true },
  { why: 'debug',                                action: 'debug',    passed: undefined, told: true },
  { why: 'validate',                             action: 'validate', passed: undefined, told: true },
  { why: 'complete',                             action: 'complete', passed: true,      told: true },
] as const,
)(
  'gives the measurement to the workers that read it: $why -> $told',
  ({ action, passed, told }) => {
    const brief = loopBrief(
      {
        ...state,
        unmeasured: 'why',
        ...(passed === undefined ? {} : { validation: validation(passed) }),
      },
      action,
      { parallel: false },
    )
    expect(
      [brief.measured, brief.quality, brief.unmeasured].map((one) => one !== undefined),
    ).toEqual([told, told, told])
  },
)

test('develop reads no tests where none fails and nothing was refused', () => {
  const green = { ...state, lastRun: measured(5, 5) }
  expect(
    loopBrief({ ...green, validation: validation(true) }, 'develop', { parallel: false }).measured,
  ).toBeUndefined()
  expect(
    loopBrief({ ...green, validation: validation(false) }, 'develop', { parallel: false }).measured,
  ).toBeDefined()
})

test('the repairing worker gets 20 failing tests by name and error, with everything else at its bound', () => {
  for (const action of ['develop', 'debug'] as const) {
    const failures = Array.from({ length: 50 }, (_, n) => ({
      test: `adds ${n}`,
      file: `src/file${n}.test.ts`,
      error: `expected ${n} `.padEnd(200, 'x'),
    }))
    const brief = loopBrief(
      fullState(300, { lastRun: measured(950, 1_000, { failures }) }),
      action,
      { parallel: false },
    )
    expect(
      brief.measured?.kind === 'measured'
        ? brief.measured.failures.map(({ test: name }) => name)
        : [],
    ).toEqual(failures.slice(0, 20).map(({ test: name }) => name))
  }
})

test('complete gets the conflicts', () =>
  expect(loopBrief(state, 'complete', { parallel: false }).conflicts).toHaveLength(1))

test.each(LOOP_ACTIONS)(
  'inputs < 16 kB: the brief of %s, with everything at its bound',
  (action) => {
    const full = fullState(TASK_CHARS)
    for (const p of [{ parallel: true }, { parallel: false, task: full.tasks[9] ?? task('T10') }]) {
      const brief = loopBrief(full, action, p)
      expect(jsonBytes(brief)).toBeLessThan(14_100)
      expect(brief.description).toBe(full.texts[0])
      expect(brief.tasks.map(({ id }) => id)).toEqual(
        p.parallel ? full.tasks.slice(5).map(({ id }) => id) : action === 'develop' ? ['T10'] : [],
      )
      if (!p.parallel && action === 'develop')
        expect(brief.tasks[0]?.description).toBe(full.tasks[9]?.description)
    }
  },
)
