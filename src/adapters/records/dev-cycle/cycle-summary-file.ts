// `coordination/summary.md`, written when a run of a cycle ends.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import type { RunResult } from '../../../contract/result.js'
import { cell, plainLine } from '../../../core/text/one-line.js'
import { holdsUp } from '../../../core/answers/severity.js'
import { usageText } from '../../../core/run/run-usage.js'
import { DOCUMENTS } from './document-names.js'
import type { StoredCycle } from './cycle-schema.js'

/** Outcomes in words: what is left open is never called done. */
const OUTCOMES: Readonly<Record<string, string>> = {
  completed: 'completed',
  completed_with_issues: 'completed with issues left',
  failed: 'failed',
  stopped: 'stopped',
}

/**
 * @param progress the record's progress directory
 * @param coming names of coordination files that are written with this one
 */
export function summaryText(
  record: StoredCycle,
  result: RunResult,
  progress: string,
  coming: readonly string[],
): string {
  const { test_results: tests, ratchet } = record
  const aside = asideOf(record)
  return [
    `# Summary of ${record.cycle_id}`,
    '',
    plainLine(record.title),
    '',
    '## Metadata',
    '',
    '| | |',
    '|---|---|',
    ...rows([
      ['Outcome', OUTCOMES[result.outcome] ?? result.outcome],
      ['Reason', result.reason ?? undefined],
      ['Iterations', `${record.current_iteration} of at most ${record.max_iterations}`],
      ['Created', record.created_at],
      ['Completed', record.completed_at],
      [
        'Pass rate, measured',
        tests === undefined || tests.pass_rate === null
          ? 'not measured'
          : `${tests.pass_rate} %, ${tests.total_tests} tests`,
      ],
      [
        'Pass rate, claimed',
        tests?.claimed === undefined || tests.claimed === null ? undefined : `${tests.claimed} %`,
      ],
      [
        'Coverage, claimed',
        tests?.coverage === undefined || tests.coverage === null
          ? undefined
          : `${tests.coverage} %`,
      ],
      ['Branch', ratchet.branch],
      ['Commits', String(ratchet.commits.length)],
      ['Files changed', String(record.changes?.total_files ?? 0)],
      ['Agents', usageText(result.usage, 'turn')],
    ]),
    '',
    '## Phase Results',
    '',
    '| Agent | Status | Iterations | Last message |',
    '|---|---|---|---|',
    ...PHASES.map((phase) => {
      const { status, iterations_completed: n, last_message: message = '' } = record.agents[phase]
      return `| ${phase.toUpperCase()} | ${status} | ${n} | ${cell(message, MESSAGE_CHARS)} |`
    }),
    '',
    '## Key Deliverables',
    '',
    ...PHASES.flatMap((phase) =>
      DOCUMENTS[phase].main.map(
        (name) => `- ${existsSync(path.join(progress, phase, name)) ? '✓' : '✗'} ${phase}/${name}`,
      ),
    ),
    `- ${(record.changes?.total_files ?? 0) > 0 ? '✓' : '✗'} changes to the sources${ratchet.branch === undefined ? '' : ` on ${ratchet.branch}`}`,
    '',
    '## Remaining Issues',
    '',
    ...(ratchet.open_issues.length === 0
      ? ['None.']
      : ratchet.open_issues.map((issue) => `- ${plainLine(issue)}`)),
    '',
    ...(aside.length === 0
      ? []
      : [
          '## Known Before, Remarks',
          '',
          'These do not prevent completion.',
          '',
          ...aside.map((text) => `- ${plainLine(text)}`),
          '',
        ]),
    '## Generated Files',
    '',
    ...PHASES.flatMap((phase) =>
      filesIn(path.join(progress, phase)).map(
        (name) => `- ${path.basename(progress)}/${phase}/${name}`,
      ),
    ),
    ...[...new Set([...filesIn(path.join(progress, 'coordination')), ...coming])]
      .filter((name) => name !== 'summary.md')
      .sort()
      .map((name) => `- ${path.basename(progress)}/coordination/${name}`),
    '',
    '## Continuation',
    '',
    'A further task:',
    '',
    '```sh',
    `ratchet extend ${result.id} "…"`,
    '```',
    '',
    ...(ratchet.branch === undefined || ratchet.commits.length === 0
      ? []
      : [
          'To apply the work to your working tree:',
          '',
          '```sh',
          `ratchet apply ${result.id}`,
          '```',
          '',
        ]),
  ].join('\n')
}

const MESSAGE_CHARS = 200

/**
 * What the last iteration left and no open item is: tests that failed before the cycle, and remarks
 * of low severity.
 */
function asideOf({ iterations, ratchet }: StoredCycle): string[] {
  const remarks = (iterations.at(-1)?.issues_found ?? []).filter(
    (text) => !holdsUp(text.replace(/^[A-Z]{2,3}: /, '')),
  )
  return [...(ratchet.known_before === undefined ? [] : [ratchet.known_before]), ...remarks]
}

function rows(pairs: readonly (readonly [string, string | undefined])[]): string[] {
  return pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [`| ${name} | ${cell(value)} |`],
  )
}

function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}
