// Returns the issues of an iteration to the agents that can solve them.
import type { CycleRun } from './cycle-run.js'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import { issuesOf } from './cycle-verdict.js'
import {
  type Receiver,
  feedbackFor,
  waitsFor,
  withFeedback,
} from '../../core/dev-cycle/feedback.js'
import { editTexts } from '../run/person-edits.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { feedbackTurns } from './cycle-turns.js'
import { implemented, decisionText } from '../../core/dev-cycle/decisions.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { Decision } from '../../contract/dev-cycle/cycle-record.js'

/**
 * Sends problems to the agents that can solve them: RA and EP answer first, so that CD continues
 * with their answers.
 */
export async function feedback(run: CycleRun): Promise<Phase[]> {
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

function untold(decisions: readonly Decision[]): string[] {
  return decisions.filter(({ status }) => status === 'made').map(decisionText)
}
