// What a span says of a turn, a test run, a run: numbers, names and ids. Never a prompt, an answer,
// a reason, a path or the text of an error: those hold what users and agents wrote.
import type { IterationSummary, RunResult } from '../../contract/result.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnResult } from '../../contract/turn.js'
import { rateOf } from '../../core/test-results/pass-rate.js'

export type Attributes = Record<string, string | number | boolean>

const present = (
  values: Record<string, string | number | boolean | null | undefined>,
): Attributes =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number | boolean] =>
        entry[1] !== undefined && entry[1] !== null,
    ),
  )

/** Known before a turn begins. */
export function askedAttributes({
  kind = 'test-fix',
  role,
  agent,
  iteration,
  turn,
  task,
}: Pick<AgentTurnInput, 'role' | 'agent' | 'iteration' | 'turn'> &
  Partial<Pick<AgentTurnInput, 'kind' | 'task'>>): Attributes {
  return present({
    'ratchet.kind': kind,
    'ratchet.role': role,
    'ratchet.agent': agent,
    'ratchet.iteration': iteration,
    'ratchet.turn': turn,
    'ratchet.task': task,
  })
}

export function turnAttributes(result: TurnResult): Attributes {
  const { usage } = result
  return present({
    'ratchet.outcome': result.outcome,
    'ratchet.session.id': result.sessionId,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'ratchet.usage.estimated': usage.estimated,
    'ratchet.cost_usd': usage.costUsd,
    'ratchet.attempts': result.attempts,
    'ratchet.crashes': result.crashes,
    'ratchet.changed_files': result.changedFiles.length,
    'ratchet.limited_until':
      result.limitedUntil === undefined ? undefined : new Date(result.limitedUntil).toISOString(),
    'ratchet.outage': result.outage?.error,
    'ratchet.over': result.over,
  })
}

export function testAttributes(run: TestRun): Attributes {
  const measured =
    run.kind === 'measured'
      ? {
          'ratchet.tests.total': run.total,
          'ratchet.tests.passed': run.passed,
          'ratchet.tests.failed': run.failed,
          'ratchet.tests.flaky': run.flaky,
        }
      : {}
  return present({
    'ratchet.verdict': run.kind,
    'ratchet.commit': run.commit,
    'ratchet.pass_rate': rateOf(run),
    ...measured,
  })
}

export function iterationAttributes(
  iteration: number,
  summary: IterationSummary | undefined,
): Attributes {
  return present({
    'ratchet.iteration': iteration,
    'ratchet.verdict': summary?.result,
    'ratchet.pass_rate': summary?.passRate,
    'ratchet.commit': summary?.commit,
    'ratchet.strategy': summary?.strategy,
  })
}

export function runAttributes({
  id,
  kind,
  outcome,
  status,
  iterations,
  passRate,
  reviewNeeded,
  usage,
}: RunResult): Attributes {
  return present({
    'ratchet.run': id,
    'ratchet.kind': kind,
    'ratchet.outcome': outcome,
    'ratchet.status': status,
    'ratchet.iterations': iterations,
    'ratchet.pass_rate': passRate,
    'ratchet.review_needed': reviewNeeded,
    'ratchet.turns': usage.turns,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'ratchet.usage.estimated': usage.estimated,
    'ratchet.cost_usd': usage.costUsd,
  })
}
