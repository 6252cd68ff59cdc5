// Tracks what blocks the agents, from the first report until no agent reports it any more.
import { ITEM_CHARS } from '../../contract/dev-cycle/phase-reading.js'
import type { Blocker } from '../../contract/dev-cycle/cycle-record.js'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import { OWN_WORDS_CHARS } from '../../contract/question.js'
import { oneLine } from '../text/one-line.js'
import { numbered } from './decisions.js'
import { textKey } from './documents/same-text.js'

/** Blockers that travel with a run; all of them are in the record. */
export const BLOCKERS_KEPT = 50

/**
 * The blockers after the agents in `reported` have answered, each with everything it reports now.
 *
 * An answer alone resolves none: it is kept with the blocker until its agent no longer reports it.
 * One that goes without an answer was worked around. One that is reported again is open again. An
 * agent that is not in `reported` had no say: its blockers stay.
 *
 * @param answered who was told of the blockers in this iteration, and said what
 */
export function blockersAfter(
  before: readonly Blocker[],
  reported: readonly { phase: Phase; texts: readonly string[] }[],
  answered: { phase: Phase; summary: string } | undefined,
): Blocker[] {
  const now = reported.flatMap(({ phase, texts }) =>
    texts.map((text) => ({
      phase,
      text: oneLine(text, ITEM_CHARS),
      key: textKey(oneLine(text, ITEM_CHARS)),
    })),
  )
  const keys = new Set(now.map(({ key }) => key))
  const known = before.map((blocker): Blocker => {
    const { resolution: earlier, ...rest } = blocker
    const said = answer(blocker, answered) ?? (blocker.status === 'open' ? earlier : undefined)
    if (keys.has(textKey(blocker.description))) return { ...rest, status: 'open', resolution: said }
    if (blocker.status !== 'open' || !reported.some(({ phase }) => phase === blocker.reported_by))
      return blocker
    return {
      ...rest,
      ...(said === undefined
        ? {
            status: 'workaround',
            resolution: `${blocker.reported_by.toUpperCase()} no longer reports it, and there was no answer`,
          }
        : { status: 'resolved', resolution: said }),
    }
  })
  for (const { phase, text, key } of now) {
    if (text === '' || known.some(({ description }) => textKey(description) === key)) continue
    const said = answer({ reported_by: phase }, answered)
    known.push({
      id: numbered('BLK', known),
      description: text,
      reported_by: phase,
      status: 'open',
      resolution: said,
    })
  }
  return kept(known)
}

/**
 * Blockers that were open before an iteration and still are: the agents cannot solve them among
 * themselves.
 */
export function persistent(before: readonly Blocker[], after: readonly Blocker[]): Blocker[] {
  return after.filter(
    ({ id, status }) =>
      status === 'open' && before.some((one) => one.id === id && one.status === 'open'),
  )
}

/** The blocker that a person has answered: it stays open until its agent no longer reports it. */
export function answeredBlocker(
  blockers: readonly Blocker[],
  id: string,
  words: string,
): Blocker[] {
  return blockers.map((one) =>
    one.id === id ? { ...one, resolution: `a person: ${oneLine(words, OWN_WORDS_CHARS)}` } : one,
  )
}

/** The answer of another agent. */
function answer(
  { reported_by: by }: Pick<Blocker, 'reported_by'>,
  answered: { phase: Phase; summary: string } | undefined,
): string | undefined {
  const summary = oneLine(answered?.summary ?? '', ITEM_CHARS)
  return answered === undefined || summary === '' || answered.phase === by
    ? undefined
    : `${answered.phase.toUpperCase()}: ${summary}`
}

// Closed ones go first, the oldest of them before the others.
function kept(blockers: readonly Blocker[]): Blocker[] {
  let extra = blockers.length - BLOCKERS_KEPT
  return blockers.filter(({ status }) => status === 'open' || extra-- <= 0).slice(-BLOCKERS_KEPT)
}
