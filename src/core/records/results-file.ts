// test-results.json: the last full run in the form that agents and other tools know.
import { z } from 'zod'
import { Criticality, type StoredTest, type TestRun } from '../../contract/test-run.js'
import { testTypeOf, type FailureFact, type TestType } from '../test-fix/failure-facts.js'
import { passRate } from '../test-results/pass-rate.js'
import { firstSentence } from '../text/short-text.js'

const Layer = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
})
const LAYERS = ['static', 'unit', 'integration', 'e2e'] as const

export const TestResultsFile = z.object({
  schema: z.literal(1),
  commit: z.string(),
  /** Without skipped tests; baseline tests now missing or skipped count as failed. */
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  /** Passed on re-run, as `file > test`. */
  flaky: z.array(z.string()),
  /** Percent, rounded down; `null` where the suite did not start. */
  pass_rate: z.number().nullable(),
  /** Tests by kind, as their paths say it. */
  layer_distribution: z.partialRecord(z.enum(LAYERS), Layer).optional(),
  suite_started: z.literal(false).optional(),
  reason: z.string().optional(),
  failures: z.array(
    z.object({
      test: z.string(),
      error: z.string(),
      file: z.string(),
      line: z.number().int().optional(),
      criticality: Criticality,
      source: z.string().optional(),
      test_type: z.enum(LAYERS).optional(),
      streak: z.number().int().optional(),
      missing: z.boolean().optional(),
    }),
  ),
})
export type TestResultsFile = z.infer<typeof TestResultsFile>

/** The file's content for a run. */
export function testResults(
  run: TestRun,
  tests: readonly StoredTest[],
  failures: readonly FailureFact[],
): TestResultsFile {
  if (run.kind !== 'measured')
    return {
      schema: 1,
      commit: run.commit,
      total: 0,
      passed: 0,
      failed: 0,
      skipped: 0,
      flaky: [],
      pass_rate: null,
      suite_started: false,
      reason: firstSentence(run.reason),
      failures: [],
    }
  const layers = layerDistribution(tests)
  return {
    schema: 1,
    commit: run.commit,
    total: run.total,
    passed: run.passed,
    failed: run.failed,
    skipped: run.skipped,
    flaky: run.flakyTests,
    pass_rate: passRate(run.passed, run.total),
    ...(Object.keys(layers).length === 0 ? {} : { layer_distribution: layers }),
    failures: failures.map(
      ({ test, error, file, line, criticality, source, test_type, streak, missing }) => ({
        test,
        error,
        file,
        line,
        criticality,
        source,
        test_type,
        streak,
        missing,
      }),
    ),
  }
}

function layerDistribution(
  tests: readonly StoredTest[],
): Partial<Record<TestType, z.infer<typeof Layer>>> {
  const layers: Partial<Record<TestType, z.infer<typeof Layer>>> = {}
  const types = new Map<string, TestType>()
  const typeOf = (file: string): TestType => {
    const type = types.get(file) ?? testTypeOf(file)
    types.set(file, type)
    return type
  }
  for (const { file, status } of tests) {
    if (status === 'skipped') continue
    const layer = (layers[typeOf(file)] ??= { total: 0, passed: 0, failed: 0 })
    layer.total += 1
    layer[status === 'failed' ? 'failed' : 'passed'] += 1
  }
  return layers
}
