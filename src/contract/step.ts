// Inputs and answers of the activities: what passes between workflow and host.
import type { HandOver, TurnBudget } from './budget.js'
import type { CycleBrief, CycleValidation } from './dev-cycle/cycle-state.js'
import type { Phase } from './dev-cycle/discovery.js'
import type { FileRef } from './files.js'
import type { Role } from './config.js'
import type { LoopBrief } from './dev-loop/loop-state.js'
import type { LoopAction } from './dev-loop/loop-input.js'
import type { Kind } from './names.js'
import type { Question } from './question.js'
import type { IterationSummary, ReportedFailure, RunResult, StatusReply } from './result.js'
import type { PendingFix, Prepared, Restored, TestFixState } from './test-fix/test-fix-state.js'
import type { Strategy, TaskEntry, TaskType } from './test-fix/task.js'
import type { Measured, TestRun } from './test-run.js'
import type { TurnKind } from './turn.js'
import type { ProposedTestChange } from './test-fix/test-change.js'
import type { CommitResult, Workspace } from './workspace.js'

export type ServerFactsInput = { project: string }

/**
 * `chain` is the first execution's run id: the same over every iteration, another when the id is
 * used again.
 */
export type PrepareInput = {
  run: string
  chain: string
  project: string
  session?: string
  base?: string
  at: number
  /** How the session's files are made or read. */
  open: {
    generateTests: boolean
    maxIterations?: number
    extend?: number
    acceptTestChanges?: true
  }
}

/** Answer of `prepareRun`. */
export type PreparedRun = Prepared & {
  tasks: TaskEntry[]
  /** There is no `.process/TEST_ANALYSIS_RESULTS.md` yet. */
  unplanned?: boolean
  /** A session that was begun before and goes on. */
  restored?: Restored
}

export type RunTestsInput = {
  run: string
  /** Unique within the run: names the files of this test run. */
  step: string
  workspace: Workspace
  commit: string
  timeoutMs: number
  configHash: string
  baseline?: FileRef
  /** Tells stuck tests, new failures and criticality. */
  compare?: Compare
  /**
   * Test files, relative to the project, for which this run takes the place of every run before it.
   */
  replaces?: string[]
  /**
   * Tests were written: this run founds the baseline, which keeps the tests that passed in it
   * before.
   */
  founds?: boolean
  /** A developer may install packages: they stay as they are. Otherwise they are as prepared. */
  keepPackages?: boolean
}

export type Compare = {
  /** Results of the commit that the fix started from: what passed there and fails now is broken. */
  before?: FileRef
  /** Results of the best state. */
  best?: FileRef
  /** Results of the state that the run began from, where best is another one. */
  start?: FileRef
  /**
   * Results of the last full run, which carry the memory of each test, and whether what it measured
   * was kept.
   */
  lastFull?: FileRef
  lastKept: boolean
  /** The run writes tests and may remove its own: only those of the baseline are missed. */
  ownTests?: boolean
  /** Whether the comparison says which tests failed at the baseline already. */
  tellsKnown?: boolean
  /** Whether it says which tests are gone in files that the run has changed. */
  tellsRemoved?: boolean
  claims?: FileRef
  /** Test files that the fix is about. They may run first; they decide nothing. */
  affectedFiles?: string[]
}

/**
 * Confirms the results of a measured commit by canaries. `head`: where the branch is, before and
 * after.
 */
export type ConfirmInput = {
  run: string
  /** Unique within the run. */
  step: string
  workspace: Workspace
  head: string
  /** Results of the commit, which they name, and of the first measured one. */
  results: FileRef
  baseline?: FileRef
  /**
   * Results of the last commit that was confirmed: files that changed to passing since come first.
   */
  since?: FileRef
  /** Before the end of the run: only where the runner can select files, as that is no full run. */
  early?: boolean
  timeoutMs: number
  configHash: string
}

/**
 * `confirmed`: in each file that was looked at, a test that had to fail was reported as failed.
 * `refuted`: in `files` it was not, though it is on the first measured commit.
 * `unconfirmed`: no canary says anything, for the reason.
 * `later`: asked early, and the runner cannot select files.
 */
export type Confirmation =
  | { verdict: 'later' }
  | { verdict: 'confirmed' }
  | { verdict: 'refuted'; files: string[] }
  | { verdict: 'unconfirmed'; reason: string }

/**
 * What an agent is asked; the host builds the prompt from it, as role texts and files are there.
 */
export type TurnAsk =
  | { about: 'converge' }
  | Diagnose
  | { about: 'assess'; lastRun: Measured }
  | { about: 'plan-tests'; task: string }
  /**
   * `mends`: the gate that found what is in `feedback`; whatever the task is, the tests are mended.
   */
  | {
      about: 'task'
      task: string
      file: string
      simplified: boolean
      feedback?: string
      mends?: 'code-validation' | 'test-quality-review'
    }
  | {
      about: 'fix-task'
      lastRun: TestRun
      task: string
      file: string
      pending: PendingFix
      simplified: boolean
    }
  | { about: 'gate'; task: string; file: string; gate: TaskType; attempt: number }
  | { about: 'retry'; problem: string; form: string }
  /** Of a dev cycle. */
  | {
      about: 'cycle-work'
      brief: CycleBrief
      simplified: boolean
      /** The last run, for the developer. */ measured?: TestRun
    }
  | { about: 'cycle-validate'; brief: CycleBrief; validation: CycleValidation }
  | { about: 'cycle-feedback'; brief: CycleBrief; feedback: string; measured?: TestRun }
  | { about: 'cycle-converge'; brief: CycleBrief }
  /** Of a dev loop. */
  | {
      about: 'loop-work'
      loop: LoopBrief
      simplified: boolean
      /** What a person said beside the choice of this worker. */ words?: string
    }
  | { about: 'loop-clarify'; action: LoopAction; answers: { question: string; answer: string }[] }
  | { about: 'loop-converge'; loop: LoopBrief }

