// What the workflow sends to the host for an agent's turn.
import { z } from 'zod'
import { HandOver, TurnBudget } from './budget.js'
import { ROLES } from './config/agent-config.js'
import { CycleBrief, CycleValidation } from './dev-cycle/cycle-step.js'
import { Phase } from './dev-cycle/discovery.js'
import { LoopAction } from './dev-loop/loop-input.js'
import { LoopBrief } from './dev-loop/loop-step.js'
import { FileRef } from './files.js'
import { RecordName, RunId, TurnKey } from './ids.js'
import { PrepAnswer } from './prep/prep-draft.js'
import { PrepFor } from './prep/prep-input.js'
import { IterationSummary, RunResult } from './result.js'
import { SessionKnowledge } from './test-fix/agent-session.js'
import { Strategy, TaskFile, TaskId, TaskType } from './test-fix/task.js'
import { PendingFix } from './test-fix/test-fix-state.js'
import { Measured, TestRun } from './test-run.js'
import { TurnKind } from './turn.js'
import { Commit, ConfigHash, RecordDir, Workspace } from './workspace.js'

/** Asks for the root causes of the failures of a full run, and for a fix. */
export const Diagnose = z.object({
  about: z.literal('diagnose'),
  lastRun: TestRun,
  analysisType: z.enum(['test-failure', 'regression-analysis']),
  strategy: Strategy,
  /** Why this strategy, in one sentence. */
  because: z.string(),
  stuckTests: z.array(z.string()),
  rollbackReason: z.string().optional(),
  simplified: z.boolean(),
  /** A person wants another plan: the words, and what the plan was to do. */
  change: z.object({ words: z.string(), plan: z.string() }).optional(),
  /** Further independent causes are wanted. */
  several: z.literal(true).optional(),
  /** Tokens that the context of the agent before holds, if it reported that. */
  contextSize: z.number().optional(),
})
export type Diagnose = z.infer<typeof Diagnose>

/**
 * The task of an agent's turn. The host builds the prompt from it, as it has the role texts and
 * files.
 */
