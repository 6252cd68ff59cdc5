// Runs single test files again, on the measured commit and on earlier ones.
import type { StoredTest } from '../../contract/test-run.js'
import { sizeOfPart } from '../../core/test-progress/counted.js'
import type { Again } from '../../core/test-results/settle.js'
import { selectable, type TestPlan } from './command.js'
import { execute, type ExecuteInput } from './execute.js'
import type { Executed } from './judge-execution.js'

export type RunningAgain = Omit<ExecuteInput, 'phase' | 'name'> & {
  /** See `RunTestsOptions.onCommit`. */
  onCommit?: <T>(commit: string, body: () => Promise<T>) => Promise<T | undefined>
}

/** @param first tests of the first execution */
export function againBy(shared: RunningAgain, first: readonly StoredTest[]): Again {
  const { onCommit, plan, cwd } = shared
  const outputs = new Map<string, number>()
  const run = async (
    named: readonly { file: string }[],
    name: string,
    known: readonly StoredTest[],
  ): Promise<StoredTest[] | undefined> => {
    const files = filesToRun(named, plan, cwd)
    const n = (outputs.get(name) ?? 0) + 1
    outputs.set(name, n)
    const again: Executed = await execute({
      ...shared,
      expected: sizeOfPart(known, files, plan.runner),
      phase: 'flaky re-run',
      name: `output-${name}${n === 1 ? '' : `-${n}`}`,
      files,
    })
    return again.kind === 'measured' ? again.tests : undefined
  }
  return {
    here: (tests, why) => run(tests, why === 'missing' ? 'missing' : 'flaky', first),
    ...(onCommit === undefined
      ? {}
      : {
          there: ({ commit, tests: known }, tests, why) =>
            onCommit(commit, () => run(tests, why === 'names' ? 'names' : 'before', known)),
        }),
  }
}

/** Returns the files, or none, which runs all, if the runner cannot select files. */
function filesToRun(failed: readonly { file: string }[], plan: TestPlan, cwd: string): string[] {
  const files = [...new Set(failed.map((one) => one.file))]
  return selectable(plan, files, cwd) ? files : []
}
