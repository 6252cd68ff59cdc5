// The record of a test-fix session below `.workflow/`: a projection of the run's state, written
// whole at every iteration boundary and at the end. The same input gives the same files, so a
// killed attempt is simply made again.
import { existsSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { CriticalityRule } from '../../../contract/config/config.js'
import type { RunResult } from '../../../contract/result.js'
import type { TestFixState } from '../../../contract/test-fix/test-fix-state.js'
import type { RecordInput } from '../../../contract/test-fix/test-fix-step.js'
import { failuresOfState } from '../../../core/records/failures-file.js'
import { iterationFiles } from '../../../core/test-fix/fix-task.js'
import {
  comparedByIteration,
  fixHistory,
  failuresByIteration,
  iterationState,
} from '../../../core/records/iteration-record.js'
import { currentTask } from '../../../core/test-fix/next-action.js'
import {
  fixDetails,
  fixIdOf,
  type FixDetails,
  type RecordView,
} from '../../../core/records/record-view.js'
import { failureReport, hasFailureReport } from '../../../core/records/failure-report.js'
import { taskSummaries } from '../../../core/records/record-texts.js'
import { sessionHead } from '../../../core/records/session-files.js'
import { reviewNotes, sessionSummary } from '../../../core/records/session-summary.js'
import { testResults } from '../../../core/records/results-file.js'
import { todoList } from '../../../core/records/todo-list.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import { isFailuresFile, readFailures } from './analysis-files.js'
import { fixEntries } from './fix-histories.js'
import { ITERATION_STATE } from './iteration-state.js'
import { lastRunOf, type LastRun } from '../last-run.js'
import { openRecord } from './session-paths.js'
import { keepResults } from '../result-copies.js'
import { jsonContent, readSessionFile } from './sessions.js'
import { projectTasks } from './task-status.js'
import { jsonText, writing } from '../write-file.js'
import { writeProjected, type Projected } from '../write-if-unchanged.js'

export { openRecord, recordDir } from './session-paths.js'

const FIX_HISTORY = '.process/fix-history.json'
const REPORT = '.summaries/failure-report.md'

export type RecordOptions = {
  /** Offset of times, like "+08:00". */
  offset: string
  /** `test.criticality` of the configuration. */
  rules?: readonly CriticalityRule[]
  /** Failing tests where the caller has read them already. */
  lastRun?: LastRun
}

/**
 * Writes every file of the record.
 *
 * @returns warnings about hand edits that were undone
 * @throws RecordUnwritableError where the disk is full or the record cannot be written; what was
 * there is whole
 */
export async function writeTestFixRecord(
  input: RecordInput,
  { offset, rules = [], lastRun = lastRunOf(input.state, rules) }: RecordOptions,
): Promise<string[]> {
  const { prepared, state, result, at } = input
  const dir = openRecord(prepared.workspace.project, prepared.name)
  const time = (one: number): string => timestamp(one, offset)
  const old = readSessionFile(dir)
  const fields = old !== undefined && 'fields' in old ? old.fields : {}
  const view: RecordView = {
    name: prepared.name,
    state,
    result,
    at,
    time,
    ...lastRun,
    fixes: fixesOf(dir, state),
    ...earlier(dir),
  }

  await keepResults(dir, state)
  failpoint('record:copies')
  if (result === undefined) await writing(path.join(dir, REPORT), () => putAway(dir))
  const tasks = projectTasks(dir, state, time(at))
  const files = [
    ...tasks.files,
    ...sessionTexts(view),
    ...summaries(view),
    ...processFiles(view),
    ...failuresNow(dir, view),
    { name: 'workflow-session.json', text: jsonText(sessionFile(input, fields, view)) },
  ]
  // With a schema but without notes the record is Ratchet's own, and the notes are lost.
  return [
    ...tasks.warnings,
    ...(await writeProjected(dir, files, { ours: fields['schema'] !== undefined })),
  ]
}

function sessionTexts({ name, state, result }: RecordView): Projected[] {
  const { queue, history, pending, lastRun } = state
  const current =
    result === undefined
      ? currentTask({
          queue,
          pending,
          lastRun,
        })
      : null
  return [
    { name: 'TODO_LIST.md', text: todoList({ name, tasks: queue, history, pending, current }) },
  ]
}

function summaries(view: RecordView): Projected[] {
  const { result } = view
  const { files, latest } = taskSummaries(view)
  const latestText = latest === undefined ? undefined : files.get(latest)
  return [
    ...[...files].map(([name, text]) => ({ name: `.summaries/${name}`, text })),
    ...(latestText === undefined ? [] : [{ name: '.summaries/task-summary.md', text: latestText }]),
    ...(result === undefined
      ? []
      : [{ name: '.summaries/session-summary.md', text: sessionSummary(view, result) }]),
    ...(result === undefined || !hasFailureReport(result)
      ? []
      : [{ name: REPORT, text: failureReport(view, result) }]),
  ]
}

function processFiles(view: RecordView): Projected[] {
  const { lastRun } = view.state
  return [
    { name: FIX_HISTORY, text: jsonText(fixHistory(view)) },
    ...(lastRun === undefined
      ? []
      : [
          {
            name: '.process/test-results.json',
            text: jsonText(testResults(lastRun, view.tests, view.failures)),
          },
        ]),
    { name: ITERATION_STATE, text: jsonText(iterationState(view)) },
  ]
}

// What fails after the last iteration. An analysis may write the file too, so no edit is looked for
// in it.
function failuresNow(dir: string, view: RecordView): Projected[] {
  const last = view.state.history.at(-1)?.iteration
  if (last === undefined) return []
  const content = failuresOfState(view, readFailures(dir, last))
  return content === undefined
    ? []
    : [
        {
          name: iterationFiles(last).failures,
          text: jsonText(content),
          untracked: true,
          isOurs: isFailuresFile,
        },
      ]
}

/** Fields of the end of a run; a resumed session drops them. */
const ENDING = [
  'completed_at',
  'outcome',
  'review_needed',
  'review_notes',
  'failure_reason',
  'result',
] as const

function sessionFile(
  { run, prepared, state, status, at }: RecordInput,
  old: Record<string, unknown>,
  view: RecordView,
): Record<string, unknown> {
  const { name, result, time } = view
  const { project } = prepared.workspace
  const kept = Object.fromEntries(
    Object.entries(old).filter(([key]) => !(ENDING as readonly string[]).includes(key)),
  )
  const head = sessionHead({ name, project, projectName: path.basename(project) })
  // Other tools write what the session is about into `project`.
  const about =
    old['description'] ??
    (typeof old['project'] === 'string' && !path.isAbsolute(old['project'])
      ? old['project']
      : head['description'])
  const resumed = result === undefined && old['completed_at'] !== undefined
  return {
    schema: 1,
    ...kept,
    ...head,
    description: about,
    workflow_id: run,
    status: result?.status ?? status.status,
    created_at: old['created_at'] ?? time(state.startedAt),
    updated_at: time(at),
    ...(resumed ? { resumed_at: time(at) } : {}),
    branch: prepared.workspace.branch,
    base: prepared.workspace.base,
    config_hash: prepared.configHash,
    test_command: prepared.testCommand,
    ...(result === undefined ? {} : ending(view, result, time(at))),
  }
}

function ending(view: RecordView, result: RunResult, at: string): Record<string, unknown> {
  const notes = reviewNotes(view, result)
  return {
    completed_at: at,
    outcome: result.outcome,
    review_needed: result.reviewNeeded,
    ...(notes.length === 0 ? {} : { review_notes: notes }),
    ...(result.status === 'failed' ? { failure_reason: result.reason ?? result.outcome } : {}),
    result,
  }
}

function fixesOf(dir: string, { history, pending }: TestFixState): Map<string, FixDetails> {
  const ids = [
    ...history.filter((one) => one.iteration > 0).map(fixIdOf),
    ...(pending === undefined ? [] : [pending.task]),
  ]
  return new Map(
    ids.flatMap((id) => {
      const details = fixDetails(jsonContent(path.join(dir, '.task', `${id}.json`)))
      return details === undefined ? [] : [[id, details] as const]
    }),
  )
}

/**
 * What the record says of earlier iterations and the state does not; a file that cannot be read
 * says nothing.
 */
function earlier(
  dir: string,
): Pick<RecordView, 'failuresBefore' | 'comparedBefore' | 'historyBefore'> {
  const state = jsonContent(path.join(dir, ITERATION_STATE))
  const iterations = (state as { iterations?: unknown } | null | undefined)?.iterations
  const items = Array.isArray(iterations) ? (iterations as unknown[]) : []
  return {
    failuresBefore: failuresByIteration(items),
    comparedBefore: comparedByIteration(items),
    historyBefore: new Map(fixEntries(dir).map((entry) => [entry.iteration, entry])),
  }
}

// The report of an end that was not the last one.
function putAway(dir: string): void {
  const file = path.join(dir, REPORT)
  if (!existsSync(file)) return
  const numbers = readdirSync(path.dirname(file)).map((name) =>
    Number(/^failure-report-(\d{1,6})\.md$/.exec(name)?.[1] ?? 0),
  )
  renameSync(file, path.join(dir, '.summaries', `failure-report-${Math.max(0, ...numbers) + 1}.md`))
}
