// What a run cost for each test that passes since its start. Derived, and stored nowhere.
import { z } from 'zod'
import type { RunResult } from '../../contract/result.js'
import { gainedIn } from './counted-run.js'

/**
 * `tests` is at least 1, `tokens` are input and output together; without costs if no agent reported
 * any.
 */
export const PerGainedTest = z.object({
  tests: z.number().int(),
  tokens: z.number().int(),
  costUsd: z.number().optional(),
})
export type PerGainedTest = z.infer<typeof PerGainedTest>

/** Returns it; `undefined` for a run without usage, measurements or gained tests. */
export function perGainedTest({
  usage,
  best,
  history,
}: Pick<RunResult, 'usage' | 'best' | 'history'>): PerGainedTest | undefined {
  const tests = gainedIn({ best, history })
  if (tests === null || tests <= 0 || usage.turns === 0) return undefined
  return {
    tests,
    tokens: Math.round((usage.inputTokens + usage.outputTokens) / tests),
    ...(usage.costUsd === undefined ? {} : { costUsd: usage.costUsd / tests }),
  }
}
