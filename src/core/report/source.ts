// The data that a report is built from, as far as it could be read.
import type { CycleRecord } from '../../contract/dev-cycle/cycle-record.js'
import type { LoopRecord, WorkerOutput } from '../../contract/dev-loop/loop-record.js'
import type { Question } from '../../contract/question.js'
import type { IterationSummary, RunResult, RunStatus, RunUsage } from '../../contract/result.js'
import type { TestChange } from '../../contract/test-fix/test-change.js'
import type { StoredRun } from '../../contract/test-run.js'
import type { Compared, FixDetails, FixHistoryItem } from '../records/record-view.js'
import type { FileLink, Patch, Report, ReportTurn } from './model.js'

/** What the files of a test-fix session contain. */
export type SessionFacts = {
  kind: 'test-fix'
  title: string
  createdAt?: number | undefined
  updatedAt?: number | undefined
  maxIterations?: number | undefined
  testCommand?: string | undefined
  history: IterationSummary[]
  usage?: RunUsage | undefined
  commits: string[]
  warnings: string[]
  /** The current iteration. */
  pending?: { iteration: number; summary: string; strategy?: string | undefined } | undefined
  fixes: FixHistoryItem[]
  details: ReadonlyMap<string, FixDetails>
  compared: ReadonlyMap<number, Compared>
}

export type CycleFacts = {
  kind: 'dev-cycle'
  record: CycleRecord
  history: IterationSummary[]
  documents: FileLink[]
}
export type LoopFacts = {
  kind: 'dev-loop'
  record: LoopRecord
  history: IterationSummary[]
  outputs: WorkerOutput[]
  links: ReadonlyMap<string, FileLink[]>
}

/** The answers of an open run on the server. */
export type LiveFacts = {
  status: RunStatus
  phase: string
  iteration: number
  maxIterations: number
  waitingFor: string
  passRate: number | null
  history: IterationSummary[]
  branch: string | null
  sandbox?: string | undefined
  questions: Pick<Question, 'text'>[]
  proposedTestChanges?: TestChange[] | undefined
}

export type ReportSource = {
  id: string
  kind: Report['kind']
  name: string
  project: string | null
  /** When it was read, epoch milliseconds. */
  at: number
  facts?: SessionFacts | CycleFacts | LoopFacts | undefined
  /** Of a run that has ended. */
  result?: RunResult | undefined
  live?: LiveFacts | undefined
  /** The run is open on a server, even if it did not answer. */
  open: boolean
  branch?: string | undefined
  base?: string | undefined
  turns: ReportTurn[]
  /** By iteration. */
  patches: ReadonlyMap<number, Patch>
  /** The last full test run with every test. */
  lastRun?: StoredRun | undefined
  recordDir: string | null
  records: FileLink[]
  /** Links of an iteration: its analysis, its task. */
  links: ReadonlyMap<number, FileLink[]>
  notes: string[]
}
