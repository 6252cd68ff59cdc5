// Schedules of the Temporal server that start runs at set times.
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type ScheduleHandle,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
} from '@temporalio/client'
import type { Workflow } from '@temporalio/common'
import { CycleInput } from '../contract/dev-cycle/cycle-input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { idProblem } from '../contract/ids.js'
import { TestFixInput } from '../contract/test-fix/test-fix-input.js'
import { LoopInput } from '../contract/dev-loop/loop-input.js'
import { MAIN_QUEUE, WORKFLOW_TYPES } from '../contract/names.js'
import type { Caller } from './connection.js'
import { toClientError } from './errors.js'
import { signedPlan } from './signing.js'
import { checkedInput } from './starts.js'

/** When to start runs, and which. Each run has its own id: that of the schedule and the time. */
export type SchedulePlan = {
  /** Five fields as in a crontab, like `0 2 * * 1-5`; several are allowed. */
  cron: string | string[]
  /** Name of the time zone that `cron` means, like `Europe/Berlin` (default UTC). */
  timezone?: string
  /**
   * How late a run may start after the machine was off or asleep, like `30 minutes` (default 6
   * hours); a later one is skipped.
   */
  catchUp?: string
  /** A note in the description of the schedule. */
  note?: string
} & (
  | { kind: 'test-fix'; input: TestFixInput }
  | { kind: 'dev-cycle'; input: CycleInput }
  | { kind: 'dev-loop'; input: LoopInput }
)

const CATCH_UP = '6 hours'
/** gRPC code. */
const INVALID_ARGUMENT = 3
const INPUTS = { 'test-fix': TestFixInput, 'dev-cycle': CycleInput, 'dev-loop': LoopInput } as const
/** Characters that the time adds to the id of a schedule. */
const TIME_LENGTH = '-2026-11-20T12:02:00Z'.length

/**
 * Creates a schedule, or changes the plan of an existing one, which stays paused if it was. A run
 * is skipped while the previous one is open.
 *
 * @throws RefusalError `BadInput`
 */
export async function scheduleRuns(
  door: Caller,
  id: string,
  plan: SchedulePlan,
): Promise<ScheduleHandle> {
  const options = scheduleOptions(id, plan)
  try {
    return await door.call(async ({ schedule }) => {
      const args = signedPlan(door.signingKey(), id, options.action.args ?? [])
      const action = { ...options.action, args }
      try {
        return await schedule.create({ ...options, action })
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error
        const handle = schedule.getHandle(id)
        await handle.update(({ state }) => ({
          ...options,
          action,
          state: { ...state, ...options.state },
        }))
        return handle
      }
    })
  } catch (error) {
    const problem = badPlan(error)
    if (problem !== undefined) throw Object.assign(refused(problem), { cause: error })
    throw toClientError(error, id, door.where)
  }
}

// A plan that the client cannot read (a cron line) or the server refuses (a time zone).
function badPlan(error: unknown): string | undefined {
  const { name, message, cause } = error as Error
  if (name === 'TypeError' || name === 'ValueError') return message
  const refusal = [error, cause].find(
    (one) => (one as { code?: number } | undefined)?.code === INVALID_ARGUMENT,
  ) as { details?: string; message: string } | undefined
  return refusal === undefined ? undefined : (refusal.details ?? refusal.message)
}

/** Returns the options for the server. */
export function scheduleOptions(
  id: string,
  { kind, input, cron, timezone, catchUp = CATCH_UP, note }: SchedulePlan,
): ScheduleOptions<ScheduleOptionsStartWorkflowAction<Workflow>> & { state: { note?: string } } {
  const problem = idProblem(id + 'x'.repeat(TIME_LENGTH))
  if (problem !== undefined)
    throw refused(
      idProblem(id) ??
        `id: must have at most ${100 - TIME_LENGTH} characters: the time is added to it`,
    )
  if (!(kind in INPUTS))
    throw refused(
      `kind: must be one of ${Object.keys(INPUTS).join(', ')}, got ${JSON.stringify(kind)}`,
    )
  return {
    scheduleId: id,
    spec: {
      cronExpressions: typeof cron === 'string' ? [cron] : cron,
      timezone,
    },
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOW_TYPES[kind],
      workflowId: id,
      taskQueue: MAIN_QUEUE,
      args: [checkedInput<object>(INPUTS[kind], input)],
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: catchUp as '6 hours' },
    state: { note },
  }
}

function refused(problem: string): RefusalError {
  return new RefusalError(BAD_INPUT, problem, 'the schedule', 'correct it')
}
