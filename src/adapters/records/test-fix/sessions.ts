// Test sessions of a project, found by their marks. A broken one is listed with what is wrong with
// it.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { sessionProblem } from '../../../contract/ids.js'
import {
  isTestSession,
  SESSION_STATUSES,
  standing,
  type Standing,
} from '../../../core/test-fix/session-mark.js'
import { archivedDir, recordDir, recordNames } from './session-paths.js'

export type Session = {
  name: string
  dir: string
  /** As its file says it; empty where it says nothing. */
  status: string
  standing: Standing
  /** Workflow that had it last; absent for a session that no run of Ratchet has had. */
  workflowId?: string
  /** Epoch milliseconds. */
  updatedAt: number
  /** It says that it is a test session. */
  marked: boolean
  /** It was archived, so it is over with any status. */
  archived?: true
  /** Why it cannot continue, one sentence. */
  problem?: string
}

const NAME = /^WFS-test-/

/**
 * Returns everything in a project with the name of a test session, the latest first; a `problem`
 * says why one cannot continue.
 */
export function listSessions(project: string): Session[] {
  return recordNames(project)
    .filter((name) => NAME.test(name))
    .map((name) => readSessionIn(recordDir(project, name), name))
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.name < b.name ? -1 : 1))
}

/** The session of this name; an archived one is found too, and says so. */
export function findSession(project: string, name: string): Session | undefined {
  const dir = recordDir(project, name)
  const session =
    statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
      ? readSessionIn(dir, name)
      : undefined
  const archive = session === undefined ? archivedDir(project, name) : undefined
  return archive === undefined
    ? session
    : {
        ...readSessionIn(archive, name),
        archived: true,
        problem: `the session is archived: ${archive}`,
      }
}

/**
 * `workflow-session.json` of a directory: its fields, or what is wrong with it; `undefined` where
 * there is none.
 */
export function readSessionFile(
  dir: string,
): { fields: Record<string, unknown> } | { problem: string } | undefined {
  const file = path.join(dir, 'workflow-session.json')
  const read = readJson(file)
  if (read === undefined) return undefined
  if ('problem' in read) return { problem: read.problem }
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value))
    return { problem: `${file} holds no object` }
  return { fields: read.value as Record<string, unknown> }
}

/** Whether what lies in a directory says that it is a test session. */
export function isMarked(dir: string, fields: unknown): boolean {
  const packages = ['test-context-package.json', 'context-package.json'].flatMap((name) => [
    path.join(dir, '.process', name),
    path.join(dir, name),
  ])
  return (
    isTestSession(fields) ||
    isTestSession(
      undefined,
      packages.map((file) => jsonContent(file)),
    )
  )
}

function readSessionIn(dir: string, name: string): Session {
  const file = readSessionFile(dir)
  const fields = file !== undefined && 'fields' in file ? file.fields : {}
  const status = typeof fields['status'] === 'string' ? fields['status'] : ''
  const marked = isMarked(dir, fields)
  const problem = problemOf(name, file, fields, marked)
  return {
    name,
    dir,
    status,
    standing: standing(status),
    updatedAt: updatedAt(dir, fields),
    marked,
    ...(typeof fields['workflow_id'] === 'string' ? { workflowId: fields['workflow_id'] } : {}),
    problem,
  }
}

function problemOf(
  name: string,
  file: ReturnType<typeof readSessionFile>,
  fields: Record<string, unknown>,
  marked: boolean,
): string | undefined {
  if (file === undefined) return 'it has no workflow-session.json'
  if ('problem' in file) return file.problem
  const named = sessionProblem(name)
  if (named !== undefined) return `its name ${named}`
  if (!marked)
    return 'it is not marked as a test session: "workflow_type": "test_session" is missing'
  if (standing(fields['status']) !== 'unknown') return undefined
  return `its status is ${fields['status'] === undefined ? 'missing' : JSON.stringify(fields['status'])}, not one of ${SESSION_STATUSES.join(', ')}`
}

function updatedAt(dir: string, fields: Record<string, unknown>): number {
  const times = ['completed_at', 'updated_at', 'resumed_at', 'created_at']
    .map((key) => Date.parse(String(fields[key])))
    .filter((at) => !Number.isNaN(at))
  return times.length > 0 ? Math.max(...times) : Math.round(statSync(dir).mtimeMs)
}

/** Content of a JSON file; `undefined` where there is none that can be read. */
export function jsonContent(file: string): unknown {
  const read = readJson(file)
  return read !== undefined && 'value' in read ? read.value : undefined
}

/**
 * Content of a JSON file, or what is wrong with it in one sentence; `undefined` where there is no
 * file.
 */
export function readJson(file: string): { value: unknown } | { problem: string } | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    // Opening a pipe would hold the process.
    if (stat?.isFile() === false && !stat.isDirectory())
      return { problem: `${file} is no file; move it away` }
    return { value: JSON.parse(readFileSync(file, 'utf8')) as unknown }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (error instanceof SyntaxError) return { problem: `${file} is not JSON: ${message}` }
    if (code === 'EISDIR' || code === 'EACCES')
      return { problem: `${file} cannot be read (${code})` }
    throw error
  }
}
