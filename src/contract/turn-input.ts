// What the workflow sends to the host for an agent's turn.
import type { Measured, TestRun } from './test-run.js'
import type { SessionKnowledge } from './test-fix/agent-session.js'
import type { PendingFix } from './test-fix/test-fix-state.js'
import type { TaskType, Strategy } from './test-fix/task.js'
import type { CycleBrief, CycleValidation } from './dev-cycle/cycle-step.js'
import type { LoopBrief } from './dev-loop/loop-step.js'
import type { LoopAction } from './dev-loop/loop-input.js'
import type { FileRef } from './files.js'
import type { Phase } from './dev-cycle/discovery.js'
import type { Kind } from './names.js'
import type { Role } from './config/agent-config.js'
import type { TurnKind } from './turn.js'
import type { Workspace } from './workspace.js'
import type { IterationSummary } from './result.js'
import type { TurnBudget, HandOver } from './budget.js'

/**
 * The task of an agent's turn. The host builds the prompt from it, as it has the role texts and
 * files.
 */
export type TurnAsk =
  | { about: 'converge' }
  | Diagnose
  | { about: 'assess'; lastRun: Measured }
  /** `change`: what a person wants otherwise than the plan has it. */
  | { about: 'plan-tests'; task: string; change?: string }
  /**
   * `repairs`: the gate whose findings are in `feedback`, or `approval` if a person wants a change;
   * the turn then repairs the tests, for any type of task.
   */
  | {
      about: 'task'
      task: string
      file: string
      simplified: boolean
      feedback?: string
      repairs?: 'code-validation' | 'test-quality-review' | 'approval'
    }
  | {
      about: 'fix-task'
      lastRun: TestRun
      task: string
      file: string
      pending: PendingFix
      simplified: boolean
    }
  /** `measured`: what Ratchet measured of the tests, as text. */
  | {
      about: 'gate'
      task: string
      file: string
      gate: TaskType
      attempt: number
      measured?: string
    }
  | { about: 'retry'; problem: string; form: string }
  /** Of a dev cycle. */
  | {
      about: 'cycle-work'
      brief: CycleBrief
      simplified: boolean
      /** The last run, for the developer. */
      measured?: TestRun
    }
  | { about: 'cycle-validate'; brief: CycleBrief; validation: CycleValidation }
  | { about: 'cycle-feedback'; brief: CycleBrief; feedback: string; measured?: TestRun }
  | { about: 'cycle-converge'; brief: CycleBrief }
  /** Of a dev loop. */
  | {
      about: 'loop-work'
      loop: LoopBrief
      simplified: boolean
      /** What a person added to the choice of this worker. */
      words?: string
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
  /** A person wants another plan: the words, and what the plan was to do. */
  change?: { words: string; plan: string }
  /** Further independent causes are wanted. */
  several?: true
  /** Tokens that the context of the agent before holds, if it reported that. */
  contextSize?: number
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
       */
      done?: string[]
      /** Edits of a person that the state knows. */
      seen?: number
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
      /** Tasks that a develop was given, which names those it has done. */
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
  /** Several causes may be fixed in one turn. */
  several?: true
  lastRun: TestRun
  claims?: FileRef
  rollbackReason?: string
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
  /** What the session knows, if the turn is a new task in it. */
  knows?: SessionKnowledge
  /** Budget of the run, if it has one. */
  budget?: TurnBudget
  /** From the previous agent of the chain, whose work stays in the tree. */
  handOver?: HandOver
  /** The last try in an outage, see `TurnSpec.insists`. */
  insists?: boolean
  /** Group of turns that may share the workspace, see `TurnSpec.group`. */
  group?: string
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
  configHash: string
  reason: string
  /** As in the turn: others may work in the tree, so git leaves it alone. */
  group?: string
  /** The turn itself, if its answer has a form: a finished turn is read. */
  turn?: SentTurn
}
