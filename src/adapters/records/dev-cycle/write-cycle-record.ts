// Writes the record of a cycle: documents from the workspace, logs, the board, the state file. The
// same input gives the same files, so a killed attempt can be repeated.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RecordCycleAnswer, RecordCycleInput } from '../../../contract/dev-cycle/cycle-step.js'
import type { CycleStatus } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import type { RunStatus } from '../../../contract/result.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import { isOwnFolderRemoved } from '../../workspace/own-folder.js'
import { jsonText } from '../write-file.js'
import { writeProjected, type Projected } from '../write-if-unchanged.js'
import { appendChanges, type CommittedChanges } from './changes.js'
import { appendDecisions } from './decisions-log.js'
import { allDocuments } from './document-names.js'
import { editsAfter } from '../edits/edits-log.js'
import { feedbackText } from './feedback-file.js'
import { keptBaseline } from '../kept-baseline.js'
import { withRecord } from '../patch-record.js'
import { clear } from '../safe-files.js'
import { COORDINATION, type CycleFiles } from './cycle-paths.js'
import { takeEdits } from '../edits/person-edits.js'
import { progressPaths } from './cycle-progress.js'
import { recordOf, testResults, type RecordFrom } from './to-cycle-record.js'
import { CYCLE } from './cycle-state-file.js'
import type { StoredCycle } from './cycle-schema.js'
import { shareBoard } from './shared-board.js'
import { summaryText } from './cycle-summary-file.js'
import { takeDocuments, takeForeign } from './take-documents.js'
import { appendTimeline, iterationRecord } from './timeline.js'

/**
 * `offset` of times in the record, like "+08:00"; `commit` if the developer's work was just
 * committed.
 */
export type CycleRecordOptions = { offset: string; commit?: CommittedChanges }

/**
 * Writes every file of the record.
 *
 * Documents of `settled` agents come first. A change to them in the workspace was not made by their
 * owner, so they are restored there and named as `foreign`, paths relative to the progress
 * directory.
 *
 * @throws RecordUnwritableError if the disk is full or the record cannot be written; the old files
 * are whole
 * @throws RefusalError if a newer version of Ratchet wrote the record
 */
export async function writeCycleRecord(
  input: RecordCycleInput,
  { offset, commit }: CycleRecordOptions,
): Promise<RecordCycleAnswer> {
  const { state, at, settled } = input
  const { workspace, name } = state.prepared
  return withRecord(CYCLE, workspace.project, name, async (files, read) => {
    const { dir, progress } = progressPaths(workspace.cwd, name)
    const iteration = Math.max(1, state.iteration)
    await takeEdits(
      files.progress,
      dir,
      PHASES.filter((phase) => state.agents[phase].status !== 'running'),
      { iteration, at, offset },
    )
    const foreign: string[] = []
    const isAway = isOwnFolderRemoved(workspace.root)
    for (const phase of PHASES.filter((one) => settled.includes(one))) {
      const to = path.join(files.progress, phase)
      const changed = await takeForeign(progress[phase], to, phase, isAway)
      foreign.push(...changed.map((one) => path.join(phase, one)))
    }
    const back: string[] = []
    for (const phase of PHASES) {
      const [from, to] = [progress[phase], path.join(files.progress, phase)]
      const missing = allDocuments(phase).filter(
        (one) => !existsSync(path.join(to, one)) && existsSync(path.join(from, one)),
      )
      if (settled.includes(phase) && missing.length === 0) continue
      const taken = await takeDocuments(from, to, { phase, iteration, at, offset })
      if (settled.includes(phase))
        back.push(
          ...taken.filter((one) => missing.includes(one)).map((one) => path.join(phase, one)),
        )
    }
    if (commit !== undefined)
      await appendChanges(
        path.join(files.progress, 'cd/changes.log'),
        path.join(progress.cd, 'changes.log'),
        commit,
        { iteration, at, offset },
      )
    const { warnings: aboutBoard, ...count } = await shareBoard(dir, files.progress)
    failpoint('record:copies')
    // Also findings that no agent is left to make an issue of.
    const found = [
      ...foreign.map((one) => `${one} was changed by another agent, and restored`),
      ...back.map((one) => `${one} was removed from the record, and is back`),
      ...aboutBoard,
    ]
    const from: RecordFrom = {
      run: input.run,
      state: {
        ...state,
        baseline: await keptBaseline(files.progress, state.baseline),
        warnings: [...new Set([...state.warnings, ...found])],
      },
      status: statusOf(input),
      result: input.result,
      at,
      time: (one) => timestamp(one, offset),
      progress: files.progress,
      old: read.found,
    }
    const record = recordOf(from)
    await appendLogs(files, record.cycle_id, from)
    const warnings = await writeMaster(files, record, {
      id: input.run,
      ours: read.found.schema !== undefined,
    })
    const edits = editsAfter(files.edits, state.edits?.seen ?? 0)
    return {
      warnings: [...found, ...warnings],
      foreign,
      board: count,
      ...(edits.length === 0 ? {} : { edits }),
    }
  })
}

/**
 * Writes the state file and the coordination files that follow from it; returns warnings about hand
 * edits.
 */
export async function writeMaster(
  files: CycleFiles,
  record: StoredCycle,
  { id, ours }: { id: string; ours: boolean },
): Promise<string[]> {
  const { dir, progress, master } = files
  const own = path.basename(progress)
  const feedback = feedbackText(record, progress)
  const { result } = record.ratchet
  const projected: Projected[] = [
    ...(feedback === undefined
      ? []
      : [{ name: path.join(own, COORDINATION.feedback), text: feedback }]),
    ...(result === undefined
      ? []
      : [
          {
            name: path.join(own, COORDINATION.summary),
            text: summaryText(
              record,
              result,
              progress,
              feedback === undefined ? [] : [path.basename(files.feedback)],
            ),
          },
        ]),
    { name: path.basename(master), text: jsonText(record) },
  ]
  for (const { name } of projected) clear(path.join(dir, name))
  return writeProjected(dir, projected, { ours, notes: CYCLE.digests(files), id })
}

async function appendLogs(files: CycleFiles, id: string, from: RecordFrom): Promise<void> {
  const { state, at, time } = from
  const { prepared, tasks, scheduling, interactive, parallel, maxIterations } = state
  const over = state.iterations.filter((one) => one.completedAt !== undefined)
  const tests = testResults(from)
  const sections = over.map((one, n) => {
    const summary = state.history.find(({ iteration }) => iteration === one.number)
    return {
      iteration: iterationRecord(one, tasks, time),
      summary,
      ...(n < over.length - 1 || tests === undefined ? {} : { test_results: tests }),
    }
  })
  const head = {
    id,
    task: tasks[0]?.text ?? '',
    created_at: time(state.startedAt),
    scheduling,
    interactive,
    parallel,
    max_iterations: maxIterations,
    branch: prepared.workspace.branch,
    base: prepared.workspace.base,
  }
  await appendTimeline(files.timeline, head, sections)
  await appendDecisions(files.decisions, state, at, time)
}

const STATUSES: Readonly<Record<RunStatus, CycleStatus>> = {
  created: 'created',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  user_exit: 'completed',
}

function statusOf({ status, result }: RecordCycleInput): CycleStatus {
  return STATUSES[result?.status ?? status.status]
}
