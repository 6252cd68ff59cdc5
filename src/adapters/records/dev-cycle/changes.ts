// `cd/changes.log`: what the developer changed, as git says it, one JSON object a line. Append-only
// and idempotent by iteration, commit and file. The agent's own log gives the words.
import path from 'node:path'
import { z } from 'zod'
import type { ChangeLog } from '../../../contract/dev-cycle/cycle-record.js'
import { readChangesLog } from '../../../core/dev-cycle/documents/changes-log.js'
import { cycleVersion } from '../../../core/dev-cycle/documents/versions.js'
import { oneLine } from '../../../core/text/one-line.js'
import type { FileStat } from '../../git/numstat.js'
import { timestamp } from '../../timestamp.js'
import { appendOwn, isOwnDir, readLog, recordLog, writeOwn } from '../safe-files.js'

/** Longest description of a change, in characters. */
const DESCRIPTION_CHARS = 300

const Line = z.looseObject({ timestamp: z.string(), iteration: z.number().int() })
const Marker = Line.extend({ marker: z.string() })
const Change = Line.extend({
  commit: z.string(),
  file: z.string(),
  action: z.enum(['create', 'modify', 'delete']),
  agent: z.string().catch('cd'),
  description: z.string().catch(''),
})

export type CommittedChanges = { sha: string; changes: readonly FileStat[] }

/** What the log of a record says. */
export type ReadChanges = {
  changes: ChangeLog[]
  markers: Record<string, string>
  commits: string[]
}

/**
 * Appends what a commit changed, below a line that marks its iteration.
 *
 * @param file the record's log
 * @param own the agent's own log in the workspace, which gets the same lines: the validation reads
 * them
 */
export async function appendChanges(
  file: string,
  own: string,
  commit: CommittedChanges,
  { iteration, at, offset }: { iteration: number; at: number; offset: string },
): Promise<void> {
  const log = recordLog(file)
  const known = objectsIn(log)
  const [time, version] = [timestamp(at, offset), cycleVersion(iteration)]
  const isMarked = known.some((one) => Marker.safeParse(one).data?.iteration === iteration)
  const keys = new Set(known.flatMap((one) => keyOf(Change.safeParse(one).data) ?? []))
  const words = ownWords(readLog(own))
  const lines = [
    ...(isMarked
      ? []
      : [{ timestamp: time, iteration, marker: `ITERATION ${iteration}`, version }]),
    ...commit.changes
      .filter(({ file: changed }) => !keys.has(`${iteration} ${commit.sha} ${changed}`))
      .map(({ file: changed, action, added, removed }) => ({
        timestamp: time,
        iteration,
        version,
        commit: commit.sha,
        agent: 'cd',
        action,
        file: changed,
        ...words(changed, action),
        ...(added === null ? {} : { lines_added: added }),
        ...(removed === null ? {} : { lines_removed: removed }),
      })),
  ].map((line) => JSON.stringify(line))
  if (lines.length > 0) await writeOwn(file, `${whole(log)}${lines.join('\n')}\n`)
  shareWith(own, recordLog(file))
}

/** Reads the log of a record; lines of another form count for nothing. */
export function readChanges(text: string): ReadChanges {
  const lines = objectsIn(text)
  const changes = lines.flatMap((line) => Change.safeParse(line).data ?? [])
  const markers = lines.flatMap((line) => Marker.safeParse(line).data ?? [])
  return {
    changes: changes.map(({ timestamp: time, file, action, iteration, agent, description }) => ({
      timestamp: time,
      file,
      action,
      iteration,
      agent,
      description,
    })),
    markers: Object.fromEntries(
      markers.map((marker) => [String(marker.iteration), marker.timestamp]),
    ),
    commits: [...new Set(changes.map((change) => change.commit))],
  }
}

/** What the agent itself said about a file last; its paths may begin elsewhere. */
function ownWords(
  log: string,
): (file: string, action: string) => { task?: string; description: string } {
  const own = log
    .split('\n')
    .filter((line) => !Change.safeParse(objectOf(line)).success)
    .join('\n')
  const { entries } = readChangesLog(own)
  return (file, action) => {
    const said = entries.findLast((entry) => entry.file !== undefined && isSame(entry.file, file))
    const description = oneLine(said?.description ?? said?.change ?? '', DESCRIPTION_CHARS)
    const task = oneLine(said?.task ?? '', DESCRIPTION_CHARS)
    return {
      ...(task === '' ? {} : { task }),
      description: description === '' ? `${action} ${file}` : description,
    }
  }
}

function isSame(said: string, file: string): boolean {
  const plain = said.replace(/^\.\//, '')
  return plain === file || file.endsWith(`/${plain}`) || plain.endsWith(`/${file}`)
}

function shareWith(own: string, log: string): void {
  if (!isOwnDir(path.dirname(own), 3)) return // the workspace is gone
  const there = readLog(own)
  const lines = new Set(there.split('\n'))
  const missing = log.split('\n').filter((line) => line !== '' && !lines.has(line))
  if (missing.length > 0)
    appendOwn(own, `${there === '' || there.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`)
}

function keyOf(change: z.infer<typeof Change> | undefined): string | undefined {
  return change === undefined ? undefined : `${change.iteration} ${change.commit} ${change.file}`
}

/** A last line that was cut is ended, so that the next one is whole. */
function whole(log: string): string {
  return log === '' || log.endsWith('\n') ? log : `${log}\n`
}

function objectsIn(text: string): unknown[] {
  return text.split('\n').flatMap((line) => objectOf(line) ?? [])
}

function objectOf(line: string): unknown {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(line) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
