// Describes the full run to repair in prompts.
import { FAILURES_SHOWN, type TestFailure } from '../../../contract/test-run.js'
import { LINE_SHOWN, oneLine } from '../../text/one-line.js'
import { bounded, fenced, section } from '../../prompts/prompt-parts.js'

/** Longest error text per failure, in characters. */
export const PROMPT_ERROR_SHOWN = 2_000
/** Most earlier attempts shown, the newest. */
export const ATTEMPTS_SHOWN = 20
/** Most failures shown to an agent that gets simplified context. */
export const SIMPLIFIED_FAILURES = 5

/**
 * The full run to repair. If the suite did not start there are no failing tests to list.
 * `outputPath` has the whole output, which a sandboxed agent may be unable to read.
 */
export type PromptRun<F extends TestFailure = TestFailure> =
  | {
      kind: 'measured'
      passRate: number | null
      passed: number
      total: number
      failures: readonly F[]
      failuresTotal: number
      outputPath: string
    }
  | { kind: 'not_measured'; reason: string; tail: string; outputPath?: string }

type Shown<F extends TestFailure = TestFailure> = { run: PromptRun<F>; simplified?: boolean }

/** Why the last fix was undone; empty where it was not. */
export function rolledBackSection(reason: string | undefined): string {
  if (reason === undefined) return ''
  return section('## Previous Fix Rolled Back', [
    'The last fix made things worse, so Ratchet undid it; the code is as it was before. Say why it failed, and propose something else:',
    '',
    bounded(reason, 4_000, 'of the reason'),
  ])
}

/** The failing tests with their errors, or why there are none to list. */
export function failuresSection(p: Shown): string {
  const { run } = p
  if (run.kind === 'not_measured') {
    const whole =
      run.outputPath === undefined ? [] : ['', `The whole output is in ${run.outputPath}`]
    return section('## Failing Tests', [
      'The suite did not start or did not finish, so no test result can be trusted:',
      '',
      bounded(run.reason, 4_000, 'of the reason'),
      '',
      fenced(run.tail.slice(-4_000)),
      ...whole,
    ])
  }
  const shown = shownFailures(p)
  const more = run.failuresTotal - shown.length
  return section('## Failing Tests', [
    ...shown.flatMap(failureLines),
    ...(more > 0
      ? [`… and ${more} more failing tests, not shown; the whole output is in ${run.outputPath}`]
      : []),
  ])
}

/** The failures that a prompt shows. */
export function shownFailures<F extends TestFailure>({ run, simplified }: Shown<F>): readonly F[] {
  return run.kind === 'measured'
    ? run.failures.slice(0, simplified === true ? SIMPLIFIED_FAILURES : FAILURES_SHOWN)
    : []
}

function failureLines({ test, file, error, missing, criticality }: TestFailure): string[] {
  const head = [
    `### ${oneLine(test, LINE_SHOWN)}`,
    `- **File**: ${oneLine(file, LINE_SHOWN)}`,
    ...(criticality === undefined ? [] : [`- **Criticality**: ${criticality}`]),
  ]
  if (missing === true)
    return [...head, '- **Error**: no longer run, or skipped; it ran before', '']
  return [...head, '- **Error**:', fenced(bounded(error, PROMPT_ERROR_SHOWN, 'of the error')), '']
}
