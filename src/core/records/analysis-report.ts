// The report on an analysis, and the strategy file that the fix agent gets. Below each
// heading is the prose of the agent where it wrote any, else what its JSON says.
import { iterationFiles, type FixFacts } from '../test-fix/fix-task.js'
import { REVIEW_RATE } from '../test-fix/gate.js'
import { LINE_SHOWN, oneLine } from '../text/one-line.js'
import { bounded, bullets, joined, section } from '../prompts/prompt-parts.js'
import { shownId } from '../test-results/test-merge.js'

/** Failing tests with details in a report; all are in iteration-N-failures.json. */
const REPORT_FAILURES = 50
const REPORT_ERROR = 500
/** Characters of one section of the agent's prose. */
const PROSE = 20_000

/** `.process/iteration-N-analysis.md` */
export function analysisReport(f: FixFacts): string {
  const { analysis } = f
  const rate = f.passRate === null ? 'not measured' : `${f.passRate.toFixed(1)}%`
  const shown = f.failures.slice(0, REPORT_FAILURES)
  const front = {
    iteration: f.iteration,
    analysis_type: f.rollbackReason === undefined ? 'test-failure' : 'regression-analysis',
    cli_tool: f.agent,
    model: f.model ?? 'default',
    timestamp: f.timestamp,
    pass_rate: rate,
  }
  return `${joined([
    ['---', ...Object.entries(front).map(([key, value]) => `${key}: ${scalar(value)}`), '---'].join(
      '\n',
    ),
    `# Test Failure Analysis - Iteration ${f.iteration}`,
    f.quality === 'degraded'
      ? '> **Degraded**: no agent gave an analysis that could be used. What follows is a pattern match.'
      : '',
    section('## Summary', [
      `- **Failed Tests**: ${f.notStarted === undefined ? f.failuresTotal : 'the suite did not start'}`,
      `- **Pass Rate**: ${rate} (Target: ${REVIEW_RATE}%+)`,
      `- **Root Causes Identified**: ${analysis.rootCauses.length}`,
      `- **Modification Points**: ${analysis.points.length}`,
      `- **Strategy**: ${f.strategy}`,
      `- **Confidence**: ${analysis.confidence}`,
    ]),
    section('## Failed Tests Details', [
      ...(f.notStarted === undefined ? [] : [oneLine(f.notStarted)]),
      ...shown.flatMap((failure) => [
        `### ${oneLine(shownId(failure), 2 * LINE_SHOWN)}`,
        `- **Error**: ${oneLine(failure.error, REPORT_ERROR)}`,
        `- **File**: ${oneLine(failure.file, LINE_SHOWN)}${failure.line === undefined ? '' : `:${failure.line}`}`,
        `- **Criticality**: ${failure.criticality}`,
        '',
      ]),
      ...(f.failures.length > shown.length
        ? [
            `… and ${f.failures.length - shown.length} more, in \`${iterationFiles(f.iteration - 1).failures}\``,
          ]
        : []),
    ]),
    section(
      '## Root Cause Analysis',
      prose(f, 'Root Cause Analysis') ?? bullets(analysis.rootCauses, 50, 2_000),
    ),
    section('## Fix Strategy', prose(f, 'Fix Strategy') ?? [analysis.approach]),
    section('## Modification Points', points(f)),
    section('## Expected Outcome', prose(f, 'Expected Outcome') ?? [analysis.expectedOutcome]),
    section('## CLI Raw Output', [`See: \`${iterationFiles(f.iteration).cliOutput}\``]),
  ])}\n`
}

/** `.process/iteration-N-strategy.md` */
export function strategyFile(f: FixFacts): string {
  const { analysis } = f
  return `${joined([
    `# Fix Strategy - Iteration ${f.iteration}`,
    `- **Strategy**: ${f.strategy}\n- **Confidence**: ${analysis.confidence}\n- **Analysis**: ${f.quality}, in \`${iterationFiles(f.iteration).analysis}\``,
    section('## Approach', [analysis.approach]),
    section('## Root Causes', bullets(analysis.rootCauses, 50, 2_000)),
    section('## Modification Points', points(f)),
    section('## Expected Outcome', [analysis.expectedOutcome]),
    analysis.layerContext === undefined ? '' : section('## Test Layer', [analysis.layerContext]),
    analysis.verificationSteps.length === 0
      ? ''
      : section('## Verification', bullets(analysis.verificationSteps, 50, 2_000)),
    section('## Affected Tests', bullets(analysis.affectedTests, 50)),
    f.rollbackReason === undefined
      ? ''
      : section('## Rolled Back Before', [oneLine(f.rollbackReason)]),
  ])}\n`
}

function points({ analysis }: FixFacts): string[] {
  return analysis.points.map((point) => {
    const [place = '', ...what] = oneLine(point)
      .replace(/`/g, '')
      .split(/\s+-\s+/)
    return `- \`${place}\`${what.length === 0 ? '' : ` - ${what.join(' - ')}`}`
  })
}

// What an answer says below one of its headings, up to the next heading of the same or a higher
// level.
function prose({ answer, quality }: FixFacts, heading: string): string[] | undefined {
  if (quality === 'degraded') return undefined
  const kept: string[] = []
  let inside: number | undefined
  let fence: string | undefined
  for (const line of answer.replace(/\r\n?/g, '\n').split('\n')) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const wasFenced = fence !== undefined
    if (marks !== undefined)
      fence =
        fence === undefined
          ? marks
          : marks.startsWith(fence) && line.trim() === marks
            ? undefined
            : fence
    const [, level = '', title = ''] =
      wasFenced || fence !== undefined ? [] : (/^(#{1,4})\s+(.*?)[\s#:]*$/.exec(line) ?? [])
    if (level !== '') {
      if (inside !== undefined && level.length <= inside) break
      if (inside === undefined && title.toLowerCase().includes(heading.toLowerCase()))
        inside = level.length
      else if (inside !== undefined) kept.push(`**${title}**`)
    } else if (inside !== undefined) kept.push(line)
  }
  const text = kept
    .join('\n')
    .replace(/\n*(`{3,})json\n[^]*?\n\1\s*$/, '')
    .trim()
  return text === '' ? undefined : [bounded(closedFences(text), PROSE, 'of this section')]
}

// An answer that was cut in a code block must not swallow what follows in the report.
function closedFences(text: string): string {
  return (text.match(/^\s*```/gm)?.length ?? 0) % 2 === 0 ? text : `${text}\n\`\`\``
}

function scalar(value: string | number): string {
  return typeof value === 'number' || /^[\w.@%+:-]+$/.test(value)
    ? String(value)
    : JSON.stringify(value)
}
