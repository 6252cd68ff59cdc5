// Inputs and answers of the activities: what workflow and host exchange.
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
 * `chain` is the first execution's run id: the same for every iteration, another if the id is used
 * again.
 */
export type PrepareInput = {
  run: string
  chain: string
  project: string
  session?: string
  base?: string
  at: number
  /** How the session's files are created or read. */
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
  /** A session that was started earlier and continues. */
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
  /** Detects stuck tests, new failures and criticality. */
  compare?: Compare
  /** Test files, relative to the project, for which this run replaces every earlier run. */
  replaces?: string[]
  /**
   * After tests were written: this run becomes the baseline, which keeps tests that passed in the
   * earlier one.
   */
  founds?: boolean
  /**
   * Keeps packages that a developer may have installed. Otherwise they are restored to the prepared
   * state.
   */
  keepPackages?: boolean
}

export type Compare = {
  /** Results of the commit that the fix started from: what passed there and fails now is broken. */
  before?: FileRef
  /** Results of the best state. */
  best?: FileRef
  /** Results of the state that the run started from, if best is another one. */
  start?: FileRef
  /**
   * Results of the last full run, which carry the history of each test, and whether its commit was
   * kept.
   */
  lastFull?: FileRef
  lastKept: boolean
  /** The run writes tests and may remove its own: only tests of the baseline count as missing. */
  ownTests?: boolean
  /** Whether the comparison lists tests that already failed at the baseline. */
  tellsKnown?: boolean
  /** Whether it lists removed tests in files that the run has changed. */
  tellsRemoved?: boolean
  claims?: FileRef
  /** Test files of the fix. They may run first, and decide nothing. */
  affectedFiles?: string[]
}

/**
 * Confirms the results of a measured commit by canaries. `head`: the branch head, before and after.
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
  /** Results of the last confirmed commit: files that changed to passing since then come first. */
  since?: FileRef
  /** Before the end of the run: only if the runner can select files, as that is no full run. */
  early?: boolean
  timeoutMs: number
  configHash: string
}

/**
 * `confirmed`: in each checked file, a test that had to fail was reported as failed. `refuted`: in
 * `files` it was not, although it is on the first measured commit. `unconfirmed`: no canary has a
 * result, for the reason. `later`: asked early, and the runner cannot select files.
 */
export type Confirmation =
  | { verdict: 'later' }
  | { verdict: 'confirmed' }
  | { verdict: 'refuted'; files: string[] }
  | { verdict: 'unconfirmed'; reason: string }

/**
 * The task of an agent's turn. The host builds the prompt from it, as it has the role texts and
 * files.
 */
export type TurnAsk =
  | { about: 'converge' }
  | Diagnose
  | { about: 'assess'; lastRun: Measured }
  | { about: 'plan-tests'; task: string }
  /**
   * `mends`: the gate whose findings are in `feedback`; the turn then repairs the tests, for any
   * type of task.
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
      /** What a person added to the choice of this worker. */ words?: string
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

/** What to read from the answer of a turn, and to write into the record. */
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
      /** Tasks of one of several parallel develops, which names those it has done. */
      tasks?: string[]
    }

/** Parts of an `IMPL-fix-N` besides the analysis. */
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

/** A fix without a usable analysis: planned from earlier fixes and the failures. */
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
  /** `test-fix` by default. */
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
  /** Budget of the run, if it has one. */
  budget?: TurnBudget
  /** From the previous agent of the chain, whose work stays in the tree. */
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

/** A turn as it is sent: `read` omits its run if `ask` has it. */
export type SentTurn = Omit<AgentTurnInput, 'read'> & {
  read?: TurnRead | Without<TurnRead, 'lastRun'>
}

export type SettleInput = {
  key: string
  workspace: Workspace
  agent: string
  reason: string
  /** As in the turn: others may work in the tree, so git leaves it alone. */
  beside?: string
  /** The turn itself, if its answer has a form: a finished turn is read. */
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
   * The task may add and change tests; changed test configuration, deleted tests and other changed
   * files are restored.
   */
  writesTests?: boolean
  /**
   * Where to note that the fix waits for its retest, so that a resumed session does not repeat it.
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

/** `proposals`: known and new ones; `valid`: files of the new ones. */
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

/** A question that a hook receives. */
export type NotifyInput = {
  run: string
  /** Project directory as the user named it. */
  project: string
  configHash: string
  recordDir: string
  status: Pick<StatusReply, 'id' | 'kind' | 'iteration' | 'maxIterations' | 'passRate' | 'branch'>
  question: Question
}

/** A projection of the run's state, for the record. */
export type RecordInput = {
  run: string
  prepared: Prepared
  status: StatusReply
  state: TestFixState
  at: number
  /** Present at the end of the run. */
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
