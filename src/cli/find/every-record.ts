// Finds every record of a project, also the archived ones, with the run and the result in it.
import path from 'node:path'
import { z } from 'zod'
import { archivedNames, archivedPlace } from '../../adapters/records/archive.js'
import { ARCHIVE, recordDir, recordNames } from '../../adapters/records/test-fix/session-paths.js'
import { jsonContent } from '../../adapters/records/test-fix/sessions.js'
import type { Kind } from '../../contract/names.js'
import type { RunResult } from '../../contract/result.js'
import type { BegunRecord } from '../../core/report/counted-run.js'
import { keptRuns } from './run-record.js'
import { readRecordIn } from './session-record.js'
import { runIdOf, sessionsOf } from './sessions.js'

/** The record of a run. Its result is absent while it is open, and if the record has none. */
export type RunRecord = BegunRecord & { kind: Kind; result: RunResult | undefined }

const Began = z.object({ created_at: z.string() })
const Named = z.object({ session_id: z.string() })

/** Returns the records of a project; several may have the same id. */
export function everyRecord(project: string): RunRecord[] {
  const sessions = sessionsOf(project)
  // A run with an id of its own keeps its record under that.
  const others = recordNames(project)
    .filter((name) => !sessions.some((session) => session.name === name))
    .flatMap((name) => ofDirectory(project, recordDir(project, name)))
  return [
    ...sessions.map(({ runId, dir }) => ofSession(runId, dir)),
    ...others,
    ...ofPlace(project),
    ...archivedNames(project).flatMap((name) => {
      const place = archivedPlace(project, name)
      return place === undefined
        ? ofDirectory(project, path.join(project, ARCHIVE, name))
        : ofPlace(place)
    }),
  ]
}

/** A session by its file alone; none if no run of Ratchet has had it. */
function ofDirectory(project: string, dir: string): RunRecord[] {
  const session = readRecordIn(dir)
  if (session === undefined) return []
  const file = Named.safeParse(jsonContent(path.join(dir, 'workflow-session.json')))
  const name = file.data?.session_id ?? path.basename(dir)
  return [ofSession(runIdOf(project, name, session.workflow_id), dir)]
}

function ofSession(id: string, dir: string): RunRecord {
  const beganAt = beganIn(path.join(dir, 'workflow-session.json'))
  return { id, kind: 'test-fix', result: readRecordIn(dir)?.result, beganAt }
}

/** The cycles and loops of a project, or of a directory that holds their records as they lay. */
function ofPlace(place: string): RunRecord[] {
  return (['dev-cycle', 'dev-loop'] as const).flatMap((kind) =>
    keptRuns(place, kind).map(({ id, result, file }) => ({
      id,
      kind,
      result,
      beganAt: beganIn(file),
    })),
  )
}

function beganIn(file: string): number | undefined {
  const at = Date.parse(Began.safeParse(jsonContent(file)).data?.created_at ?? '')
  return Number.isNaN(at) ? undefined : at
}
