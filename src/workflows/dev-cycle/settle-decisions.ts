// Settles decisions and blockers that agents report. In interactive mode a person answers;
// otherwise the recommended option applies.
import type { CycleRun } from './cycle-run.js'
import { type Phase, PHASES } from '../../contract/dev-cycle/discovery.js'
import type { CycleEnd } from './cycle-end.js'
import { blockersAfter, persistent, answeredBlocker } from '../../core/dev-cycle/blockers.js'
import type { AskedDecision } from '../../contract/dev-cycle/phase-reading.js'
import { decisionsAfter, chosenWith, made, implemented } from '../../core/dev-cycle/decisions.js'
import { record } from './cycle-steps.js'
import { textKey } from '../../core/dev-cycle/documents/same-text.js'
import type { Decision } from '../../contract/dev-cycle/cycle-record.js'

/** Number of unsolvable blockers that a person is asked about at once. */
const STUCK_ASKED = 3
const UNSOLVED = ', which the agents could not solve: '
/** An option for such a blocker, besides a free-text answer. */
const CONTINUE = 'continue'
const STOP = 'stop'
/** The choice for a decision without options if no person is asked. */
const AS_FITS = 'as the developer sees fit'

/** Settles blockers after the agents' answers; a person is asked about what no agent can solve. */
export async function settleBlockers(
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
        options: [CONTINUE, STOP],
        recommended: CONTINUE,
      },
    })),
  )
}

/** What each agent that answered reports now. One without a usable answer had no say. */
export function reportedBlockers({
  ready: { results },
}: CycleRun): { phase: Phase; texts: string[] }[] {
  return PHASES.flatMap((phase) =>
    results[phase] === undefined ||
    results[phase].synthetic === true ||
    (results[phase].status === 'unknown' && results[phase].blockers.length === 0)
      ? []
      : [{ phase, texts: results[phase].blockers }],
  )
}

/**
 * Settles decisions that agents leave to a person, and those of `more`. In auto the recommended
 * option is chosen.
 */
export async function settleDecisions(
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
      by: state.interactive && !run.questions.isSilent(decision.id) ? 'user' : 'ratchet',
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
    if (option !== CONTINUE) state.blockers = answeredBlocker(state.blockers, blocker, option)
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
