// `{name}.progress/summary.md`, written when a run of a loop ends: what was asked for, what each
// worker did, what was measured, what is left, how to continue.
import type { LoopState } from '../../../contract/dev-loop/loop-state.js'
import { LOOP_ACTIONS } from '../../../contract/dev-loop/loop-input.js'
import type { LoopRecord } from '../../../contract/dev-loop/loop-record.js'
import type { RunResult } from '../../../contract/result.js'
import type { TestRun } from '../../../contract/test-run.js'
import { cell, plainLine } from '../../../core/text/one-line.js'
import { bullets, fenced, joined, section } from '../../../core/prompts/prompt-parts.js'
import { openIn } from '../../../core/dev-loop/loop-open.js'
import { holdsUp } from '../../../core/answers/severity.js'
import { describeRun } from '../../../core/run/describe-run.js'
import { usageText } from '../../../core/run/run-usage.js'
import type { Outputs } from './outputs.js'
import { shortList } from '../../../core/text/short-text.js'
import type { QualityCheck } from '../../../contract/quality.js'

/** Outcomes in words: what is left open is never called done. */
const OUTCOMES: Readonly<Record<string, string>> = {
  completed: 'completed',
  user_exit: 'left by a person, to be continued',
  max_iterations: 'all iterations are spent',
  failed: 'failed',
  stopped: 'stopped',
}

/** Items of a list that are shown. */
const SHOWN = 20
const MESSAGE_CHARS = 300

export type SummaryFrom = {
  record: LoopRecord
  state: LoopState
  result: RunResult
  outputs: Outputs
  /** Names of the files of the record, relative to its directory. */ files: readonly string[]
}