export const TurnAsk = z.discriminatedUnion('about', [
  z.object({ about: z.literal('converge') }),
  Diagnose,
  z.object({ about: z.literal('assess'), lastRun: Measured }),
  /** `change`: what a person wants otherwise than the plan has it. */
  z.object({ about: z.literal('plan-tests'), task: TaskId, change: z.string().optional() }),
  /**
   * `repairs`: the gate whose findings are in `feedback`, or `approval` if a person wants a change;
   * the turn then repairs the tests, for any type of task.
   */
  z.object({
    about: z.literal('task'),
    task: TaskId,
    file: TaskFile,
    simplified: z.boolean(),
    feedback: z.string().optional(),
    repairs: z.enum(['code-validation', 'test-quality-review', 'approval']).optional(),
  }),
  z.object({
    about: z.literal('fix-task'),
    lastRun: TestRun,
    task: TaskId,
    file: TaskFile,
    pending: PendingFix,
    simplified: z.boolean(),
  }),
  /** `measured`: what Ratchet measured of the tests, as text. */
  z.object({
    about: z.literal('gate'),
    task: TaskId,
    file: TaskFile,
    gate: TaskType,
    attempt: z.number().int(),
    measured: z.string().optional(),
  }),
  z.object({ about: z.literal('retry'), problem: z.string(), form: z.string() }),
  /** Of a dev cycle. */
  z.object({
    about: z.literal('cycle-work'),
    brief: CycleBrief,
    simplified: z.boolean(),
    /** The last run, for the developer. */
    measured: TestRun.optional(),
  }),
  z.object({
    about: z.literal('cycle-validate'),
    brief: CycleBrief,
    validation: CycleValidation,
  }),
  z.object({
    about: z.literal('cycle-feedback'),
    brief: CycleBrief,
    feedback: z.string(),
    measured: TestRun.optional(),
  }),
  z.object({ about: z.literal('cycle-converge'), brief: CycleBrief }),
  /** Of a dev loop. */
  z.object({
    about: z.literal('loop-work'),
    loop: LoopBrief,
    simplified: z.boolean(),
    /** What a person added to the choice of this worker. */
    words: z.string().optional(),
  }),
  z.object({
    about: z.literal('loop-clarify'),
    action: LoopAction,
    answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
  z.object({ about: z.literal('loop-converge'), loop: LoopBrief }),
  /** Of a preparation. `answers`: to the questions of the turn before. */
  z.object({
    about: z.literal('prep'),
    for: PrepFor,
    task: z.string(),
    asks: z.boolean(),
    answers: z.array(PrepAnswer),
    converge: z.literal(true).optional(),
  }),
])
export type TurnAsk = z.infer<typeof TurnAsk>

/** Parts of an `IMPL-fix-N` besides the analysis. */
export const FixTaskAsk = z.object({
  iteration: z.number().int(),
  parent: TaskId,
  /** The last fix that was not rolled back. */
  dependsOn: z.array(z.string()),
  maxIterations: z.number().int(),
  strategy: Strategy,
  /** Several causes may be fixed in one turn. */
  several: z.literal(true).optional(),
  lastRun: TestRun,
  claims: FileRef.optional(),
  rollbackReason: z.string().optional(),
})
export type FixTaskAsk = z.infer<typeof FixTaskAsk>

const ReadAnalysis = FixTaskAsk.extend({
  as: z.literal('analysis'),
  earlierCauses: z.array(z.string()),
  at: z.number(),
})
const ReadAssessment = z.object({
  as: z.literal('assessment'),
  lastRun: Measured,
  claims: FileRef.optional(),
})
const READS_WITHOUT_RUN = [
  z.object({ as: z.literal('gate'), task: TaskId, attempt: z.number().int() }),
  z.object({ as: z.literal('plan') }),
  /**
   * The PHASE_RESULT block and the documents of an agent of a dev cycle; `name` is the cycle's id.
   */
  z.object({
    as: z.literal('phase'),
    /** Tasks of the plan that are done or that a person removed: CD is not asked for them again. */
    done: z.array(z.string()).optional(),
    /** Edits of a person that the state knows. */
    seen: z.number().int().optional(),
    phase: Phase,
    name: RecordName,
    iteration: z.number().int(),
    version: z.string(),
    at: z.number(),
  }),
  /** The WORKER_RESULT block of a worker of a dev loop; `name` is the loop's id. */
  z.object({
    as: z.literal('worker'),
    action: LoopAction,
    name: RecordName,
    iteration: z.number().int(),
    /** Tasks that a develop was given, which names those it has done. */
    tasks: z.array(z.string()).optional(),
  }),
  /** The draft of a prep package. `room`: most characters of the refined task. */
  z.object({ as: z.literal('prep'), for: PrepFor, room: z.number().int() }),
] as const

/** What to read from the answer of a turn, and to write into the record. */
export const TurnRead = z.discriminatedUnion('as', [
  ReadAnalysis,
  ReadAssessment,
  ...READS_WITHOUT_RUN,
])
export type TurnRead = z.infer<typeof TurnRead>

export const AgentTurnInput = z.object({
  run: RunId,
  /** Turn key, see `TurnSpec.key`. */
  key: TurnKey,
  /** `test-fix` by default. */
  kind: RunResult.shape.kind.optional(),
  role: z.enum(ROLES),
  task: z.string().optional(),
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  turn: TurnKind,
  agent: z.string(),
  workspace: Workspace,
  testCommand: z.string(),
  configHash: ConfigHash,
  /** Commit the turn starts from. */
  expectHead: Commit,
  ask: TurnAsk,
  history: z.array(IterationSummary),
  recordDir: RecordDir.optional(),
  read: TurnRead.optional(),
  sessionId: z.string().optional(),
  /** What the session knows, if the turn is a new task in it. */
  knows: SessionKnowledge.optional(),
  /** Budget of the run, if it has one. */
  budget: TurnBudget.optional(),
  /** From the previous agent of the chain, whose work stays in the tree. */
  handOver: HandOver.optional(),
  /** The last try in an outage, see `TurnSpec.insists`. */
  insists: z.boolean().optional(),
  /** Group of turns that may share the workspace, see `TurnSpec.group`. */
  group: TurnKey.optional(),
  limitMs: z.number(),
  idleMs: z.number(),
  followUp: z.boolean(),
})
export type AgentTurnInput = z.infer<typeof AgentTurnInput>

/** A turn as it is sent: `read` omits its run if `ask` has it. */
export const SentTurn = AgentTurnInput.extend({
  read: z
    .discriminatedUnion('as', [
      ReadAnalysis.partial({ lastRun: true }),
      ReadAssessment.partial({ lastRun: true }),
      ...READS_WITHOUT_RUN,
    ])
    .optional(),
})
export type SentTurn = z.infer<typeof SentTurn>

export const SettleInput = z.object({
  key: TurnKey,
  workspace: Workspace,
  agent: z.string(),
  configHash: ConfigHash,
  reason: z.string(),
  /** As in the turn: others may work in the tree, so git leaves it alone. */
  group: TurnKey.optional(),
  /** The turn itself, if its answer has a form: a finished turn is read. */
  turn: SentTurn.optional(),
})
export type SettleInput = z.infer<typeof SettleInput>