/** Asks for the root causes of the failures of a full run, and for a fix. */
export type Diagnose = {
  about: 'diagnose'
  lastRun: TestRun
  analysisType: 'test-failure' | 'regression-analysis'
  strategy: Strategy
  /** Why this strategy, in one sentence. */
  because: string
  stuckTests: string[]
  rollbackReason?: string
  simplified: boolean
}

/** What to read in the answer of a turn, and to write into the record from it. */
export type TurnRead =
  | ({ as: 'analysis'; earlierCauses: string[]; at: number } & FixTaskAsk)
  | { as: 'assessment'; lastRun: Measured; claims?: FileRef }
  | { as: 'gate'; task: string; attempt: number }
  | { as: 'plan' }
  /**
   * The PHASE_RESULT block and the documents of an agent of a dev cycle; `name` is the cycle's id.
   */
  | {
      as: 'phase'
      /**
       * Tasks of the plan that are done, or that a person removed: CD is not asked for them again.
       */ done?: string[]
      /** Edits of a person that the state knows. */ seen?: number
      phase: Phase
      name: string
      iteration: number
      version: string
      at: number
    }
  /** The WORKER_RESULT block of a worker of a dev loop; `name` is the loop's id. */
  | {
      as: 'worker'
      action: LoopAction
      name: string
      iteration: number
      /** Tasks of one of several parallel develops, which names those that it has done. */
      tasks?: string[]
    }

/** From what an `IMPL-fix-N` is made, beside the analysis itself. */
export type FixTaskAsk = {
  iteration: number
  parent: string
  /** The last fix that was not rolled back. */
  dependsOn: string[]
  maxIterations: number
  strategy: Strategy
  lastRun: TestRun
  claims?: FileRef
  rollbackReason?: string
}

/** A fix without a usable analysis: from earlier fixes and from what the failures say. */
export type DegradedInput = FixTaskAsk & {
  run: string
  workspace: Workspace
  recordDir: string
  configHash: string
  reason: string
  history: IterationSummary[]
  at: number
}

export type AgentTurnInput = {
  run: string
  /** Turn key, see `TurnSpec.key`. */
  key: string
  /** `test-fix` where it is not said. */
  kind?: Kind
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
  recordDir?: string
  read?: TurnRead
  sessionId?: string
  /** Budget of the run, where it has one. */
  budget?: TurnBudget
  /** From the agent before in the chain, whose work stays in the tree. */
  handOver?: HandOver
  /** The last try in an outage, see `TurnSpec.insists`. */
  insists?: boolean
  /** Group of turns that may share the workspace, see `TurnSpec.beside`. */
  beside?: string
  limitMs: number
  idleMs: number
  followUp: boolean
}

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never

/** A turn as it travels: `read` goes without its run where `ask` has it. */
export type SentTurn = Omit<AgentTurnInput, 'read'> & {
  read?: TurnRead | Without<TurnRead, 'lastRun'>
}

export type SettleInput = {
  key: string
  workspace: Workspace
  agent: string
  reason: string
  /** As of the turn: others may be at work in the tree, so git leaves it alone. */
  beside?: string
  /** The turn itself, where its answer has a form: one that is done is read. */
  turn?: SentTurn
}

export type CommitFixInput = {
  run: string
  step: string
  workspace: Workspace
  configHash: string
  expectHead: string
  at: number
  subject: string
  body: string
} & CommitTaskOptions

export type CommitTaskOptions = {
  /**
   * The task may add and change tests; test configuration, tests that were deleted and other files
   * that it changed are restored.
   */
  writesTests?: boolean
  /**
   * Where to note that the fix waits for its retest, so that a resumed session does not buy it
   * twice.
   */
  record?: { dir: string; pending: PendingFix }
}

export type RollBackInput = CommitFixInput & { toTree: string }

/** Reads the test changes that an answer proposes. `head`: the commit that they must apply to. */
export type ProposeInput = {
  run: string
  workspace: Workspace
  recordDir: string
  configHash: string
  head: string
  iteration: number
  agent: string
  answer: FileRef
  known: ProposedTestChange[]
}

/** `proposals`: the known ones and the new ones; `valid`: files of the new ones. */
export type Proposed = {
  proposals: ProposedTestChange[]
  valid: string[]
  refused: { file: string; reason: string }[]
}

/** Commits test changes that a person has accepted, all of them or none. */
export type ApplyChangesInput = Omit<CommitFixInput, keyof CommitTaskOptions> & {
  changes: ProposedTestChange[]
}

export type AppliedChanges = CommitResult | { refused: { file: string; reason: string } }

/** A question that a hook is told of. */
export type NotifyInput = {
  run: string
  /** Project directory as the user named it. */
  project: string
  configHash: string
  recordDir: string
  status: Pick<StatusReply, 'id' | 'kind' | 'iteration' | 'maxIterations' | 'passRate' | 'branch'>
  question: Question
}

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

/**
 * Answer of `reloadConfig`: what a changed configuration changes in a run, or why it cannot be
 * read.
 */
export type Reloaded =
  | Pick<
      Prepared,
      'configHash' | 'testCommand' | 'agents' | 'limits' | 'testTimeoutMs' | 'spending' | 'hooks'
    >
  | { problem: string }
