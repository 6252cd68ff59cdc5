// The state of a preparation, and inputs and answers of its activities.
import { z } from 'zod'
import type { Raised, Spending } from '../budget.js'
import { FileRef } from '../files.js'
import type { AskedEvent } from '../hooks.js'
import { RecordName, RunId } from '../ids.js'
import type { RunOutage } from '../outage.js'
import type { CarriedLimits } from '../question-limits.js'
import {
  RunResult,
  StatusReply,
  type IterationSummary,
  type RunEnv,
  type RunUsage,
} from '../result.js'
import type { RunSandboxUse } from '../sandbox.js'
import type { ServerFacts } from '../test-fix/test-fix-state.js'
import { ConfigHash, ProjectDir, RecordDir, Workspace } from '../workspace.js'
import { PrepAnswer, type PrepReading } from './prep-draft.js'
import { PrepFor, PrepInput, type PREP_ROLES } from './prep-input.js'

export const PreparePrepInput = z.object({
  run: RunId,
  chain: z.string(),
  project: ProjectDir,
  for: PrepFor,
  at: z.number(),
})
export type PreparePrepInput = z.infer<typeof PreparePrepInput>

/** What a run of the project would have, at the start of the preparation. */
export const PrepEnvironment = z.object({
  /** `null`: no test command was found. */
  testFramework: z.string().nullable(),
  /** What is missing, without a run being refused. */
  warnings: z.array(z.string()),
  hasProjectTech: z.boolean(),
  hasGuidelines: z.boolean(),
})
export type PrepEnvironment = z.infer<typeof PrepEnvironment>

/** Answer of `preparePrep`. */
export type PrepPrepared = {
  workspace: Workspace
  head: string
  name: string
  recordDir: string
  configHash: string
  testCommand: string
  agents: { [R in (typeof PREP_ROLES)[PrepFor]]?: string[] }
  limits: { agentTurnMs: number; convergeMs: number; idleMs: number }
  spending?: Spending | undefined
  hooks?: AskedEvent[] | undefined
  questionLimits?: CarriedLimits | undefined
  timezone: string
  sandbox?: RunSandboxUse | undefined
  env?: RunEnv | undefined
  environment: PrepEnvironment
  warnings: string[]
}

export type PrepState = {
  facts: ServerFacts
  prepared: PrepPrepared
  head: string
  iteration: number
  maxIterations: number
  /** The newest draft, and the agent's answer that holds it. */
  draft?: { answer: FileRef; reading: PrepReading }
  answers: PrepAnswer[]
  usage: RunUsage
  raised?: Raised | undefined
  outages?: Record<string, RunOutage> | undefined
  history: IterationSummary[]
  warnings: string[]
  requestIds: string[]
}

/** Ends a preparation; with a draft it writes the package. */
export const RecordPrepInput = z.object({
  run: RunId,
  workspace: Workspace,
  name: RecordName,
  recordDir: RecordDir,
  configHash: ConfigHash,
  at: z.number(),
  for: PrepFor,
  task: PrepInput.shape.task,
  draft: FileRef.optional(),
  answers: z.array(PrepAnswer),
  environment: PrepEnvironment,
  status: StatusReply,
  result: RunResult,
})
export type RecordPrepInput = z.infer<typeof RecordPrepInput>

export type RecordPrepAnswer = {
  warnings: string[]
  package?: RunResult['package']
}
