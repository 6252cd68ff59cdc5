// What is measured of written tests, as the gate of test quality takes it.
import type { MeasuredTests } from '../../contract/test-fix/test-quality.js'
import { bullets, joined, section } from '../prompts/prompt-parts.js'

/** Least share of the mutants that the tests notice, in percent. */
export const KILLED_LEAST = 50

/** What is wrong with the tests, one phrase each. */
export function measuredProblems({ tests, assertions, mutants }: MeasuredTests): string[] {
  if (tests === 0) return ['none of the written tests ran']
  const { weakTotal = 0, weak = [] } = assertions ?? {}
  return [
    ...(weakTotal === 0
      ? []
      : [`${weakTotal} of the tests cannot fail by what they assert: ${named(weak, weakTotal)}`]),
    ...(mutants.tried === 0 || 100 * mutants.killed >= KILLED_LEAST * mutants.tried
      ? []
      : [
          `the tests notice ${mutants.killed} of ${mutants.tried} changes to the code under test, half of them are asked`,
        ]),
  ]
}

/** What could not be measured, one phrase each. */
export function unmeasured({ coverage, tests, assertions, mutants }: MeasuredTests): string[] {
  if (tests === 0) return []
  return [
    ...(coverage.lines === null
      ? [`coverage was not measured: ${coverage.reason ?? 'the report names none of the files'}`]
      : []),
    ...(assertions === undefined
      ? ['assertions were not checked: Ratchet does not read them in this language']
      : []),
    ...(mutants.tried === 0
      ? [`mutants were not checked: ${mutants.notChecked ?? 'none was tried'}`]
      : []),
  ]
}

/** Neither coverage nor mutants say anything: a person has to look. */
export function isUnproved({ coverage, mutants }: MeasuredTests): boolean {
  return coverage.lines === null && mutants.tried === 0
}

/** "lines 92 %, branches 80 %, 14 assertions in 5 tests, 8 of 10 mutants noticed". */
export function measuredWords({ coverage, tests, assertions, mutants }: MeasuredTests): string {
  const covered = (['lines', 'branches', 'functions'] as const).flatMap((what) =>
    coverage[what] === null ? [] : [`${what} ${coverage[what]} %`],
  )
  return [
    ...covered,
    assertions === undefined
      ? `${tests} tests`
      : `${assertions.total} assertions in ${assertions.tests} tests`,
    ...(mutants.tried === 0 ? [] : [`${mutants.killed} of ${mutants.tried} mutants noticed`]),
  ].join(', ')
}

/** The same for the agent that repairs the tests. */
export function measuredFeedback(measured: MeasuredTests): string {
  const { assertions, mutants } = measured
  return joined([
    `Ratchet measured: ${measuredWords(measured)}.`,
    ...(assertions === undefined || assertions.weakTotal === 0
      ? []
      : [section('## Tests that cannot fail', bullets(assertions.weak, 5))]),
    ...(mutants.survivors.length === 0
      ? []
      : [
          section('## Changes to the code that no test noticed', [
            'Each was made alone, and all written tests passed with it:',
            '',
            ...bullets(mutants.survivors, 10),
          ]),
        ]),
  ])
}

function named(names: readonly string[], total: number): string {
  return `${names.join(', ')}${total > names.length ? `, and ${total - names.length} more` : ''}`
}
