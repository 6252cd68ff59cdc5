// What keeps the agents from going on, from the first report to the day nobody reports it any more.
// Source: 003 `Blocker`; ccw §1.7 "Blockers & Resolutions".
import { ITEM_CHARS } from '../../contract/cycle.js'
import type { Blocker } from '../../contract/cycle-record.js'
import type { Phase } from '../../contract/discovery.js'
import { oneLine } from '../one-line.js'
import { numbered } from './decisions.js'
import { textKey } from './same-text.js'

/** Blockers that travel with a run; all of them are in the record. */
export const BLOCKERS_KEPT = 50

/**
 * The blockers after the agents in `reported` have answered, each with everything it reports now.
 *
 * One that its agent no longer reports is resolved; the answer of another agent alone resolves none. One
 * that is reported again is open again. An agent that is not in `reported` had no say: its blockers stay.
 */
export function blockersAfter(before: readonly Blocker[], reported: readonly { phase: Phase; texts: readonly string[] }[], answered: { phase: Phase; summary: string } | undefined): Blocker[] {
  const now = reported.flatMap(({ phase, texts }) => texts.map((text) => ({ phase, text: oneLine(text, ITEM_CHARS), key: textKey(oneLine(text, ITEM_CHARS)) })))
  const keys = new Set(now.map(({ key }) => key))
  const known = before.map((blocker): Blocker => {
    const { resolution: _, ...rest } = blocker
    if (keys.has(textKey(blocker.description))) return { ...rest, status: 'open' }
    if (blocker.status !== 'open' || !reported.some(({ phase }) => phase === blocker.reported_by)) return blocker
    return { ...blocker, status: 'resolved', resolution: resolution(blocker, answered) }
  })
  for (const { phase, text, key } of now) {
    if (text === '' || known.some(({ description }) => textKey(description) === key)) continue
    known.push({ id: numbered('BLK', known), description: text, reported_by: phase, status: 'open' })
  }
  return kept(known)
}

/** Blockers that were open before an iteration and still are: the agents cannot solve them among themselves. */
export function persistent(before: readonly Blocker[], after: readonly Blocker[]): Blocker[] {
  return after.filter(({ id, status }) => status === 'open' && before.some((one) => one.id === id && one.status === 'open'))
}

function resolution({ reported_by: by }: Blocker, answered: { phase: Phase; summary: string } | undefined): string {
  const summary = oneLine(answered?.summary ?? '', ITEM_CHARS)
  return answered === undefined || summary === '' ? `${by.toUpperCase()} no longer reports it` : `${answered.phase.toUpperCase()}: ${summary}`
}

// Closed ones go first, the oldest of them before the others.
function kept(blockers: readonly Blocker[]): Blocker[] {
  let extra = blockers.length - BLOCKERS_KEPT
  return blockers.filter(({ status }) => status === 'open' || extra-- <= 0).slice(-BLOCKERS_KEPT)
}
