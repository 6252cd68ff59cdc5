// Describes the iterations of a run: what was tried, claimed and measured, and the verdict.
import { cycleVersion } from '../dev-cycle/documents/versions.js'
import type { IterationSummary } from '../../contract/result.js'
import type { Kind } from '../../contract/names.js'
import { oneLine } from '../text/one-line.js'
import { fixIdOf, rateBefore } from '../records/record-view.js'
import { SAME_FAILURES } from '../run/iteration-summary.js'
import type { ReportIteration } from './model.js'
import type { ReportSource, SessionFacts } from './source.js'
import { sumOf } from './usage.js'

/** Maximum length of a title; a long approach is shown in full below it. */
const TITLE_CHARS = 160

/** Returns every finished iteration, including the first measurement. */
export function iterationsOf(
  source: ReportSource,
  history: readonly IterationSummary[],
): ReportIteration[] {
  const facts = source.facts?.kind === 'test-fix' ? source.facts : undefined
  return history.map((one) => {
    const turns = source.turns.filter(
      (turn) => turn.iteration === one.iteration && one.iteration > 0,
    )
    const patch = source.patches.get(one.iteration)
    const newFailures = facts?.compared.get(one.iteration)?.new_failures
    const before = one.iteration === 0 ? null : rateBefore(history, one.iteration)
    const plan = one.iteration === 0 || facts === undefined ? undefined : planOf(facts, one)
    return {
      ...one,
      title: titleOf(source.kind, one, plan),
      rateBefore: before,
      ...(source.kind === 'test-fix' && isWithoutGain(one, before)
        ? { noGain: true as const }
        : {}),
      plan,
      newFailures,
      ...(turns.length === 0 ? {} : { usage: sumOf(turns) }),
      ...(patch === undefined
        ? {}
        : { patch, ...(patch.state === 'known' ? { files: patch.files.length } : {}) }),
      links: source.links.get(one.iteration) ?? [],
    }
  })
}

/**
 * Returns the mark and colour of an iteration: its result, except for a kept fix without a gain.
 */
export function markOf({
  result,
  noGain,
}: Pick<ReportIteration, 'result' | 'noGain'>): IterationSummary['result'] | 'no_gain' {
  return noGain === true ? 'no_gain' : result
}

/** Returns the verdict of an iteration in words. `kind` decides whether a change was expected. */
export function verdictOf(
  { result, passRate, noGain }: Pick<ReportIteration, 'result' | 'passRate' | 'noGain'>,
  kind: Kind,
): string {
  if (noGain === true) return 'kept, no gain'
  switch (result) {
    case 'baseline':
      return 'before any change'
    case 'kept':
      return 'kept'
    case 'rolled_back':
      return 'rolled back'
    case 'no_change':
      return kind === 'dev-loop' && passRate !== null ? 'measured, no change' : 'no change'
    case 'not_started':
      return 'tests did not start'
    case 'failed':
      return 'failed'
  }
}

// The rate alone does not show it, as as many other tests may fail now. The note has the comparison
// from the record.
function isWithoutGain(
  { result, passRate, note }: IterationSummary,
  before: number | null,
): boolean {
  return (
    result === 'kept' && passRate === before && note?.split('; ').includes(SAME_FAILURES) === true
  )
}

function planOf(facts: SessionFacts, one: IterationSummary): ReportIteration['plan'] {
  const entry = facts.fixes.find((fix) => fix.iteration === one.iteration)
  const details = facts.details.get(fixIdOf(one))
  if (entry === undefined && details === undefined) return undefined
  return {
    approach: details?.approach ?? '',
    expected: details?.expectedOutcome ?? '',
    rootCauses: entry?.root_causes ?? details?.rootCauses ?? [],
    points: entry?.modification_points ?? details?.points ?? [],
    confidence: entry?.confidence ?? details?.confidence ?? null,
    aimedAt: (entry?.failures ?? details?.failures ?? []).length,
  }
}

function titleOf(kind: Kind, one: IterationSummary, plan: ReportIteration['plan']): string {
  if (one.iteration === 0) return 'The tests before any change'
  if (kind === 'dev-cycle') return `Version ${cycleVersion(one.iteration)}`
  if (kind === 'dev-loop') return one.note ?? 'An action'
  const approach = plan?.approach ?? ''
  return oneLine(approach !== '' ? approach : (plan?.rootCauses[0] ?? fixIdOf(one)), TITLE_CHARS)
}
