// Reads what the manifest of the archive needs about an ended run from its record.
import { cycleFiles } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { loopFiles } from '../../adapters/records/dev-loop/loop-paths.js'
import type { Archivable } from '../../adapters/records/archive.js'
import { cycleFacts, loopFacts } from '../../adapters/records/report-facts.js'
import { fixesIn, historyIn } from '../../adapters/records/test-fix/fix-histories.js'
import { readSessionFile } from '../../adapters/records/test-fix/sessions.js'
import { keptRuns, type KeptRun } from './run-record.js'
import { readRecord } from './session-record.js'
import { sessionsOf, type ProjectSession } from './sessions.js'

/** A record that may be archived; `ended` as it says itself. */
export type EndedRecord = Archivable & { ended: boolean; endedAt: number | undefined }

/** Every record of a project that is not archived. */
export function recordsOf(project: string): EndedRecord[] {
  return [
    ...sessionsOf(project).map(ofSession),
    ...(['dev-cycle', 'dev-loop'] as const)
      .flatMap((kind) => keptRuns(project, kind))
      .filter(({ archived }) => archived === undefined)
      .map(ofKept),
  ]
}

export function ofSession({
  project,
  name,
  dir,
  runId,
  standing,
  updatedAt,
  status,
}: ProjectSession): EndedRecord {
  const file = readSessionFile(dir)
  const fields = file !== undefined && 'fields' in file ? file.fields : {}
  const result = readRecord(project, name)?.result
  return {
    project,
    name,
    dir,
    workflowId: runId,
    kind: 'test-fix',
    description: text(fields['description']) ?? text(fields['project']) ?? name,
    outcome: result?.outcome ?? status,
    result: result === undefined ? undefined : { ...result, failures: result.failures },
    fixes: fixesIn(dir),
    open: [],
    ...(result === undefined ? { history: historyIn(dir) } : {}),
    startedAt: time(fields['created_at']),
    endedAt: updatedAt,
    ended: standing === 'completed' || standing === 'failed',
  }
}

export function ofKept({ project, name, id, kind, result, standing, open }: KeptRun): EndedRecord {
  const facts = kind === 'dev-cycle' ? cycleFacts(project, name) : loopFacts(project, name)
  const files = kind === 'dev-cycle' ? cycleFiles(project, name) : loopFiles(project, name)
  const record = facts?.record as Record<string, unknown> | undefined
  return {
    project,
    name,
    dir: files.progress,
    workflowId: id,
    kind,
    description: text(record?.['description']) ?? text(record?.['task']) ?? name,
    outcome: result?.outcome ?? standing?.status ?? 'unknown',
    result,
    fixes: [],
    open: [...(open?.pending ?? []), ...(open?.blocked ?? [])],
    startedAt: time(record?.['created_at']),
    endedAt: time(record?.['completed_at']) ?? time(record?.['updated_at']),
    ended: result !== undefined,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function time(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(at) ? undefined : at
}
