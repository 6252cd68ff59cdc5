// Whether the work of a task is still in the branch. A later commit may take it back while the work
// of other tasks stays.
import type { TaskWork } from '../../contract/workspace.js'

/** What of a task says how its work stands. */
type Worked = {
  id: string
  commits?: string[] | undefined
  takenBack?: true | undefined
  undoneBy?: string[] | undefined
  contradicts?: string | undefined
}

/**
 * A commit of a task. `changed`: the paths that it changed; `differs`: those that are not now as
 * they were before it, or at the start (`differing`).
 */
export type TaskCommit = { changed: readonly string[]; differs: ReadonlySet<string> }

/**
 * The paths that are not now as they were before a commit. Others may have changed a path before
 * it: one that is now as it was at the start has nothing of a commit that left it otherwise.
 *
 * @param sinceBefore paths that differ between the parent of the commit and now
 * @param sinceStart between the start and now
 * @param made between the start and the commit
 */
export function differing(
  sinceBefore: readonly string[],
  sinceStart: ReadonlySet<string>,
  made: ReadonlySet<string>,
): Set<string> {
  return new Set(sinceBefore.filter((path) => sinceStart.has(path) || !made.has(path)))
}

/** Commits of a task that are followed. */
export const TASK_COMMITS = 5

/**
 * Whether nothing is left of the work of a task: each path is as it was before the first commit
 * that changed it, or at the start. What was changed further since is left of it.
 *
 * @param commits of the task, oldest first
 * @param moved paths whose content has another path now
 */
export function isTakenBack(
  commits: readonly TaskCommit[],
  moved: ReadonlySet<string> = new Set(),
): boolean {
  const seen = new Set<string>()
  for (const { changed, differs } of commits)
    for (const path of changed) {
      if (seen.has(path)) continue
      seen.add(path)
      if (differs.has(path) || moved.has(path)) return false
    }
  return seen.size > 0
}

/** Characters below which a line, such as a brace, says nothing of where it comes from. */
const TELLING = 6

/**
 * Whether later commits brought the lines of a task to another place: a file was split or merged,
 * or a function extracted. Half of them suffice, as they may have changed on the way.
 */
export function livesOn(own: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  const telling = (lines: ReadonlySet<string>): string[] =>
    [...lines].map((line) => line.trim()).filter((line) => line.length >= TELLING)
  const kept = new Set(telling(later))
  const lines = new Set(telling(own))
  return lines.size > 0 && [...lines].filter((line) => kept.has(line)).length * 2 >= lines.size
}

/**
 * Whether a commit is work of a task that it was made for. Who names all tasks with each commit
 * would hide that one of them took the work of another back: of several, it is work of those that
 * are not done yet.
 *
 * @param named ids of the tasks that the commit was made for
 * @param isDone whether the task was done before
 */
export function isWorkOf(id: string, named: readonly string[], isDone: boolean): boolean {
  return named.includes(id) && (!isDone || named.every((one) => one === id))
}

/**
 * The tasks whose work the next commit may take back.
 *
 * @param isDone whether the task counts as done
 * @param own ids of the tasks that the next commit is made for
 */
export function followed<T extends Worked>(
  tasks: readonly T[],
  isDone: (task: T) => boolean,
  own: readonly string[],
): TaskWork[] {
  return tasks.flatMap((task): TaskWork[] => {
    const { id, commits = [], takenBack } = task
    const isOwn = isWorkOf(id, own, isDone(task))
    if (commits.length === 0 || !(isDone(task) || takenBack === true || isOwn)) return []
    return [{ id, commits, ...(isOwn ? { own: true as const } : {}) }]
  })
}

/** A task with further commits of its own. One that has too many is not followed. */
export function withCommits<T extends Worked>(task: T, commits: readonly string[]): T {
  if (commits.length === 0 || task.commits?.length === 0) return task
  const all = [...new Set([...(task.commits ?? []), ...commits])]
  return { ...task, commits: all.length > TASK_COMMITS ? [] : all }
}

/** The tasks once a further one has come: what that takes back was meant. */
export function unfollowed<T extends Worked>(tasks: readonly T[]): T[] {
  return tasks.map((task) => {
    if (task.commits === undefined) return task
    const { takenBack: _, undoneBy: __, ...rest } = task
    return { ...(rest as T), commits: [] }
  })
}

/**
 * The tasks after a commit. Two that take each other's work back, as their texts ask for, end that
 * after one round: the second is not opened again, says which one it contradicts, and neither is
 * followed any more.
 *
 * @param asked the tasks that it may have taken back
 * @param ids those that it did
 * @param own ids of the tasks that it was made for
 * @param reopened a task that was done, and is not any more
 */
export function afterCommit<T extends Worked>(
  tasks: readonly T[],
  asked: readonly TaskWork[],
  { ids, own }: { ids: readonly string[]; own: readonly string[] },
  reopened: (task: T) => T,
): T[] {
  // Since it was asked, a further task may have ended the following.
  const gone = tasks.filter(({ id, commits }) => commits?.length !== 0 && ids.includes(id))
  const round = gone.flatMap(({ id }) => {
    const by = tasks.find((one) => own.includes(one.id) && one.undoneBy?.includes(id) === true)
    return by === undefined ? [] : [{ id, by: by.id }]
  })
  return tasks.map((task) => {
    const { takenBack: _, undoneBy: __, ...rest } = task
    const second = round.find(({ id }) => id === task.id)
    if (second !== undefined) return { ...(rest as T), commits: [], contradicts: second.by }
    if (round.some(({ by }) => by === task.id)) return { ...(rest as T), commits: [] }
    if (gone.includes(task)) {
      const others = own.filter((id) => id !== task.id)
      const undoneBy = task.undoneBy ?? (others.length === 0 ? undefined : others)
      return {
        ...reopened(task),
        takenBack: true as const,
        ...(undoneBy === undefined ? {} : { undoneBy }),
      }
    }
    if (task.takenBack !== true || !asked.some(({ id }) => id === task.id)) return task
    return rest as T
  })
}
