// Digests of an agent's documents as Ratchet wrote them into the record last: a document with
// another text was edited by a person. Of the last two digests one is there, so a process that is
// killed between note and document leaves no edit.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { jsonOf } from '../../../core/text/json.js'
import { digest } from '../../state-dir.js'
import { isOwnDir, readOwn, stateOf, writeOwn } from '../safe-files.js'
import { textIn } from '../write-if-unchanged.js'
import { jsonText } from '../write-file.js'

const WRITTEN = '.recorded.json'

export type WrittenDocuments = {
  /** Whether Ratchet wrote what stands there now. */
  isOurs: (name: string) => boolean
  /**
   * Notes a text that is about to be written, or that counts from now on. `edit`: id of the
   * person's edit that it is.
   */
  note: (name: string, text: string, edit?: string) => Promise<void>
  /**
   * After the documents are written: the texts that they replaced are Ratchet's no more, so a
   * person can put one of them back.
   */
  settle: () => Promise<void>
  /** Id of the last edit that was taken whole. */
  lastEdit: (name: string) => string | undefined
}

/**
 * Opens the notes of a directory in the record that has documents with these names. Where they are
 * lost, what is there counts as written by Ratchet.
 */
export async function writtenDocuments(
  dir: string,
  names: readonly string[],
): Promise<WrittenDocuments> {
  const file = path.join(dir, WRITTEN)
  const known = existsSync(file) ? notesIn(file) : undefined
  const edits = known?.edits ?? {}
  const notes =
    known?.documents ??
    Object.fromEntries(
      names
        .filter((name) => existsSync(path.join(dir, name)))
        .map((name) => [name, [stateOf(path.join(dir, name))]]),
    )
  const save = async (): Promise<void> => {
    // Sorted, as agents that run in parallel end in any order, and the record of a run does not
    // depend on it.
    const text = jsonText({ schema: 1, documents: sorted(notes), edits: sorted(edits) })
    if (textIn(file) !== text) await writeOwn(file, text)
  }
  if (known === undefined && isOwnDir(dir, 1)) await save()
  return {
    isOurs: (name) => (notes[name] ?? []).includes(stateOf(path.join(dir, name))),
    settle: async () => {
      for (const [name, digests] of Object.entries(notes)) {
        const there = stateOf(path.join(dir, name))
        if (digests.includes(there)) notes[name] = [there]
      }
      await save()
    },
    lastEdit: (name) => edits[name],
    note: async (name, text, edit) => {
      const there = stateOf(path.join(dir, name))
      notes[name] = [
        ...new Set([digest(text), ...(notes[name] ?? []).filter((one) => one === there)]),
      ]
      if (edit !== undefined) edits[name] = edit
      await save()
    },
  }
}

function sorted<T>(of: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Notes = { documents: Record<string, string[]>; edits: Record<string, string> }

function notesIn(file: string): Notes | undefined {
  const read = readOwn(file)
  const value =
    read !== undefined && 'text' in read
      ? (jsonOf(read.text) as { documents?: unknown; edits?: unknown } | null | undefined)
      : undefined
  if (typeof value?.documents !== 'object' || value.documents === null) return undefined
  const documents = Object.entries(value.documents).flatMap(([name, list]) =>
    Array.isArray(list) ? [[name, list.filter((one) => typeof one === 'string')] as const] : [],
  )
  const edits = Object.entries(value.edits ?? {}).flatMap(([name, id]) =>
    typeof id === 'string' ? [[name, id] as const] : [],
  )
  return { documents: Object.fromEntries(documents), edits: Object.fromEntries(edits) }
}

/** Name of the next copy of a file, `<name>.edited-<n>`. */
export function nextEdited(file: string): string {
  const prefix = `${path.basename(file)}.edited-`
  const numbers = readdirSync(path.dirname(file))
    .filter((one) => one.startsWith(prefix))
    .map((one) => Number(one.slice(prefix.length)))
    .filter((n) => Number.isInteger(n))
  return `${file}.edited-${Math.max(0, ...numbers) + 1}`
}
