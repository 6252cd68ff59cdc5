// Counts of a project's activities for Prometheus, around each one and from its result.
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import type { RunCounts } from '../adapters/telemetry/run-counts.js'
import { RECORDS, observed, type Result } from './observed.js'

/** Counts what the activity's result says. */
export function counting(counts: RunCounts): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const value = await next(input)
        const asked = observed(input)
        if (info.activityType === 'agentTurn')
          counts.turn(asked.asTurn, value as Result<'agentTurn'>)
        if (info.activityType === 'settleTurn' && asked.turn !== undefined)
          counts.turn(asked.turn, value as Result<'settleTurn'>)
        if (info.activityType === 'runTests') counts.tests(value as Result<'runTests'>)
        if (RECORDS.includes(info.activityType) && asked.state !== undefined)
          counts.recorded(
            `${info.workflowExecution?.workflowId} ${asked.state.startedAt}`,
            asked.state.history,
            asked.result,
          )
        return value
      },
    },
  })
}
