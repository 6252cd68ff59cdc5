// Takes what a person edited in one document of a record: notes it, copies it to the agents, keeps
// what it replaces.
//
// Each step can be done again after a kill: an edit counts as taken once its digest is noted, which
// comes last. Every text that a person typed stays in `history/`, also where the document is
// rewritten later.
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Owner } from '../../../contract/dev-cycle/person-edit.js'
import { changeOf, judgeEdit } from '../../../core/dev-cycle/documents/person-edits.js'
import { planChange, planEdit } from '../../../core/dev-cycle/documents/plan-edit.js'
import { failpoint } from '../../failpoint.js'
import { digest } from '../../state-dir.js'
import { timestamp } from '../../timestamp.js'
import { isOwnDir, readOwn, stateOf, writeOwn, writeOwnSync } from '../safe-files.js'
import { keepCopy } from '../write-if-unchanged.js'
import { appendEdit, editLines } from './edits-log.js'
import { nextEdited, type WrittenDocuments } from './written-documents.js'

/** Epoch milliseconds, and the offset of times in the record, like "+08:00". */
export type EditsAt = { iteration: number; at: number; offset: string }

/** A document of a record. */
export type EditedDocument = {
  owner: Owner
  /** Its name in the notes, and in the record: relative to the progress directory. */
  name: string
  shown: string
  /**
   * Its place in the record, and its copy in the workspace, below `parts` directories of
   * Ratchet's own.
   */
  file: string
  own: string
  parts: number
  /** The record's edits.ndjson. */
  log: string
  written: WrittenDocuments
  /** Largest that is read, in bytes. */
  most?: number
  /** What Ratchet wrote last, where that is not what the workspace has. */
  before?: string | undefined
  /** Says it in a log of the record, one line an edit. */
  tell?: (change: string) => Promise<void>
}

/** Takes an edit of a document. Its owner has no turn. */
export async function takeEdit(document: EditedDocument, at: EditsAt): Promise<void> {
  const { file, name, written, most } = document
  const judged = judgeEdit(name, readOwn(file, most), written.isOurs(name))
  if (judged.edit === 'taken') return taken(document, judged.text, at)
  if (judged.edit === 'refused') return refused(document, judged.problem, at)
  // A refused edit that its author has corrected since.
  const kept = `${file}.edited`
  const corrected = judgeEdit(name, readOwn(kept, most), !isNewlyEdited(document, kept))
  if (corrected.edit === 'refused') await noteRefused(document, corrected.problem, at)
  if (corrected.edit !== 'taken') return
  await taken(document, corrected.text, at)
  rmSync(kept, { force: true })
}

async function taken(document: EditedDocument, text: string, at: EditsAt): Promise<void> {
  const { owner, name, shown, file, log, written, tell } = document
  const history = path.join(path.dirname(file), 'history', name)
  const copy = copyOf(document)
  const before = document.before ?? copy
  await keepCopy(history, text, 'edited')
  if (copy !== undefined && copy !== text && copy.trim() !== '')
    await keepCopy(history, copy, 'replaced')
  const edit = await appendEdit(
    log,
    {
      phase: owner,
      file: shown,
      ...(name === 'plan.json'
        ? { change: planChange(before, text), plan: planEdit(before, text) }
        : { change: changeOf(before, text) }),
      timestamp: timestamp(at.at, at.offset),
      iteration: at.iteration,
      digest: digest(text),
    },
    written.lastEdit(name),
  )
  await tell?.(`${name}: edited by a person (${edit.id})`)
  failpoint('record:edits')
  if (isThere(document)) writeOwnSync(document.own, text)
  await written.note(name, text, edit.id)
  if (stateOf(file) !== digest(text)) await writeOwn(file, text)
}

/**
 * Moves aside what cannot be used, a link or a directory too, and puts Ratchet's document in its
 * place again.
 */
async function refused(document: EditedDocument, problem: string, at: EditsAt): Promise<void> {
  const { name, file, written } = document
  const kept = `${file}.edited`
  if (lstatSync(kept, { throwIfNoEntry: false }) !== undefined) renameSync(kept, nextEdited(file))
  renameSync(file, kept)
  await noteRefused(document, problem, at)
  const text = document.before ?? copyOf(document)
  if (text === undefined || judgeEdit(name, { text }, false).edit !== 'taken') return
  await written.note(name, text)
  await writeOwn(file, text)
}

async function noteRefused(
  { owner, name, shown, file, log, tell }: EditedDocument,
  problem: string,
  at: EditsAt,
): Promise<void> {
  const edit = await appendEdit(log, {
    phase: owner,
    file: shown,
    change: [],
    problem,
    timestamp: timestamp(at.at, at.offset),
    iteration: at.iteration,
    digest: stateOf(`${file}.edited`),
  })
  await tell?.(`${name}: edited by a person and not used (${edit.id}): ${problem}`)
}

function isNewlyEdited({ log, shown }: EditedDocument, kept: string): boolean {
  if (!existsSync(kept)) return false
  return (
    editLines(log).findLast(({ file, problem }) => file === shown && problem !== undefined)
      ?.digest !== stateOf(kept)
  )
}

/** Where the workspace is gone, the record's document is copied there at the next turn. */
function isThere({ own, parts }: EditedDocument): boolean {
  return isOwnDir(path.dirname(own), parts)
}

function copyOf(document: EditedDocument): string | undefined {
  const read = isThere(document) ? readOwn(document.own, document.most) : undefined
  return read !== undefined && 'text' in read ? read.text : undefined
}
