// Takes an agent's documents from the workspace into the record, with the iteration's version.
//
// All documents of an agent that has answered carry the iteration's version; one that did not
// answer keeps its own. The older text goes to `history/` before it is replaced, also where its
// version is the same. Can be killed anywhere and called again.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { mergeBoard } from '../../../core/dev-cycle/documents/board.js'
import { readPlanFile } from '../../../core/dev-cycle/documents/plan-file.js'
import { readTestResults } from '../../../core/dev-cycle/documents/test-results-file.js'
import {
  cycleVersion,
  historyName,
  versionOf,
  withVersion,
} from '../../../core/dev-cycle/documents/versions.js'
import { timestamp } from '../../timestamp.js'
import { keepCopy, textIn } from '../write-if-unchanged.js'
import { jsonText } from '../write-file.js'
import { allDocuments, LOGS } from './document-names.js'
import { writtenDocuments } from '../edits/written-documents.js'
import {
  isOwnDir,
  ownDir,
  readLog,
  readOwn,
  recordLog,
  stateOf,
  writeOwn,
  writeOwnSync,
} from '../safe-files.js'

/**
 * Epoch milliseconds, and the offset of times in the record, like "+08:00". `answered`: the agent
 * has completed a turn of this iteration, so all its documents are of this iteration.
 */
export type Take = {
  phase: Phase
  iteration: number
  at: number
  offset: string
  answered?: boolean
}

/** Digests of an agent's documents as they were taken, by name; see `takeForeign`. */
const TAKEN = '.taken.json'

/**
 * Copies what has changed; doing it twice changes nothing. A plan or test results that cannot be
 * read are kept next to the last good ones, as `<name>.invalid-<n>`.
 *
 * @param from the agent's directory in the workspace
 * @param to its directory in the record
 * @returns names of the documents that are new in the record
 */
export async function takeDocuments(from: string, to: string, take: Take): Promise<string[]> {
  if (!isOwnDir(from, PARTS)) {
    await noteTaken(undefined, to, take.phase)
    return []
  }
  const written = await writtenDocuments(to, allDocuments(take.phase))
  const notes: string[] = []
  const writes: { name: string; text: string }[] = []
  const version = cycleVersion(take.iteration)
  for (const name of allDocuments(take.phase)) {
    const text = textOf(path.join(from, name))
    const known = textOf(path.join(to, name))
    if (
      text === undefined ||
      (!isChanged(name, text, known, version) &&
        !(take.answered === true && isOlder(name, known, version)))
    )
      continue
    if (!isReadable(name, text)) {
      await keepInvalid(path.join(to, name), text)
      continue
    }
    const set = withVersion(name, text, version)
    if (set.replaced !== undefined)
      notes.push(
        noteLine(take, version, `${name}: version ${set.replaced} was replaced by ${version}`),
      )
    if (known !== undefined) await keepOlder(to, name, { text: known, by: set.text, version })
    writes.push({ name, text: set.text })
  }
  await takeLogs(from, to, take.phase, notes)
  for (const { name, text } of writes) {
    // A person edited it this moment: the next safe point takes the edit.
    if (textOf(path.join(to, name)) !== undefined && !written.isOurs(name)) continue
    await written.note(name, text)
    await writeOwn(path.join(to, name), text)
  }
  await written.settle()
  await noteTaken(from, to, take.phase)
  return writes.map(({ name }) => name)
}

/**
 * Undoes what another agent did to the documents of an agent that had no turn since they were
 * taken: the workspace gets the record's again, the other text is kept next to it as
 * `<name>.edited-<n>`.
 *
 * @param isAway Ratchet has removed the folder for a measurement: what is missing there comes back
 * with the next turn
 * @returns names of the documents that had been changed, removed or added
 */
export async function takeForeign(
  from: string,
  to: string,
  phase: Phase,
  isAway = false,
): Promise<string[]> {
  const taken = takenIn(to)
  const workspace = path.resolve(from, ...Array.from({ length: PARTS }, () => '..'))
  if (taken === undefined || !existsSync(workspace)) return []
  // Gone, or a link to elsewhere: nothing is in it.
  const isThere = isOwnDir(from, PARTS)
  const textThere = (name: string): string | undefined =>
    isThere ? textOf(path.join(from, name)) : undefined
  const foreign = allDocuments(phase).filter((name) => {
    const [now, then] = [
      isThere ? stateOf(path.join(from, name)) : 'missing',
      taken[name] ?? 'missing',
    ]
    if (isAway && now === 'missing') return false
    return now !== then && textThere(name) !== textOf(path.join(to, name))
  })
  if (!isThere && foreign.length > 0)
    ownDir(workspace, path.relative(workspace, from).split(path.sep), 'removed')
  for (const name of foreign) {
    const text = textThere(name)
    const known = textOf(path.join(to, name))
    if (text !== undefined) await keepCopy(path.join(to, name), text, 'edited')
    if (known === undefined) rmSync(path.join(from, name), { recursive: true, force: true })
    else writeOwnSync(path.join(from, name), known)
  }
  if (foreign.length > 0) await noteTaken(from, to, phase)
  return foreign
}

