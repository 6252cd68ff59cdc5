// What a test-fix run carries from one iteration to the next. Compact: lists are bounded, texts are
// references. Checked when read, because a newer version of the code may take over at the boundary.
import { z } from 'zod'
import { TestFixInput } from './input.js'
import { FileRef } from './files.js'
import { IterationSummary, RunUsage } from './result.js'
import { TestRun } from './test-run.js'
import { Workspace } from './workspace.js'

/** Answer of the `serverFacts` activity. */
export const ServerFacts = z.object({
  /** Search attributes of ours that the server knows; only these are upserted. */
  searchAttributes: z.array(z.string()),
  /** Queue of the project's host. */
  queue: z.string(),
  /** Real path of the project. */
  project: z.string(),
  projectKey: z.string(),
})
export type ServerFacts = z.infer<typeof ServerFacts>

/** Answer of the `prepareRun` activity: everything about the project that the decisions need. */
export const Prepared = z.object({
  workspace: Workspace,
  head: z.string(),
  /** Record name, also the branch's last part. */
  name: z.string(),
  recordDir: z.string(),
  configHash: z.string(),
  testCommand: z.string(),
  /** Agents by role, first choice first; empty where none is configured. */
  agents: z.object({ 'cli-planning-agent': z.array(z.string()), 'test-fix-agent': z.array(z.string()) }),
  limits: z.object({ maxIterations: z.number().int(), agentTurnMs: z.number(), convergeMs: z.number(), idleMs: z.number(), analysisMs: z.number() }),
  testTimeoutMs: z.number(),
  warnings: z.array(z.string()),
})
export type Prepared = z.infer<typeof Prepared>

export const TestFixState = z.object({
  schema: z.literal(1),
  input: TestFixInput,
  rules: z.number().int(),
  startedAt: z.number(),
  facts: ServerFacts,
  prepared: Prepared,
  /** Iterations spent. */
  iteration: z.number().int(),
  maxIterations: z.number().int(),
  head: z.string(),
  /** Full run of `head`. */
  lastRun: TestRun.optional(),
  /** Results of the first run that measured something; missing tests are told against it. */
  baseline: FileRef.optional(),
  history: z.array(IterationSummary),
  commits: z.array(z.string()),
  usage: RunUsage,
  /** Why the last fix was rolled back, for the next analysis. */
  rollbackReason: z.string().optional(),
  warnings: z.array(z.string()),
  pause: z.object({ mode: z.enum(['turn', 'now']), reason: z.string() }).optional(),
  requestIds: z.array(z.string()),
})
export type TestFixState = z.infer<typeof TestFixState>
