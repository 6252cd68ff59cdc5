// Leaves one more of the causes of a fix out: which one, its errors say.
import type { TakenOut, TakeOutInput } from '../../contract/test-fix/test-fix-step.js'
import type { TestRun } from '../../contract/test-run.js'
import { suspects as ordered } from '../../core/test-fix/causes/part-search.js'
import { shownId } from '../../core/test-results/test-merge.js'
import { openWorkspace } from '../../adapters/git/open-workspace.js'
import { filesOfPart, treeWithout } from '../../adapters/git/parts.js'
import { commitTreeStep } from '../../adapters/git/steps.js'
import { diffTrees } from '../../adapters/git/tree-diff.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { ownPath } from '../../adapters/workspace/own-path.js'

/**
 * Commits the fix without its first suspect, and without the causes that are out already.
 *
 * @param redact takes secrets out of the name of a file, as in `changedTests`
 */
export async function takeOutStep(
  { parts, out, suspects: known, whole, changedTests, ...step }: TakeOutInput,
  redact: (name: string) => string,
): Promise<TakenOut> {
  const repo = await openWorkspace(step.workspace)
  const own = ownPath(step.workspace)
  const suspects =
    known ??
    ordered(
      await Promise.all(
        parts.map(async (part) => ({
          task: part.task,
          files: (await filesOfPart(repo, part)).map(own),
        })),
      ),
      errorsOf(whole),
    )
  const without = [...out, ...suspects.slice(0, 1)].sort()
  const committed = await commitTreeStep(
    {
      ...step,
      subject: `Without ${without.join(' and ')}`,
      body: 'The fix broke a test: this shows whether the rest of it did.',
    },
    await treeWithout(repo, parts, without),
  )
  if (changedTests === undefined) return { ...committed, suspects }
  const left = await diffTrees(repo, `${parts[0]?.commit ?? ''}^`, committed.head)
  const names = new Set(left.map(({ path }) => redact(path)))
  const stillChanged = changedTests.filter((file) => names.has(file))
  return { ...committed, suspects, ...(stillChanged.length > 0 && { changedTests: stillChanged }) }
}

/** Errors of the tests that a fix broke; what the run says if the suite does not start. */
function errorsOf(run: TestRun): string[] {
  if (run.kind !== 'measured') return [run.reason, run.tail]
  const broken = new Set(run.comparison?.brokenTests)
  return failuresOf(run, [], undefined)
    .filter((one) => broken.has(shownId(one)))
    .map(({ error }) => error)
}
