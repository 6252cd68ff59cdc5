// Decides the exit code of a run that ended, and the lines that say what it achieved and what to do
// next.
import { BAD_INPUT, REFUSALS } from '../../contract/failures.js'
import { enclosureText } from '../../core/run/enclosure-text.js'
import { envText } from '../../core/run/run-environment.js'
import { shortList } from '../../core/text/short-text.js'
import { isDone } from '../../core/run/done-outcomes.js'
import { againCommand } from '../../core/test-fix/end-reason.js'
import { bestLine, unconfirmedLine, whyNothing } from '../../core/test-results/best-line.js'
import type { Kind } from '../../contract/names.js'
import type { RunResult } from '../../contract/result.js'
import type { RunFailure } from '../../client/handle.js'
import { CommandError, EXIT } from './errors.js'
import type { OpenWork } from '../find/kept-loops.js'
import { startCommand } from '../options.js'
import { usageText } from '../../core/run/run-usage.js'
import { errorLine } from '../../core/text/test-text.js'
import { percentText } from '../../core/test-results/pass-rate.js'

const FAILURES_SHOWN = 10
const OPEN_SHOWN = 5
const OPEN_CHARS = 120

/** A cycle or loop that changed nothing is done only if a person ended it. */
export function exitCodeOf({
  outcome,
  kind,
  commits,
  confirmedByPerson,
  nothingCommitted,
}: Pick<RunResult, 'outcome' | 'commits' | 'confirmedByPerson' | 'nothingCommitted'> & {
  kind: string
}): number {
  const unchanged =
    kind !== 'test-fix' &&
    outcome === 'completed' &&
    (commits.length === 0 || nothingCommitted === true) &&
    confirmedByPerson !== true
  return isDone(outcome) && !unchanged ? EXIT.done : EXIT.otherwise
}

const row = (name: string, text: string): string => `  ${name.padEnd(8)} ${text}`

/**
 * Returns the lines about the end of a run.
 *
 * @param open of a loop: what its record lists as left
 */
export function endLines(result: RunResult, uiUrl: string | null, open?: OpenWork): string[] {
  const more = result.failuresTotal - Math.min(result.failures.length, FAILURES_SHOWN)
  const { outcome, iterations, passRate, branch, commits, failures, recordDir, usage } = result
  const why = result.reason ?? ''
  const brought = iterations === 0 ? undefined : bestLine(result)
  const doubt = unconfirmedLine(result)
  const degraded = result.history.flatMap((entry) =>
    entry.analysis === 'degraded' ? [entry.iteration] : [],
  )
  return [
    `${outcome.replaceAll('_', ' ')} after ${iterations} iteration${iterations === 1 ? '' : 's'}, pass rate ${percentText(passRate)}${result.reviewNeeded ? ', needs review' : ''}`,
    ...(brought === undefined ? [] : [row('tests', brought)]),
    ...(why === ''
      ? []
      : why
          .split('\n')
          .map((line, n) => row(n > 0 ? '' : result.reviewNeeded ? 'review' : 'reason', line))),
    ...(doubt === undefined ? [] : [row('canaries', doubt)]),
    ...(result.measuredWith === undefined
      ? []
      : [row('not in git', `${result.measuredWith.join('; ')}, present when the tests ran`)]),
    ...(result.sandbox === undefined ? [] : [row('sandbox', enclosureText(result.sandbox))]),
    ...(result.env === undefined || result.env.from === 'command'
      ? []
      : [row('shell', envText(result.env))]),
    ...(degraded.length === 0
      ? []
      : [
          row(
            'analysis',
            `degraded in iteration${degraded.length === 1 ? '' : 's'} ${degraded.join(', ')}: no agent returned a usable analysis`,
          ),
        ]),
    ...failures
      .slice(0, FAILURES_SHOWN)
      .map((f, n) =>
        row(
          n === 0 ? 'failing' : '',
          `${f.file}  ${f.test} (${f.criticality}): ${errorLine(f.error)}`,
        ),
      ),
    ...(more > 0
      ? [
          failures.length > 0
            ? row('', `and ${more} more, all in the record`)
            : row('failing', `${more} test${more === 1 ? '' : 's'}, named in the record`),
        ]
      : []),
    ...(result.kind === 'test-fix' ? warningLines(result) : []),
    ...proposalLines(result),
    ...changedLines(result),
    ...(open === undefined ? [] : openLines(open)),
    ...(branch === null
      ? []
      : [row('branch', `${branch} (${commits.length} commit${commits.length === 1 ? '' : 's'})`)]),
    ...(branch === null || commits.length === 0 || whyNothing(result) !== undefined
      ? []
      : [row('apply', `ratchet apply ${result.id}`)]),
    ...commitLines(result),
    ...goOnLines(result).map((command) => row('continue', command)),
    ...(recordDir === null ? [] : [row('record', recordDir)]),
    ...(open?.summary === undefined ? [] : [row('summary', open.summary)]),
    ...(usage.turns === 0 ? [] : [row('usage', usageText(usage, 'agent turn'))]),
    ...(uiUrl === null ? [] : [row('web ui', uiUrl)]),
  ]
}

