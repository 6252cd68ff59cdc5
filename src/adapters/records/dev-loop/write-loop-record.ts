// Writes the record of a loop: the state file, the workers' output files with what the workflow
// knows of them, at the end a summary. The same input gives the same files, so a killed attempt can
// be repeated.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import type { LoopRecord, LoopStatus } from '../../../contract/dev-loop/loop-record.js'
import { LOOP_ACTIONS } from '../../../contract/dev-loop/loop-input.js'
import type { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import type { RunResult } from '../../../contract/result.js'
import { commitFilesText, FILES_NAMED } from '../../../core/dev-loop/commit-command.js'
import { failpoint } from '../../failpoint.js'
import { timestamp } from '../../timestamp.js'
import { editsAfter } from '../edits/edits-log.js'
import { keptBaseline } from '../kept-baseline.js'
import { withRecord } from '../patch-record.js'
import { clear, recordLog, writeOwn } from '../safe-files.js'
import { jsonText } from '../write-file.js'
import { writeProjected, type Projected } from '../write-if-unchanged.js'
import { readOutputs, withFacts, type Outputs } from './outputs.js'
import { takeNoteEdits, writeNotes } from './loop-notes.js'
import type { LoopFiles } from './loop-paths.js'
import { readProgress, withHead } from './progress-file.js'
import { recordOf } from './to-loop-record.js'
import { LOOP } from './loop-state-file.js'
import { summaryText } from './loop-summary-file.js'
import type { RecordLoopInput } from '../../../contract/dev-loop/loop-step.js'

/**
 * Writes every file of the record.
 *
 * @param p.offset of times in the record, like "+08:00"
 * @param p.commitFiles all files of the suggested commit, relative to the root of the repository
 * @returns warnings about edits by hand that were undone, and what a person edited in the progress
 * files
 * @throws RecordUnwritableError if the disk is full or the record cannot be written; the old files
 * are whole
 * @throws RefusalError if a newer version of Ratchet wrote the record
 */
export async function writeLoopRecord(
  input: RecordLoopInput,
  { offset, commitFiles = [] }: { offset: string; commitFiles?: readonly string[] },
): Promise<{ warnings: string[]; edits?: PersonEdit[] }> {
  const { run, state, at, result } = input
  const { workspace, name } = state.prepared
  return withRecord(LOOP, workspace.project, name, async (files, read) => {
    await takeNoteEdits(
      files,
      { cwd: workspace.cwd, name },
      { iteration: state.iteration, at, offset },
    )
    const time = (one: number): string => timestamp(one, offset)
    const now = time(at)
    const status: LoopStatus = result?.status ?? input.status.status
    const { head } = readProgress(recordLog(files.note('init')))
    const old = {
      ...(head === undefined ? {} : { loop_id: head.loop, created_at: head.created_at }),
      ...read.found,
    }
    const baseline = await keptBaseline(files.progress, state.baseline)
    const record = recordOf({ run, state: { ...state, baseline }, status, result, at, time, old })
    if (commitFiles.length > FILES_NAMED) await writeCommitFiles(files.commitFiles, commitFiles)
    const outputs = withFacts(readOutputs(files, state.workers), state, input.workers, now)
    const warnings = await writeFiles(files, record, outputs, {
      state,
      result,
      ours: read.found.schema !== undefined,
    })
    const edits = editsAfter(files.edits, state.edits?.seen ?? 0)
    return { warnings, ...(edits.length === 0 ? {} : { edits }) }
  })
}

/** Files that are too many for a command line. */
async function writeCommitFiles(file: string, names: readonly string[]): Promise<void> {
  const text = commitFilesText(names)
  if (recordLog(file) !== text) await writeOwn(file, text)
}

/** Inputs of a summary other than the record. */
export type Ending = {
  state?: LoopState | undefined
  result?: RunResult | undefined
  /** Ratchet wrote the files that exist. */
  ours: boolean
}

/**
 * Writes the state file last: it is what says that the others are there. Returns warnings about
 * hand edits.
 */
export async function writeFiles(
  files: LoopFiles,
  record: LoopRecord,
  outputs: Outputs,
  { state, result, ours }: Ending,
): Promise<string[]> {
  const { dir } = files
  await noteHead(files, record)
  failpoint('record:copies')
  const relative = (file: string): string => path.relative(dir, file)
  const projected: Projected[] = LOOP_ACTIONS.flatMap((action) =>
    outputs[action] === undefined
      ? []
      : [{ name: relative(files.output(action)), text: jsonText(outputs[action]) }],
  )
  const names = [
    ...new Set([...projected.map(({ name }) => name), ...filesIn(files), relative(files.master)]),
  ].sort()
  if (state !== undefined && result !== undefined)
    projected.push({
      name: relative(files.summary),
      text: summaryText({ record, state, result, outputs, files: names }),
    })
  projected.push({ name: relative(files.master), text: jsonText(record) })
  for (const { name } of projected) clear(path.join(dir, name))
  return writeProjected(dir, projected, {
    ours,
    notes: LOOP.digests(files),
    id: record.ratchet.run,
  })
}

/**
 * A second copy of how the loop was started, in case the state file is lost.
 */
async function noteHead(
  files: LoopFiles,
  { loop_id: loop, created_at, mode, max_iterations, ratchet }: LoopRecord,
): Promise<void> {
  const { run, branch, base, task_history: texts } = ratchet
  if (branch === undefined || base === undefined) return
  await writeNotes(
    files,
    'init',
    withHead(recordLog(files.note('init')), {
      loop,
      run,
      texts,
      mode,
      created_at,
      max_iterations,
      branch,
      base,
    }),
  )
}

/**
 * Names below the directory of all records, without those of a summary and of copies that were
 * kept.
 */
function filesIn({ dir, workers, progress }: LoopFiles): string[] {
  return [workers, progress].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          !entry.name.startsWith('.') &&
          entry.name !== 'summary.md' &&
          /\.(?:json|md|txt)$/.test(entry.name),
      )
      .map((entry) => path.relative(dir, path.join(folder, entry.name))),
  )
}
