// Measures tests on the host: what they cover, and what written ones are worth.
import type {
  CoverageFound,
  MeasureTestsInput,
  MeasuredTests,
} from '../../contract/test-fix/test-quality.js'
import { MUTANTS_MS } from '../../core/test-gen/mutants.js'
import { long } from '../run/activity-options.js'
import type { TestFixRun } from './test-fix-run.js'

/** Measures what the tests cover of the files in question. */
export function measureCoverage(run: TestFixRun, step: string): Promise<CoverageFound> {
  const { facts, prepared } = run.ready
  return run.control.step(() => {
    run.enter('measuring coverage', `tests: ${prepared.testCommand}`)
    return long(facts.queue, 2 * prepared.testTimeoutMs, `coverage: ${step}`).measureCoverage(
      inputOf(run, step),
    )
  })
}

/** Measures what the written tests are worth, with mutants of the code under test. */
export async function measureTests(run: TestFixRun, step: string): Promise<MeasuredTests> {
  const state = run.ready
  const { facts, prepared, head, generation } = state
  if (generation?.measured?.commit === head) return generation.measured.found
  const found = await run.control.step(() => {
    run.enter('measuring tests', `tests: ${prepared.testCommand}, also with changed code`)
    return long(
      facts.queue,
      4 * prepared.testTimeoutMs + MUTANTS_MS,
      `coverage and mutants: ${step}`,
    ).measureTests(inputOf(run, step))
  })
  if (generation !== undefined)
    state.generation = { ...generation, measured: { commit: head, found } }
  return found
}

function inputOf(run: TestFixRun, step: string): MeasureTestsInput {
  const { prepared, head, baseline, generation } = run.ready
  return {
    run: run.id,
    step: `${run.runId}/${step}`,
    workspace: prepared.workspace,
    commit: head,
    recordDir: prepared.recordDir,
    task: generation?.task ?? '',
    baseline,
    timeoutMs: prepared.testTimeoutMs,
    configHash: prepared.configHash,
  }
}
