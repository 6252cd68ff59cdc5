// One open test-fix run: its state, and what more iterations change in it.
import { ApplicationFailure } from '@temporalio/workflow'
import { BAD_INPUT, STILL_PREPARING } from '../../contract/failures.js'
import { MAX_ITERATIONS, TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import type { RunStatus, StatusReply, TestFixOutcome } from '../../contract/result.js'
import { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { bestStatus, changesShown, statusOf } from '../../core/test-fix/test-fix-result.js'
import { handled } from '../run/handlers.js'
import { OpenRun, checkedInput } from '../run/open-run.js'

/** Number of past iterations in a prompt; earlier ones are in the record. */
const HISTORY_ASKED = 20

export class TestFixRun extends OpenRun<TestFixState, TestFixOutcome> {
  readonly kind = 'test-fix'
  readonly refusesTasks = true
  readonly extendHelp = 'Allows more iterations: {"iterations": 3}.'
  /** A commit on the branch that no test run has judged yet. */
  unmeasured: string | undefined

  constructor(
    readonly input: TestFixInput,
    carried: TestFixState | undefined,
  ) {
    super(carried)
  }

  /** The tasks that are left, in order. */
  get queue(): TaskEntry[] {
    return this.ready.queue
  }

  set queue(queue: TaskEntry[]) {
    this.ready.queue = queue
  }

  /** What the run passes to a turn. */
  turnFacts(): Pick<AgentTurnInput, 'iteration' | 'history' | 'recordDir'> {
    const { iteration, history, prepared } = this.ready
    return {
      iteration: iteration + 1,
      // A prompt has no use for the ids of sessions.
      history: history.slice(-HISTORY_ASKED).map(({ sessions: _, ...one }) => one),
      recordDir: prepared.recordDir,
    }
  }

  /** No turn is left that needs an answer. */
  turnEnded(): void {
    this.questions.withdrawAll()
  }

  protected override statusExtras(): Partial<StatusReply> {
    return { ...bestStatus(this.state), ...changesShown(this.state ?? {}) }
  }

  protected statusOf(outcome: TestFixOutcome): RunStatus {
    return statusOf(outcome)
  }

  checkExtend(raw: unknown): void {
    const read = readExtend(this, raw)
    if (typeof read === 'string') throw ApplicationFailure.nonRetryable(read, BAD_INPUT)
    if (this.state === undefined) throw ApplicationFailure.nonRetryable(STILL_PREPARING, BAD_INPUT)
    if (this.closing) throw ApplicationFailure.nonRetryable('the run is ending', BAD_INPUT)
  }

  extend(raw: unknown): { maxIterations: number } {
    const { iterations, requestId } = readExtend(this, raw) as ExtendRequest
    const state = this.ready
    this.once(requestId, () => {
      state.maxIterations += iterations
      state.extended = (state.extended ?? 0) + iterations
      this.questions.withdrawAll(({ kind }) => kind === 'extend') // it is answered
    })
    return { maxIterations: state.maxIterations }
  }
}

/**
 * Opens a run: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openTestFix(rawInput: unknown, rawState: unknown): TestFixRun {
  const input = checkedInput(TestFixInput, rawInput)
  return handled(new TestFixRun(input, TestFixState.optional().parse(rawState)), rawInput)
}

type ExtendRequest = { iterations: number; requestId: string | undefined }

function readExtend(run: TestFixRun, raw: unknown): ExtendRequest | string {
  const bare = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw
  if (typeof bare === 'string')
    return `iterations: must be a whole number of at least 1, got ${JSON.stringify(raw)}`
  const value =
    typeof bare === 'number'
      ? { iterations: bare }
      : typeof bare === 'object' && bare !== null
        ? (bare as Record<string, unknown>)
        : {}
  const iterations = value['iterations'] ?? run.state?.prepared.limits.maxIterations ?? 5
  if (
    typeof iterations !== 'number' ||
    !Number.isInteger(iterations) ||
    iterations < 1 ||
    iterations > MAX_ITERATIONS
  )
    return `iterations: must be a whole number from 1 to ${MAX_ITERATIONS}, got ${JSON.stringify(iterations)}`
  return {
    iterations,
    requestId: typeof value['requestId'] === 'string' ? value['requestId'] : undefined,
  }
}
