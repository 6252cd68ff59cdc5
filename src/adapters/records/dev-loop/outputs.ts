// `{name}.workers/{action}.output.json`: what a worker answered, and what Ratchet knows
// better: files by git, tests as they were measured.
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import { LOOP_ACTIONS, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import { WorkerOutput, type WorkerSummary } from '../../../contract/dev-loop/loop-record.js'
import type { WorkerReading } from '../../../contract/dev-loop/action-reading.js'
import { firstChars } from '../../../core/text/test-text.js'
import { salvaged } from '../salvaged.js'
import type { LoopFiles } from './loop-paths.js'
import type { WorkerFacts } from '../../../contract/dev-loop/loop-step.js'

/** Longest text behind DETAILED_OUTPUT, in characters. */
const DETAIL_CHARS = 64 * 1024

export type Outputs = Partial<Record<LoopAction, WorkerOutput>>

/** What is left of the output files, with what is known of the worker where a file says no more. */
export function readOutputs(files: LoopFiles, known: readonly WorkerSummary[] = []): Outputs {
  return Object.fromEntries(
    LOOP_ACTIONS.flatMap((action) => {
      const output = readOutput(files, action, known)
      return output === undefined ? [] : [[action, output]]
    }),
  )
}

/** The output file of one action; a damaged one as far as it goes. */
export function readOutput(
  files: LoopFiles,
  action: LoopAction,
  known: readonly WorkerSummary[] = [],
): WorkerOutput | undefined {
  const { record, found, text } = salvaged<WorkerOutput>(files.output(action), WorkerOutput, {
    texts: ['summary', 'timestamp'],
    lists: [],
  })
  if (record?.action === action) return record
  const summary = known.find((one) => one.action === action)
  const iteration = found.iteration ?? summary?.iteration
  if ((text === undefined && summary === undefined) || iteration === undefined) return undefined
  return {
    ...EMPTY,
    ...(summary?.iteration === iteration ? ofSummary(summary) : {}),
    ...found,
    schema: 1,
    action,
    iteration,
  }
}

const EMPTY = {
  status: 'unknown' as const,
  reported: '',
  summary: '',
  files_changed: [],
  files_claimed: [],
  next_suggestion: null,
  loop_back_to: null,
  detailed_output: '',
  timestamp: '',
  agent: null,
  clarifications: [],
}

function ofSummary({
  status,
  summary,
  files,
}: WorkerSummary): Pick<WorkerOutput, 'status' | 'summary' | 'files_changed'> {
  return { status, summary, files_changed: files }
}

/**
 * What a worker has just answered; what is known of the same iteration already stays. `timestamp`
 * is ISO 8601.
 */
export function outputOf(
  reading: WorkerReading,
  before: WorkerOutput | undefined,
  {
    detail,
    agent,
    iteration,
    timestamp,
  }: { detail: string; agent: string | null; iteration: number; timestamp: string },
): WorkerOutput {
  const { action, status, reported, summary } = reading
  const known = before?.iteration === iteration ? before : undefined
  const output: WorkerOutput = {
    ...(known ?? { files_changed: [], clarifications: [] }),
    schema: 1,
    action,
    status,
    reported,
    summary,
    files_claimed: reading.filesClaimed,
    next_suggestion: reading.next,
    loop_back_to: reading.loopBack?.to ?? null,
    detailed_output: firstChars(detail, DETAIL_CHARS),
    timestamp,
    iteration,
    agent,
  }
  return ordered(
    known !== undefined && isSame(known, output)
      ? { ...output, timestamp: known.timestamp }
      : output,
  )
}

/**
 * The output files with what the workflow knows of their workers. A worker that left none, because
 * it never answered, gets one.
 *
 * @param now ISO 8601
 */
export function withFacts(
  outputs: Outputs,
  { workers }: Pick<LoopState, 'workers'>,
  facts: readonly WorkerFacts[],
  now: string,
): Outputs {
  return Object.fromEntries(
    LOOP_ACTIONS.flatMap((action) => {
      const summary = workers.findLast((one) => one.action === action)
      const there = outputs[action]
      const isOld =
        there === undefined || (summary !== undefined && there.iteration < summary.iteration)
      const base = !isOld
        ? there
        : summary === undefined
          ? undefined
          : {
              ...EMPTY,
              schema: 1 as const,
              action,
              iteration: summary.iteration,
              timestamp: now,
              ...ofSummary(summary),
            }
      if (base === undefined) return []
      // The workflow's view counts: a worker that never ended has failed, no matter what it said
      // before.
      const judged =
        summary?.iteration === base.iteration
          ? {
              status: summary.status,
              summary: base.summary || summary.summary,
              ...(base.files_changed.length === 0 ? { files_changed: summary.files } : {}),
            }
          : {}
      const fact = facts.findLast(
        (one) => one.action === action && one.iteration === base.iteration,
      )
      return [
        [
          action,
          ordered({
            ...base,
            ...judged,
            timestamp: base.timestamp === '' ? now : base.timestamp,
            ...(fact === undefined ? {} : factsOf(fact)),
          }),
        ],
      ]
    }),
  )
}

function factsOf({
  files,
  clarifications,
  tests,
  coverage,
  quality,
}: WorkerFacts): Partial<WorkerOutput> {
  return {
    files_changed: files,
    clarifications,
    tests,
    coverage,
    quality,
  }
}

/** In the order of the contract: the same content is the same text. */
function ordered(output: WorkerOutput): WorkerOutput {
  return WorkerOutput.parse(output)
}

function isSame(a: WorkerOutput, b: WorkerOutput): boolean {
  const text = (one: WorkerOutput): string => JSON.stringify(ordered({ ...one, timestamp: '' }))
  return text(a) === text(b)
}
