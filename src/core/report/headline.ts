// States the outcome of a run in one sentence, for readers who do not know Ratchet.
import type { Kind } from '../../contract/names.js'
import type { Tone } from './model.js'

export type HeadlineFacts = {
  kind: Kind
  /** Outcome of a run that has ended; otherwise `open` or `unfinished`. */
  outcome: string
  iterations: number
  passRate: number | null
  passed?: number | undefined
  total?: number | undefined
  failing: number
  openIssues: number
}

const many = (n: number, one: string, several = `${one}s`): string =>
  `${n} ${n === 1 ? one : several}`

/** Returns the sentence. */
export function headline(facts: HeadlineFacts): string {
  const { kind, outcome, iterations } = facts
  const after = `after ${many(iterations, kind === 'dev-loop' ? 'action' : 'iteration')}`
  const tests = testsNow(facts)
  switch (outcome) {
    case 'success':
      return `${capital(allPass(facts))} ${iterations === 0 ? 'already; nothing was changed' : after}.`
    case 'partial_success':
      return `${rate(facts)} ${after}; what is left needs a review.`
    case 'blocked':
      return `The run could not continue ${after}: ${tests}.`
    case 'stopped':
      return `The run was stopped ${after}: ${tests}.`
    case 'completed':
      return `The task is done ${after}: ${tests}.`
    case 'completed_with_issues':
      return `The task was worked on for ${many(iterations, 'iteration')}; ${facts.openIssues > 0 ? `${many(facts.openIssues, 'issue')} ${facts.openIssues === 1 ? 'is' : 'are'} open` : 'some items are open'}: ${tests}.`
    case 'user_exit':
      return `The loop was left ${after}, and can continue: ${tests}.`
    case 'max_iterations':
      return `The loop ended ${after}, which is its limit: ${tests}.`
    case 'open':
      return `The run is in progress: ${many(iterations, kind === 'dev-loop' ? 'action' : 'iteration')} done, ${tests}.`
    case 'unfinished':
      return `The run is unfinished, and nothing is working on it: ${tests}.`
    default:
      return kind === 'test-fix' && facts.passRate !== null
        ? `${capital(tests)} ${after}.`
        : `The run failed ${after}: ${tests}.`
  }
}

/** Returns the colour of an outcome. */
export function toneOf(outcome: string, reviewNeeded: boolean): Tone {
  if (outcome === 'open' || outcome === 'unfinished') return 'open'
  if (outcome === 'success' || outcome === 'completed') return reviewNeeded ? 'warn' : 'good'
  return ['partial_success', 'completed_with_issues', 'user_exit', 'stopped'].includes(outcome)
    ? 'warn'
    : 'bad'
}

function testsNow(facts: HeadlineFacts): string {
  const { passRate, failing, passed, total } = facts
  if (passRate === null) return 'nothing was measured'
  if (passRate === 100) return allPass(facts)
  if (passed !== undefined && total !== undefined)
    return `${total - passed} of ${many(total, 'test')} ${total - passed === 1 ? 'fails' : 'fail'}`
  return failing > 0
    ? `${many(failing, 'test')} ${failing === 1 ? 'fails' : 'fail'}`
    : `${passRate} % of the tests pass`
}

function allPass({ total }: HeadlineFacts): string {
  return total === undefined
    ? 'all tests pass'
    : total === 1
      ? 'the only test passes'
      : `all ${total} tests pass`
}

function rate({ passRate }: HeadlineFacts): string {
  return passRate === null ? 'Nothing was measured' : `${passRate} % of the tests pass`
}

/** Returns the text with an upper-case first letter. */
export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
