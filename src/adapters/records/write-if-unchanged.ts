// Writes the projected files of a record, and detects hand edits.
//
// An edited text is kept under another name, and once what another tool wrote. The digests of the
// new and the current files are noted first, so that a process killed in between leaves files that
// match one of them.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { WrittenFile } from '../../core/records/record-schemas.js'
import { failpoint } from '../failpoint.js'
import { digest } from '../state-dir.js'
import { jsonText, unwritable, writeWhole } from './write-file.js'

const NOTES = '.process/.written.json'

/**
 * A file of the record. `part` answers what of its text is Ratchet's, where the rest belongs to
 * others. `untracked` files may be written by other steps too; `isOurs` knows them by their form.
 */
export type Projected = {
  name: string
  text: string
  part?: (text: string) => string
  untracked?: true
  isOurs?: (text: string) => boolean
}

export type WriteOptions = {
  /** Without any note a file is Ratchet's own, not another tool's: the notes are lost. */
  ours: boolean
  /** Where the digests are noted, relative to `dir`. */
  notes?: string
  /** The run, for `ratchet pause`; the name of `dir` where it is not said. */
  id?: string
}

/**
 * Writes files of a record whose text has changed.
 *
 * @returns warnings about edits that were undone
 */
export async function writeProjected(
  dir: string,
  files: readonly Projected[],
  { ours, notes: notesFile = NOTES, id = path.basename(dir) }: WriteOptions,
): Promise<string[]> {
  const known = readNotes(dir, notesFile)
  const warnings: string[] = []
  const notes: Record<string, string[]> = { ...known }
  const writes: { file: string; text: string }[] = []
  const notesLost = ours && Object.keys(known).length === 0
  for (const { name, text, part, untracked, isOurs } of files) {
    const file = path.join(dir, name)
    const there = textIn(file)
    const digestOf = (one: string): string => digest(part === undefined ? one : part(one))
    const [now, then] = [digestOf(text), there === undefined ? undefined : digestOf(there)]
    const noted = known[name] ?? []
    // Of the last two only one can be there; the other was not written, or is not any more. What
    // another tool wrote stays until this write is done.
    const before = then === undefined || (noted.length > 0 && !noted.includes(then)) ? [] : [then]
    if (untracked !== true) notes[name] = [...new Set([now, ...before])]
    if (there === text) continue
    writes.push({ file, text })
    if (there === undefined) continue
    if (untracked === true) {
      if (isOurs?.(there) === false) await keepCopy(file, there, 'before-ratchet')
      continue
    }
    const edited = then !== now && noted.length > 0 && !noted.includes(then ?? '')
    // It was reported when the session was opened
    if (edited && isKept(file, there, 'damaged')) continue
    if (edited) {
      warnings.push(editWarning(name, there, id))
      await keepCopy(file, there, 'edited')
    } else if (noted.length === 0 && !notesLost && part === undefined)
      await keepCopy(file, there, 'before-ratchet')
  }
  const content: WrittenFile = {
    schema: 1,
    files: Object.fromEntries(Object.entries(notes).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  if (jsonText(content) !== textIn(path.join(dir, notesFile)))
    await writeWhole(path.join(dir, notesFile), jsonText(content))
  failpoint('record:notes')
  for (const { file, text } of writes) {
    await writeWhole(file, text)
    failpoint('record:file')
  }
  return warnings
}

/** Whether a text is the last that Ratchet wrote into a file, or was about to. */
export function isAsWritten(dir: string, name: string, text: string, notesFile = NOTES): boolean {
  return (readNotes(dir, notesFile)[name] ?? []).includes(digest(text))
}

/**
 * `yields`: the text replaces all of the file, so an edit by hand is left for the next full record
 * to tell.
 */
export type Changed = Pick<Projected, 'name' | 'text' | 'untracked'> & { yields?: true }

/**
 * Changes files that Ratchet wrote, in this order; one that was edited by hand stays noted as
 * edited.
 */
export async function changeProjected(
  dir: string,
  files: readonly Changed[],
  notesFile = NOTES,
): Promise<void> {
  const known = readNotes(dir, notesFile)
  const notes: Record<string, string[]> = { ...known }
  const writes: Changed[] = []
  for (const file of files) {
    const there = textIn(path.join(dir, file.name))
    const isOurs = there === undefined || (known[file.name] ?? []).includes(digest(there))
    if (there === file.text || (!isOurs && file.yields === true)) continue
    if (isOurs && file.untracked !== true)
      notes[file.name] = [
        ...new Set([digest(file.text), ...(there === undefined ? [] : [digest(there)])]),
      ]
    writes.push(file)
  }
  const content: WrittenFile = { schema: 1, files: notes }
  if (writes.length > 0 && jsonText(content) !== textIn(path.join(dir, notesFile)))
    await writeWhole(path.join(dir, notesFile), jsonText(content))
  for (const { name, text } of writes) await writeWhole(path.join(dir, name), text)
}

/**
 * Keeps a text as `<name>.damaged-<n>`, `.edited-<n>` or `.replaced-<n>`, once for each text;
 * returns the name.
 */
export async function keepCopy(
  file: string,
  text: string,
  as: 'edited' | 'replaced' | 'damaged' | 'before-ratchet',
): Promise<string> {
  const name = path.basename(file)
  if (as === 'before-ratchet') {
    if (textIn(`${file}.${as}`) === undefined) await writeWhole(`${file}.${as}`, text)
    return `${name}.${as}`
  }
  const earlier = keptAs(file, as)
  const same = earlier.find((one) => textIn(path.join(path.dirname(file), one)) === text)
  if (same !== undefined) return same
  const n = Math.max(0, ...earlier.map((one) => Number(one.slice(name.length + as.length + 2)))) + 1
  await writeWhole(`${file}.${as}-${n}`, text)
  return `${name}.${as}-${n}`
}

function isKept(file: string, text: string, as: 'damaged'): boolean {
  return keptAs(file, as).some((one) => textIn(path.join(path.dirname(file), one)) === text)
}

/** Returns the names of kept texts of a file. */
function keptAs(file: string, as: 'edited' | 'replaced' | 'damaged'): string[] {
  const name = path.basename(file)
  return readdirSync(path.dirname(file)).filter(
    (one) => one.startsWith(name) && new RegExp(`^\\.${as}-\\d{1,6}$`).test(one.slice(name.length)),
  )
}

function editWarning(name: string, text: string, id: string): string {
  const signal = /"status"\s*:\s*"paused"/.test(text)
    ? `; a run is not paused by a file: ratchet pause ${id}`
    : ''
  return `${name} was edited by hand and has been rewritten; the edited text is kept next to it${signal}`
}

function readNotes(dir: string, notesFile: string): Record<string, string[]> {
  const text = textIn(path.join(dir, notesFile))
  if (text === undefined) return {}
  try {
    return WrittenFile.safeParse(JSON.parse(text)).data?.files ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {} // edited itself: then nothing is known
    throw error
  }
}

/** Text of a file of the record, `undefined` where there is none. */
export function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw unwritable(file, error) // what cannot be read cannot be replaced either
  }
}
