// Facts that several prompts of a test-fix run name: the last run, the role, the record.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { log } from '@temporalio/activity'
import type { FileRef } from '../../contract/files.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import { FAILURES_SHOWN, type TestRun } from '../../contract/test-run.js'
import type { FailureFact } from '../../core/test-fix/failure-facts.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import type { PromptRun } from '../../core/test-fix/prompts/prompt-run.js'
import { treeChange, type TreeChange } from '../../core/test-fix/prompts/prompt-continued.js'
import { filesBetween } from '../../adapters/git/commit-files.js'
import { attemptFiles } from '../../adapters/records/test-fix/fix-histories.js'
import { broughtIn } from '../../adapters/trust/brought-texts.js'
import { storedRunIn } from '../../adapters/test-runners/stored-run.js'
import { ownPath } from '../../adapters/workspace/own-path.js'
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

/**
 * The prompt for the session that a turn continues; `undefined` where it needs the whole one. A
 * hand-over comes with the whole prompt. Facts that cannot be read cost only the session.
 */
export async function continuedPrompt(
  { knows, handOver }: AgentTurnInput,
  build: () => Promise<string>,
): Promise<string | undefined> {
  if (knows === undefined || handOver !== undefined) return undefined
  try {
    return await build()
  } catch (error) {
    log.warn(
      `a new session begins, as the prompt to continue the last one failed: ${String(error)}`,
    )
    return undefined
  }
}

/** How a session continues: what it knows of the role, and of the tree. */
export async function continuedFacts({
  knows,
  role,
  workspace,
  expectHead,
}: AgentTurnInput): Promise<{ tree: TreeChange; knowsRole: boolean }> {
  const { head = expectHead, changed = [], roles = [] } = knows ?? {}
  const own = ownPath(workspace)
  return {
    tree: treeChange(expectHead, changed.map(own), await filesBetween(workspace, head, expectHead)),
    knowsRole: roles.some((one) => one === role),
  }
}

/**
 * Failures that a session was shown; none if their file is gone, or if they were too many to show
 * all.
 */
export function shownBefore(
  shown: FileRef | undefined,
): { test: string; file: string; error: string }[] {
  if (shown === undefined || !existsSync(shown.path)) return []
  const failed = storedRunIn(shown.path).tests.filter(({ status }) => status === 'failed')
  return failed.length > FAILURES_SHOWN
    ? []
    : failed.map(({ test, file, error = '' }) => ({ test, file, error }))
}

export function common(input: AgentTurnInput): { roleText: string; testCommand: string } {
  return { roleText: roleText(input.role), testCommand: input.testCommand }
}

export function recordOf({ recordDir, ask }: AgentTurnInput): string {
  if (recordDir === undefined) throw new Error(`a turn about ${ask.about} needs a record`)
  return recordDir
}

/** The files of the record that its attempts are from, as far as the repository brings them. */
export function attemptsBrought(input: AgentTurnInput): string[] {
  const brought = broughtIn(input.workspace)
  return attemptFiles(recordOf(input)).flatMap((file) => brought(file) ?? [])
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
