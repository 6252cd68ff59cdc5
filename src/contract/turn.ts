// One turn of an agent: what it is asked, and what came of it. Source: architecture §2, §3.
import { z } from 'zod'
import type { Role } from './config.js'
import { FileRef } from './files.js'
import type { Kind } from './names.js'
import type { Workspace } from './workspace.js'

export const TurnKind = z.enum(['work', 'converge', 'feedback', 'clarify', 'validate', 'assess', 'retry'])
export type TurnKind = z.infer<typeof TurnKind>

/** The first line of every prompt: `ratchet-turn: ` and this object, compact, keys in this order. */
export type TurnHeader = {
  run: string
  kind: Kind
  role: Role
  task?: string
  iteration: number
  turn: TurnKind
  attempt: number
  paths: { project: string; workspace: string; progress?: string; board?: string; state?: string; task?: string }
}

export const TurnOutcome = z.enum(['completed', 'timed_out', 'stalled', 'stopped', 'failed', 'rate_limited', 'over_budget'])
export type TurnOutcome = z.infer<typeof TurnOutcome>

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().optional(),
  /** True where the agent reported nothing and the numbers are characters / 4. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof Usage>

/** What the agent driver needs for one turn; the prompt is complete but for its first line. */
export type TurnSpec = {
  /** Turn key: workflow id, run id and step. Looked up on disk before anything else, on every attempt. */
  key: string
  header: Omit<TurnHeader, 'attempt'>
  /** Name of the agent in the config. */
  agent: string
  workspace: Workspace
  prompt: string
  /** Session to go on with, for every turn but a role's first. */
  sessionId?: string
  /** Limit from the first prompt, and longest silence, in milliseconds. */
  limitMs: number
  idleMs: number
  /** Keep the process for up to 60 s after the turn, because a follow-up in its session may come. */
  followUp: boolean
}

export const TurnResult = z.object({
  outcome: TurnOutcome,
  agent: z.string(),
  sessionId: z.string().optional(),
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
  /** What it asked permission for and did not get, the first 5. */
  denied: z.array(z.string()).optional(),
  /** One sentence where the outcome is not `completed`. */
  reason: z.string().optional(),
})
export type TurnResult = z.infer<typeof TurnResult>
