// What the commits of a run leave of its work, of all of it and of each task, and of the tests that
// existed before.
import type { TakenBack, TaskWork, Workspace } from '../../contract/workspace.js'
import { differing, isTakenBack, livesOn, type TaskCommit } from '../../core/run/task-work.js'
import { patchBetween } from './commit-files.js'
import { splitZ } from './git.js'
import { openWorkspace } from './open-workspace.js'
import { inRepo, resolve, type Repo } from './repo.js'
import { diffTrees } from './tree-diff.js'

/**
 * Whether the commits of a run leave its files as they were before its last task, and of which
 * tasks nothing is left.
 *
 * @param p.workFrom head when the last task came
 * @param made the new commits, which the tasks that they were made for have besides theirs
 */
export async function takenBack(
  {
    workspace,
    workFrom = workspace.base,
    tasks = [],
  }: { workspace: Workspace; workFrom?: string; tasks?: readonly TaskWork[] },
  head: string,
  made: readonly string[] = [head],
): Promise<TakenBack> {
  const repo = await openWorkspace(workspace)
  const since = new Set(await pathsOf(repo, workFrom, head))
  const start = { commit: workFrom, since }
  const ids: string[] = []
  for (const { id, commits, own } of tasks)
    if (await isGone(repo, own === true ? [...commits, ...made] : commits, { start, head }))
      ids.push(id)
  return {
    ...(since.size === 0 ? { takenBack: true } : {}),
    ...(ids.length === 0 ? {} : { tasksTakenBack: ids }),
  }
}

/**
 * Returns the test files that existed at the base of a workspace and have another content in a
 * commit.
 */
export async function existingTestsChanged(
  workspace: Workspace,
  head: string,
  isTest: (path: string) => boolean,
): Promise<string[]> {
  const repo = await openWorkspace(workspace)
  return (await diffTrees(repo, workspace.base, head))
    .filter(({ before, after }) => before && after && before.sha !== after.sha)
    .map(({ path }) => path)
    .filter(isTest)
}

/** `start.since`: paths that differ between the start and the head. */
async function isGone(
  repo: Repo,
  commits: readonly string[],
  { start, head }: { start: { commit: string; since: ReadonlySet<string> }; head: string },
): Promise<boolean> {
  const found: TaskCommit[] = []
  for (const commit of commits) {
    const parent = await resolve(repo, `${commit}^`)
    // What is not there any more cannot be compared.
    if (parent === undefined) return false
    found.push({
      changed: await pathsOf(repo, parent, commit),
      differs: differing(
        await pathsOf(repo, parent, head),
        start.since,
        new Set(await pathsOf(repo, start.commit, commit)),
      ),
    })
  }
  const last = commits.at(-1)
  if (last === undefined || !isTakenBack(found)) return false
  if (!isTakenBack(found, await movedSince(repo, last, head))) return false
  const own = await Promise.all(commits.map((commit) => addedLines(repo, `${commit}^`, commit)))
  return !livesOn(new Set(own.flat()), new Set(await addedLines(repo, last, head)))
}

/** Lines that were added between two commits. */
async function addedLines(repo: Repo, from: string, to: string): Promise<string[]> {
  const patch = await patchBetween(repo, from, to, { context: 0 })
  return patch.split('\n').flatMap((line) => (/^\+(?!\+\+ )/.test(line) ? [line.slice(1)] : []))
}

async function pathsOf(repo: Repo, before: string, after: string): Promise<string[]> {
  return (await diffTrees(repo, before, after)).map(({ path }) => path)
}

/** Paths whose content, alike by half, has another path now. */
async function movedSince(repo: Repo, before: string, after: string): Promise<Set<string>> {
  const range = ['-r', '-z', '-M', '--diff-filter=R', '--name-status', before, after]
  const items = splitZ(await inRepo(repo, ['diff-tree', ...range]))
  return new Set(items.filter((_, n) => n % 3 === 1))
}
