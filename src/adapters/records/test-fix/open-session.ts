// Creates the files of a new session, or opens an existing one, even of another tool.
//
// First everything is read and checked, then the caller prepares the workspace, then missing files
// are written; existing ones stay unchanged. Can be killed anywhere and called again: the session
// file is written last.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { TaskEntry } from '../../../contract/test-fix/task.js'
import type { Workspace } from '../../../contract/workspace.js'
import { freeTaskId, readTask, taskNotes } from '../../../core/test-fix/task-file.js'
import { ordered } from '../../../core/test-fix/queue.js'
import {
  newTaskFiles,
  planText,
  sessionHead,
  TEST_FIX_ID,
  TEST_GEN_ID,
  TEST_REQUEST,
  testFixTask,
  type NewSession,
} from '../../../core/records/session-files.js'
import { isGeneration } from '../../../core/test-gen/test-request.js'
import { SESSION_STATUSES, standing, type Standing } from '../../../core/test-fix/session-mark.js'
import { todoList } from '../../../core/records/todo-list.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import { archivedDir, openRecord, recordDir, sessionDirs } from './session-paths.js'
import { isMarked, readSessionFile } from './sessions.js'
import { readTasks, type SessionTasks } from './task-files.js'
import { writeJson, writeWhole } from '../write-file.js'

export type FoundSession = SessionTasks & {
  name: string
  dir: string
  /** Content of workflow-session.json; `undefined` for a new session. */
  fields: Record<string, unknown> | undefined
  standing: Standing | 'new'
}

/**
 * Reads a session and checks all of it; writes nothing.
 *
 * @throws RefusalError `BadInput` if it cannot continue
 */
export function readSession(project: string, name: string): FoundSession {
  const dir = recordDir(project, name)
  const fields = sessionFields(project, name, dir)
  return {
    name,
    dir,
    fields,
    standing: fields === undefined ? 'new' : standing(fields['status']),
    ...readTasks(dir),
  }
}

function sessionFields(
  project: string,
  name: string,
  dir: string,
): Record<string, unknown> | undefined {
  const [, other] = sessionDirs(project, name)
  if (other !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `there are two sessions ${name}`,
      `${dir} and ${other}`,
      'move one of them away',
    )
  const file = path.join(dir, 'workflow-session.json')
  const read = readSessionFile(dir)
  const archive = read === undefined ? archivedDir(project, name) : undefined
  if (archive !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `the session ${name} is archived`,
      archive,
      'start a new one with: ratchet fix',
    )
  if (read === undefined) return undefined
  if ('problem' in read)
    throw new RefusalError(
      BAD_INPUT,
      read.problem,
      file,
      'correct it, or move it away so that a new one is created',
    )
  const { fields } = read
  if (!isMarked(dir, fields))
    throw new RefusalError(
      BAD_INPUT,
      `${name} is not marked as a test session`,
      file,
      'write "workflow_type": "test_session" into it, or choose another session',
    )
  if (standing(fields['status']) === 'unknown')
    throw new RefusalError(
      BAD_INPUT,
      `status: ${fields['status'] === undefined ? 'is missing' : `is not known: ${JSON.stringify(fields['status'])}`}`,
      file,
      `write one of ${SESSION_STATUSES.map((one) => `"${one}"`).join(', ')}`,
    )
  if (standing(fields['status']) === 'completed')
    throw new RefusalError(
      BAD_INPUT,
      `the session ${name} is completed`,
      file,
      'start a new one with: ratchet fix',
    )
  return fields
}

export type SessionDetails = Pick<
  NewSession,
  'testCommand' | 'framework' | 'maxIterations' | 'fixedIterations' | 'tests'
> & {
  /** Workflow id. */
  run: string
  workspace: Workspace
  /** Epoch milliseconds, and the offset that times are written with. */
  at: number
  offset: string
}

export type OpenedSession = {
  dir: string
  tasks: TaskEntry[]
  /** The task whose tests Ratchet plans and measures itself. */
  generation?: string
  unplanned: boolean
  warnings: string[]
}

