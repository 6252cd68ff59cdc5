// The `.task/*.json` files of a session: read and checked, all before anything is written.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { TaskEntry } from '../../../contract/test-fix/task.js'
import { ordered, queueProblem } from '../../../core/test-fix/queue.js'
import { fixNumber, readTask } from '../../../core/test-fix/task-file.js'

export type SessionTasks = {
  /** Every task but those that iterations made, in the order of the queue. */
  tasks: TaskEntry[]
  /** Fix tasks that iterations made: `IMPL-fix-N`. */
  fixes: TaskEntry[]
  /** What the files say, by id of the task. */
  contents: ReadonlyMap<string, unknown>
}

/** Largest task file, in bytes. */
export const LARGEST_TASK = 2 << 20

/** Names of the task files of a session, in order; also of what only has such a name. */
export function taskFiles(dir: string): string[] {
  try {
    return readdirSync(path.join(dir, '.task'))
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw refused(dir, ['.task is no directory; move it away'])
    throw error
  }
}

/**
 * Reads every task file of a session.
 *
 * @throws RefusalError `BadInput` that names each wrong file, its fields and what to write
 */
export function readTasks(dir: string): SessionTasks {
  const problems: string[] = []
  const entries: TaskEntry[] = []
  const contents = new Map<string, unknown>()
  for (const file of taskFiles(dir)) {
    const content = contentOf(path.join(dir, '.task', file), problems)
    const read = readTask(file, content)
    if (read.ok) {
      entries.push(read.entry)
      contents.set(read.entry.id, content)
    } else if (!problems.some((problem) => problem.startsWith(`${file}: `)))
      problems.push(...read.problems.map((problem) => `${file}: ${problem}`))
  }
  problems.push(...twice(entries))
  if (problems.length > 0) throw refused(dir, problems)

  const isFix = (task: TaskEntry): boolean =>
    task.type === 'test-fix-iteration' || fixNumber(task.id) !== undefined
  const fixes = entries.filter(isFix)
  const fixIds = new Set(fixes.map(({ id }) => id))
  // What depends on a fix does not wait for it: it is over, or it comes in front anyway.
  const tasks = entries
    .filter((task) => !isFix(task))
    .map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !fixIds.has(id)) }))
  const problem = tasks.length === 0 ? undefined : queueProblem(tasks)
  if (problem !== undefined) throw refused(dir, [`${problem}; correct context.depends_on`])
  return { tasks: ordered(tasks), fixes, contents }
}

function contentOf(file: string, problems: string[]): unknown {
  const unreadable = whyUnreadable(file)
  if (unreadable !== undefined) {
    problems.push(`${path.basename(file)}: ${unreadable}; correct it or move it away`)
    return undefined
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    problems.push(
      `${path.basename(file)}: is not JSON (${error.message}); correct it or move it away`,
    )
    return undefined
  }
}

/**
 * Why what has the name of a task cannot be one. It is looked at before it is read: it may be a
 * pipe, or without an end.
 */
export function whyUnreadable(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return 'is a link to nothing'
  if (!stat.isFile()) return stat.isDirectory() ? 'is a directory' : 'is no file'
  // Its status is written, and must not be written into something else.
  if (path.dirname(realpathSync(file)) !== realpathSync(path.dirname(file)))
    return 'is a link to a file outside of .task'
  return stat.size > LARGEST_TASK ? `has ${stat.size} bytes, more than ${LARGEST_TASK}` : undefined
}

function twice(entries: readonly TaskEntry[]): string[] {
  const files = new Map<string, string[]>()
  for (const { id, file = '' } of entries) files.set(id, [...(files.get(id) ?? []), file])
  return [...files]
    .filter(([, names]) => names.length > 1)
    .map(
      ([id, names]) =>
        `${names.join(' and ')}: both have the id ${id}; give one of them another id`,
    )
}

function refused(dir: string, problems: string[]): RefusalError {
  const count =
    problems.length === 1
      ? 'a task of the session is invalid'
      : `the tasks of the session have ${problems.length} problems`
  return new RefusalError(
    BAD_INPUT,
    `${count}: ${problems.join('; ')}`,
    path.join(dir, '.task'),
    `correct ${problems.length === 1 ? 'it' : 'them'}, then: ratchet fix --resume-session ${path.basename(dir)}`,
  )
}
