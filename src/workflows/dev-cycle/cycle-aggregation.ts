// Commits and measures what the agents did, has VAS validate it, returns issues to the agents that
// can solve them, and decides about the next iteration.
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { Decision } from '../../contract/dev-cycle/cycle-record.js'
import { iterationOver } from '../../core/dev-cycle/cycle-agents.js'
import { answeredBlocker, blockersAfter, persistent } from '../../core/dev-cycle/blockers.js'
import { brake, idleKey } from '../../core/dev-cycle/brakes.js'
import { convergence, type Converged } from '../../core/dev-cycle/convergence.js'
import {
  chosenWith,
  decisionsAfter,
  decisionText,
  implemented,
  made,
  withWords,
} from '../../core/dev-cycle/decisions.js'
import {
  feedbackFor,
  waitsFor,
  withFeedback,
  type Receiver,
} from '../../core/dev-cycle/feedback.js'
import { gateOf } from '../../core/dev-cycle/documents/focus.js'
import { findIssues } from '../../core/dev-cycle/issues.js'
import { needsOf } from '../../core/dev-cycle/needs.js'
import { afterIteration } from '../../core/dev-cycle/next-iteration.js'
import { cycleEvidence } from '../../core/dev-cycle/cycle-open.js'
import { cycleOutcome } from '../../core/dev-cycle/cycle-outcome.js'
import { doneTasks, namesTasks, worked } from '../../core/dev-cycle/promised.js'
import { refusedAfter } from '../../core/dev-cycle/refusal.js'
import { extensionProblem } from '../../core/dev-cycle/plan-tasks.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { summaryOf } from '../../core/dev-cycle/cycle-view.js'
import { hasCommitted, openItems, openTexts } from '../../core/run/open-items.js'
import { note, shortList } from '../../core/text/short-text.js'
import type { CycleEnd } from './cycle-end.js'
import { extendId, menuId, waitingTasks, type CycleRun } from './cycle-run.js'
import { commit, record, type Committed } from './cycle-steps.js'
import { feedbackTurns, validateTurn } from './cycle-turns.js'
import { settleEdits } from '../run/edit-questions.js'
import { editTexts } from '../run/person-edits.js'
import { checkQuality, measure } from '../run/measure.js'
import { measuredIn } from '../../core/run/measured-items.js'
import type { Open } from '../../core/run/open-evidence.js'
import { issueTexts, type Issue } from '../../core/dev-cycle/issue.js'
import { textKey } from '../../core/dev-cycle/documents/same-text.js'
import type { AskedDecision } from '../../contract/dev-cycle/phase-reading.js'

/** The result of an iteration; `end` if a person decided to stop. */
export type Verdict = Converged & { open: Open; end?: CycleEnd }

/** Number of unsolvable blockers that a person is asked about at once. */
const STUCK_ASKED = 3
const UNSOLVED = ', which the agents could not solve: '
/** An option for such a blocker, besides a free-text answer. */
const GO_ON = 'go on'
const STOP = 'stop'
/** The choice for a decision without options if no person is asked. */
const AS_FITS = 'as the developer sees fit'

/**
 * Phase 3, result aggregation, within one iteration: work → commit → measure → validate → feedback
 * → the same again.
 */
export async function aggregate(run: CycleRun): Promise<Verdict> {
  const state = run.ready
  const first = await judgeCommit(run, undefined)
  const { cd } = state.results
  if (cd !== undefined && cd.synthetic !== true)
    state.decisions = implemented(state.decisions, run.begun.decisions)
  state.blockers = blockersAfter(state.blockers, reportedBlockers(run), undefined)
  await settleDecisions(run, [])
  // After a stop during a question, the iteration is reported as it is.
  const told = run.control.stop === undefined ? await feedback(run) : []
  if (told.length > 0) await judgeCommit(run, first)
  const end = await settleBlockers(run, told)
  await settleEdits(run, { isAsked: run.ready.interactive, record: () => record(run) })
  return { ...conclude(run), end }
}

/**
 * Sends problems to the agents that can solve them: RA and EP answer first, so that CD continues
 * with their answers.
 */
