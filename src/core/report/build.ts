// Builds the report of a run. Pure: missing data is reported, not guessed.
import type { IterationSummary } from '../../contract/result.js'
import { capital, headline, toneOf } from './headline.js'
import { iterationsOf } from './iterations.js'
import type { Report, ReportFailure } from './model.js'
import { cyclePart, loopPart } from './parts.js'
import { enclosureText } from '../run/enclosure-text.js'
import { openCount } from '../run/open-items.js'
import { againCommand } from '../test-fix/end-reason.js'
import { unconfirmedLine, whyNothing } from '../test-results/best-line.js'
import { perGainedTest } from './per-gained-test.js'
import type { ReportSource } from './source.js'
import { timelineOf } from './timeline.js'
import { usageByAgent, usageOf } from './usage.js'
import { countsEarlier } from '../run/result-warnings.js'

/** Returns the report. */
export function buildReport(source: ReportSource): Report {
  const {
    id,
    kind,
    name,
    project,
    at,
    result,
    live,
    open,
    facts,
    turns,
    recordDir,
    records,
    branch,
    base,
  } = source
  const history = historyOf(source)
  const iterations = iterationsOf(source, history)
  const outcome = open ? 'open' : (result?.outcome ?? 'unfinished')
  const last = history.findLast((one) => one.passRate !== null && one.result !== 'rolled_back')
  const failures = failuresOf(source)
  const rate = result?.passRate ?? live?.passRate ?? last?.passRate ?? null
  const done = result?.iterations ?? Math.max(0, ...history.map((one) => one.iteration))
  const reviewNeeded = result?.reviewNeeded ?? false
  const counted = last !== undefined && last.passRate === rate ? last : undefined
  const cycle = facts?.kind === 'dev-cycle' ? cyclePart(facts) : undefined
  const usage =
    result !== undefined && result.usage.turns > 0
      ? result.usage
      : ((facts?.kind === 'test-fix' ? facts.usage : undefined) ?? usageOf(turns))
  const perTest = perGainedTest({ usage, best: result?.best, history })
  const max =
    live?.maxIterations ??
    (facts?.kind === 'test-fix' ? facts.maxIterations : facts?.record.max_iterations)
  const proposals = result?.proposedTestChanges ?? live?.proposedTestChanges
  const sandbox = result?.sandbox ?? live?.sandbox
  const command = facts?.kind === 'test-fix' ? facts.testCommand : undefined
  return {
    schema: 1,
    id,
    kind,
    name,
    project,
    title: titleOf(source),
    outcome,
    status: result?.status ?? live?.status ?? (open ? 'running' : 'paused'),
    tone: toneOf(outcome, reviewNeeded),
    reviewNeeded,
    ...(result?.confirmedByPerson === true ? { confirmedByPerson: true } : {}),
    ...(result?.nothingCommitted === true ? { nothingCommitted: true as const } : {}),
    headline: headline({
      kind,
      outcome,
      iterations: done,
      passRate: rate,
      passed: counted?.passed,
      total: counted?.total,
      failing: failures.total,
      openIssues: openCount(cycle?.openIssues ?? []),
    }),
    reason: result?.reason ?? null,
    ...(live === undefined ? {} : { waitingFor: live.waitingFor }),
    questions: live?.questions.map(({ text }) => text) ?? [],
    writtenAt: at,
    ...timesOf(source),
    passRate: rate,
    rateAtStart: history.find((one) => one.iteration === 0)?.passRate ?? null,
    iterationsDone: done,
    maxIterations: max,
    branch: result?.branch ?? live?.branch ?? branch ?? null,
    base: base ?? null,
    commits:
      result?.commits ??
      (facts?.kind === 'test-fix' ? facts.commits : facts?.record.ratchet.commits) ??
      [],
    ...(command === undefined || command === '' ? {} : { testCommand: command }),
    ...(sandbox === undefined ? {} : { sandbox: enclosureText(sandbox) }),
    next: nextOf(source, outcome),
    iterations,
    turns,
    timeline: timelineOf(turns, open ? at : lastTime(source)),
    usage,
    ...(perTest === undefined ? {} : { perGainedTest: perTest }),
    usageByAgent: usageByAgent(turns),
    failures: failures.list,
    failuresTotal: failures.total,
    flaky: (source.lastRun?.tests ?? []).flatMap((one) =>
      one.status === 'flaky' ? [{ file: one.file, test: one.test }] : [],
    ),
    proposedTestChanges: proposals,
    cycle,
    ...(facts?.kind === 'dev-loop' ? { loop: loopPart(facts) } : {}),
    recordDir,
    records,
    warnings: warningsOf(source),
    notes: [
      ...pendingNotes(source),
      ...confirmNotes(source),
      ...source.notes,
      ...turnNotes(source, usage.turns),
    ],
  }
}

function confirmNotes({ result }: ReportSource): string[] {
  const doubt = result === undefined ? undefined : unconfirmedLine(result)
  return doubt === undefined ? [] : [capital(doubt)]
}

// The newest known history; the record has iterations that the state of a run no longer carries.
function historyOf({ result, live, facts }: ReportSource): IterationSummary[] {
  const all = [facts?.history, live?.history, result?.history].flatMap((list) => list ?? [])
  const byNumber = new Map(all.map((one) => [one.iteration, one]))
  return [...byNumber.values()].sort((a, b) => a.iteration - b.iteration)
}

function titleOf({ facts, kind, name }: ReportSource): string {
  const title = facts?.kind === 'test-fix' ? facts.title : facts?.record.title
  return title === undefined || title === '' ? NOUN[kind](name) : title
}