/** Writes what a session lacks, and returns its queue. */
export async function openSession(
  found: FoundSession,
  details: SessionDetails,
): Promise<OpenedSession> {
  const { workspace } = details
  const dir = openRecord(workspace.project, found.name)
  const session: NewSession = {
    ...details,
    name: found.name,
    project: workspace.project,
    dir: path.relative(workspace.project, dir),
    projectName: path.basename(workspace.project),
  }
  const { files, warnings } = missingTasks(found, session)
  const tasks = ordered([...found.tasks, ...entriesOf(files)])

  const isPlanned = Object.hasOwn(files, `${TEST_GEN_ID}.json`)
  if (isPlanned && session.tests?.document !== undefined)
    await writeWhole(path.join(dir, '.process', TEST_REQUEST), session.tests.document)
  for (const [file, content] of Object.entries(files))
    await writeJson(path.join(dir, '.task', file), content)
  failpoint('session:tasks')
  await writeMissing(path.join(dir, 'IMPL_PLAN.md'), () => planText(session, tasks))
  await writeMissing(path.join(dir, 'TODO_LIST.md'), () =>
    todoList({ name: found.name, tasks, history: [] }),
  )
  failpoint('session:file')
  if (found.fields === undefined) {
    await writeJson(path.join(dir, 'workflow-session.json'), {
      schema: 1,
      ...sessionHead(session),
      workflow_id: details.run,
      status: 'created',
      created_at: timestamp(details.at, details.offset),
      branch: workspace.branch,
      base: workspace.base,
    })
  }
  const generation = tasks.find(
    ({ id, type, file }) =>
      type === 'test-gen' && isGeneration(found.contents.get(id) ?? files[file ?? '']),
  )
  return {
    dir,
    tasks,
    ...(generation === undefined ? {} : { generation: generation.id }),
    unplanned: !existsSync(path.join(dir, '.process', 'TEST_ANALYSIS_RESULTS.md')),
    warnings: [
      ...warnings,
      ...(isPlanned && session.tests?.warning !== undefined ? [session.tests.warning] : []),
      ...notesOn(found, details.testCommand),
    ],
  }
}

// Once, when Ratchet opens a session that another tool planned.
function notesOn({ fields, tasks, contents }: FoundSession, testCommand: string): string[] {
  if (fields === undefined || fields['schema'] !== undefined) return []
  return tasks
    .filter(({ status }) => status !== 'completed' && status !== 'rolled_back')
    .flatMap((task) => taskNotes(contents.get(task.id), task, testCommand))
}

// A session without tasks gets those of a new one; one without a test task gets that, behind the
// others.
function missingTasks(
  found: FoundSession,
  session: NewSession,
): { files: Record<string, unknown>; warnings: string[] } {
  const made = newTaskFiles(session)
  const begun =
    found.fields === undefined &&
    found.tasks.every(({ file }) => file !== undefined && Object.hasOwn(made, file))
  if (found.tasks.length === 0 || begun) {
    const files = Object.fromEntries(
      Object.entries(made).filter(([file]) => found.tasks.every((task) => task.file !== file)),
    )
    const isOfOthers = found.fields !== undefined && found.fields['schema'] === undefined
    return {
      files,
      warnings: isOfOthers ? [`the session had no tasks; ${TEST_FIX_ID} was added`] : [],
    }
  }
  if (found.tasks.some((task) => task.type === 'test-fix')) return { files: {}, warnings: [] }
  const id = freeTaskId([...found.tasks, ...found.fixes].map((task) => task.id))
  const last = found.tasks.filter((task) =>
    found.tasks.every((other) => !other.dependsOn.includes(task.id)),
  )
  return {
    files: {
      [`${id}.json`]: testFixTask(
        session,
        id,
        last.map((task) => task.id),
      ),
    },
    warnings: [`the session had no test-fix task; ${id} was added behind the others`],
  }
}

function entriesOf(files: Record<string, unknown>): TaskEntry[] {
  return Object.entries(files).map(([file, content]) => {
    const read = readTask(file, content)
    if (!read.ok)
      throw new Error(`a task that Ratchet made is wrong: ${file}: ${read.problems.join('; ')}`)
    return read.entry
  })
}

async function writeMissing(file: string, text: () => string): Promise<void> {
  if (!existsSync(file)) await writeWhole(file, text())
}