export function summaryText(from: SummaryFrom): string {
  const { record } = from
  const { items, aside } = open(from)
  return `${joined([
    `# Summary of ${record.loop_id}`,
    plainLine(record.title),
    section('## Metadata', metadata(from)),
    section('## Workers', workers(from)),
    section('## Tasks', tasks(record)),
    section('## Tests and Checks', tests(from)),
    ...conflicts(record),
    section(
      '## Commits',
      record.ratchet.commits.length === 0 ? ['None.'] : bullets(record.ratchet.commits, SHOWN),
    ),
    section('## Open', listed(items)),
    ...(aside.length === 0
      ? []
      : [
          section('## Known Before, Remarks', [
            'These do not prevent completion.',
            '',
            ...listed(aside),
          ]),
        ]),
    ...(from.outputs.complete === undefined || from.outputs.complete.detailed_output === ''
      ? []
      : [
          section('## What complete says', [
            fenced(from.outputs.complete.detailed_output.slice(0, COMPLETE_CHARS), 'text'),
          ]),
        ]),
    section(
      '## Files of the Record',
      from.files.map((name) => `- ${name}`),
    ),
    section('## Continuation', continuation(from)),
  ])}\n`
}

const COMPLETE_CHARS = 10_000

function metadata({ record, state, result }: SummaryFrom): string[] {
  return table(
    ['', ''],
    rows([
      ['Outcome', OUTCOMES[result.outcome] ?? result.outcome],
      ['Reason', result.reason ?? undefined],
      ['Review needed', result.reviewNeeded ? 'yes' : undefined],
      ['Mode', record.mode],
      [
        'Iterations',
        record.mode === 'interactive'
          ? String(record.current_iteration)
          : `${record.current_iteration} of at most ${record.max_iterations}`,
      ],
      ['Created', record.created_at],
      [record.status === 'user_exit' ? 'Left' : 'Completed', record.completed_at],
      ['Branch', record.ratchet.branch],
      [
        'Files changed',
        state.changedFiles === 0 ? '0' : `${state.changedFiles}, a file counts once a commit`,
      ],
      ['Agents', usageText(result.usage, 'turn')],
    ]),
  )
}

function workers({ record, outputs }: SummaryFrom): string[] {
  const done = record.ratchet.workers
    .slice()
    .sort((a, b) => LOOP_ACTIONS.indexOf(a.action) - LOOP_ACTIONS.indexOf(b.action))
  if (done.length === 0) return ['No worker has had a turn yet.']
  const row = ({
    action,
    status,
    iteration,
    summary,
    files,
    filesTotal,
    timedOut,
  }: (typeof done)[number]): string[] => [
    action,
    `${status}${timedOut === true ? ', ran out of time' : ''}`,
    String(iteration),
    String(filesTotal),
    shortList(files, filesTotal),
    cell(
      outputs[action]?.iteration === iteration ? outputs[action].summary : summary,
      MESSAGE_CHARS,
    ),
  ]
  return [
    'The last turn of each worker; earlier turns are in the history below and in the progress files.',
    '',
    ...table(['worker', 'status', 'iteration', 'files', 'which', 'summary'], done.map(row)),
    ...history(record),
  ]
}

function history({ ratchet }: LoopRecord): string[] {
  const lines = ratchet.history.map(
    ({ iteration, result, passRate, note = '' }) =>
      `- ${iteration}: ${result.replaceAll('_', ' ')}${passRate === null ? '' : `, ${passRate} %`}${note === '' ? '' : `: ${plainLine(note)}`}`,
  )
  if (lines.length === 0) return []
  return [
    '',
    ...(lines.length > HISTORY_SHOWN
      ? [`- … ${lines.length - HISTORY_SHOWN} earlier ones are in the state file`]
      : []),
    ...lines.slice(-HISTORY_SHOWN),
  ]
}

const HISTORY_SHOWN = 50

function tasks({
  skill_state: { completed_tasks: done, pending_tasks: left },
}: LoopRecord): string[] {
  if (done.length + left.length === 0) return ['None were planned.']
  return [
    ...done.map(({ id, description }) => `- ✓ ${id}: ${plainLine(description)}`),
    ...left.map(
      ({ id, description, status }) =>
        `- ✗ ${id} (${status.replaceAll('_', ' ')}): ${plainLine(description)}`,
    ),
  ]
}

function tests({ record, state, outputs }: SummaryFrom): string[] {
  const { validation } = record.ratchet
  const { lastRun, quality } = state
  const claimed = validation?.claimed ?? undefined
  return [
    ...table(
      ['', ''],
      rows([
        [
          'Measured',
          lastRun === undefined
            ? `nothing: ${state.unmeasured ?? 'no test command is known'}`
            : measured(lastRun),
        ],
        ['Claimed', claimed === undefined ? undefined : `${claimed} %`],
        [
          'Last validation',
          validation === undefined
            ? 'none'
            : `${validation.passed ? 'passed' : 'not passed'}: ${validation.why}`,
        ],
        ['Coverage', percentOf(quality?.coverage ?? outputs.validate?.coverage)],
      ]),
    ),
    ...(quality === undefined || quality.checks.length === 0
      ? []
      : [
          '',
          ...table(['check', 'command', 'result', 'of the base'], quality.checks.map(checkRow)),
        ]),
  ]
}

function measured(run: TestRun): string {
  return run.kind === 'measured'
    ? `${describeRun(run)} at ${run.commit.slice(0, 12)}`
    : `not started: ${describeRun(run)}`
}

function percentOf(coverage: number | null | undefined): string | undefined {
  return coverage === undefined || coverage === null ? undefined : `${coverage} %`
}

function checkRow({ name, command, result, before }: QualityCheck): string[] {
  return [
    cell(name),
    cell(command),
    result.replaceAll('_', ' '),
    before === undefined ? '' : before.replaceAll('_', ' '),
  ]
}

function conflicts({ skill_state: { parallel_results: results } }: LoopRecord): string[] {
  if (results === null || results.conflicts.length === 0) return []
  return [
    section('## Conflicts', [
      'Files that several workers changed in conflicting ways.',
      '',
      ...table(
        ['file', 'workers', 'whose version was taken'],
        results.conflicts.map(({ file, workers: who, chosen }) => [
          cell(file),
          who.join(', '),
          chosenText(chosen),
        ]),
      ),
    ]),
  ]
}

function chosenText(chosen: string | undefined): string {
  return chosen === undefined
    ? 'not decided'
    : chosen === 'base'
      ? 'none: the file is unchanged'
      : chosen
}

/**
 * The open items, and behind them what holds nothing up: tests that failed before the loop, low
 * remarks, warnings.
 */
function open({ record, state }: SummaryFrom): { items: string[]; aside: string[] } {
  const { skill_state: skill, ratchet } = record
  const { items, known } = openIn({
    ...state,
    tasks: [...skill.completed_tasks, ...skill.pending_tasks],
    findings: skill.findings,
  })
  return {
    items: items.map(({ text }) => text),
    aside: [
      ...(known === undefined ? [] : [known]),
      ...skill.findings
        .filter(({ status, description }) => status === 'open' && !holdsUp(description))
        .map(({ description, source }) => `remark of ${source}: ${description}`),
      ...ratchet.warnings.slice(-SHOWN).map((warning) => `warning: ${warning}`),
    ],
  }
}

function listed(items: readonly string[]): string[] {
  return items.length === 0 ? ['Nothing.'] : items.map((item) => `- ${plainLine(item, ITEM_CHARS)}`)
}

const ITEM_CHARS = 500

function continuation({ record, result }: SummaryFrom): string[] {
  const sh = (line: string): string[] => [fenced(line, 'sh'), '']
  const { suggestion } = result
  const message =
    suggestion === undefined
      ? []
      : [
          `The suggested commit${suggestion.branchStrategy === undefined ? '' : ` (${plainLine(suggestion.branchStrategy)})`}, ${suggestion.readyForPr ? 'ready for a pull request' : 'not ready for a pull request'}:`,
          '',
          fenced(suggestion.message, 'text'),
          '',
          'To apply and commit everything in your working tree:',
          '',
          ...sh(suggestion.command),
        ]
  return [
    ...(record.ratchet.commits.length === 0
      ? []
      : [
          'To apply the work to your working tree:',
          '',
          ...sh(`ratchet apply ${result.id}`),
          ...message,
        ]),
    ...(record.status === 'completed'
      ? []
      : ['Continue it here:', '', ...sh(`ratchet loop --loop-id ${result.id}`)]),
    'A further task:',
    '',
    ...sh(`ratchet extend ${result.id} "…"`),
  ]
}

function rows(pairs: readonly (readonly [string, string | undefined])[]): string[][] {
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, cell(value)]]))
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((one) => one || ' ').join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...lines.map(line)]
}
