// Decides what the reading of a gate means, between writing tests and running them.
//
// An unreadable answer never passes and is not repaired: the gate is asked again. A failing gate
// has two retries; then code validation blocks, and test quality continues with the review flag,
// which is the recommended answer if no person is asked. Missing coverage passes with that flag
// too.
import type { MeasuredTests } from '../../contract/test-fix/test-quality.js'
import type { TaskEntry } from '../../contract/test-fix/task.js'
import type { TurnReading } from '../../contract/turn.js'
import {
  isUnproved,
  measuredProblems,
  measuredWords,
  unmeasured,
} from '../test-gen/measured-quality.js'
import { layerProblems } from '../test-gen/test-layers.js'

/** Findings that pass, in both gates; warnings in code validation only. Of critical issues none. */
export const ERRORS_ALLOWED = 3
export const WARNINGS_ALLOWED = 10
/** Least coverage, in percent, where it is reported. */
export const COVERAGE = { lines: 80, branches: 70, functions: 90 } as const
/** Retries after the first failing check. */
export const GATE_RETRIES = 2

/** `thresholds`: what the task file names stands above the defaults. */
export type GateReading = Pick<
  Extract<TurnReading, { kind: 'gate' }>,
  | 'critical'
  | 'error'
  | 'warning'
  | 'lines'
  | 'branches'
  | 'functions'
  | 'antiPatterns'
  | 'layers'
  | 'thresholds'
>

/**
 * `fix`: the agent repairs what was found, then the gate is checked again. `redo`: the tests are
 * written again, with the findings. `recheck`: the gate is asked again, nothing is changed.
 * `block`: the session ends blocked. `continue`: continue with the review flag. `review`: what a
 * person should look at although the gate is passed.
 */
export type GateDecision = {
  decision: 'pass' | 'fix' | 'redo' | 'recheck' | 'block' | 'continue'
  reason: string
  review?: string
}

/**
 * @param reading `undefined` without a readable answer
 *
 * @param attempt of this check, from 1
 */
export function gateDecision(
  type: 'code-validation' | 'test-quality-review',
  reading: GateReading | undefined,
  attempt: number,
  measured?: MeasuredTests,
): GateDecision {
  const last = type === 'code-validation' ? 'block' : 'continue'
  if (reading === undefined)
    return mayRetry(attempt)
      ? { decision: 'recheck', reason: UNREADABLE }
      : { decision: last, reason: `${UNREADABLE}, after ${attempt} ${checks(attempt)}` }
  return type === 'code-validation'
    ? codeValidation(reading, attempt)
    : testQuality(reading, attempt, measured)
}

/**
 * Decides where the task before the gate wrote no test: nothing is measured or paid for. The gate
 * of test quality has it written again; code validation leaves that to it.
 *
 * @returns `undefined` if there are tests to check
 */
export function unwrittenDecision(
  type: 'code-validation' | 'test-quality-review',
  { id, noTests }: Pick<TaskEntry, 'id' | 'noTests'>,
  attempt: number,
): GateDecision | undefined {
  if (noTests !== true) return undefined
  const reason = noTestWritten(id)
  return type === 'code-validation'
    ? { decision: 'pass', reason: `${reason}, so there is nothing to validate` }
    : failing(reason, attempt, {})
}

/** "IMPL-001 wrote no test". */
export function noTestWritten(task: string): string {
  return `${task} wrote no test`
}

/**
 * Decides by what was measured alone, before a reviewer is paid for.
 *
 * @returns `undefined` if the tests are worth a review
 */
export function measuredDecision(
  measured: MeasuredTests,
  attempt: number,
): GateDecision | undefined {
  const { thresholds } = measured
  const problem = sentence([
    ...measuredProblems(measured),
    ...weaknesses({ ...measured.coverage, ...(thresholds && { thresholds }) }),
  ])
  return problem === undefined ? undefined : failing(problem, attempt, measured)
}