// A followed cycle or loop has printed its own as they came.
function warningLines({ warnings }: RunResult): string[] {
  return warnings.map((text, n) => row(n === 0 ? 'warnings' : '', text))
}

// Only open proposals; answered ones are in the record.
function proposalLines({ proposedTestChanges = [] }: RunResult): string[] {
  const left = proposedTestChanges.filter(({ answer }) => answer === undefined)
  return left.map(({ file, why }, n) =>
    row(n === 0 ? 'proposed' : '', `a change of ${file}: ${why}`),
  )
}

// The review of a completed cycle or loop names its changed tests.
function changedLines({ kind, outcome, changedTestFiles }: RunResult): string[] {
  if (changedTestFiles === undefined || (kind !== 'test-fix' && outcome === 'completed')) return []
  const names = shortList(changedTestFiles)
  return [
    row(
      'changed',
      kind === 'test-fix' ? `${names}, as test.mayChange allows` : `existing tests: ${names}`,
    ),
  ]
}

// Open tasks, and files with conflicting changes.
function openLines({ done, pending, blocked, conflicts }: OpenWork): string[] {
  const many = (name: string, items: string[]): string[] =>
    items
      .slice(0, OPEN_SHOWN)
      .map((item, n) =>
        row(n === 0 ? name : '', item.length > OPEN_CHARS ? `${item.slice(0, OPEN_CHARS)}…` : item),
      )
  const more = (items: string[]): string[] =>
    items.length > OPEN_SHOWN ? [row('', `and ${items.length - OPEN_SHOWN} more`)] : []
  const left = pending.length + blocked.length
  return [
    row(
      'tasks',
      `${done} done, ${left === 0 ? 'none' : left} open${blocked.length === 0 ? '' : `, ${blocked.length} of them blocked`}`,
    ),
    ...many('open', [...pending, ...blocked]),
    ...more([...pending, ...blocked]),
    ...many('conflict', conflicts),
    ...more(conflicts),
  ]
}

// On a line of its own, for copying.
function commitLines({ suggestion, commits }: RunResult): string[] {
  if (suggestion === undefined || commits.length === 0) return []
  return [
    row(
      'commit',
      suggestion.readyForPr
        ? 'ready for a pull request; apply and commit it with'
        : 'apply and commit it with',
    ),
    suggestion.command,
  ]
}

// A completed run continues only with a further task; failing tests that it left are for `fix`.
function goOnLines(result: RunResult): string[] {
  const { id, kind, outcome, branch, commits, failuresTotal, recordDir } = result
  if (recordDir === null) return []
  const fix =
    kind !== 'test-fix' && branch !== null && commits.length > 0 && failuresTotal > 0
      ? [`ratchet fix --base ${branch}`]
      : []
  if (outcome === 'completed') return [`ratchet extend ${id} "<a further task>"`, ...fix]
  if (outcome === 'user_exit') return [`ratchet loop --loop-id ${id}`]
  if (exitCodeOf(result) === EXIT.done) return []
  if (outcome === 'completed_with_issues')
    return [`ratchet resume ${id}`, `ratchet extend ${id} "<what is left to do>"`, ...fix]
  const open = (result.proposedTestChanges ?? []).some(({ answer }) => answer === undefined)
  return [
    ...(open ? [`ratchet answer ${id} accept`] : []),
    againCommand(result),
    ...(kind === 'dev-loop' && outcome !== 'stopped' ? fix : []),
  ]
}

/**
 * Returns the error of a run that returned no result. A refusal is for the user to correct; any
 * other end only has a reason.
 */
export function endedError(id: string, ended: RunFailure, kind: Kind = 'test-fix'): CommandError {
  const type = ended.type ?? ended.kind
  const details = (
    typeof ended.details === 'object' && ended.details !== null ? ended.details : {}
  ) as Record<string, unknown>
  const detail = (name: string): string | undefined =>
    typeof details[name] === 'string' ? details[name] : undefined
  const refused = type === BAD_INPUT || (REFUSALS as readonly string[]).includes(type)
  return new CommandError(refused ? EXIT.usage : EXIT.otherwise, {
    type,
    message:
      ended.kind === 'failed'
        ? (detail('message') ?? ended.message)
        : `the run was ${ended.kind.replaceAll('_', ' ')}`,
    where: detail('where') ?? id,
    next:
      detail('next') ??
      (refused
        ? `correct it, then start again with: ${startCommand(kind)}`
        : ['terminated', 'timed_out'].includes(ended.kind)
          ? `continue with: ratchet resume ${id}`
          : `start again with: ${startCommand(kind)}`),
  })
}