const NOUN: Record<Report['kind'], (name: string) => string> = {
  'test-fix': (name) => `Fix the failing tests (${name})`,
  'dev-cycle': (name) => name,
  'dev-loop': (name) => name,
}

function timesOf(source: ReportSource): Pick<Report, 'startedAt' | 'endedAt'> {
  const { facts, turns, open } = source
  const began = facts?.kind === 'test-fix' ? facts.createdAt : millis(facts?.record.created_at)
  const starts = [
    began,
    turns[0]?.startedAt,
    ...historyOf(source).map((one) => one.startedAt),
  ].filter((one) => one !== undefined)
  return {
    startedAt: starts.length === 0 ? null : Math.min(...starts),
    endedAt: open ? null : (ends(source).at(-1) ?? null),
  }
}

function lastTime(source: ReportSource): number {
  return ends(source).at(-1) ?? source.at
}

function ends(source: ReportSource): number[] {
  const { facts, turns } = source
  const updated =
    facts?.kind === 'test-fix'
      ? facts.updatedAt
      : millis(facts?.record.completed_at ?? facts?.record.updated_at)
  return [
    updated,
    ...turns.map((one) => one.endedAt ?? one.startedAt),
    ...historyOf(source).map((one) => one.completedAt),
  ]
    .filter((one) => one !== undefined)
    .sort((a, b) => a - b)
}

// The last full run has all failures; a result has only the first ones.
function failuresOf({ lastRun, result, facts }: ReportSource): {
  list: ReportFailure[]
  total: number
} {
  if (lastRun !== undefined) {
    const levels = new Map(
      (result?.failures ?? []).map((one) => [`${one.file}\0${one.test}`, one.criticality]),
    )
    const failing = [
      ...lastRun.tests.filter((one) => one.status === 'failed'),
      ...lastRun.missing.map((one) => ({ ...one, error: one.error === '' ? MISSING : one.error })),
    ]
    const byId = new Map(failing.map((one) => [`${one.file}\0${one.test}`, one]))
    const list = [...byId].map(([id, { file, test, error = '', criticality }]) => ({
      file,
      test,
      error,
      criticality: criticality ?? levels.get(id) ?? ('high' as const),
    }))
    return {
      list: list.sort(
        (a, b) =>
          LEVELS.indexOf(a.criticality) - LEVELS.indexOf(b.criticality) ||
          (a.file < b.file ? -1 : a.file > b.file ? 1 : 0),
      ),
      total: list.length,
    }
  }
  if (result !== undefined)
    return {
      list: result.failures.map(({ file, test, error, criticality }) => ({
        file,
        test,
        error,
        criticality,
      })),
      total: Math.max(result.failuresTotal, result.failures.length),
    }
  return {
    list: [],
    total: facts?.kind === 'dev-cycle' ? (facts.record.test_results?.failed_tests.length ?? 0) : 0,
  }
}

/** The most critical first. */
export const LEVELS: ReportFailure['criticality'][] = ['high', 'medium', 'low']
/** The error of a test of which nothing else is known. */
export const MISSING = 'it ran in an earlier run and is missing or skipped now'

function nextOf({ id, kind, result, open, live }: ReportSource, outcome: string): Report['next'] {
  if (open)
    return [
      ...(live?.questions.length
        ? [{ what: 'Answer its question', command: `ratchet answer ${id}` }]
        : []),
      { what: 'Follow it', command: `ratchet watch ${id}` },
    ]
  const apply =
    result !== undefined &&
    result.branch !== null &&
    result.commits.length > 0 &&
    whyNothing(result) === undefined
      ? [{ what: 'Apply the changes to your working tree', command: `ratchet apply ${id}` }]
      : []
  if (outcome === 'success' || outcome === 'partial_success') return apply
  if (kind !== 'test-fix' && ['completed', 'completed_with_issues'].includes(outcome))
    return [
      ...apply,
      { what: 'Continue with a further task', command: `ratchet extend ${id} "<task>"` },
    ]
  const proposed = (result?.proposedTestChanges ?? []).some(({ answer }) => answer === undefined)
    ? [
        {
          what: 'Apply the proposed test changes and continue',
          command: `ratchet answer ${id} accept`,
        },
      ]
    : []
  return [
    ...apply,
    ...proposed,
    { what: 'Continue it', command: againCommand({ ...result, id, outcome }) },
  ]
}

// The record has all of them; only the result has those of a record that could not be written.
function warningsOf({ facts, result }: ReportSource): string[] {
  const ended = result?.warnings ?? []
  if (facts === undefined) return ended
  const kept = facts.kind === 'test-fix' ? facts.warnings : facts.record.ratchet.warnings
  return [...new Set([...kept, ...ended.filter((text) => !countsEarlier(text))])]
}

// The current iteration is not among the finished ones.
function pendingNotes({ facts, result }: ReportSource): string[] {
  if (result !== undefined || facts?.kind !== 'test-fix' || facts.pending === undefined) return []
  const { iteration, summary, strategy } = facts.pending
  return [
    `Iteration ${iteration} is in progress${strategy === undefined ? '' : `, ${strategy}`}: ${summary}`,
  ]
}

function turnNotes({ turns }: ReportSource, known: number): string[] {
  if (turns.length === 0 && known > 0)
    return [
      'No transcripts were found, so this report has no timeline and no usage by agent. They were removed by `ratchet clean` or with the state directory, or are on another machine.',
    ]
  return turns.length < known
    ? [
        `The files of ${known - turns.length} of ${known} turns are missing, so the timeline does not show these turns.`,
      ]
    : []
}

function millis(time: string | undefined): number | undefined {
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? undefined : at
}
