// The verdict of a validation: what Ratchet measured, and the word of the worker. Neither is enough
// alone.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { Validation } from '../../contract/dev-loop/loop-record.js'
import type { TestRun } from '../../contract/test-run.js'
import type { WorkerClaim } from '../../contract/dev-loop/action-reading.js'
import { oneLine } from '../text/one-line.js'
import { repeatsFailure } from '../dev-cycle/answers/vas-claims.js'
import { openItems } from '../run/open-items.js'
import { passRate, rateOf } from '../test-results/pass-rate.js'
import { meantRemovals } from '../test-results/removed-tests.js'
import { holdsUp } from '../answers/severity.js'
import { describeRun } from '../run/describe-run.js'
import { firstSentence, note, shortList } from '../text/short-text.js'
import { measuredItems } from '../run/measured-items.js'
import type { Quality, QualityCheck } from '../../contract/quality.js'

/** Percent by which a claim may miss what was measured: it was rounded in another way. */
const CLAIM_TOLERANCE = 0.15

const WHY_CHARS = 250
const FINDING_CHARS = 120

/** Pass rate that a worker claims, in percent; `null` where its numbers say none. */
export function claimedRate(claim: WorkerClaim | undefined): number | null {
  const { passed, failed, total } = claim ?? { passed: null, failed: null, total: null }
  const of = passed !== null && failed !== null ? passed + failed : total
  return passed === null || of === null || of < 1 || passed > of ? null : passRate(passed, of)
}

/** Checks that fail and did not before the run began, or that report more errors than then. */
export function failingChecks(quality: Quality | undefined): QualityCheck[] {
  return (quality?.checks ?? []).filter(
    (check) => check.result === 'failed' && (check.before !== 'failed' || hasMore(check)),
  )
}

/** The same as open items. */
export function checkTexts(quality: Quality | undefined): string[] {
  return failingChecks(quality).map(({ name, before, errors }) =>
    before === 'failed' && errors !== undefined
      ? `${name} reports ${errors.now} errors, before the run ${errors.before}`
      : `${name} fails and did not before the run`,
  )
}

/**
 * Checks that passed before the run and do not run now, and coverage that could not be measured. A
 * check may be renamed or part of another one by now, so only a person can judge it.
 */
export function lostTexts(quality: Quality | undefined): string[] {
  const { checks = [], coverageBefore, coverageLost } = quality ?? {}
  return [
    ...checks
      .filter(({ result, before }) => result === 'not_run' && before === 'passed')
      .map(
        ({ name, tail }) =>
          `${name} ran before the run and does not now: ${firstSentence(tail) || 'it could not be run'}`,
      ),
    ...(coverageLost === undefined
      ? []
      : [
          `line coverage was ${coverageBefore} % before the run and could not be measured now: ${coverageLost}`,
        ]),
  ]
}

/** Line coverage before the run and now, and changed files that no test runs. */
export function coverageOf(quality: Quality | undefined): {
  coverage?: { before: number | null; now: number | null }
  untested?: string[]
} {
  return quality === undefined
    ? {}
    : {
        ...(quality.coverageLost === undefined
          ? { coverage: { before: quality.coverageBefore ?? null, now: quality.coverage } }
          : {}),
        untested: quality.untested ?? [],
      }
}

function hasMore({ errors }: QualityCheck): boolean {
  return errors !== undefined && errors.now > errors.before
}

/** The word of a validate about the commit that it looked at. `silent`: it gave no answer. */
export type Word = {
  status: WorkerEnd['status']
  silent?: boolean
  /** It asks for more work. */ sendsBack?: boolean
  findings?: readonly string[]
  summary?: string
  /** Tests whose removal it calls meant. */ removed?: readonly string[]
}

/** The word of a worker that has ended. */
export function wordOfWorker({
  status,
  synthetic,
  loopBack,
  findings = [],
  summary,
  removedTests = [],
}: Pick<
  WorkerEnd,
  'status' | 'synthetic' | 'loopBack' | 'findings' | 'summary' | 'removedTests'
>): Word {
  return {
    status,
    findings,
    summary,
    removed: removedTests,
    silent: synthetic === true || status === 'unknown',
    sendsBack: loopBack !== undefined && loopBack.to !== 'complete',
  }
}

export type Judged = {
  /** The run of that commit; missing where there is none. */
  run?: TestRun
  /** Why there is none. */
  unmeasured?: string
  quality?: Quality
  /** Pass rate that the worker claims, in percent. */
  claimed: number | null | undefined
  iteration: number
  commit: string
  word?: Word
  /** Of the loop, further tasks included. */
  description?: string
  requireGreen?: boolean
  /** The validation before. */
  before?: Validation | undefined
}

/**
 * Judges a commit by what was measured and by the word of its validate. Without tests nothing but a
 * failing check and the word speak against it. Where a validate has refused a commit, no later one
 * of the same commit takes that back.
 */
