// Documents that commands print with --json.
import { z } from 'zod'
import { RunResult, RunUsage } from '../../src/contract/result.js'
import { PerGainedTest } from '../../src/core/report/per-gained-test.js'

/** The documented keys, and no others. */
export const RunLine = z.strictObject({
  id: z.string(),
  kind: z.literal('test-fix'),
  status: z.string(),
  phase: z.string(),
  iteration: z.number(),
  passRate: z.number().nullable(),
  waitingFor: z.string(),
  usage: RunUsage.optional(),
})
export const StatusDocument = z.strictObject({
  server: z.strictObject({
    address: z.string(),
    uiUrl: z.string(),
    pid: z.number(),
    version: z.string(),
  }),
  workers: z.array(
    z.strictObject({
      pid: z.number(),
      queue: z.string(),
      host: z.string(),
      kind: z.enum(['workflows', 'project']),
    }),
  ),
  runs: z.array(RunLine),
})
export const Finished = RunResult.extend({
  uiUrl: z.string(),
  perGainedTest: PerGainedTest.optional(),
}).strict()
export const Detached = z.strictObject({ id: z.string(), uiUrl: z.string() })

/** What a command says that fails. */
export type Failed = { error: { type: string; message: string; where: string; next: string } }
