// Choices that agents leave to a person, from the question to the code.
import {
  ITEM_CHARS,
  ITEMS_KEPT,
  type AskedDecision,
} from '../../contract/dev-cycle/phase-reading.js'
import type { Decision } from '../../contract/dev-cycle/cycle-record.js'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import { OWN_WORDS_CHARS } from '../../contract/question.js'
import { oneLine } from '../text/one-line.js'
import { textKey } from './documents/same-text.js'

/** Decisions that travel with a run; all of them are in the record. */
export const DECISIONS_KEPT = 20

/**
 * The decisions with the ones that were asked for now. What was asked before is not asked again.
 */
export function decisionsAfter(
  before: readonly Decision[],
  asked: readonly { phase: Phase; decision: AskedDecision }[],
): Decision[] {
  const all = [...before]
  for (const { decision } of asked) {
    const text = oneLine(decision.description, ITEM_CHARS)
    if (text === '' || all.some((one) => textKey(one.description) === textKey(text))) continue
    all.push({
      id: numbered('DEC', all),
      description: text,
      options: decision.options.slice(0, ITEMS_KEPT).map((option) => oneLine(option, ITEM_CHARS)),
      status: 'pending',
    })
  }
  let extra = all.length - DECISIONS_KEPT
  return all.filter(({ status }) => status !== 'implemented' || extra-- <= 0).slice(-DECISIONS_KEPT)
}

/**
 * A pending decision is made. `by`: `user`, or `ratchet` where the recommended option was taken.
 * `option`: one of the options, or own words.
 */
export function made(
  decisions: readonly Decision[],
  id: string,
  { by, option }: { by: string; option: string },
): Decision[] {
  return decisions.map((one) =>
    one.id === id && one.status === 'pending'
      ? { ...one, status: 'made', made_by: by, chosen_option: oneLine(option, OWN_WORDS_CHARS) }
      : one,
  )
}

/** Returns a choice with its text, as agents read it. */
export function chosenWith(choice: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? choice : `${choice}; ${text.trim()}`
}

/**
 * What a person said at the menu after an iteration: a decision that is made, so that the developer
 * gets it like any other.
 */
export function withWords(
  decisions: readonly Decision[],
  iteration: number,
  words: string,
): Decision[] {
  const description = `A person said after iteration ${iteration}`
  return [
    ...decisions,
    {
      id: numbered('DEC', decisions),
      description,
      options: [],
      status: 'made',
      made_by: 'user',
      chosen_option: oneLine(words, OWN_WORDS_CHARS),
    },
  ]
}

/** Longest decision that an agent is given: its question, and what a person said. */
export const DECISION_CHARS = ITEM_CHARS + OWN_WORDS_CHARS + 50

/** A decision and what was chosen, as the developer reads it. */
export function decisionText({ id, description, chosen_option: chosen }: Decision): string {
  return `${id}: ${description} → ${chosen ?? 'not decided'}`
}

/**
 * After a turn of CD that was told of it: what was made before that turn began (`atStart`) is
 * implemented.
 */
export function implemented(
  decisions: readonly Decision[],
  atStart: readonly Decision[],
): Decision[] {
  return decisions.map((one) =>
    one.status === 'made' && atStart.some(({ id, status }) => id === one.id && status === 'made')
      ? { ...one, status: 'implemented' }
      : one,
  )
}

/** The next free id, `BLK-001`: one more than the highest, so that none is given twice. */
export function numbered(prefix: string, entries: readonly { id: string }[]): string {
  const highest = Math.max(0, ...entries.map(({ id }) => Number(/-(\d+)$/.exec(id)?.[1] ?? 0)))
  return `${prefix}-${String(highest + 1).padStart(3, '0')}`
}
