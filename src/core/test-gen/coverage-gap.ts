// Decides whether tests are missing, by the measured coverage of the files in question.
import type { GateThresholds } from '../../contract/test-fix/test-quality.js'
import { COVERAGE } from '../test-fix/quality-gate.js'
import type { Percentages } from './coverage-report.js'

export type GapFacts = {
  /** Whether any test ran. */
  hasTests: boolean
  /** Of the files in question; with the reason where it could not be measured. */
  coverage: Percentages & { reason?: string | undefined }
  /** Files in question of which no line runs. */
  untested: readonly string[]
  /** What the task file names. */
  thresholds?: GateThresholds
}

export type Gap = { missing: boolean; reason: string }

/**
 * What cannot be measured counts as missing: someone asked for tests. The reason is a sentence
 * without its period.
 */
export function coverageGap({ hasTests, coverage, untested, thresholds }: GapFacts): Gap {
  if (!hasTests) return { missing: true, reason: 'no test runs yet' }
  if (coverage.lines === null)
    return {
      missing: true,
      reason: `coverage could not be measured: ${coverage.reason ?? 'the report names none of the files'}`,
    }
  const said = measures(coverage)
    .map(({ what, percent }) => `${what} ${percent} %`)
    .join(', ')
  const [first] = untested
  if (first !== undefined)
    return {
      missing: true,
      reason: `no test runs a line of ${first}${untested.length > 1 ? ` and ${untested.length - 1} more` : ''} (${said})`,
    }
  const least = (what: Measure): number => thresholds?.[what] ?? COVERAGE[what]
  const low = measures(coverage).filter(({ what, percent }) => percent < least(what))
  return low.length === 0
    ? { missing: false, reason: `the tests cover enough: ${said}` }
    : {
        missing: true,
        reason: `the tests cover ${low.map(({ what, percent }) => `${what} ${percent} %, asked ${least(what)} %`).join('; ')}`,
      }
}

type Measure = keyof typeof COVERAGE

function measures(coverage: Percentages): { what: Measure; percent: number }[] {
  return (['lines', 'branches', 'functions'] as const).flatMap((what) => {
    const percent = coverage[what]
    return percent === null ? [] : [{ what, percent }]
  })
}
