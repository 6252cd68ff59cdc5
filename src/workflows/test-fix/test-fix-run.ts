// One open test-fix run: its handlers, its state, and the view that queries give of both.
import { ApplicationFailure } from '@temporalio/workflow'
import { BAD_INPUT, STILL_PREPARING } from '../../contract/failures.js'
import { MAX_ITERATIONS, TestFixInput } from '../../contract/test-fix/test-fix-input.js'
import type { RunStatus, StatusReply, TestFixOutcome } from '../../contract/result.js'
import { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { bestStatus, changesShown, statusOf } from '../../core/test-fix/test-fix-result.js'
import { OpenRun, checkedInput, handle } from '../run/open-run.js'
import { rateOf } from '../../core/test-results/pass-rate.js'

/** Number of past iterations in a prompt; earlier ones are in the record. */
const HISTORY_ASKED = 20

export class TestFixRun extends OpenRun<TestFixState, TestFixOutcome> {
  readonly refusesTasks = true
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
      history: history.slice(-HISTORY_ASKED),
      recordDir: prepared.recordDir,
    }
  }

  /** No turn is left that needs an answer. */
  turnEnded(): void {
    this.questions.withdrawAll()
  }

  status(): StatusReply {
    const open = this.questions.open()
    return {
      id: this.id,
      kind: 'test-fix',
      project: this.input.project,
      status: this.runStatus(),
      phase: this.phase,
      iteration: this.state?.iteration ?? 0,
      maxIterations: this.state?.maxIterations ?? 0,
      passRate: rateOf(this.state?.lastRun),
      ...bestStatus(this.state),
      ...changesShown(this.state ?? {}),
      waitingFor: this.waits(open),
      branch: this.state?.prepared.workspace.branch ?? null,
      questions: open.length,
      history: this.state?.history ?? [],
    }
  }

  protected statusOf(outcome: TestFixOutcome): RunStatus {
    return statusOf(outcome)
  }
}

/**
 * Opens a run: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openRun(rawInput: unknown, rawState: unknown): TestFixRun {
  const run = new TestFixRun(
    checkedInput(TestFixInput, rawInput),
    rawState === undefined ? undefined : TestFixState.parse(rawState),
  )
  handle(run, {
    check: (raw) => checkExtend(run, raw),
    apply: (raw) => extend(run, raw),
    description: 'Allows more iterations: {"iterations": 3}.',
  })
  return run
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

function checkExtend(run: TestFixRun, raw: unknown): void {
  const read = readExtend(run, raw)
  if (typeof read === 'string') throw ApplicationFailure.nonRetryable(read, BAD_INPUT)
  if (run.state === undefined) throw ApplicationFailure.nonRetryable(STILL_PREPARING, BAD_INPUT)
  if (run.closing) throw ApplicationFailure.nonRetryable('the run is ending', BAD_INPUT)
}

function extend(run: TestFixRun, raw: unknown): { maxIterations: number } {
  const { iterations, requestId } = readExtend(run, raw) as ExtendRequest
  const state = run.ready
  if (requestId === undefined || !run.questions.requestIds.includes(requestId)) {
    state.maxIterations += iterations
    state.extended = (state.extended ?? 0) + iterations
    run.questions.withdrawAll(({ kind }) => kind === 'extend') // it is answered
  }
  run.questions.remember(requestId)
  run.refresh()
  return { maxIterations: state.maxIterations }
}
