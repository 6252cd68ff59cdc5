// The workers' progress files in a loop's record: every text that Ratchet writes there is noted, so
// what a person edited is known and taken.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { LOOP_ACTIONS, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { LOG_BYTES, readOwn, writeOwn } from '../safe-files.js'
import { takeEdit, type EditsAt } from '../edits/take-edit.js'
import { writtenDocuments, type WrittenDocuments } from '../edits/written-documents.js'
import { textIn } from '../write-if-unchanged.js'
import { noteName, type LoopFiles } from './loop-paths.js'
import { loopPathsIn } from './loop-progress.js'

const NAMES = LOOP_ACTIONS.map(noteName)

/** `.ratchet/<id>.progress`: none of it a link. */
const PARTS = 2

/**
 * Writes a worker's progress file, where it says something else. What a person edited there was
 * taken before.
 */
export async function writeNotes(
  files: LoopFiles,
  action: LoopAction,
  text: string,
): Promise<void> {
  const written = await writtenDocuments(files.progress, NAMES)
  if (textIn(files.note(action)) !== text) {
    await written.note(noteName(action), text)
    await writeOwn(files.note(action), text)
  }
  await settle(files, written)
}

/**
 * Takes what a person edited in the progress files, while their workers have no turn in this
 * workspace.
 *
 * @param cwd of the workspace whose copies are replaced
 */
export async function takeNoteEdits(
  files: LoopFiles,
  { cwd, name }: { cwd: string; name: string },
  at: EditsAt,
): Promise<void> {
  const written = await writtenDocuments(files.progress, NAMES)
  for (const action of LOOP_ACTIONS) {
    const [note, file] = [noteName(action), files.note(action)]
    const before = textIn(lastOf(files, action))
    await takeEdit(
      {
        owner: action,
        name: note,
        shown: note,
        file,
        own: loopPathsIn(cwd, name).progressFile(action),
        parts: PARTS,
        log: files.edits,
        written,
        most: LOG_BYTES,
        before,
      },
      at,
    )
    // One that was deleted or emptied comes back.
    if (before !== undefined && textOf(file).trim() === '') await writeOwn(file, before)
  }
  await settle(files, written)
}

/** What stands there now is what the next edit is compared with. */
async function settle(files: LoopFiles, written: WrittenDocuments): Promise<void> {
  for (const action of LOOP_ACTIONS) {
    const text = textOf(files.note(action))
    if (text !== '' && written.isOurs(noteName(action)) && text !== textIn(lastOf(files, action)))
      await writeOwn(lastOf(files, action), text)
  }
  await written.settle()
}

function textOf(file: string): string {
  const read = readOwn(file, LOG_BYTES)
  return read !== undefined && 'text' in read ? read.text : ''
}

/**
 * Every text that a person gave a worker's progress file: its copy in the workspace began as the
 * last of them.
 */
export function editedNotes({ progress }: LoopFiles, action: LoopAction): string[] {
  const history = path.join(progress, 'history')
  const kept = readdirSync(history).filter((one) => one.startsWith(`${noteName(action)}.edited-`))
  return kept.map((one) => textIn(path.join(history, one)) ?? '').filter((text) => text !== '')
}

/** The text that Ratchet wrote last: an edit is what differs from it. */
function lastOf({ progress }: LoopFiles, action: LoopAction): string {
  return path.join(progress, `.${noteName(action)}.recorded`)
}
