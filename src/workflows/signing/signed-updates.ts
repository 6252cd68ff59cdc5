// The updates of a run on a private server: only those count that its user has signed. A run is
// private if its own input was signed; the worker has checked both signatures.
import { ApplicationFailure, currentUpdateInfo } from '@temporalio/workflow'
import { BAD_INPUT } from '../../contract/failures.js'
import { signedValue, updateProblem } from '../../core/signing/signed-purpose.js'
import type { Questions } from '../run/questions.js'

export class SignedUpdates {
  readonly #isPrivate: boolean

  /** @param rawInput the input of the run as the worker passes it on */
  constructor(
    rawInput: unknown,
    private readonly questions: Pick<Questions, 'requestIds' | 'remember'>,
  ) {
    this.#isPrivate = signedValue(rawInput).purpose !== undefined
  }

  /**
   * Returns the argument of an update. Handlers check it, too: a stranger who takes a workflow task
   * may have accepted it in the name of the run.
   *
   * @throws ApplicationFailure `BadInput`, non-retryable, without the signature of a private run
   */
  checked(raw: unknown): unknown {
    const { value, purpose } = signedValue(raw)
    const update = currentUpdateInfo()
    if (!this.#isPrivate || update === undefined) return value
    const problem = this.questions.requestIds.includes(mark(update.id))
      ? 'a copy of one that the run has received'
      : updateProblem(purpose, update, Date.now())
    if (problem !== undefined)
      throw ApplicationFailure.nonRetryable(
        `${update.name} is ${problem}; use the form behind "ratchet ui", or "ratchet ${update.name}"`,
        BAD_INPUT,
      )
    return value
  }

  /**
   * The same for the handler of an update that counts once. A private run remembers its id also
   * when it continues, where the server forgets it.
   */
  accepted(raw: unknown): unknown {
    const value = this.checked(raw)
    const update = currentUpdateInfo()
    if (this.#isPrivate && update !== undefined) this.questions.remember(mark(update.id))
    return value
  }
}

const mark = (updateId: string): string => `update ${updateId}`
