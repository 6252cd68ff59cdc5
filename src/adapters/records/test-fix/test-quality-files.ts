// What was measured of tests, in the record: for the agents that write and check them, and for
// people.
import path from 'node:path'
import type { MeasuredCoverage, MeasuredTests } from '../../../contract/test-fix/test-quality.js'
import { percentages, type FileCoverage } from '../../../core/test-gen/coverage-report.js'
import { ranges } from '../../../core/test-gen/line-ranges.js'
import { writeJson } from '../write-file.js'
import { jsonContent } from './sessions.js'

export const COVERAGE_GAP = '.process/coverage-gap.json'
export const TEST_QUALITY = '.process/test-quality.json'

/** Files and names that are listed; the numbers count all. */
const LISTED = 200
const NAMES = 2_000

export async function writeCoverageGap(
  recordDir: string,
  commit: string,
  coverage: MeasuredCoverage,
  files: readonly FileCoverage[] | undefined,
): Promise<void> {
  await writeJson(path.join(recordDir, COVERAGE_GAP), {
    schema: 1,
    analysis_type: 'coverage-gap',
    commit,
    coverage,
    files: (files ?? []).slice(0, LISTED).map((one) => ({
      file: one.file,
      lines: percentages([one]).lines,
      missed_lines: ranges(one.missed),
    })),
  })
}

/** `ran`: names of the written tests that ran. */
export async function writeTestQuality(
  recordDir: string,
  commit: string,
  { coverage, tests, failing, assertions, mutants }: MeasuredTests,
  ran: readonly string[],
): Promise<void> {
  await writeJson(path.join(recordDir, TEST_QUALITY), {
    schema: 1,
    commit,
    coverage,
    tests,
    failing,
    ...(assertions === undefined ? {} : { assertions }),
    mutants,
    ran: ran.slice(0, NAMES),
  })
}

/** Names of the written tests that ran; none where nothing was measured. */
export function testsThatRan(recordDir: string): string[] {
  const content = jsonContent(path.join(recordDir, TEST_QUALITY))
  const ran = (content as { ran?: unknown } | null | undefined)?.ran
  return Array.isArray(ran)
    ? (ran as unknown[]).filter((one): one is string => typeof one === 'string')
    : []
}