export function validationOf(v: Judged): Validation {
  const {
    run,
    quality,
    claimed = null,
    iteration,
    commit,
    word: said = { status: 'success' },
    description = '',
    requireGreen = false,
    before,
  } = v
  const word = { ...said, findings: ownFindings(said.findings, run) }
  const open = measuredItems({
    run,
    requireGreen,
    description,
    checks: checkTexts(quality),
    ...coverageOf(quality),
    removed: word.removed ?? [],
  })
  const own = wordOf(word)
  const isSame = before?.commit === commit
  const refused = isSame ? refusalIn(before) : undefined
  const isTakenBack = own === 'agrees' && refused !== undefined
  const unanswered =
    own === 'silent' && isSame && (before.word === 'silent' || before.status === 'unknown')
  const why = note([
    testsText(
      v,
      open.some(({ kind }) => kind !== 'check' && kind !== 'coverage'),
    ),
    ...checksText(quality),
    ...open.flatMap(({ kind, text }) => (kind === 'coverage' ? [text] : [])),
    own === 'agrees' ? undefined : wordText(word, own),
    isTakenBack
      ? `validate refused this commit in iteration ${refused.iteration}, and nothing was committed since`
      : undefined,
    claimed === null ||
    isAlike(claimed, rateOf(run)) ||
    isAlike(claimed, rateWithout(run, word.removed))
      ? undefined
      : `the worker claimed ${claimed} %`,
  ])
  const verdict = isTakenBack
    ? { status: refused.status, word: 'refuses' as const }
    : own === 'silent'
      ? { status: 'unknown' as const, word: unanswered ? ('refuses' as const) : own }
      : { status: word.status === 'needs_input' ? ('failed' as const) : word.status, word: own }
  const judged: Validation = {
    passed: open.length === 0 && verdict.word === 'agrees',
    why: oneLine(why ?? '', WHY_CHARS),
    iteration,
    commit,
    passRate: rateOf(run),
    ...(claimed === null ? {} : { claimed }),
    ...verdict,
    ...((word.removed ?? []).length === 0 ? {} : { removed: [...(word.removed ?? [])] }),
  }
  const kept = refused ?? refusalIn(judged)
  return kept === undefined ? judged : { ...judged, refused: kept }
}

/** The first refusal of the commit of a validation. No answer refuses nothing. */
function refusalIn({
  refused,
  word,
  status = 'failed',
  iteration,
}: Validation): Validation['refused'] {
  return refused ?? (word === 'refuses' && status !== 'unknown' ? { iteration, status } : undefined)
}

/** What a validate finds besides the failing tests that Ratchet measured. */
export function ownFindings(
  findings: readonly string[] = [],
  run: TestRun | undefined,
): readonly string[] {
  return run?.kind === 'measured' ? findings.filter((text) => !repeatsFailure(text, run)) : findings
}

/**
 * Tests that failed before the loop and still do, in one sentence; `undefined` where there are none
 * that may.
 */
export function knownTests({
  run,
  requireGreen,
  description,
}: {
  run: TestRun | undefined
  requireGreen: boolean
  description: string
}): string | undefined {
  return openItems({
    description,
    run,
    requireGreen,
    tasks: [],
    namesTasks: true,
    committed: true,
    head: '',
    checks: [],
    findings: [],
    decisions: [],
    blockers: [],
  }).known
}

function wordOf({
  status,
  silent,
  sendsBack,
  findings = [],
}: Word): NonNullable<Validation['word']> {
  if (silent === true) return 'silent'
  return status === 'success' && sendsBack !== true && !findings.some(holdsUp)
    ? 'agrees'
    : 'refuses'
}

function wordText(
  { status, sendsBack, findings = [], summary = '' }: Word,
  word: NonNullable<Validation['word']>,
): string {
  if (word === 'silent') return 'validate gave no answer'
  const serious = findings.filter(holdsUp).map((text) => oneLine(text, FINDING_CHARS))
  const about =
    serious.length > 0 ? shortList(serious, serious.length, 2) : oneLine(summary, FINDING_CHARS)
  return `validate ${status === 'success' ? (sendsBack === true ? 'asks for more work' : 'has findings') : `says ${status}`}${about === '' ? '' : `: ${about}`}`
}

function testsText(
  { run, unmeasured = 'there are no tests', requireGreen = false, description = '', word }: Judged,
  fails: boolean,
): string {
  if (run === undefined) return `nothing was measured: ${oneLine(unmeasured)}`
  if (run.kind !== 'measured') return describeRun(run)
  const known = knownTests({ run, requireGreen, description })
  const removed = meantRemovals(run, word?.removed ?? []).total
  return `${fails ? 'tests fail' : known === undefined && removed === 0 ? 'all tests pass' : 'no test fails that passed before'}: ${describeRun(run)}${known === undefined ? '' : `; ${known}`}${removed === 0 ? '' : `; ${removed} removed on purpose`}`
}

function checksText(quality: Quality | undefined): (string | undefined)[] {
  const failing = failingChecks(quality)
  const more = failing.filter(({ before }) => before === 'failed')
  const failed = failing.filter((check) => !more.includes(check))
  const old = (quality?.checks ?? []).filter(
    (check) => check.result === 'failed' && !failing.includes(check),
  )
  return [
    failed.length === 0 ? undefined : `${names(failed)} fail${failed.length === 1 ? 's' : ''}`,
    ...more.map(
      ({ name, errors }) =>
        `${name} reports ${errors?.now ?? 0} errors, before the run ${errors?.before ?? 0}`,
    ),
    ...lostTexts(quality),
    old.length === 0 ? undefined : `${names(old)} fail${old.length === 1 ? 's' : ''} as before`,
  ]
}

function names(checks: readonly QualityCheck[]): string {
  return checks.map(({ name }) => name).join(', ')
}

// Tests that are removed on purpose may be left out of a rate.
function rateWithout(run: TestRun | undefined, removed: readonly string[] = []): number | null {
  if (run?.kind !== 'measured') return null
  const total = run.total - meantRemovals(run, removed).total
  return total < 1 ? null : passRate(run.passed, total)
}

// A claim that all tests pass must be exact.
function isAlike(claimed: number, rate: number | null): boolean {
  return (
    rate !== null &&
    Math.abs(claimed - rate) < CLAIM_TOLERANCE &&
    (claimed === 100) === (rate === 100)
  )
}
