// What a preparation has come to, and the questions it puts to a person.
import type { PrepAnswer, PrepQuestion } from '../../contract/prep/prep-draft.js'
import type { PrepState } from '../../contract/prep/prep-step.js'
import type { Question } from '../../contract/question.js'
import type { RunResult, RunStatus } from '../../contract/result.js'
import { surroundings } from '../run/reported-failures.js'
import { NO_USAGE } from '../run/run-usage.js'
import { resultWarnings } from '../run/result-warnings.js'
import { oneLine } from '../text/one-line.js'
import { note } from '../text/short-text.js'

export type PrepOutcome = 'ready' | 'needs_refinement' | 'failed' | 'stopped'

export function prepStatusOf(outcome: PrepOutcome): RunStatus {
  return outcome === 'ready' || outcome === 'needs_refinement' ? 'completed' : 'failed'
}

/** `package` is filled in by who writes it. */
export function prepResult(
  id: string,
  outcome: PrepOutcome,
  reason: string | undefined,
  state: PrepState | undefined,
): RunResult {
  return {
    id,
    kind: 'prep',
    outcome,
    status: prepStatusOf(outcome),
    iterations: 0,
    passRate: null,
    reviewNeeded: false,
    branch: null,
    commits: [],
    failures: [],
    failuresTotal: 0,
    reason: note([reason]) ?? null,
    ...surroundings(state),
    warnings: resultWarnings(state?.warnings),
    recordDir: state?.draft === undefined ? null : state.prepared.recordDir,
    usage: state?.usage ?? NO_USAGE,
    history: [],
  }
}

/** A question of the agent; an answer in own words has a limit, as the run carries it. */
export function prepQuestion(
  { id, text, options, recommended }: PrepQuestion,
  askedAt: number,
): Question {
  return {
    id,
    kind: 'decision',
    text: oneLine(text),
    options: [...options],
    recommended,
    askedAt,
  }
}

/** @param given the answer of a person; `undefined` if no person gave one */
export function settledAnswer(
  { text, recommended, about }: PrepQuestion,
  given: string | undefined,
): PrepAnswer {
  return given === undefined
    ? { question: text, answer: recommended, by: 'ratchet', about }
    : { question: text, answer: given, by: 'user', about }
}