async function feedback(run: CycleRun): Promise<Phase[]> {
  const state = run.ready
  const issues = issuesOf(run)
  const tell = async (phases: readonly Receiver[], answers: string[]): Promise<Phase[]> => {
    const news = { decisions: [...untold(state.decisions), ...editTexts(run)], answers }
    const messages = phases.flatMap((phase) => {
      const message = feedbackFor(phase, {
        issues,
        results: state.results,
        run: state.lastRun,
        unmeasured: state.unmeasured,
        ...news,
        iteration: state.iteration,
        version: cycleVersion(state.iteration),
        recordPaths: (from, file) => `${from}/${file}`,
      })
      return message === undefined ? [] : [{ phase, ...message }]
    })
    if (messages.length === 0) return []
    logFeedback(run, messages)
    const before = state.decisions
    const answered = await feedbackTurns(run, messages)
    if (answered.includes('cd')) state.decisions = implemented(state.decisions, before)
    return answered
  }
  const answersOf = (by: readonly Phase[], to: Receiver): string[] =>
    waitsFor(issues, to)
      ? by.map(
          (phase) =>
            `${phase.toUpperCase()}: ${state.results[phase]?.summary ?? ''}; see ${phase}/${phase === 'ra' ? 'requirements.md' : 'plan.json'}`,
        )
      : []
  // A blocked EP gets one prompt: its own points together with the answer of RA.
  const isLate = waitsFor(issues, 'ep')
  const first = await tell(isLate ? ['ra'] : ['ra', 'ep'], [])
  const solvers = isLate ? [...first, ...(await tell(['ep'], answersOf(first, 'ep')))] : first
  return [...solvers, ...(await tell(['cd'], answersOf(solvers, 'cd')))]
}

type Judged = { committed: Committed }

/**
 * Judges a commit; uncommitted work is not judged. A feedback round without code changes keeps the
 * verdict.
 */
