// One open preparation: its state, and what it passes to a turn.
import { ApplicationFailure } from '@temporalio/workflow'
import { BAD_INPUT } from '../../contract/failures.js'
import { PrepInput } from '../../contract/prep/prep-input.js'
import type { PrepState } from '../../contract/prep/prep-step.js'
import type { RunStatus, StatusReply } from '../../contract/result.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import { prepStatusOf, type PrepOutcome } from '../../core/prep/prep-result.js'
import { handled } from '../run/handlers.js'
import { checkedInput, OpenRun } from '../run/open-run.js'

export class PrepRun extends OpenRun<PrepState, PrepOutcome> {
  readonly kind = 'prep'
  readonly refusesTasks = false
  readonly extendHelp = 'A preparation takes no further task: start another one.'

  constructor(readonly input: PrepInput) {
    super(undefined)
  }

  protected override task(): string {
    return this.input.task
  }

  /** It commits nothing, so no branch is named. */
  protected override statusExtras(): Partial<StatusReply> {
    return { branch: null }
  }

  turnFacts(): Pick<AgentTurnInput, 'kind' | 'iteration' | 'history'> {
    return { kind: this.kind, iteration: 0, history: [] }
  }

  /** The questions of a turn need no answer after it. */
  turnEnded(): void {
    this.questions.withdrawAll(({ kind }) => kind === 'permission')
  }

  protected statusOf(outcome: PrepOutcome): RunStatus {
    return prepStatusOf(outcome)
  }

  checkExtend(): void {
    throw ApplicationFailure.nonRetryable(this.extendHelp, BAD_INPUT)
  }

  extend(): void {
    this.checkExtend()
  }
}

/**
 * Opens a preparation: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openPrep(rawInput: unknown): PrepRun {
  return handled(new PrepRun(checkedInput(PrepInput, rawInput)), rawInput)
}
