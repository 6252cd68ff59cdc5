// Reads the record of a session: enough for `status` and `apply` without a server.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { recordName, sessionProblem } from '../../contract/ids.js'
import { RunResult, RunStatus } from '../../contract/result.js'
import {
  archivedDir,
  recordDir,
  recordNames,
} from '../../adapters/records/test-fix/session-paths.js'
import { keptIn } from './run-record.js'

/** The fields of `workflow-session.json` that are read. */
const Session = z.object({
  workflow_id: z.string(),
  project: z.string(),
  status: RunStatus,
  branch: z.string(),
  base: z.string(),
  result: RunResult.optional(),
})
export type Session = z.infer<typeof Session>

/**
 * Returns the record of a run in a project, by workflow id or session name; `undefined` if none can
 * be read.
 */
export function readSession(project: string, id: string): Session | undefined {
  const named = readRecord(project, recordName(id, undefined))
  if (named?.workflow_id === id || sessionProblem(id) === undefined) return named
  // A run with an id of its own keeps its record under the session's name.
  return recordNames(project)
    .map((name) => readRecord(project, name))
    .find((session) => session?.workflow_id === id)
}

/** Returns the record of this name. */
export function readRecord(project: string, name: string): Session | undefined {
  const own = recordDir(project, name)
  return readRecordIn(existsSync(own) ? own : (archivedDir(project, name) ?? own))
}

/** Returns the record in a directory. */
export function readRecordIn(dir: string): Session | undefined {
  try {
    const file = path.join(dir, 'workflow-session.json')
    const parsed = Session.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.success ? parsed.data : undefined
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ||
      error instanceof SyntaxError
    )
      return undefined
    throw error
  }
}

/** Returns the result that a closed run left in its record. */
export function recordedResult(project: string | undefined, id: string): RunResult | undefined {
  if (project === undefined) return undefined
  const session = readSession(project, id)
  if (session?.workflow_id === id) return session.result
  const kept = keptIn(project, id)
  return kept?.id === id ? kept.result : undefined
}
