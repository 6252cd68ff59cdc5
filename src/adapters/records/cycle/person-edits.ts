// Takes what a person edited in the documents of a record: notes it, copies it to the agents, keeps what it replaces.
//
// Each step can be done again after a kill: an edit counts as taken once its digest is noted, which comes last. Every text
// that a person typed stays in `history/`, also where the document is rewritten later.
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Phase } from '../../../contract/discovery.js'
import { changeOf, judgeEdit } from '../../../core/cycle/person-edits.js'
import { planChange, planEdit } from '../../../core/cycle/plan-edit.js'
import { cycleVersion } from '../../../core/cycle/versions.js'
import { reach } from '../../fault-point.js'
import { digest } from '../../state-dir.js'
import { timestamp } from '../../timestamp.js'
import { isOwnDir, readOwn, recordLog, stateOf, writeOwn, writeOwnSync } from '../own-files.js'
import { keepBeside } from '../written.js'
import { allDocuments } from './document-names.js'
import { appendEdit, editLines } from './edits-log.js'
import { nextEdited, writtenDocuments } from './written-documents.js'
import type { WrittenDocuments } from './written-documents.js'

/** Epoch milliseconds, and the offset of times in the record, like "+08:00". */
export type EditsAt = { iteration: number; at: number; offset: string }

/** Where a document stands: in the record, and in the workspace, both progress directories. */
type Place = { progress: string; workspace: string; phase: Phase; name: string; written: WrittenDocuments }

/**
 * Takes the edits of these agents' documents. None of the agents has a turn.
 *
 * @param progress the record's progress directory
 * @param workspace the progress directory in the workspace; where it is gone, the record's is copied there at the next turn
 */
export async function takeEdits(progress: string, workspace: string, phases: readonly Phase[], at: EditsAt): Promise<void> {
  for (const phase of phases) {
    const written = await writtenDocuments(path.join(progress, phase), phase)
    for (const name of allDocuments(phase)) await takeEdit({ progress, workspace, phase, name, written }, at)
  }
}

async function takeEdit(place: Place, at: EditsAt): Promise<void> {
  const { progress, phase, name, written } = place
  const file = path.join(progress, phase, name)
  const judged = judgeEdit(name, readOwn(file), written.isOurs(name))
  if (judged.edit === 'taken') return taken(place, judged.text, at)
  if (judged.edit === 'refused') return refused(place, judged.problem, at)
  // A refused edit that its author has corrected since.
  const kept = `${file}.edited`
  const corrected = judgeEdit(name, readOwn(kept), !isNewlyEdited(place, kept))
  if (corrected.edit === 'refused') await noteRefused(place, corrected.problem, at)
  if (corrected.edit !== 'taken') return
  await taken(place, corrected.text, at)
  rmSync(kept, { force: true })
}

async function taken(place: Place, text: string, at: EditsAt): Promise<void> {
  const { progress, workspace, phase, name, written } = place
  const [file, own, history] = [path.join(progress, phase, name), path.join(workspace, phase, name), path.join(progress, phase, 'history', name)]
  const isThere = isOwnDir(path.dirname(own), PARTS)
  const read = isThere ? readOwn(own) : undefined
  const before = read !== undefined && 'text' in read ? read.text : undefined
  await keepBeside(history, text, 'edited')
  if (before !== undefined && before !== text && before.trim() !== '') await keepBeside(history, before, 'replaced')
  const edit = await appendEdit(progress, {
    phase, file: `${phase}/${name}`, ...(name === 'plan.json' ? { change: planChange(before, text), plan: planEdit(before, text) } : { change: changeOf(before, text) }),
    timestamp: timestamp(at.at, at.offset), iteration: at.iteration, digest: digest(text),
  }, written.lastEdit(name))
  await noteInChanges(place, `${name}: edited by a person (${edit.id})`, at)
  reach('record:edits')
  if (isThere) writeOwnSync(own, text)
  await written.note(name, text, edit.id)
  if (stateOf(file) !== digest(text)) await writeOwn(file, text)
}

/** Moves aside what cannot be used, a link or a directory too, and puts the agent's document in its place again. */
async function refused(place: Place, problem: string, at: EditsAt): Promise<void> {
  const { progress, workspace, phase, name, written } = place
  const [file, own] = [path.join(progress, phase, name), path.join(workspace, phase, name)]
  const kept = `${file}.edited`
  if (lstatSync(kept, { throwIfNoEntry: false }) !== undefined) renameSync(kept, nextEdited(file))
  renameSync(file, kept)
  await noteRefused(place, problem, at)
  const read = isOwnDir(path.dirname(own), PARTS) ? readOwn(own) : undefined
  if (read === undefined || !('text' in read) || judgeEdit(name, read, false).edit !== 'taken') return
  await written.note(name, read.text)
  await writeOwn(file, read.text)
}

async function noteRefused(place: Place, problem: string, at: EditsAt): Promise<void> {
  const { progress, phase, name } = place
  const edit = await appendEdit(progress, {
    phase, file: `${phase}/${name}`, change: [], problem, timestamp: timestamp(at.at, at.offset), iteration: at.iteration, digest: stateOf(path.join(progress, phase, `${name}.edited`)),
  })
  await noteInChanges(place, `${name}: edited by a person and not used (${edit.id}): ${problem}`, at)
}

function isNewlyEdited({ progress, phase, name }: Place, kept: string): boolean {
  if (!existsSync(kept)) return false
  return editLines(progress).findLast(({ file, problem }) => file === `${phase}/${name}` && problem !== undefined)?.digest !== stateOf(kept)
}

/** One line of changes.log for each edit. */
async function noteInChanges({ progress, phase }: Place, change: string, { iteration, at, offset }: EditsAt): Promise<void> {
  const file = path.join(progress, phase, 'changes.log')
  const log = recordLog(file)
  const line = JSON.stringify({ timestamp: timestamp(at, offset), version: cycleVersion(iteration), agent: 'user', action: 'update', change, iteration })
  if (log.includes(JSON.stringify(change))) return
  await writeOwn(file, `${log}${log === '' || log.endsWith('\n') ? '' : '\n'}${line}\n`)
}

/** `.ratchet/<id>.progress/<phase>`: none of it a link. */
const PARTS = 3
