// Inputs and answers of the activities: what passes between workflow and host.
import type { FileRef } from './files.js'
import type { Role } from './config.js'
import type { IterationSummary, RunResult, StatusReply } from './result.js'
import type { Prepared, TestFixState } from './state.js'
import type { TestRun } from './test-run.js'
import type { TurnKind } from './turn.js'
import type { Workspace } from './workspace.js'

export type ServerFactsInput = { project: string }

export type PrepareInput = { run: string; project: string; session?: string; base?: string; at: number }

export type RunTestsInput = {
  run: string
  /** Unique within the run: names the files of this test run. */
  step: string
  workspace: Workspace
  commit: string
  timeoutMs: number
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

export type CommitFixInput = { run: string; step: string; workspace: Workspace; expectHead: string; at: number; subject: string; body: string }

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

export type RecordAnswer = { warnings: string[] }
