// Splits what a turn changed by the causes that it was to fix, file by file.
import type { FixCause } from '../../../contract/test-fix/task.js'
import { meet } from './choose-causes.js'

/** Changed files of one cause. */
export type CauseFiles = { task: string; files: string[] }

/**
 * Returns the changed files of each cause that has some, in the order of the causes. Each file is
 * in one group: causes whose files meet, and files that belong to none, are joined with the first.
 *
 * @param changed paths of the repository
 * @param own makes a path of the project out of one of the repository
 */
export function splitByCause(
  changed: readonly string[],
  causes: readonly FixCause[],
  own: (file: string) => string = (file) => file,
): CauseFiles[] {
  const [first] = causes
  if (first === undefined) return []
  const groups = causes.map(({ task }): CauseFiles => ({ task, files: [] }))
  for (const file of changed) {
    const named = causes.findIndex(({ files }) => files.includes(own(file)) || files.includes(file))
    groups[Math.max(0, named)]?.files.push(file)
  }
  // A file that became a directory, or the other way round, is one change.
  const apart = groups.slice(1).filter(({ files }, n) => {
    const others = groups.filter((_, other) => other !== n + 1).flatMap((one) => one.files)
    return files.length > 0 && !meet(files, others)
  })
  const joined = groups.filter((one) => !apart.includes(one)).flatMap(({ files }) => files)
  const head = joined.length === 0 ? [] : [{ task: first.task, files: joined }]
  return [...head, ...apart]
}
