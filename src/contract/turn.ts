// One turn of an agent: its task and its result.
import { z } from 'zod'
import { AgentTests } from './agent-tools.js'
import { BUDGET_PARTS, type TurnBudget } from './budget.js'
import type { Role } from './config/agent-config.js'
import { FileRef } from './files.js'
import type { Kind } from './names.js'
import { TurnOutage } from './outage.js'
import { PhaseReading } from './dev-cycle/phase-reading.js'
import { SessionFacts } from './test-fix/agent-session.js'
import { AnalysisQuality, FixCause, RefusedAnalysis } from './test-fix/task.js'
import { GateThresholds } from './test-fix/test-quality.js'
import { Levels } from './test-run.js'
import { WorkerReading } from './dev-loop/action-reading.js'
import { PrepReading } from './prep/prep-draft.js'
import type { Workspace } from './workspace.js'

export const TurnKind = z.enum([
  'work',
  'converge',
  'feedback',
  'clarify',
  'validate',
  'assess',
  'retry',
])
export type TurnKind = z.infer<typeof TurnKind>

/** What Ratchet read from an answer with a form. `problem` is one sentence for the retry prompt. */
export const TurnReading = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('analysis'),
    /** Id and file of the fix task that was written. */
    task: z.string(),
    file: z.string(),
    summary: z.string(),
    points: z.number().int(),
    confidence: z.number(),
    /** Digest over the root causes: equal = the same causes again. */
    cause: z.string(),
    /** Test files to run first, at most 20. */
    affectedFiles: z.array(z.string()),
    /** Files that the plan changes, the first ones. */
    files: z.array(z.string()).optional(),
    /** Independent causes that the fix task names, if there are several. */
    causes: z.array(FixCause).optional(),
    /** Agents' claims so far, and the last full run judged by them. */
    claims: FileRef.optional(),
    levels: Levels.optional(),
    quality: AnalysisQuality,
    /** Weak, but usable if no agent gives a better one: one sentence. */
    weak: z.string().optional(),
    /** Unused answers of this iteration so far. */
    refused: z.array(RefusedAnalysis).optional(),
  }),
  z.object({ kind: z.literal('assessment'), claims: FileRef, levels: Levels }),
  z.object({
    kind: z.literal('gate'),
    critical: z.number(),
    error: z.number(),
    warning: z.number(),
    /** Coverage in percent, `null` if none was reported. */
    lines: z.number().nullable(),
    branches: z.number().nullable(),
    functions: z.number().nullable(),
    antiPatterns: z.number(),
    report: z.string(),
    /** Cases of each layer of tests, and those with a test that ran. */
    layers: z
      .array(z.object({ layer: z.string(), cases: z.number().int(), tested: z.number().int() }))
      .optional(),
    /** Limits in the task file. */
    thresholds: GateThresholds.optional(),
  }),
  z.object({ kind: z.literal('plan'), file: z.string() }),
  PhaseReading,
  WorkerReading,
  PrepReading,
  /** `form` is empty if a retry prompt in the same session makes no sense. */
  z.object({
    kind: z.literal('unusable'),
    problem: z.string(),
    form: z.string(),
    refused: z.array(RefusedAnalysis).optional(),
  }),
])
export type TurnReading = z.infer<typeof TurnReading>

/**
 * The first line of every prompt: `ratchet-turn: ` and this object, compact, keys in this order.
 */
export type TurnHeader = {
  run: string
  kind: Kind
  role: Role
  task?: string
  iteration: number
  turn: TurnKind
  attempt: number
  paths: {
    project: string
    workspace: string
    progress?: string
    board?: string
    state?: string
    task?: string
  }
}

export const TurnOutcome = z.enum([
  'completed',
  'timed_out',
  'stalled',
  'stopped',
  'failed',
  'rate_limited',
  'unavailable',
  'over_budget',
])
export type TurnOutcome = z.infer<typeof TurnOutcome>

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Of `inputTokens`: read from the provider's cache, if the agent reports it. */
  cachedTokens: z.number().optional(),
  costUsd: z.number().optional(),
  /** True if the agent reported nothing and the numbers are characters / 4. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof Usage>

/** What the agent driver needs for one turn; the prompt is complete except for its first line. */
export type TurnSpec = {
  /** Turn key: workflow id, run id and step. Looked up on disk first, on every attempt. */
  key: string
  header: Omit<TurnHeader, 'attempt'>
  /** Name of the agent in the config. */
  agent: string
  workspace: Workspace
  prompt: string
  /** Session to resume, for every turn except a role's first. */
  sessionId?: string
  /**
   * The turn is a new one in a session that may have changed hands: its prompt there, and how many
   * turns the session has. If the session is lost or has more of them, a new one gets `prompt`.
   */
  continued?: { prompt: string; turns: number }
  /** Time limit from the first prompt, and longest silence, in milliseconds. */
  limitMs: number
  idleMs: number
  /** Keep the process for up to 60 s after the turn, as a follow-up in its session may come. */
  followUp: boolean
  /** The budget of the run, if it has one. */
  budget?: TurnBudget
  /** Keep the contents of the workspace, which the previous agent of the chain left. */
  keepTree?: boolean
  /** Try the agent although its provider counts as away until later, as the wait is over. */
  insists?: boolean
  /**
   * Name of a group of turns that work in the workspace at the same time; without it a turn has the
   * workspace for itself.
   */
  group?: string
}

export const TurnResult = z.object({
  outcome: TurnOutcome,
  agent: z.string(),
  sessionId: z.string().optional(),
  session: SessionFacts.optional(),
  usage: Usage,
  /** The agent's whole answer text, bounded. */
  answer: FileRef,
  /** Last 500 characters of the answer. */
  tail: z.string(),
  /** Every ACP event, one JSON object a line, bounded. */
  transcript: z.string(),
  /** Files changed during the turn, by git; the first 50. */
  changedFiles: z.array(z.string()),
  /** How often the prompt was sent: 1 for an undisturbed turn. */
  attempts: z.number().int(),
  /** Real crashes: of the agent's process and of its driver. */
  crashes: z.number().int(),
  /** Processes the agent left behind, found and ended. */
  leftovers: z.number().int(),
  durationMs: z.number(),
  /** Test runs that it asked for; absent if there were none. Their time is not in `durationMs`. */
  tests: AgentTests.optional(),
  /** Permissions that it asked for and did not get, the first 5. */
  denied: z.array(z.string()).optional(),
  /** One sentence if the outcome is not `completed`. */
  reason: z.string().optional(),
  /**
   * Of `rate_limited` and `unavailable`: when the agent may be tried again, epoch milliseconds. The
   * same key then resumes its session.
   */
  limitedUntil: z.number().optional(),
  /** Of `unavailable`. */
  outage: TurnOutage.optional(),
  /** Of `failed`, if every other task would fail too. `login`: there is no login or key. */
  cause: z.enum(['login']).optional(),
  /**
   * Of `over_budget`: the exhausted part. The same key resumes its session once the budget is
   * raised.
   */
  over: z.enum(BUDGET_PARTS).optional(),
  /**
   * Number of test changes that its answer proposes, including invalid ones; absent if it proposes
   * none.
   */
  proposes: z.number().int().optional(),
  /** Present if the turn asked for an answer with a form, see `AgentTurnInput.read`. */
  read: TurnReading.optional(),
})
export type TurnResult = z.infer<typeof TurnResult>
