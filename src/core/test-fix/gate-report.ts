// Reports what a gate found, for the record and as feedback to the agent that repairs it.
import type { GateAnswer } from './answers/gate-answer.js'
import { bounded, bullets, joined, section } from '../prompts/prompt-parts.js'

/**
 * Characters of the feedback that travels through history, and of the agent's own words in the
 * report.
 */
const FEEDBACK = 3_000
const PROSE = 60_000

/** Name of the report below `.process/`. */
export function gateReportName(type: string): string {
  return type === 'test-quality-review' ? 'test-quality-report.md' : 'code-validation-report.md'
}

/** `whole` is the file, `short` the text for the agent that wrote the tests. */
export function gateReport(
  answer: GateAnswer,
  { task, attempt, text }: { task: string; attempt: number; text: string },
): { whole: string; short: string } {
  const { critical, error, warning, coverage, anti_patterns: patterns, issues } = answer
  const percent = (value: number | null | undefined): string =>
    value === null || value === undefined ? 'not measured' : `${value} %`
  const found = (most: number, chars: number): string[] => [
    ...(patterns.length === 0
      ? []
      : [
          section(
            '## Anti-Patterns',
            bullets(
              patterns.map(({ severity, what }) => `${severity}: ${what}`),
              most,
              chars,
            ),
          ),
        ]),
    ...(issues.length === 0 ? [] : [section('## Issues', bullets(issues, most, chars))]),
  ]
  const counts = `- **Critical**: ${critical}\n- **Errors**: ${error}\n- **Warnings**: ${warning}`
  const covered = `- **Coverage**: lines ${percent(coverage?.lines)}, branches ${percent(coverage?.branches)}, functions ${percent(coverage?.functions)}`
  return {
    short: bounded(joined([`${counts}\n${covered}`, ...found(20, 300)]), FEEDBACK, 'of the report'),
    whole: `${joined([`# Report of ${task}, check ${attempt}`, `${counts}\n${covered}`, ...found(50, 2_000), section('## In Words', [bounded(text.trim(), PROSE, 'of the answer')])])}\n`,
  }
}
