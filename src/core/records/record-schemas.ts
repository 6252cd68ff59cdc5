// Schemas of the JSON files of a record that are Ratchet's own; each carries its `schema` version.
// A version that is not known counts as a file that cannot be read. Samples of every version are
// kept in test/adapters/records/samples.
import { z } from 'zod'
import { RunResult } from '../../contract/result.js'

export { FailuresFile } from './failures-file.js'
export { FixHistory, IterationState } from './iteration-record.js'
export { TestResultsFile } from './results-file.js'

/** `workflow-session.json`. Fields of other tools are preserved. */
export const SessionFile = z.looseObject({
  schema: z.literal(1),
  session_id: z.string(),
  workflow_id: z.string(),
  workflow_type: z.literal('test_session'),
  project: z.string(),
  status: z.enum(['created', 'running', 'paused', 'completed', 'failed']),
  created_at: z.string(),
  updated_at: z.string().optional(),
  resumed_at: z.string().optional(),
  completed_at: z.string().optional(),
  outcome: z.string().optional(),
  review_needed: z.boolean().optional(),
  review_notes: z.array(z.string()).optional(),
  failure_reason: z.string().optional(),
  branch: z.string(),
  base: z.string(),
  result: RunResult.optional(),
})
export type SessionFile = z.infer<typeof SessionFile>

/**
 * `.process/.written.json`: digests of what Ratchet wrote last, by name of the file, the newest
 * first. Written before the files themselves, so that a file is always one of the two.
 */
export const WrittenFile = z.object({
  schema: z.literal(1),
  files: z.record(z.string(), z.array(z.string())),
})
export type WrittenFile = z.infer<typeof WrittenFile>
