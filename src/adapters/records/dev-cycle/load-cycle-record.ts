// Loads the record of a cycle that continues without its workflow.
import { ITEM_CHARS } from '../../../contract/dev-cycle/phase-reading.js'
import type { RestoredCycle } from '../../../contract/dev-cycle/cycle-state.js'
import type { AgentState, CycleRecord } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import type { IterationSummary } from '../../../contract/result.js'
import { splitDescription } from '../../../core/dev-cycle/plan-tasks.js'
import { firstChars } from '../../../core/text/test-text.js'
import { millisOf } from '../../timestamp.js'
import { restoredBaseline } from '../kept-baseline.js'
import { readRecord, type Reading } from '../read-record.js'
import { StoredNotes } from './cycle-schema.js'
import { CYCLE } from './cycle-state-file.js'

/** What a state carries of lists that the record has whole. */
const ITERATIONS_KEPT = 5
const ENTRIES_KEPT = 20
const HISTORY_KEPT = 50
/** Longest entry of a log that travels, in characters. */
const CONTENT_CHARS = 500

/** Reads the state file of a cycle. */
export const readCycle = (project: string, name: string): Reading<CycleRecord> =>
  readRecord(CYCLE, project, name)

/**
 * Returns the state with which a cycle continues, bounded for a payload. No agent is at work in it.
 */
export function restoredCycle(record: CycleRecord): RestoredCycle {
  const {
    convergence,
    phase_gates: gates,
    agent_focus: focus,
    source_refs: refs,
    ratchet,
    coordination,
  } = record
  const notes: StoredNotes = StoredNotes.safeParse(ratchet).data ?? ratchet
  const startedAt = millisOf(record.created_at) ?? 0
  return {
    startedAt,
    tasks: splitDescription(record.description, record.task_history),
    scheduling: ratchet.scheduling,
    parallel: ratchet.parallel,
    interactive: ratchet.interactive,
    ...(convergence === null || gates === null || focus === null
      ? {}
      : { prep: { convergence, phase_gates: gates, agent_focus: focus, source_refs: refs ?? [] } }),
    iteration: record.current_iteration,
    maxIterations: record.max_iterations,
    completedPhases: record.completed_phases.slice(-ENTRIES_KEPT),
    phaseErrors: record.phase_errors.slice(-ENTRIES_KEPT).map(({ phase, error, timestamp }) => ({
      phase,
      error: firstChars(error, CONTENT_CHARS),
      at: millisOf(timestamp) ?? startedAt,
    })),
    agents: Object.fromEntries(
      PHASES.map((phase) => [phase, restedAgent(record.agents[phase])]),
    ) as Record<Phase, AgentState>,
    iterations: record.iterations.slice(-ITERATIONS_KEPT).map((one) => ({
      number: one.number,
      ...(one.extension === undefined
        ? {}
        : { extension: firstChars(one.extension, CONTENT_CHARS) }),
      startedAt: millisOf(one.started_at) ?? startedAt,
      ...ended(one.completed_at),
      agentResults: Object.fromEntries(
        Object.entries(one.agent_results).filter(([phase]) =>
          (PHASES as readonly string[]).includes(phase),
        ),
      ),
      issuesFound: one.issues_found,
      resolved: one.resolved,
    })),
    feedbackLog: coordination.feedback_log
      .slice(-ENTRIES_KEPT)
      .map((entry) => ({ ...entry, content: firstChars(entry.content, CONTENT_CHARS) })),
    decisions: coordination.pending_decisions.slice(-ENTRIES_KEPT),
    blockers: coordination.blockers.slice(-ENTRIES_KEPT),
    oneToHundred: notes.one_to_hundred === true,
    openIssues: ratchet.open_issues,
    pendingExtensions: ratchet.pending_extensions,
    history: notes.history?.slice(-HISTORY_KEPT) ?? record.iterations.map(summaryOf),
    commits: ratchet.commits,
    changedFiles: record.changes?.total_files ?? 0,
    ...restoredBaseline(notes),
    hadSuite: notes.had_suite,
    ...(notes.promised === undefined
      ? {}
      : { promised: notes.promised, namesTasks: notes.names_tasks === true }),
    approvedPlan: notes.approved_plan,
    untracked: notes.untracked,
    workFrom: notes.work_from,
    takenBack: notes.taken_back,
    changedInRun: notes.changed_tests,
    refused: notes.refused,
    edits: notes.edits,
    ...(notes.usage && { usage: notes.usage }),
  }
}

function restedAgent(agent: AgentState): AgentState {
  const message =
    agent.last_message === undefined
      ? {}
      : { last_message: firstChars(agent.last_message, ITEM_CHARS) }
  return {
    ...agent,
    ...message,
    status: agent.status === 'running' || agent.status === 'waiting' ? 'idle' : agent.status,
  }
}

/** A record without the summaries says which iterations there were, and no more. */
function summaryOf({
  number,
  started_at: from,
  completed_at: to,
}: CycleRecord['iterations'][number]): IterationSummary {
  const startedAt = millisOf(from)
  return {
    iteration: number,
    passRate: null,
    result: 'kept',
    commit: null,
    turns: 0,
    startedAt,
    ...ended(to),
  }
}

function ended(time: string | undefined): { completedAt?: number } {
  const at = time === undefined ? undefined : millisOf(time)
  return at === undefined ? {} : { completedAt: at }
}
