// What is written between two full records: a worker has begun, a worker has answered. What it said
// is on the disk before anything is decided from it.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import type { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import type { WorkerReading } from '../../../contract/dev-loop/action-reading.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import { editsAfter } from '../edits/edits-log.js'
import type { EditsAt } from '../edits/take-edit.js'
import { oneWriter } from '../mutex.js'
import { clear, isOwnDir, readLog, recordLog } from '../safe-files.js'
import { jsonText } from '../write-file.js'
import { changeProjected, writeProjected } from '../write-if-unchanged.js'
import { loopPathsIn } from './loop-progress.js'
import { outputOf, readOutput } from './outputs.js'
import { loopFiles, openLoopRecord, type LoopFiles } from './loop-paths.js'
import { editedNotes, takeNoteEdits, writeNotes } from './loop-notes.js'
import { withSection } from './progress-file.js'
import { notesFile } from './write-loop-record.js'
import { refuseNewer, salvage, type Salvaged } from './salvage-loop.js'

/**
 * `detail`: everything behind DETAILED_OUTPUT; `at`: epoch milliseconds; `offset` like "+08:00";
 * `cwd`: of the worker's workspace.
 */
export type WorkerNoted = {
  reading: WorkerReading
  detail: string
  agent: string | null
  iteration: number
  at: number
  offset: string
  cwd: string
}

/**
 * Writes the worker's output file and its section of the progress file, with what is new in the
 * worker's own copy of that. Files by git and what was measured come with the next full record.
 *
 * The same worker of the same iteration again adds nothing twice; where it says something else,
 * that counts.
 *
 * @throws RecordUnwritableError where the disk is full or the record cannot be written
 * @throws RefusalError where a newer version of Ratchet wrote the record
 */
export async function noteWorker(
  project: string,
  name: string,
  { reading, detail, agent, iteration, at, offset, cwd }: WorkerNoted,
): Promise<void> {
  const files = loopFiles(project, name)
  const { action } = reading
  await oneWriter(files.master, async () => {
    const read = salvage(files.master)
    refuseNewer(read, name, files.master)
    openLoopRecord(project, name)
    const now = timestamp(at, offset)
    const output = outputOf(reading, readOutput(files, action), {
      detail,
      agent,
      iteration,
      timestamp: now,
    })
    clear(files.output(action))
    const warnings = await writeProjected(
      files.dir,
      [{ name: path.relative(files.dir, files.output(action)), text: jsonText(output) }],
      { ours: true, notes: notesFile(files), id: name },
    )
    failpoint('answer:files')
    // What the worker has just written is read before its copy is replaced by a person's edit.
    const own = ownNotes(cwd, name, action)
    await takeNoteEdits(files, { cwd, name }, { iteration, at, offset })
    const note = files.note(action)
    const before = recordLog(note)
    const text = withSection(before, read.found.loop_id ?? name, {
      iteration,
      at: now,
      agent,
      reading,
      own,
      copies: editedNotes(files, action),
    })
    await writeNotes(files, action, text)
    if (warnings.length > 0)
      await changeState(files, read, ({ ratchet }) => ({
        ratchet: {
          ...(ratchet as object),
          warnings: [...new Set([...(read.record?.ratchet.warnings ?? []), ...warnings])],
        },
      }))
  })
}

/** `at`: epoch milliseconds. */
export type WorkerBegun = { action: LoopAction; iteration: number; at: number; offset: string }

/** Writes the active worker into the state file. A resumed loop has no end. */
export async function noteWorkerBegun(
  project: string,
  name: string,
  { action, iteration, at, offset }: WorkerBegun,
): Promise<void> {
  const files = loopFiles(project, name)
  await oneWriter(files.master, async () => {
    const read = salvage(files.master)
    // One that is missing or cannot be read is left to the next full record.
    await changeState(files, read, (known) => ({
      ...running(known),
      current_iteration: iteration,
      updated_at: timestamp(at, offset),
      skill_state: { ...(known['skill_state'] as object), phase: action },
    }))
  })
}

/**
 * Marks the loop as running in the state file after a pause. `at`: epoch
 * milliseconds.
 */
export async function noteLoopResumed(
  project: string,
  name: string,
  { at, offset }: { at: number; offset: string },
): Promise<void> {
  const files = loopFiles(project, name)
  await oneWriter(files.master, async () => {
    const read = salvage(files.master)
    if (read.record?.status === 'paused')
      await changeState(files, read, () => ({
        status: 'running',
        updated_at: timestamp(at, offset),
      }))
  })
}

/** `seen`: edits that the loop knows. */
export type LoopEditsOf = {
  workspace: { project: string; cwd: string }
  name: string
  seen: number
}

/**
 * Takes what a person edited in the progress files, and returns the edits that the loop does not
 * know. No worker has a turn.
 */
export async function takeLoopEdits(
  { workspace, name, seen }: LoopEditsOf,
  at: EditsAt,
): Promise<PersonEdit[]> {
  const files = loopFiles(workspace.project, name)
  if (!existsSync(files.progress)) return []
  return oneWriter(files.master, async () => {
    openLoopRecord(workspace.project, name)
    await takeNoteEdits(files, { cwd: workspace.cwd, name }, at)
    return editsAfter(files.edits, seen)
  })
}

// Drops the end: a resumed loop has none.
function running({ ratchet }: Record<string, unknown>): Record<string, unknown> {
  const { outcome: _outcome, result: _result, ...notes } = ratchet as Record<string, unknown>
  return { status: 'running', completed_at: undefined, failure_reason: undefined, ratchet: notes }
}

// Starts from the file as it is, so that text typed by a person is kept until it is reported.
async function changeState(
  files: LoopFiles,
  { record, json }: Salvaged,
  change: (known: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  if (record === undefined || json === undefined) return
  clear(files.master)
  await changeProjected(
    files.dir,
    [{ name: path.basename(files.master), text: jsonText({ ...json, ...change(json) }) }],
    notesFile(files),
  )
}

/**
 * The worker's own progress file; none where its workspace is gone or something else stands there.
 */
function ownNotes(cwd: string, name: string, action: LoopAction): string {
  const file = loopPathsIn(cwd, name).progressFile(action)
  return isOwnDir(path.dirname(file), 2) ? readLog(file, OWN_BYTES) : ''
}

/** Most that is read of it, in bytes. */
const OWN_BYTES = 1024 * 1024