function codeValidation(reading: GateReading, attempt: number): GateDecision {
  const harm = criticalIssues(reading)
  if (harm.length > 0) return { decision: 'block', reason: `${harm.join()} in the tests` }
  const problem = sentence([...errors(reading), ...warnings(reading)])
  if (problem === undefined) return { decision: 'pass', reason: 'no critical issue, few others' }
  return mayRetry(attempt, reading)
    ? { decision: 'fix', reason: problem }
    : { decision: 'block', reason: `${problem}, after ${attempt} ${checks(attempt)}` }
}

function testQuality(
  told: GateReading,
  attempt: number,
  measured: MeasuredTests | undefined,
): GateDecision {
  // What was measured stands in the place of what an agent claims.
  const reading = measured === undefined ? told : { ...told, ...measured.coverage }
  const problem = sentence([
    ...criticalIssues(reading),
    ...patterns(reading),
    ...errors(reading),
    ...layerProblems(reading.layers ?? []),
    ...(measured === undefined ? [] : measuredProblems(measured)),
    ...weaknesses(reading),
  ])
  if (problem !== undefined) return failing(problem, attempt, reading)
  if (measured !== undefined) return passing(measured, reading)
  const unknown = MEASURES.filter((what) => reading[what] === null)
  if (unknown.length === 0)
    return { decision: 'pass', reason: 'covers enough, no critical anti-pattern' }
  const reason = `${unknown.length === MEASURES.length ? 'no coverage was reported' : `covers enough, but no coverage of ${unknown.join(' and ')} was reported`}; no critical anti-pattern`
  return { decision: 'pass', reason, ...(reading.lines === null ? { review: reason } : {}) }
}

function failing(
  problem: string,
  attempt: number,
  reading: Pick<GateReading, 'thresholds'>,
): GateDecision {
  return mayRetry(attempt, reading)
    ? { decision: 'redo', reason: problem }
    : { decision: 'continue', reason: `${problem}, after ${attempt} ${checks(attempt)}` }
}

function passing(measured: MeasuredTests, { layers }: GateReading): GateDecision {
  const reason = [
    measuredWords(measured),
    ...unmeasured(measured),
    ...(layers === undefined ? ['the reviewer named no cases of the layers'] : []),
  ].join('; ')
  return { decision: 'pass', reason, ...(isUnproved(measured) ? { review: reason } : {}) }
}

const UNREADABLE = 'no agent gave a readable report'
const MEASURES = ['lines', 'branches', 'functions'] as const

function mayRetry(attempt: number, reading?: Pick<GateReading, 'thresholds'>): boolean {
  return attempt <= (reading?.thresholds?.retries ?? GATE_RETRIES)
}

function criticalIssues({ critical, thresholds }: GateReading): string[] {
  return critical > (thresholds?.critical ?? 0) ? [counted(critical, 'critical issue')] : []
}

function patterns({ antiPatterns }: GateReading): string[] {
  return antiPatterns > 0 ? [counted(antiPatterns, 'critical anti-pattern')] : []
}

function errors({ error, thresholds }: GateReading): string[] {
  const most = thresholds?.error ?? ERRORS_ALLOWED
  return error > most ? [`${counted(error, 'error')}, at most ${most} pass`] : []
}

function warnings({ warning, thresholds }: GateReading): string[] {
  const most = thresholds?.warning ?? WARNINGS_ALLOWED
  return warning > most ? [`${counted(warning, 'warning')}, at most ${most} pass`] : []
}

function weaknesses(
  reading: Pick<GateReading, 'lines' | 'branches' | 'functions' | 'thresholds'>,
): string[] {
  return MEASURES.flatMap((what) => {
    const [percent, least] = [reading[what], reading.thresholds?.[what] ?? COVERAGE[what]]
    return percent !== null && percent < least
      ? [`${what} covered ${percent} %, ${least} % are asked`]
      : []
  })
}

function sentence(found: readonly string[]): string | undefined {
  return found.length === 0 ? undefined : found.join('; ')
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

function checks(n: number): string {
  return n === 1 ? 'check' : 'checks'
}