const PARTS = 3

function textOf(file: string): string | undefined {
  const read = readOwn(file)
  return read !== undefined && 'text' in read && read.text.trim() !== '' ? read.text : undefined
}

// The record's copy differs from the agent's by its version at least; a document that carries the
// new version has been gone over, even where nothing else in it has changed.
function isChanged(
  name: string,
  text: string,
  known: string | undefined,
  version: string,
): boolean {
  if (known === undefined) return true
  if (text === known) return false
  const before = versionOf(name, known)
  if (before === undefined || withVersion(name, text, before).text !== known) return true
  return before !== version && versionOf(name, text) === version
}

function isOlder(name: string, known: string | undefined, version: string): boolean {
  return (
    known !== undefined &&
    versionOf(name, known) !== version &&
    withVersion(name, known, version).text !== known
  )
}

function isReadable(name: string, text: string): boolean {
  if (name === 'plan.json') return readPlanFile(text).ok
  return name === 'test-results.json' ? readTestResults(text).ok : true
}

async function keepInvalid(file: string, text: string): Promise<void> {
  const dir = path.dirname(file)
  const kept = readdirSync(dir).filter((one) => one.startsWith(`${path.basename(file)}.invalid-`))
  if (kept.some((one) => textIn(path.join(dir, one)) === text)) return
  const n = Math.max(0, ...kept.map((one) => Number(/-(\d{1,6})$/.exec(one)?.[1] ?? 0))) + 1
  await writeOwn(`${file}.invalid-${n}`, text)
}

// The last text of a version has the plain name. A text that the same version replaces, as after
// feedback, has a number behind the version. Doing it twice keeps no text twice.
async function keepOlder(
  to: string,
  name: string,
  { text, by, version }: { text: string; by: string; version: string },
): Promise<void> {
  const before = versionOf(name, text) ?? '0.0.0'
  const nth = (n: number): string =>
    path.join(to, 'history', historyName(name, n === 0 ? before : `${before}.${n}`))
  if (before !== version) {
    if (!existsSync(nth(0))) await writeOwn(nth(0), text)
    return
  }
  if (text === by) return
  let n = 1
  for (; existsSync(nth(n)); n++) if (textIn(nth(n)) === text) return
  await writeOwn(nth(n), text)
}

// The developer's changes.log says what git says, see changes.ts.
async function takeLogs(
  from: string,
  to: string,
  phase: Phase,
  notes: readonly string[],
): Promise<void> {
  for (const name of LOGS[phase]) {
    const known = recordLog(path.join(to, name))
    const seen = name === 'changes.log' && phase === 'cd' ? '' : readLog(path.join(from, name))
    const merged = seen === '' ? known : mergeBoard(known, seen).text
    const text = name === 'changes.log' ? withNotes(merged, notes) : merged
    if (text !== known) await writeOwn(path.join(to, name), text)
  }
}

/** A note that is there with another time is the same note, made by an attempt that was killed. */
function withNotes(log: string, notes: readonly string[]): string {
  const there = new Set(log.split('\n').map(timeless))
  const added = notes.filter((note) => !there.has(timeless(note)))
  if (added.length === 0) return log
  return `${log}${log === '' || log.endsWith('\n') ? '' : '\n'}${added.map((note) => `${note}\n`).join('')}`
}

function timeless(line: string): string {
  return line.replace(/^\{"timestamp":"[^"]*",/, '{')
}

function noteLine({ phase, iteration, at, offset }: Take, version: string, change: string): string {
  return JSON.stringify({
    timestamp: timestamp(at, offset),
    version,
    agent: phase,
    action: 'update',
    change: `${change} (by Ratchet)`,
    iteration,
  })
}

async function noteTaken(from: string | undefined, to: string, phase: Phase): Promise<void> {
  const content = jsonText({
    schema: 1,
    documents: Object.fromEntries(
      allDocuments(phase).map((name) => [
        name,
        from === undefined ? 'missing' : stateOf(path.join(from, name)),
      ]),
    ),
  })
  if (textIn(path.join(to, TAKEN)) !== content) await writeOwn(path.join(to, TAKEN), content)
}

function takenIn(to: string): Record<string, unknown> | undefined {
  const read = readOwn(path.join(to, TAKEN))
  if (read === undefined || 'problem' in read) return undefined
  try {
    const { documents } = JSON.parse(read.text) as { documents?: unknown }
    return typeof documents === 'object' && documents !== null
      ? (documents as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
