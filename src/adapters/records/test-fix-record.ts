// The record of a test-fix session below `.workflow/`: a projection of the run's state, written whole
// at every iteration boundary and at the end. Source: 004 "File Structure"; ccw §3.1, §3.4.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RunResult } from '../../contract/result.js'
import type { RecordInput } from '../../contract/step.js'
import type { Measured } from '../../contract/test-run.js'
import { passRate } from '../../core/pass-rate.js'
import { describeRun, historyTable } from '../../core/test-fix-view.js'
import { storedRunIn } from '../tests/stored-run.js'
import { timestamp } from '../timestamp.js'
import { writeJson, writeWhole } from './write-file.js'

/** Directory of a session's record. */
export function recordDir(project: string, name: string): string {
  return path.join(project, '.workflow', name)
}

/** Makes `.workflow/`, hidden from git by its own ignore file. */
export function openRecord(project: string, name: string): string {
  const dir = recordDir(project, name)
  mkdirSync(path.join(dir, '.process'), { recursive: true })
  const ignore = path.join(project, '.workflow', '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  return dir
}

/** Writes every file of the record. The same input gives the same files. */
export async function writeTestFixRecord(input: RecordInput, offset: string): Promise<void> {
  const { prepared, state, status, result } = input
  const dir = openRecord(prepared.workspace.project, prepared.name)
  const time = (at: number): string => timestamp(at, offset)
  await writeJson(path.join(dir, 'workflow-session.json'), {
    schema: 1,
    session_id: prepared.name,
    workflow_id: input.run,
    workflow_type: 'test_session',
    project: prepared.workspace.project,
    status: result?.status ?? status.status,
    created_at: time(state.startedAt),
    updated_at: time(input.at),
    ...(result === undefined ? {} : { completed_at: time(input.at), outcome: result.outcome, review_needed: result.reviewNeeded }),
    ...(result?.status === 'failed' ? { failure_reason: result.reason ?? result.outcome } : {}),
    branch: prepared.workspace.branch,
    base: prepared.workspace.base,
    config_hash: prepared.configHash,
    test_command: prepared.testCommand,
    ...(result === undefined ? {} : { result }),
  })
  await writeJson(path.join(dir, '.process', 'iteration-state.json'), {
    schema: 1,
    session_id: prepared.name,
    current_task: result === undefined ? `IMPL-fix-${state.iteration + 1}` : null,
    current_iteration: state.iteration,
    max_iterations: state.maxIterations,
    started_at: time(state.startedAt),
    iterations: state.history,
    status: result === undefined ? 'active' : result.status,
    state,
  })
  await copyLastRun(input, dir)
  if (result !== undefined) await writeWhole(path.join(dir, '.summaries', 'session-summary.md'), summary(input, result))
}

/** Every failing test of a run, those missing since the baseline included, from its results file. */
export function failedTests(run: Measured): { test: string; file: string; error?: string | undefined }[] {
  const stored = storedRunIn(run.results.path)
  return [...stored.tests.filter((t) => t.status === 'failed'), ...stored.missing]
}

async function copyLastRun({ state }: RecordInput, dir: string): Promise<void> {
  const run = state.lastRun
  if (run?.output !== undefined && existsSync(run.output.path)) copyFileSync(run.output.path, path.join(dir, '.process', 'test-output.log'))
  if (run?.kind !== 'measured') return
  const failed = failedTests(run)
  await writeJson(path.join(dir, '.process', 'test-results.json'), {
    schema: 1, commit: run.commit, total: run.total, passed: run.passed, failed: run.failed, skipped: run.skipped, flaky: run.flakyTests,
    pass_rate: passRate(run.passed, run.total),
    failures: failed.map((f) => ({ test: f.test, file: f.file, error: f.error ?? '', criticality: 'high' })),
  })
}

function summary({ state, prepared }: RecordInput, result: RunResult): string {
  const last = state.lastRun
  return [
    `# ${prepared.name}: ${result.outcome.replaceAll('_', ' ')}`,
    '',
    ...(result.reason === null ? [] : [result.reason, '']),
    `- **Tests**: ${last === undefined ? 'not run' : describeRun(last)}`,
    `- **Iterations**: ${result.iterations} of ${state.maxIterations}`,
    `- **Branch**: \`${prepared.workspace.branch}\`, taken over with \`ratchet apply ${prepared.name}\``,
    `- **Agent turns**: ${result.usage.turns}, ${result.usage.inputTokens} tokens in, ${result.usage.outputTokens} out${result.usage.estimated ? ' (estimated)' : ''}`,
    '',
    ...historyTable(result.history, '/'),
    '',
    ...(result.failures.length === 0 ? [] : ['## Failing tests', '', ...result.failures.map((f) => `- \`${f.file}\` ${f.test} (${f.criticality}): ${f.error.split('\n', 1)[0] ?? ''}`), '']),
    ...(state.warnings.length === 0 ? [] : ['## Warnings', '', ...state.warnings.map((w) => `- ${w}`), '']),
  ].join('\n')
}
