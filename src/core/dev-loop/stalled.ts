// When a loop that is not done ends before its limit: a validation finds what the one before found,
// and nothing was committed in between, or the tests cannot be run although develop had its turn.
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import { describeRun } from '../run/describe-run.js'
import { textDigest } from '../text/text-digest.js'
import { openIn, openLine } from './loop-open.js'
import { note } from '../text/short-text.js'

/** What the validation that has just ended leaves, and why no further action is worth its turn. */
export function afterValidation(state: LoopState): Pick<LoopState, 'validationMark' | 'stalled'> {
  const { validation, validationMark: before, lastRun, head, workers } = state
  // One that gave no answer says nothing.
  if (validation === undefined || validation.word === 'silent' || validation.status === 'unknown')
    return { stalled: undefined }
  const { items } = openIn(state)
  // The words of two validations differ where they mean the same.
  const mark = textDigest(
    [head, ...items.map(({ kind, text }) => (kind === 'validation' ? kind : text)).sort()].join(
      '\n',
    ),
  )
  const cannotRun = lastRun?.kind === 'cannot_execute'
  const developed = workers.some(
    ({ action, iteration }) =>
      action === 'develop' && before !== undefined && iteration > before.iteration,
  )
  const stalled =
    items.length === 0 || before === undefined
      ? undefined
      : cannotRun && before.cannotRun && developed
        ? cannotRunReason(lastRun)
        : before.mark === mark
          ? note([
              'two validations in a row found the same, and nothing was committed in between',
              openLine(items),
            ])
          : undefined
  return { validationMark: { mark, iteration: validation.iteration, cannotRun }, stalled }
}

/** Why a run ends whose tests cannot be executed: only a person can repair their command. */
export function cannotRunReason(run: NonNullable<LoopState['lastRun']>): string {
  return `the tests still cannot be run, and the developer could not change that: ${describeRun(run)}; set "test.command" in ratchet.config.json`
}
