// Inputs and answers of the activities: what passes between workflow and host.
import type { FileRef } from './files.js'
import type { Role } from './config.js'
import type { IterationSummary, ReportedFailure, RunResult, StatusReply } from './result.js'
import type { Prepared, TestFixState } from './state.js'
import type { TestRun } from './test-run.js'
import type { TurnKind } from './turn.js'
import type { Workspace } from './workspace.js'

export type ServerFactsInput = { project: string }

/** `chain` is the first execution's run id: the same over every iteration, another when the id is used again. */
export type PrepareInput = { run: string; chain: string; project: string; session?: string; base?: string; at: number }

export type RunTestsInput = {
  run: string
  /** Unique within the run: names the files of this test run. */
  step: string
  workspace: Workspace
  commit: string
  timeoutMs: number
  configHash: string
  baseline?: FileRef
}

/** What an agent is asked; the host builds the prompt from it, as role texts and files are there. */
export type TurnAsk =
  | { about: 'analysis'; lastRun: TestRun; rollbackReason?: string; simplified: boolean }
  | { about: 'fix'; lastRun: TestRun; analysis: FileRef; simplified: boolean }
  | { about: 'converge' }

export type AgentTurnInput = {
  run: string
  /** Turn key, see `TurnSpec.key`. */
  key: string
  role: Role
  task?: string
  iteration: number
  maxIterations: number
  turn: TurnKind
  agent: string
  workspace: Workspace
  testCommand: string
  configHash: string
  /** Commit the turn starts from. */
  expectHead: string
  ask: TurnAsk
  history: IterationSummary[]
  sessionId?: string
  limitMs: number
  idleMs: number
  followUp: boolean
}

export type SettleInput = { key: string; workspace: Workspace; agent: string; reason: string }

export type CommitFixInput = { run: string; step: string; workspace: Workspace; configHash: string; expectHead: string; at: number; subject: string; body: string }

export type RollBackInput = CommitFixInput & { toTree: string }

/** A projection of the run's state, written to the record. */
export type RecordInput = {
  run: string
  prepared: Prepared
  status: StatusReply
  state: TestFixState
  at: number
  /** There at the end of the run. */
  result?: RunResult
}

export type RecordAnswer = {
  warnings: string[]
  /** With a result: the failures it reports. */
  failures?: ReportedFailure[]
}

/** Answer of `reloadConfig`: what a changed configuration changes in a run, or why it cannot be read. */
export type Reloaded = Pick<Prepared, 'configHash' | 'testCommand' | 'agents' | 'limits' | 'testTimeoutMs'> | { problem: string }