async function judgeCommit(run: CycleRun, before: Judged | undefined): Promise<Judged> {
  const state = run.ready
  const { head, iteration } = state
  state.currentPhase = 'aggregation'
  const again = before !== undefined
  const step = `iteration-${iteration}/${again ? 'commit-again' : 'commit'}`
  const committed = await commit(run, step, state.results.cd?.agent ?? null)
  if (namesTasks(state.promised ?? [], state.results.cd)) state.namesTasks = true
  state.promised = worked(
    state.promised ?? [],
    state.results.cd,
    state.commits.length > run.begun.commits,
    run.known,
  )
  if (again && state.head === head) return before
  if (state.head !== head || state.lastRun === undefined)
    await measure(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
  if (state.commits.length > 0)
    await checkQuality(run, `iteration-${iteration}/${again ? 'measure-again' : 'measure'}`)
  run.validated = undefined
  await validateTurn(run, {
    commit: state.head,
    files: committed.files.slice(0, FILES_NAMED),
    filesTotal: committed.filesTotal,
    changedTests: run.changedTests,
    again,
    measured: state.lastRun,
    unmeasured: state.unmeasured,
    noChange: state.promised.flatMap(({ id, state: how, why = '' }) =>
      how === 'no_change' ? [{ id, why }] : [],
    ),
  })
  const { vas } = state.results
  if (vas?.synthetic === true) return { committed }
  run.validated = state.head
  const refused =
    vas === undefined
      ? state.refused
      : refusedAfter(state.refused, vas, {
          commit: state.head,
          iteration: state.iteration,
          run: state.lastRun,
        })
  if (refused === undefined) delete state.refused
  else state.refused = refused
  return { committed }
}

/** Number of changed files that VAS gets by name; all of them are in changes.log. */
const FILES_NAMED = 30

function issuesOf(run: CycleRun): Issue[] {
  const state = run.ready
  const { results, lastRun, commits } = state
  const measured = measuredIn(cycleEvidence(state, { issues: [], validated: run.validated }))
  return findIssues({
    results,
    developed: commits.length > 0,
    run: lastRun,
    measured,
    tampered: run.tampered,
    foreign: run.foreign,
    validated: run.validated !== undefined,
  })
}

function logFeedback(
  run: CycleRun,
  told: readonly {
    phase: Phase
    source: Phase
    summary: string
    type: CycleState['feedbackLog'][number]['type']
  }[],
): void {
  const state = run.ready
  const entries = told.map(({ phase, source, summary, type }) => ({
    timestamp: run.now(),
    source,
    target: phase,
    content: summary,
    type,
  }))
  state.feedbackLog = withFeedback(state.feedbackLog, entries)
}

/** Settles blockers after the agents' answers; a person is asked about what no agent can solve. */
async function settleBlockers(
  run: CycleRun,
  told: readonly Phase[],
): Promise<CycleEnd | undefined> {
  const state = run.ready
  const answered =
    told.includes('ra') && state.results.ra !== undefined
      ? { phase: 'ra' as const, summary: state.results.ra.summary }
      : undefined
  state.blockers = blockersAfter(state.blockers, reportedBlockers(run), answered)
  const stuck = persistent(run.begun.blockers, state.blockers).slice(0, STUCK_ASKED)
  return settleDecisions(
    run,
    stuck.map(({ id, description, reported_by }) => ({
      phase: reported_by as Phase,
      decision: {
        description: `${id}${UNSOLVED}${description}`,
        options: [GO_ON, STOP],
        recommended: GO_ON,
      },
    })),
  )
}

/** What each agent that answered reports now. */
function reportedBlockers({ ready: { results } }: CycleRun): { phase: Phase; texts: string[] }[] {
  return PHASES.flatMap((phase) =>
    results[phase] === undefined || results[phase].synthetic === true
      ? []
      : [{ phase, texts: results[phase].blockers }],
  )
}

/**
 * Settles decisions that agents leave to a person, and those of `more`. In auto the recommended
 * option is chosen.
 */
async function settleDecisions(
  run: CycleRun,
  more: { phase: Phase; decision: AskedDecision }[],
): Promise<CycleEnd | undefined> {
  const state = run.ready
  const asked = [
    ...PHASES.flatMap((phase) =>
      (state.results[phase]?.decisions ?? []).map((decision) => ({ phase, decision })),
    ),
    ...more,
  ]
  state.decisions = decisionsAfter(state.decisions, asked)
  const pending = state.decisions.filter(({ status }) => status === 'pending')
  if (pending.length > 0 && state.interactive) await record(run)
  for (const decision of pending) {
    const recommended = asked.find(
      ({ decision: { description } }) => textKey(description) === textKey(decision.description),
    )?.decision.recommended
    const choice = await choose(run, decision, recommended)
    if (choice === undefined) continue
    const option = chosenWith(choice, run.questions.textOf(decision.id))
    state.decisions = made(state.decisions, decision.id, {
      by: state.interactive ? 'user' : 'ratchet',
      option,
    })
    const blocker = unsolved(decision)
    if (blocker === undefined) continue
    if (choice === STOP) {
      // Ratchet carries it out itself, so a resumed cycle does not ask to stop again.
      state.decisions = implemented(
        state.decisions,
        state.decisions.filter(({ id }) => id === decision.id),
      )
      return { outcome: 'stopped', reason: `stopped by choice: ${decision.description}` }
    }
    if (option !== GO_ON) state.blockers = answeredBlocker(state.blockers, blocker, option)
  }
  return undefined
}

/**
 * Returns the id of the blocker in the question: another question of an agent may have the same
 * options.
 */
function unsolved({ description }: Decision): string | undefined {
  const id = /^BLK-\d+/.exec(description)?.[0]
  return id === description.split(UNSOLVED)[0] ? id : undefined
}

function untold(decisions: readonly Decision[]): string[] {
  return decisions.filter(({ status }) => status === 'made').map(decisionText)
}

/** In auto the recommended option is the answer, and is recorded. */
async function choose(
  run: CycleRun,
  { id, description, options }: Decision,
  recommended: string | undefined,
): Promise<string | undefined> {
  const best =
    recommended !== undefined && (options.length === 0 || options.includes(recommended))
      ? recommended
      : options[0]
  if (!run.ready.interactive) return best ?? AS_FITS
  return run.ask({
    id,
    kind: 'decision',
    text: description,
    options,
    recommended: best,
    askedAt: Date.now(),
  })
}

/** Concludes the iteration for the state and the record. */
function conclude(run: CycleRun): Converged & { open: Open } {
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

export async function decide(
  run: CycleRun,
  verdict: Verdict,
): Promise<CycleEnd | 'next iteration'> {
  const state = run.ready
  if (verdict.end !== undefined) return verdict.end
  // The whole iteration is reported, including the stop.
  if (!verdict.converged && run.control.stop !== undefined) await run.control.safePoint()
  const { items } = verdict.open
  const committed = state.commits.length > run.begun.commits
  const braked =
    verdict.converged || verdict.movesOn
      ? undefined
      : brake({
          results: state.results,
          run: state.lastRun,
          items,
          committed,
          idleWith: state.idleWith,
        })
  if (committed) delete state.idleWith
  else state.idleWith = idleKey(items)
  const then = afterIteration({
    converged: verdict.converged,
    pendingExtensions: state.pendingExtensions.length,
    iteration: state.iteration,
    maxIterations: state.maxIterations,
    interactive: state.interactive,
  })
  if (then === 'limit') return endOf(run, verdict, 'the iterations are spent')
  if (then === 'complete' && !state.interactive) return endOf(run, verdict, '')
  if (braked !== undefined && state.pendingExtensions.length === 0 && !state.interactive)
    return endOf(run, verdict, braked)
  await record(run)
  if (then === 'ask' || then === 'complete') {
    const end = await askPerson(run, verdict, then === 'complete' ? 'finish' : 'continue', braked)
    // A further task that came with the answer is not lost with it.
    if (end !== undefined && (end.outcome === 'stopped' || state.pendingExtensions.length === 0))
      return end
    // A person's edit before the answer is new for the next iteration.
    await record(run)
    await settleEdits(run, { isAsked: run.ready.interactive, record: () => record(run) })
  }
  // An extension may have come during the record and the question.
  state.maxIterations = Math.max(state.maxIterations, state.iteration + 1)
  return 'next iteration'
}

/** `why`: the reason why no further iteration follows. */
function endOf(
  run: CycleRun,
  { converged, open, why: unmet }: Verdict,
  why: string,
  confirmed = false,
): CycleEnd {
  const { ready: state } = run
  const prep = !converged && gateOf(state) !== 'default' ? unmet : undefined
  const judged = confirmed
    ? openItems(
        cycleEvidence(state, { issues: issuesOf(run), validated: run.validated, confirmed }),
      )
    : open
  const { outcome, reason } = cycleOutcome({
    open: judged,
    committed: hasCommitted(state),
    run: state.lastRun,
    hadBaseline: state.baselineOfBase === true,
    why: note([converged ? undefined : why, prep]) ?? '',
  })
  // A missing document is a warning if the work is done.
  if (outcome === 'completed')
    for (const text of issueTexts(issuesOf(run).filter(({ kind }) => kind === 'missing_output')))
      run.warn(text)
  return {
    outcome,
    review: judged.review,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(confirmed ? { confirmed } : {}),
  }
}

/**
 * In interactive mode, asks for days if need be: continue or finish, extend or stop. `braked`: why
 * a further iteration may change nothing.
 */
async function askPerson(
  run: CycleRun,
  verdict: Verdict,
  recommended: 'continue' | 'finish',
  braked: string | undefined,
): Promise<CycleEnd | undefined> {
  const state = run.ready
  const { why } = verdict
  const id = menuId(state.iteration)
  const texts = verdict.open.items.map(({ text }) => text)
  run.enter('deciding', 'person: what to do next')
  const answer = await run.ask({
    id,
    kind: 'menu',
    options: [recommended, 'extend', 'stop'],
    recommended,
    askedAt: Date.now(),
    text: `Iteration ${state.iteration} of ${state.maxIterations}: ${why}. ${texts.length < 2 ? '' : `Also open: ${shortList(texts.slice(1), texts.length - 1, 3)}. `}${braked === undefined ? '' : `Note: ${braked}. `}${recommended === 'finish' ? 'Finish' : 'Go on'}, extend the task, or stop?`,
  })
  let text = run.questions.textOf(id)?.trim()
  const words = text === undefined || text === '' ? undefined : text
  if (answer === 'finish') {
    const end = endOf(run, verdict, '', true)
    return words === undefined
      ? end
      : { ...end, reason: note([`a person said: ${words}`, end.reason]) ?? '' }
  }
  if (answer === 'stop')
    return {
      outcome: 'stopped',
      reason: note([`stopped by choice after iteration ${state.iteration}`, words, why]) ?? '',
    }
  if (answer !== 'extend') {
    if (words !== undefined) state.decisions = withWords(state.decisions, state.iteration, words)
    return undefined
  }
  for (let said = ''; ;) {
    if (text === undefined || text === '')
      text = await run.ask({
        id: extendId(state.iteration),
        kind: 'clarification',
        text: `${said}What is the further task?`,
        options: [],
        askedAt: Date.now(),
      })
    if (text === undefined || text === '') return undefined // stopped, or extended meanwhile
    const problem = extensionProblem([...state.tasks, ...waitingTasks(state)], text)
    if (problem === undefined) break
    // Asks again with the reason: a person's task is not dropped with a warning.
    said = `The extension cannot be taken: ${problem}. `
    text = undefined
  }
  state.pendingExtensions = [...state.pendingExtensions, text]
  return undefined
}
