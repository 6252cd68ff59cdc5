// 000 whole: what the agents did is committed and measured, VAS validates it, issues go back to who can
// solve them, and what is left decides about the next iteration.
import { PHASES } from '../../contract/discovery.js'
import type { Phase } from '../../contract/discovery.js'
import type { CycleState } from '../../contract/cycle.js'
import type { Decision } from '../../contract/cycle-record.js'
import { iterationOver } from '../../core/cycle/agents.js'
import { blockersAfter, persistent } from '../../core/cycle/blockers.js'
import { convergence } from '../../core/cycle/convergence.js'
import type { Converged } from '../../core/cycle/convergence.js'
import { decisionsAfter, implemented, made } from '../../core/cycle/decisions.js'
import { feedbackFor, withFeedback } from '../../core/cycle/feedback.js'
import { gateOf } from '../../core/cycle/focus.js'
import { findIssues, issueTexts, textKey } from '../../core/cycle/issues.js'
import type { Issue } from '../../core/cycle/issues.js'
import { afterIteration } from '../../core/cycle/next-iteration.js'
import { cycleOutcome } from '../../core/cycle/outcome.js'
import { extensionProblem } from '../../core/cycle/tasks.js'
import { cycleVersion } from '../../core/cycle/versions.js'
import { summaryOf } from '../../core/cycle/view.js'
import { shortList } from '../../core/test-fix-view.js'
import type { CycleEnd } from './cycle-end.js'
import { extendId, menuId, waitingTasks } from './cycle-run.js'
import type { CycleRun } from './cycle-run.js'
import { commit, record } from './cycle-steps.js'
import type { Committed } from './cycle-steps.js'
import { feedbackTurns, validateTurn } from './cycle-turns.js'
import { measure } from './measure.js'

/** How an iteration went; `end` where a person has decided to stop. */
export type Verdict = Converged & { issues: Issue[]; end?: CycleEnd }

/** Blockers that nobody could solve and that a person is asked about at once. */
const STUCK_ASKED = 3
const UNSOLVED = ', which the agents could not solve: '

/** 000 "Phase 3: Result Aggregation", within one iteration: work → commit → measure → validate → feedback → the same again. */
export async function aggregate(run: CycleRun): Promise<Verdict> {
  const state = run.ready
  const first = await judgeCommit(run, undefined)
  let validated = first.validated
  let issues = issuesOf(run, validated)
  const feedback = feedbackFor({
    issues, results: state.results, run: state.lastRun, unmeasured: state.unmeasured, iteration: state.iteration, version: cycleVersion(state.iteration),
    recordPaths: (phase, file) => `${phase}/${file}`,
  })
  const told = PHASES.flatMap((phase) => (phase === 'vas' || feedback[phase] === undefined ? [] : [{ phase, ...feedback[phase] }]))
  if (told.length > 0) {
    logFeedback(run, told)
    await feedbackTurns(run, told)
    const again = await judgeCommit(run, first)
    validated = again.validated
    issues = issuesOf(run, validated)
  }
  const end = await settleOpen(run, told)
  return { ...conclude(run, issues), ...(end === undefined ? {} : { end }) }
}

type Judged = { committed: Committed; validated: boolean }

