// Decides about work that a person approves before it is carried out: what is asked, and what each
// answer means. Silence and a withdrawn question approve nothing.
import { OWN_WORDS_CHARS, type Question } from '../../contract/question.js'
import { STOP } from '../../contract/question-limits.js'
import type { RunUsage } from '../../contract/result.js'
import { oneLine } from '../text/one-line.js'
import { usageText } from './run-usage.js'

export const APPROVE = 'approve'
/** Takes the change as text; any text without an option is a change, too. */
export const CHANGE = 'change'

/** How often one plan is made again: a person who still disagrees changes the task instead. */
export const CHANGES_MOST = 5

const SUBJECT_CHARS = 1_500
const NOTE_CHARS = 300

/** What a person approves. */
export type Approvable = {
  /** Unique within the run. */
  id: string
  /** What it is, as in `the plan of IMPL-fix-1`. */
  what: string
  /** What it contains, as sentences. */
  text: string
  /** What the run does once it is approved. */
  then: string
}

/**
 * Returns the question of a round. Each has an id of its own, so that a late answer approves no
 * later plan.
 *
 * @param at.changes how often it was made again
 * @param at.note why the last change is not in it
 */
export function approvalQuestion(
  { id, what, text, then }: Approvable,
  at: { changes: number; note?: string | undefined; usage: RunUsage; askedAt: number },
): Question {
  const isLast = at.changes >= CHANGES_MOST
  const note =
    at.note === undefined
      ? ''
      : `Your change is not in it: ${oneLine(at.note, NOTE_CHARS).replace(/\.$/, '')}. `
  const cost = at.usage.turns === 0 ? 'nothing' : usageText(at.usage, 'agent turn')
  return {
    id: at.changes === 0 ? id : `${id}-change-${at.changes}`,
    kind: 'approval',
    text: `${note}Approve ${what}? ${oneLine(text, SUBJECT_CHARS)} Used so far: ${cost}.`,
    options: isLast ? [APPROVE, STOP] : [APPROVE, CHANGE, STOP],
    descriptions: {
      [APPROVE]: then,
      ...(isLast ? {} : { [CHANGE]: 'say in your own words what to change; you are asked again' }),
      [STOP]: 'ends the run with its branch at the best state',
    },
    askedAt: at.askedAt,
  }
}

type Said =
  | { choice: 'approve' | 'stop'; words: string }
  /** Empty words: the person has named no change. */
  | { choice: 'change'; words: string }

/** @param text the text that came with a choice */
function read(answer: string, text: string | undefined): Said {
  const said = answer.trim()
  const words = text?.trim() ?? ''
  const option = said.toLowerCase()
  if (option === APPROVE || option === STOP) return { choice: option, words }
  const change = option === CHANGE ? '' : said.replace(/^change:\s*/i, '')
  return { choice: 'change', words: [change, words].filter((part) => part !== '').join('\n') }
}

/** Returns why an answer to an approval is refused, if it is. */
export function approvalProblem(
  { id, options }: Pick<Question, 'id' | 'options'>,
  answer: string,
  text?: string,
): string | undefined {
  const { choice, words } = read(answer, text)
  const option = choice === 'approve' ? APPROVE : choice === 'stop' ? STOP : CHANGE
  if (!options.includes(option))
    return `question ${id} takes no further change; answer it with ${options.join(' or ')}`
  if (option === CHANGE && words === '')
    return `say what to change, like {"questionId":"${id}","text":"use integers"}`
  if (option === APPROVE && words !== '')
    return `approve takes no text; answer question ${id} with the text alone to have it changed`
  return words.length > OWN_WORDS_CHARS
    ? `the answer to question ${id} has ${words.length} characters, more than ${OWN_WORDS_CHARS}: write it into a file of the repository and name that file`
    : undefined
}

/** What follows an answer. */
export type Approval =
  { then: 'carry out' } | { then: 'change'; words: string } | { then: 'stop'; reason: string }

/**
 * Decides what follows. Only the word of a person approves.
 *
 * @param given.answer absent if the question was withdrawn
 * @param given.text that came with a choice
 * @param given.isSilent the answer is that of the deadline
 */
export function afterApproval(
  what: string,
  given: { answer: string | undefined; text?: string | undefined; isSilent: boolean },
): Approval {
  const { answer, isSilent } = given
  if (isSilent || answer === undefined)
    return { then: 'stop', reason: `no one approved ${what}${isSilent ? ' in time' : ''}` }
  const { choice, words } = read(answer, given.text)
  if (choice === 'approve') return { then: 'carry out' }
  if (choice === 'change') return { then: 'change', words }
  return { then: 'stop', reason: `no approval of ${what}${words === '' ? '' : `: ${words}`}` }
}

/** The note that a change leaves in the history. */
export function changeNote(words: string): string {
  return `a person changed the plan: ${oneLine(words, NOTE_CHARS)}`
}
