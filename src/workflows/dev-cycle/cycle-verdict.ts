// Concludes an iteration: its issues, what is open, and whether the cycle has converged.
import { type Converged, convergence } from '../../core/dev-cycle/convergence.js'
import type { Open, OpenItem } from '../../core/run/open-evidence.js'
import type { CycleEnd } from './cycle-end.js'
import type { CycleRun } from './cycle-run.js'
import { type Issue, issueTexts } from '../../core/dev-cycle/issue.js'
import { measuredIn } from '../../core/run/measured-items.js'
import { cycleEvidence } from '../../core/dev-cycle/cycle-open.js'
import { findIssues } from '../../core/dev-cycle/issues.js'
import { openItems, openTexts } from '../../core/run/open-items.js'
import { gateOf } from '../../core/dev-cycle/documents/focus.js'
import { doneTasks } from '../../core/dev-cycle/promised.js'
import { needsOf } from '../../core/dev-cycle/needs.js'
import { iterationOver } from '../../core/dev-cycle/cycle-agents.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import { summaryOf } from '../../core/dev-cycle/cycle-view.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'

/** The result of an iteration; `end` if a person decided to stop. */
export type Verdict = Converged & { open: Open; end?: CycleEnd }

export function issuesOf(run: CycleRun): Issue[] {
  const state = run.ready
  const { results, lastRun, commits } = state
  return findIssues({
    results,
    developed: commits.length > 0,
    run: lastRun,
    measured: measuredNow(run),
    tampered: run.tampered,
    foreign: run.foreign,
    validated: run.validated !== undefined,
  })
}

/** Returns what the last full run and the checks leave open. */
export function measuredNow(run: CycleRun): OpenItem[] {
  return measuredIn(cycleEvidence(run.ready, { issues: [], validated: run.validated }))
}

/** Concludes the iteration for the state and the record. */
export function conclude(run: CycleRun): Converged & { open: Open } {
  const state = run.ready
  const { results, iteration, prep, lastRun } = state
  const issues = issuesOf(run)
  const open = openItems(cycleEvidence(state, { issues, validated: run.validated }))
  const verdict = convergence({
    gate: gateOf(state),
    prep,
    open,
    run: lastRun,
    cdFailed: results.cd?.status === 'failed',
    claimed: results.vas?.claimed,
    quality: state.quality?.commit === state.head ? state.quality : undefined,
    tasksDone: doneTasks(state.promised),
  })
  state.oneToHundred ||= verdict.movesOn
  state.openIssues = openTexts(open.items)
  state.needs = needsOf(issues, state.blockers)
  state.agents = iterationOver(state.agents)
  const now = Date.now()
  const commits = state.commits.slice(run.begun.commits)
  const current = state.iterations.at(-1)
  if (current !== undefined) {
    const agentResults = Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        agentResult(results[phase], phase === 'cd' ? run.committedFiles : undefined),
      ]),
    )
    state.iterations = [
      ...state.iterations.slice(0, -1),
      {
        ...current,
        completedAt: now,
        agentResults,
        issuesFound: issueTexts(issues),
        resolved: verdict.converged,
      },
    ]
  }
  const claims = issues
    .filter(({ kind }) => kind === 'false_claim')
    .map(({ source, text }) => `${source.toUpperCase()} ${text}`)
  state.history.push(
    summaryOf({
      iteration,
      run: lastRun,
      commit: commits.at(-1) ?? null,
      failed: results.cd?.status === 'failed',
      claimed: results.vas?.claimed?.passRate,
      turns: state.usage.turns - run.begun.turns,
      notes: [verdict.why, ...claims],
      startedAt: current?.startedAt ?? now,
      completedAt: now,
    }),
  )
  return { ...verdict, open }
}

// For CD the files of its commits count, for the others their documents.
function agentResult(
  result: CycleState['results'][Phase],
  committed: number | undefined,
): { status: string; files_modified: number } {
  if (result === undefined) return { status: 'pending', files_modified: committed ?? 0 }
  return {
    status: result.status === 'success' ? 'completed' : result.status,
    files_modified: committed ?? result.files.length,
  }
}