/** What is not committed is not judged. A feedback round that changed no code leaves the judgement as it was. */
async function judgeCommit(run: CycleRun, before: Judged | undefined): Promise<Judged> {
  const state = run.ready
  const { head, iteration } = state
  state.currentPhase = 'aggregation'
  const again = before !== undefined
  const step = `iteration-${iteration}/${again ? 'commit-again' : 'commit'}`
  const committed = await commit(run, step, state.results.cd?.agent ?? null)
  if (again && state.head === head) return before
  if (state.head !== head || state.lastRun === undefined) await measure(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
  await validateTurn(run, {
    commit: state.head, files: committed.files.slice(0, FILES_NAMED), filesTotal: committed.filesTotal, changedTests: run.changedTests, again,
    ...(state.lastRun === undefined ? {} : { measured: state.lastRun }), ...(state.unmeasured === undefined ? {} : { unmeasured: state.unmeasured }),
  })
  return { committed, validated: state.results.vas?.synthetic !== true }
}

/** Changed files that VAS is told by name; all of them are in changes.log. */
const FILES_NAMED = 30

function issuesOf(run: CycleRun, validated: boolean): Issue[] {
  const { results, lastRun, unmeasured, commits } = run.ready
  return findIssues({ results, developed: commits.length > 0, run: lastRun, unmeasured, tampered: run.tampered, foreign: run.foreign, validated })
}

function logFeedback(run: CycleRun, told: readonly { phase: Phase; source: Phase; summary: string; type: CycleState['feedbackLog'][number]['type'] }[]): void {
  const state = run.ready
  const entries = told.map(({ phase, source, summary, type }) => ({ timestamp: run.now(), source, target: phase, content: summary, type }))
  state.feedbackLog = withFeedback(state.feedbackLog, entries)
}

/** Blockers and decisions after the agents have had their say; what no agent can solve is asked. Source: ccw §1.7 "Routing". */
async function settleOpen(run: CycleRun, told: readonly { phase: Phase }[]): Promise<CycleEnd | undefined> {
  const state = run.ready
  const answered = told.some(({ phase }) => phase === 'ra') && state.results.ra !== undefined ? { phase: 'ra' as const, summary: state.results.ra.summary } : undefined
  const reported = PHASES.flatMap((phase) => (state.results[phase] === undefined || state.results[phase].synthetic === true ? [] : [{ phase, texts: state.results[phase].blockers }]))
  state.blockers = blockersAfter(state.blockers, reported, answered)
  const stuck = persistent(run.begun.blockers, state.blockers).slice(0, STUCK_ASKED)
  const asked = PHASES.flatMap((phase) => (state.results[phase]?.decisions ?? []).map((decision) => ({ phase, decision })))
  const all = [...asked, ...stuck.map(({ id, description, reported_by }) => ({ phase: reported_by as Phase, decision: { description: `${id}${UNSOLVED}${description}`, options: ['go on', 'stop'], recommended: 'go on' } }))]
  state.decisions = decisionsAfter(state.decisions, all)
  if (state.results.cd?.status === 'success') state.decisions = implemented(state.decisions, run.begun.decisions)
  const pending = state.decisions.filter(({ status, options }) => status === 'pending' && (options.length > 0 || state.interactive))
  if (pending.length > 0 && state.interactive) await record(run)
  for (const decision of pending) {
    const recommended = all.find(({ decision: { description } }) => textKey(description) === textKey(decision.description))?.decision.recommended
    const option = await choose(run, decision, recommended)
    if (option === undefined) continue
    state.decisions = made(state.decisions, decision.id, { by: state.interactive ? 'user' : 'ratchet', option })
    // Another question of an agent may have such an option, and mean something else by it.
    if (option === 'stop' && /^BLK-\d+/.exec(decision.description)?.[0] === decision.description.split(UNSOLVED)[0]) return { outcome: 'stopped', reason: `stopped by choice: ${decision.description}` }
  }
  return undefined
}

/** In auto the recommended option answers, and that is recorded. */
async function choose(run: CycleRun, { id, description, options }: Decision, recommended: string | undefined): Promise<string | undefined> {
  const best = recommended !== undefined && options.includes(recommended) ? recommended : options[0]
  if (!run.ready.interactive) return best
  return run.ask({ id, kind: 'decision', text: description, options, ...(best === undefined ? {} : { recommended: best }), askedAt: Date.now() })
}

/** The iteration as it stands in the state and in the record. */
function conclude(run: CycleRun, issues: Issue[]): Converged & { issues: Issue[] } {
  const state = run.ready
  const { results, iteration, prep, lastRun } = state
  const verdict = convergence({ gate: gateOf(state), prep, issues, run: lastRun, cdFailed: results.cd?.status === 'failed', claimed: results.vas?.claimed })
  state.oneToHundred ||= verdict.movesOn
  state.openIssues = verdict.converged && issues.length === 0 ? [] : issueTexts(issues)
  state.agents = iterationOver(state.agents)
  const now = Date.now()
  const commits = state.commits.slice(run.begun.commits)
  const current = state.iterations.at(-1)
  if (current !== undefined) {
    const agentResults = Object.fromEntries(PHASES.map((phase) => [phase, agentResult(results[phase], phase === 'cd' ? run.committedFiles : undefined)]))
    state.iterations = [...state.iterations.slice(0, -1), { ...current, completedAt: now, agentResults, issuesFound: issueTexts(issues), resolved: verdict.converged }]
  }
  const claims = issues.filter(({ kind }) => kind === 'false_claim').map(({ source, text }) => `${source.toUpperCase()} ${text}`)
  state.history.push(summaryOf({
    iteration, run: lastRun, commit: commits.at(-1) ?? null, failed: results.cd?.status === 'failed', claimed: results.vas?.claimed?.passRate,
    turns: state.usage.turns - run.begun.turns, notes: [verdict.why, ...claims], startedAt: current?.startedAt ?? now, completedAt: now,
  }))
  return { ...verdict, issues }
}

// Of CD count the files that git saw, of the others their documents. Source: 003 `IterationRecord`; architecture §4.
function agentResult(result: CycleState['results'][Phase], committed: number | undefined): { status: string; files_modified: number } {
  if (result === undefined) return { status: 'pending', files_modified: committed ?? 0 }
  return { status: result.status === 'success' ? 'completed' : result.status, files_modified: committed ?? result.files.length }
}

/** 000 "Step 3.7: Iteration Loop Decision". */
export async function decide(run: CycleRun, verdict: Verdict): Promise<CycleEnd | 'next iteration'> {
  const state = run.ready
  if (verdict.end !== undefined) return verdict.end
  // The iteration is told whole; that it was stopped is told, too.
  if (!verdict.converged && run.control.stop !== undefined) await run.control.safePoint()
  const next = () => afterIteration({ converged: verdict.converged, pendingExtensions: state.pendingExtensions.length, iteration: state.iteration, maxIterations: state.maxIterations, interactive: state.interactive })
  const then = next()
  if (then === 'complete' || then === 'limit') return endOf(run, verdict, then === 'limit')
  await record(run)
  if (then === 'ask') {
    const end = await askPerson(run, verdict)
    if (end !== undefined) return end
  }
  // While it was written and asked, an extension may have come.
  state.maxIterations = Math.max(state.maxIterations, state.iteration + 1)
  return 'next iteration'
}

function endOf(run: CycleRun, { converged, issues: all, why }: Verdict, limit: boolean): CycleEnd {
  const { ready: state } = run
  // A missing document is a warning beside work that is done. Source: ccw §1.7 "Consistency checks".
  const issues = converged ? all.filter(({ kind }) => kind !== 'missing_output') : all
  if (converged) for (const text of issueTexts(all.filter(({ kind }) => kind === 'missing_output'))) run.warn(text)
  const developed = state.commits.length > 0 || state.iterations.some(({ agentResults }) => agentResults.cd?.status === 'completed')
  const { outcome, reason } = cycleOutcome({ converged, issues, developed, limit })
  // The first open issue stands in both.
  const known = converged || issueTexts(issues).some((text) => why.includes(text))
  return { outcome, ...(outcome === 'completed' ? {} : { reason: [reason, known ? undefined : why].filter((text) => text !== undefined && text !== '').join('; ') }) }
}

/** Interactive: continue, extend or stop; for days, if need be. */
async function askPerson(run: CycleRun, { issues, why }: Verdict): Promise<CycleEnd | undefined> {
  const state = run.ready
  const id = menuId(state.iteration)
  const texts = issueTexts(issues)
  run.enter('deciding', 'person: what to do next')
  const answer = await run.ask({
    id, kind: 'menu', options: ['continue', 'extend', 'stop'], recommended: 'continue', askedAt: Date.now(),
    text: `Iteration ${state.iteration} of ${state.maxIterations}: ${why}. ${texts.length === 0 ? '' : `Open: ${shortList(texts, texts.length, 3)}. `}Go on, extend the task, or stop?`,
  })
  if (answer === 'stop') return { outcome: 'stopped', reason: `stopped by choice after iteration ${state.iteration}; ${why}` }
  if (answer !== 'extend') return undefined
  let text = run.questions.textOf(id)?.trim()
  for (let said = ''; ;) {
    if (text === undefined || text === '') text = await run.ask({ id: extendId(state.iteration), kind: 'clarification', text: `${said}What is to be added?`, options: [], askedAt: Date.now() })
    if (text === undefined || text === '') return undefined // stopped, or extended meanwhile
    const problem = extensionProblem([...state.tasks, ...waitingTasks(state)], text)
    if (problem === undefined) break
    // Taken back to who typed it: what a person wants is not dropped with a warning.
    said = `The extension cannot be taken: ${problem}. `
    text = undefined
  }
  state.pendingExtensions = [...state.pendingExtensions, text]
  return undefined
}
