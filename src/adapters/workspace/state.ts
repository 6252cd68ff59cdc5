// What a workspace's directory says about how far its preparation got.
//
// `plan.json` is written before anything is made outside the directory, so that a repeated attempt
// takes the same base and branch; `prepared.json` is written last, and alone says that it is done.
import path from 'node:path'
import { z } from 'zod'
import { Workspace } from '../../contract/workspace.js'
import { replaceFile } from '../files/replace-file.js'
import { storedJson } from '../files/stored-json.js'

const Plan = z.object({
  schema: z.literal(1),
  run: z.string(),
  chain: z.string().optional(),
  project: z.string(),
  branch: z.string(),
  base: z.string(),
  /** Where an earlier session continues; without it at `base`. */
  head: z.string().optional(),
  /** Where the user's branch is meanwhile, if `head` is a candidate. */
  accepted: z.string().optional(),
  /** What the branch pointed to before. */
  oldTip: z.string().optional(),
  /** A ref kept the old tip before. */
  oldKept: z.boolean().optional(),
  warnings: z.array(z.string()),
})
/** Decisions of a preparation. */
export type Plan = z.infer<typeof Plan>

/** Where a plan puts the user's branch. */
export function branchHead({ accepted, head, base }: Plan): string {
  return accepted ?? head ?? base
}

const PreparedFile = z.object({
  schema: z.literal(1),
  run: z.string(),
  chain: z.string().optional(),
  workspace: Workspace,
  warnings: z.array(z.string()),
  measuredWith: z.array(z.string()).optional(),
  continued: z.boolean().optional(),
  /** Files of `.workflow` that git tracked, from the project. */
  brought: z.array(z.string()).optional(),
  /** See `CommittedValues`. */
  committed: z.record(z.string(), z.string()).optional(),
})
/** A finished workspace. */
export type PreparedFile = z.infer<typeof PreparedFile>

// A file of another version counts as none: the workspace is made again.
export const readPlan = (dir: string): Plan | undefined =>
  storedJson(path.join(dir, 'plan.json'), Plan)
export const writePlan = (dir: string, plan: Plan) => write(path.join(dir, 'plan.json'), plan)
export const readPrepared = (dir: string): PreparedFile | undefined =>
  storedJson(path.join(dir, 'prepared.json'), PreparedFile)
export const writePrepared = (dir: string, prepared: PreparedFile) =>
  write(path.join(dir, 'prepared.json'), prepared)

async function write(file: string, value: unknown): Promise<void> {
  await replaceFile(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}
