// Lets an agent write tests: what is missing is measured first, and once more after the fixes.
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { CoverageFound, Generation } from '../../contract/test-fix/test-quality.js'
import { coverageGap } from '../../core/test-gen/coverage-gap.js'
import { withoutGeneration, withSupplement } from '../../core/test-gen/generation-queue.js'
import { hostStep } from '../run/host-step.js'
import { roleTurn } from '../run/role-turn.js'
import { approveTestPlan } from './approve-tests.js'
import { carryOut } from './initial-tasks.js'
import { measureAndCompare } from './measure-fix.js'
import { measureCoverage } from './measure-tests.js'
import type { Then } from './test-fix-end.js'
import type { TestFixRun } from './test-fix-run.js'
import { record } from './test-fix-steps.js'

/** Further tasks for what is still missing after the fixes. */
const SUPPLEMENTS = 2

/** IMPL-001: makes a plan if there is none, then the tests; nothing if no test is missing. */
export async function generateTests(run: TestFixRun, task: TaskEntry): Promise<Then> {
  const state = run.ready
  const { generation } = state
  // The current tests are the baseline of the written ones: tests that are missing afterwards count
  // as failed.
  if (state.baseline === undefined && state.lastFull === undefined && generation?.bare !== true)
    await measureAndCompare(run, 'before-tests')
  if (generation !== undefined && generation.gap === undefined) {
    const gap = await findGap(run, task, generation)
    if (gap === 'none') return 'next iteration'
  }
  const isPlanned = state.unplanned !== true || (await planTests(run, task))
  await approveTestPlan(run, task, isPlanned)
  return carryOut(run, task)
}

/** @returns whether there is a plan now */
async function planTests(run: TestFixRun, task: TaskEntry): Promise<boolean> {
  const state = run.ready
  const planned = await roleTurn(run, {
    role: 'cli-planning-agent',
    task: task.id,
    step: `${task.id}/plan`,
    phase: 'planning tests',
    limitMs: state.prepared.limits.analysisMs,
    judgedByTree: false,
    ask: () => ({ about: 'plan-tests', task: task.id }),
    read: { as: 'plan' },
  })
  if (!planned.ok)
    run.warn(`no test plan was made, the tests are written from the code alone: ${planned.reason}`)
  delete state.unplanned
  return planned.ok
}

/** Measures what the tests cover. Where nothing is missing, the tasks that write tests are over. */
async function findGap(
  run: TestFixRun,
  task: TaskEntry,
  generation: Generation,
): Promise<'missing' | 'none'> {
  const state = run.ready
  const hasTests = generation.bare !== true && state.baseline !== undefined
  const found = hasTests ? await measureCoverage(run, `${task.id}/coverage`) : NO_TESTS
  const { missing, reason } = coverageGap(found)
  const gap = missing ? 'missing' : 'none'
  state.generation = { ...generation, gap }
  if (!missing) {
    run.queue = withoutGeneration(run.queue, task.id)
    run.warn(`no tests were written: ${reason}`)
  }
  await record(run)
  return gap
}

const NO_TESTS: CoverageFound = {
  coverage: { lines: null, branches: null, functions: null },
  hasTests: false,
  untested: [],
  thresholds: {},
}

/**
 * After the fixes: adds a task for tests that are missing since the written ones were checked.
 *
 * @returns whether it did
 */
export async function supplement(run: TestFixRun): Promise<boolean> {
  const state = run.ready
  const { generation } = state
  const { supplements = 0 } = generation ?? {}
  if (
    generation?.checked === undefined ||
    generation.checked === state.head ||
    supplements >= SUPPLEMENTS
  )
    return false
  const found = await measureCoverage(run, `supplement-${supplements + 1}/coverage`)
  state.generation = { ...generation, checked: state.head }
  const { missing, reason } = coverageGap(found)
  // What cannot be measured was asked for once.
  if (!missing || found.coverage.lines === null) return false
  const number = supplements + 1
  const added = await hostStep(run, `plan IMPL-supplement-${number}`, (host) =>
    host.planSupplement({
      run: run.id,
      recordDir: state.prepared.recordDir,
      task: generation.task,
      number,
      reason,
    }),
  )
  state.generation = { ...state.generation, supplements: number }
  run.queue = withSupplement(run.queue, added)
  run.warn(`${added.id} was added: ${reason}`)
  await record(run)
  return true
}
