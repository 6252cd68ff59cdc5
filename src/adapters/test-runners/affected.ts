// Runs the tests that a fix is about before the full run, so that who watches knows early. They
// decide nothing: a rate over some of the tests must not be compared with one over all of them.
import type { StoredRun } from '../../contract/test-run.js'
import { countTests } from '../../core/test-results/test-merge.js'
import { selectable, type TestPlan } from './command.js'
import { execute, type ExecuteInput } from './execute.js'

/** A full run that took no longer is waited for. */
export const WORTH_WAITING_MS = 20_000

/**
 * The affected files to run first, none where that gains nothing: the last full run was short, the
 * files are half of its files or more, or the runner cannot be told. An agent named them: only
 * files of the last full run are used, no matter what else the list says.
 */
export function affectedFirst(
  plan: TestPlan,
  cwd: string,
  named: readonly string[],
  lastFull: StoredRun | undefined,
): string[] {
  if (lastFull?.durationMs === undefined || lastFull.durationMs <= WORTH_WAITING_MS) return []
  const known = new Set(lastFull.tests.map((one) => one.file))
  const files = [...new Set(named.map((file) => file.replace(/^\.\//, '')))].filter((file) =>
    known.has(file),
  )
  return files.length * 2 < known.size && selectable(plan, files, cwd) ? files : []
}

/** Runs these files once; `undefined` where that says nothing about them. */
export async function runAffected(
  shared: Omit<ExecuteInput, 'phase' | 'name'>,
  files: readonly string[],
  lastFull: StoredRun | undefined,
): Promise<{ passed: number; total: number } | undefined> {
  // A part that takes longer than the whole did is stuck: the full run tells.
  const timeoutMs = Math.min(shared.timeoutMs, lastFull?.durationMs ?? shared.timeoutMs)
  const run = await execute({
    ...shared,
    timeoutMs,
    phase: 'tests',
    name: 'output-affected',
    files,
  })
  if (run.kind !== 'measured') return undefined
  const { passed, total } = countTests(run.tests, [])
  return { passed, total }
}
