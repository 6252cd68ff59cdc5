// The state of each of the four agents, as the record shows it. Only who answered is `completed`:
// an agent that ran out of time or said it failed is `failed`.
import type { CycleState, PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import type { AgentState, CurrentPhase } from '../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import { oneLine } from '../text/one-line.js'
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'

type Agents = CycleState['agents']

/** The agents of a cycle before its first iteration. */
export function newAgents(): Agents {
  return map(() => ({ status: 'idle', output_files: [], iterations_completed: 0 }))
}

/**
 * The agents at the beginning of an iteration: what they have done stays, what became of the last
 * turn does not.
 */
export function idleAgents(agents: Agents): Agents {
  return map((phase) => ({
    status: 'idle',
    output_files: agents[phase].output_files,
    iterations_completed: agents[phase].iterations_completed,
  }))
}

/** The agent waits: for a slot, or for what another one writes. */
export function waiting(agents: Agents, phase: Phase): Agents {
  return { ...agents, [phase]: { ...agents[phase], status: 'waiting' } }
}

/** A turn of the agent begins. `at`: ISO 8601. */
export function started(agents: Agents, phase: Phase, at: string): Agents {
  const { completed_at: _, error: __, ...before } = agents[phase]
  return { ...agents, [phase]: { ...before, status: 'running', started_at: at } }
}

/**
 * A turn of the agent is over. `at`: ISO 8601. A `partial` answer is one, and counts as completed.
 */
export function finished(
  agents: Agents,
  phase: Phase,
  result: Pick<PhaseResult, 'status' | 'summary' | 'files'> & { note?: string | undefined },
  at: string,
): Agents {
  const { error: _, ...before } = agents[phase]
  const answered = result.status === 'success' || result.status === 'partial'
  const message = oneLine(result.summary, ITEM_CHARS)
  const now: AgentState = {
    ...before,
    status: answered ? 'completed' : 'failed',
    completed_at: at,
    output_files:
      result.files.length > 0
        ? result.files.slice(0, ITEMS_KEPT).map((file) => `${phase}/${file}`)
        : before.output_files,
    ...(message === '' ? {} : { last_message: message }),
    ...(answered
      ? {}
      : {
          error: oneLine(
            result.note ?? (message === '' ? 'no usable result' : message),
            ITEM_CHARS,
          ),
        }),
  }
  return { ...agents, [phase]: now }
}

/**
 * The agents at the end of an iteration, which counts once for each that completed it, however many
 * turns it had.
 */
export function iterationOver(agents: Agents): Agents {
  return map((phase) => {
    const agent = agents[phase]
    return agent.status === 'completed'
      ? { ...agent, iterations_completed: agent.iterations_completed + 1 }
      : agent
  })
}

/**
 * The agents of a cycle that ends: who was at work has not finished, and who waited never began.
 */
export function closedAgents(agents: Agents, reason: string): Agents {
  return map((phase) => {
    const agent = agents[phase]
    if (agent.status === 'running')
      return { ...agent, status: 'failed', error: oneLine(reason, ITEM_CHARS) }
    return agent.status === 'waiting' ? { ...agent, status: 'idle' } : agent
  })
}

/**
 * The first agent at work, in the order in which one reads what the other wrote; else `otherwise`.
 */
export function phaseAtWork(agents: Agents, otherwise: CurrentPhase): CurrentPhase {
  return PHASES.find((phase) => agents[phase].status === 'running') ?? otherwise
}

function map(to: (phase: Phase) => AgentState): Agents {
  return Object.fromEntries(PHASES.map((phase) => [phase, to(phase)])) as Agents
}
