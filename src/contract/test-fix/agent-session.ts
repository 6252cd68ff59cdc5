// The session of the agent that analyses and fixes: what the next turn's choice between it and a
// new one depends on, and what it knows already.
import { z } from 'zod'
import { FileRef } from '../files.js'

/**
 * Why a turn continues the session before it, or begins a new one. `lost`: the agent could not
 * resume it. `needs_new`: in this turn or an earlier one, it served no prompt in a continued
 * session.
 */
export const SessionUse = z.enum([
  'continued',
  'first',
  'strategy',
  'rolled_back',
  'back_to_best',
  'degraded',
  'weak',
  'crashed',
  'simplified',
  'unfinished',
  'other_agent',
  'configuration',
  'context',
  'turns',
  'transcript',
  'moved_on',
  'lost',
  'needs_new',
])
export type SessionUse = z.infer<typeof SessionUse>

/** Reasons that close a session for later turns. */
export const SessionEnd = SessionUse.extract([
  'rolled_back',
  'back_to_best',
  'degraded',
  'weak',
  'crashed',
  'simplified',
  'unfinished',
])
export type SessionEnd = z.infer<typeof SessionEnd>

/** The session that a turn used, and why that one. */
export const UsedSession = z.object({ id: z.string().optional(), use: SessionUse })
export type UsedSession = z.infer<typeof UsedSession>

/** Sessions of the two turns of an iteration. */
export const IterationSessions = z.object({
  analysis: UsedSession.optional(),
  fix: UsedSession.optional(),
})
export type IterationSessions = z.infer<typeof IterationSessions>

/** What a session knows, for the prompt of the turn that continues it. */
export const SessionKnowledge = z.object({
  /** Turns in it, by the ledger: where there are more, another run has used it. */
  turns: z.number().int(),
  /** Commit that its last turn started from, and files that this turn changed. */
  head: z.string(),
  changed: z.array(z.string()),
  /** Its roles so far, and the results of the run that its last analysis was shown. */
  roles: z.array(z.enum(['cli-planning-agent', 'test-fix-agent'])),
  shown: FileRef.optional(),
})
export type SessionKnowledge = z.infer<typeof SessionKnowledge>

/** What is known of the session of a turn at the end of the turn. */
export const SessionFacts = z.object({
  /** Turns that used it, and bytes of their transcripts. */
  turns: z.number().int(),
  bytes: z.number().int(),
  /** Tokens in its context and the most that it holds, as the agent reports them. */
  used: z.number().optional(),
  size: z.number().optional(),
  /** Id of the session that the turn continued, where the agent has given it another one. */
  continues: z.string().optional(),
  /** The turn was to continue a session, which other turns had used since. */
  movedOn: z.literal(true).optional(),
  /** The turn was to continue a session, in which its agent served no prompt. */
  needsNew: z.literal(true).optional(),
})
export type SessionFacts = z.infer<typeof SessionFacts>

export const AgentSession = z.object({
  id: z.string(),
  agent: z.string(),
  configHash: z.string(),
  facts: SessionFacts.optional(),
  knows: SessionKnowledge.omit({ turns: true }),
  ended: SessionEnd.optional(),
})
export type AgentSession = z.infer<typeof AgentSession>
