// Facts that several prompts of a test-fix run name: the last run, the role, the record.
import path from 'node:path'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import { FAILURES_SHOWN, type TestRun } from '../../contract/test-run.js'
import type { FailureFact } from '../../core/test-fix/failure-facts.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import type { PromptRun } from '../../core/test-fix/prompts/prompt-run.js'
import { roleText } from '../../adapters/agents/roles.js'

export function promptRun<F extends FailureFact | { test: string; file: string; error: string }>(
  run: TestRun,
  failures: readonly F[],
): PromptRun<F> {
  if (run.kind !== 'measured')
    return {
      kind: 'not_measured',
      reason: run.reason,
      tail: run.tail,
      ...(run.output === undefined ? {} : { outputPath: run.output.path }),
    }
  return {
    kind: 'measured',
    passRate: passRate(run.passed, run.total),
    passed: run.passed,
    total: run.total,
    failuresTotal: run.failuresTotal,
    failures: failures.slice(0, FAILURES_SHOWN),
    outputPath: run.output.path,
  }
}

export function common(input: AgentTurnInput): { roleText: string; testCommand: string } {
  return { roleText: roleText(input.role), testCommand: input.testCommand }
}

export function recordOf({ recordDir, ask }: AgentTurnInput): string {
  if (recordDir === undefined) throw new Error(`a turn about ${ask.about} needs a record`)
  return recordDir
}

/** The record as a path from the project, as tasks and prompts name it. */
export function recordPath({
  recordDir,
  workspace,
}: Pick<AgentTurnInput, 'recordDir' | 'workspace'>): string {
  return path
    .relative(workspace.project, recordDir ?? '')
    .split(path.sep)
    .join('/')
}
