// What a dev cycle has promised and not shown: its state as the rule of `open-items` reads it.
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { checkTexts, coverageOf, lostTexts } from '../dev-loop/validation.js'
import { hasCommitted, takenBackOf } from '../run/open-items.js'
import { untoldTo } from './documents/person-edits.js'
import { holdsUp } from '../answers/severity.js'
import type { Issue } from './issue.js'
import { refusalOf } from './refusal.js'
import { description } from './plan-tasks.js'
import type { Evidence, Verdict } from '../run/open-evidence.js'

/**
 * `validated`: the commit that VAS looked at; missing where it gave no answer. `confirmed`: a
 * person agrees to the end.
 */
export type CycleFacts = {
  issues: readonly Issue[]
  validated?: string | undefined
  confirmed?: boolean
}

type Judged = Pick<
  CycleState,
  | 'tasks'
  | 'promised'
  | 'untracked'
  | 'namesTasks'
  | 'commits'
  | 'head'
  | 'workFrom'
  | 'takenBack'
  | 'changedInRun'
  | 'lastRun'
  | 'unmeasured'
  | 'quality'
  | 'results'
  | 'decisions'
  | 'blockers'
  | 'edits'
  | 'refused'
> & { prepared: Pick<CycleState['prepared'], 'requireGreen'> }

export function cycleEvidence(
  state: Judged,
  { issues, validated, confirmed = false }: CycleFacts,
): Evidence {
  const { vas } = state.results
  return {
    description: description(state.tasks),
    tasks: state.promised ?? [],
    untracked: state.untracked,
    namesTasks: state.namesTasks === true,
    committed: hasCommitted(state),
    takenBack: takenBackOf(state),
    confirmed,
    head: state.head,
    run: state.lastRun,
    unmeasured: state.unmeasured,
    requireGreen: state.prepared.requireGreen,
    checks: checkTexts(state.quality),
    ...coverageOf(state.quality),
    lost: lostTexts(state.quality),
    changedTests: state.changedInRun,
    ...(vas === undefined || validated === undefined
      ? {}
      : { verdict: verdictOf(vas, validated, state) }),
    findings: issues
      .filter(isFinding)
      .map(({ source, text }) => `${source.toUpperCase()}: ${text}`),
    decisions: [
      ...state.decisions.flatMap(({ id, description: text, status }) =>
        status === 'implemented'
          ? []
          : [{ id, text, state: status === 'made' ? ('untold' as const) : ('pending' as const) }],
      ),
      ...untoldTo(state.edits, 'cd').map(({ id, file }) => ({
        id,
        text: `a person edited ${file}`,
        state: 'untold' as const,
      })),
    ],
    remarks: issues.filter(isRemark).map(({ source, text }) => `${source.toUpperCase()}: ${text}`),
    blockers: state.blockers.flatMap(({ id, description: text, status }) =>
      status === 'open' ? [{ id, text }] : [],
    ),
  }
}

function verdictOf(
  vas: NonNullable<Judged['results']['vas']>,
  commit: string,
  { refused, lastRun }: Judged,
): Verdict {
  const { status, summary, claimed } = vas
  const isTakenBack = refused?.commit === commit && refusalOf(vas, lastRun) === undefined
  return {
    commit,
    status,
    ready: claimed?.ready ?? null,
    critical: claimed?.criticalIssues ?? null,
    summary,
    removed: claimed?.removedTests,
    ...(isTakenBack ? { refused: { iteration: refused.iteration, why: refused.why } } : {}),
  }
}

// Without an analyst or a planner the work can be right, and what RA leaves open only a person can
// answer. What Ratchet has restored, or measured where an agent claimed something else, is settled.
function isRemark({ kind, source, to }: Issue): boolean {
  return (
    kind === 'foreign_edit' ||
    kind === 'tampering' ||
    kind === 'false_claim' ||
    (kind === 'agent_failed' && (source === 'ra' || source === 'ep')) ||
    (kind === 'requirements' && to === undefined)
  )
}

// Tests, blockers and what Ratchet has settled have rows of their own.
function isFinding({ kind, source, to, text }: Issue): boolean {
  if (kind === 'agent_failed') return source === 'cd'
  if (kind === 'requirements') return to !== undefined && holdsUp(text)
  return (kind === 'validation' || kind === 'plan') && holdsUp(text)
}
