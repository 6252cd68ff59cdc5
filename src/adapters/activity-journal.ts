// Which activities run in which worker process, as files: what a dead worker leaves behind here can
// be reported to the server at once by the next one.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ProcessIdentity } from '../contract/registry.js'
import { isAlive, self } from './process/identity.js'
import type { Dirs } from './state-dir.js'
import { storedJson } from './files/stored-json.js'

const Note = z.object({
  workflowId: z.string(),
  runId: z.string(),
  activityId: z.string(),
  attempt: z.number().int(),
  worker: ProcessIdentity,
})
export type InFlightNote = z.infer<typeof Note>

export type InFlight = { begin: (activity: Omit<InFlightNote, 'worker'>) => { end: () => void } }

function directory(dirs: Dirs, projectKey: string): string {
  return path.join(dirs.state, 'in-flight', projectKey)
}

/** Notes that this process has made. A project may be opened in it more than once. */
let count = 0

/** The notes of this worker process. */
export function inFlightOf(dirs: Dirs, projectKey: string): InFlight {
  const dir = directory(dirs, projectKey)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const worker = self()
  return {
    begin(activity) {
      const file = path.join(dir, `${worker.pid}-${worker.startTime}-${++count}.json`)
      writeFileSync(file, JSON.stringify({ ...activity, worker }), { mode: 0o600 })
      return { end: () => rmSync(file, { force: true }) }
    },
  }
}

/**
 * Takes the notes of dead workers away and returns them. A note cut short by the death is dropped.
 */
export function takeAbandoned(dirs: Dirs, projectKey: string): InFlightNote[] {
  const dir = directory(dirs, projectKey)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const found: InFlightNote[] = []
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name)
    const note = storedJson(file, Note)
    if (note !== undefined && isAlive(note.worker)) continue
    if (note !== undefined) found.push(note)
    rmSync(file, { force: true })
  }
  return found
}

/**
 * Returns runs that a dead worker left in the middle of a step and no living worker has claimed;
 * changes nothing.
 */
export function abandonedRuns(dirs: Dirs): string[] {
  const all = path.join(dirs.state, 'in-flight')
  if (!existsSync(all)) return []
  const notes = readdirSync(all).flatMap((key) =>
    readdirSync(path.join(all, key)).flatMap(
      (name) => storedJson(path.join(all, key, name), Note) ?? [],
    ),
  )
  const alive = new Set(notes.filter((note) => isAlive(note.worker)).map((note) => note.workflowId))
  return [...new Set(notes.map((note) => note.workflowId))].filter((run) => !alive.has(run))
}
