// Decides what a person's edit of a document means, and which agents have still to hear of it.
//
// A document whose text is not one that Ratchet wrote was edited by a person. The edit counts
// before what an agent wrote at the same time. One that was deleted or emptied is no edit: the
// document comes back.
import type {
  OpenEdit,
  Owner,
  PersonEdit,
  PersonEdits,
} from '../../../contract/dev-cycle/person-edit.js'
import { ITEM_CHARS } from '../../../contract/dev-cycle/phase-reading.js'
import { oneLine } from '../../text/one-line.js'
import { section } from '../../prompts/prompt-parts.js'
import { readPlanFile } from './plan-file.js'
import { readTestResults } from './test-results-file.js'

/** Lines of a change that travel, and edits that travel with them: older ones name their file. */
const LINES_KEPT = 15
const CHANGES_KEPT = 5

export type Judged =
  { edit: 'none' } | { edit: 'taken'; text: string } | { edit: 'refused'; problem: string }

/**
 * Judges the content of a document's file.
 *
 * @param there the text, or the file's problem in words that follow its name; `undefined` if there
 * is no file
 * @param isOurs Ratchet wrote exactly this
 */
export function judgeEdit(
  name: string,
  there: { text: string } | { problem: string } | undefined,
  isOurs: boolean,
): Judged {
  if (there === undefined || isOurs) return { edit: 'none' }
  if ('problem' in there) return { edit: 'refused', problem: `it ${there.problem}` }
  if (there.text.trim() === '') return { edit: 'none' }
  const problem = documentProblem(name, there.text)
  return problem === undefined ? { edit: 'taken', text: there.text } : { edit: 'refused', problem }
}

function documentProblem(name: string, text: string): string | undefined {
  if (name === 'plan.json') {
    const read = readPlanFile(text)
    return read.ok ? undefined : read.problems.slice(0, 3).join('; ')
  }
  if (name !== 'test-results.json') return undefined
  const read = readTestResults(text)
  return read.ok ? undefined : read.problem
}

/**
 * The lines that an edit added and removed, the added ones first. `before`: missing where the agent
 * had written nothing.
 */
export function changeOf(before: string | undefined, after: string): string[] {
  const [old, now] = [linesOf(before ?? ''), linesOf(after)]
  const lines = [
    ...without(now, old).map((line) => `+ ${line}`),
    ...without(old, now).map((line) => `- ${line}`),
  ]
  return lines.length <= LINES_KEPT
    ? lines
    : [...lines.slice(0, LINES_KEPT), `… and ${lines.length - LINES_KEPT} more lines`]
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => oneLine(line, ITEM_CHARS))
    .filter((line) => line !== '')
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

export const NO_EDITS: PersonEdits = { seen: 0, open: [], removed: [] }

/**
 * The edits with those that the host has found since. One that is known already changes nothing,
 * and each stays until all agents know it.
 */
export function withEdits(
  edits: PersonEdits,
  found: readonly PersonEdit[],
): { edits: PersonEdits; news: PersonEdit[] } {
  const news = found.filter(({ id }) => numberOf(id) > edits.seen)
  const plan = news.findLast((one) => one.plan !== undefined)?.plan
  const removed = news.flatMap((one) => one.plan?.removed ?? [])
  return {
    news,
    edits: {
      seen: Math.max(edits.seen, ...news.map(({ id }) => numberOf(id))),
      open: [
        ...edits.open,
        ...news.map(({ plan: _, ...edit }): OpenEdit => ({ ...edit, told: [] })),
      ].map((edit, n, all) => (n < all.length - CHANGES_KEPT ? { ...edit, change: [] } : edit)),
      removed: [...edits.removed, ...removed].filter(
        ({ id }) => plan?.tasks.some((task) => task.id === id) !== true,
      ),
    },
  }
}

/**
 * Edits that an agent has not heard of. One that cannot be used is a question, and no news for
 * agents.
 */
export function untoldTo(edits: PersonEdits | undefined, phase: Owner): OpenEdit[] {
  return (
    edits?.open.filter(({ problem, told }) => problem === undefined && !told.includes(phase)) ?? []
  )
}

/**
 * After a turn of an agent that had these edits in its prompt; one that all agents know is no
 * longer kept.
 */
export function toldTo(
  edits: PersonEdits,
  phase: Owner,
  ids: readonly string[],
  all: readonly Owner[],
): PersonEdits {
  const open = edits.open.map((edit) =>
    ids.includes(edit.id) && !edit.told.includes(phase)
      ? { ...edit, told: [...edit.told, phase] }
      : edit,
  )
  return { ...edits, open: open.filter(({ told }) => !all.every((one) => told.includes(one))) }
}

/** A refused edit that a person has decided about. */
export function withoutEdit(edits: PersonEdits, id: string): PersonEdits {
  return { ...edits, open: edits.open.filter((edit) => edit.id !== id) }
}

/**
 * What a prompt says of them; empty where nothing was edited.
 *
 * @param dir the progress directory as the agent sees it
 * @param lines most lines of a change that are shown: the document has all of them
 */
export function editsSection(edits: readonly OpenEdit[], dir: string, lines = Infinity): string {
  if (edits.length === 0) return ''
  return section('## EDITED BY A PERSON', [
    'A person edited these documents. The edit wins over what an agent wrote: read each document again, work from it, and keep the text of the person.',
    '',
    ...edits.flatMap(({ file, change }) => [
      `- ${dir}/${file}`,
      ...change.slice(0, lines).map((line) => `  ${line}`),
    ]),
  ])
}

function numberOf(id: string): number {
  return Number(/(\d{1,9})$/.exec(id)?.[1] ?? 0)
}
