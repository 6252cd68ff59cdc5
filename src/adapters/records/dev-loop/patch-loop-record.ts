// Writes between two full records that a worker has begun or answered. Its answer is on disk before
// anything is decided from it.
import path from 'node:path'
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import type { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import type { WorkerReading } from '../../../contract/dev-loop/action-reading.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import type { EditsAt } from '../edits/take-edit.js'
import {
  changeState,
  patchRecord,
  takeRecordEdits,
  withRecord,
  withWarnings,
  type Known,
} from '../patch-record.js'
import { clear, isOwnDir, readLog, recordLog } from '../safe-files.js'
import { jsonText } from '../write-file.js'
import { writeProjected } from '../write-if-unchanged.js'
import { loopPathsIn } from './loop-progress.js'
import { outputOf, readOutput } from './outputs.js'
import { LOOP } from './loop-state-file.js'
import { editedNotes, takeNoteEdits, writeNotes } from './loop-notes.js'
import { withSection } from './progress-file.js'

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
 * worker's own copy of it. The next full record adds files by git and what was measured.
 *
 * A second answer of the same worker in the same iteration replaces the first.
 *
 * @throws RecordUnwritableError if the disk is full or the record cannot be written
 * @throws RefusalError if a newer version of Ratchet wrote the record
 */
export async function noteWorker(
  project: string,
  name: string,
  { reading, detail, agent, iteration, at, offset, cwd }: WorkerNoted,
): Promise<void> {
  const { action } = reading
  await withRecord(LOOP, project, name, async (files, read) => {
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
      { ours: true, notes: LOOP.digests(files), id: name },
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
      await changeState(LOOP, files, read, (record, known) => withWarnings(record, known, warnings))
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
  await patchRecord(LOOP, project, name, (_record, known) => ({
    ...running(known),
    current_iteration: iteration,
    updated_at: timestamp(at, offset),
    skill_state: { ...(known['skill_state'] as object), phase: action },
  }))
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
  return takeRecordEdits(LOOP, { project: workspace.project, name, seen }, (files) =>
    takeNoteEdits(files, { cwd: workspace.cwd, name }, at),
  )
}

// Drops the end: a resumed loop has none.
function running({ ratchet }: Known): Known {
  const { outcome: _outcome, result: _result, ...notes } = ratchet as Record<string, unknown>
  return { status: 'running', completed_at: undefined, failure_reason: undefined, ratchet: notes }
}

/**
 * The worker's own progress file; empty if its workspace is gone or the file is no file.
 */
function ownNotes(cwd: string, name: string, action: LoopAction): string {
  const file = loopPathsIn(cwd, name).progressFile(action)
  return isOwnDir(path.dirname(file), 2) ? readLog(file, OWN_BYTES) : ''
}

/** Most that is read of it, in bytes. */
const OWN_BYTES = 1024 * 1024
