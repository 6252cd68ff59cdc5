// Begins a cycle and each iteration: workspace, state, first measurement, waiting extensions.
import type { CycleRun } from './cycle-run.js'
import type { CycleEnd } from './cycle-end.js'
import { prepare, record } from './cycle-steps.js'
import { firstMeasurement } from '../run/run-start.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { PreparedCycle } from '../../contract/dev-cycle/cycle-step.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { defined } from '../../core/text/defined.js'
import { carriedInput } from '../../core/dev-cycle/cycle-carried.js'
import { newAgents, idleAgents } from '../../core/dev-cycle/cycle-agents.js'
import { unfollowed } from '../../core/run/task-work.js'
import { NO_USAGE } from '../../core/run/run-usage.js'
import { iterationsDone } from '../../core/dev-cycle/next-iteration.js'
import { withFeedback } from '../../core/dev-cycle/feedback.js'
import { extensionOf } from '../../core/dev-cycle/plan-tasks.js'

/** Number of iterations that a run carries, the newest; all of them are in the record. */
const ITERATIONS_KEPT = 10
/** Length of an extension in the description. */
const EXTENSION_SHOWN = 500

/** Prepares a workspace and a record, and runs the tests before any change. */
export async function begin(run: CycleRun): Promise<CycleEnd | undefined> {
  const { facts, prepared } = await prepare(run)
  run.state = stateOf(run, facts, prepared)
  return firstMeasurement(run, record)
}

function stateOf(
  { id, input }: CycleRun,
  facts: ServerFacts,
  answer: PreparedCycle & { maxIterations?: number },
): CycleState {
  const { prep, task = input.task ?? '', restored, maxIterations, ...prepared } = answer
  const limit = input.maxIterations ?? maxIterations ?? prepared.limits.maxIterations
  const requested = defined({
    scheduling: input.scheduling,
    parallel: input.parallel,
    interactive: input.auto === true ? false : input.interactive,
  })
  const fresh: CycleState = {
    schema: 1,
    input: carriedInput(input, id),
    startedAt: Date.now(),
    facts,
    prepared: { ...prepared, warnings: [] },
    tasks: [{ text: task, iteration: 1 }],
    scheduling: 'parallel',
    parallel: 4,
    interactive: false,
    prep,
    iteration: 0,
    maxIterations: limit,
    head: prepared.head,
    currentPhase: 'init',
    completedPhases: [],
    phaseErrors: [],
    agents: newAgents(),
    results: {},
    iterations: [],
    feedbackLog: [],
    decisions: [],
    blockers: [],
    oneToHundred: false,
    openIssues: [],
    pendingExtensions: input.extend === undefined ? [] : [input.extend],
    history: [],
    commits: [],
    changedFiles: 0,
    usage: NO_USAGE,
    warnings: prepared.warnings,
    requestIds: [],
    ...restored,
    ...requested,
  }
  if (restored === undefined) return fresh
  // An interrupted iteration runs again, with new sessions.
  const last = fresh.iterations.at(-1)
  const iteration = iterationsDone(
    last === undefined
      ? undefined
      : { number: last.number, isOver: last.completedAt !== undefined },
  )
  return {
    ...fresh,
    pendingExtensions: [
      ...restored.pendingExtensions,
      ...(input.extend === undefined ? [] : [input.extend]),
    ],
    iterations: fresh.iterations.filter((one) => one.completedAt !== undefined),
    iteration,
    maxIterations: iteration + limit,
    agents: idleAgents(fresh.agents),
  }
}

/** Starts the next iteration with every waiting extension. */
export function openIteration(run: CycleRun): void {
  const state = run.ready
  const iteration = state.iteration + 1
  const further = state.pendingExtensions.join('\n\n')
  const now = run.now()
  state.iteration = iteration
  state.currentPhase = 'ra'
  state.completedPhases = []
  state.results = {}
  run.begun = {
    turns: state.usage.turns,
    commits: state.commits.length,
    decisions: state.decisions,
    blockers: state.blockers,
  }
  state.agents = idleAgents(state.agents)
  if (further !== '') {
    // What was committed before it is no work on it.
    state.workFrom = state.head
    delete state.takenBack
    if (state.promised !== undefined) state.promised = unfollowed(state.promised)
    state.tasks = [...state.tasks, ...state.pendingExtensions.map((text) => ({ text, iteration }))]
    state.feedbackLog = withFeedback(state.feedbackLog, [
      {
        timestamp: now,
        source: 'user',
        target: 'ra',
        content: further.slice(0, EXTENSION_SHOWN),
        type: 'requirement_update',
      },
    ])
    state.pendingExtensions = []
  }
  // An interrupted iteration that runs again already has its extension.
  const extension = extensionOf(state.tasks, iteration) ?? ''
  state.iterations = [
    ...state.iterations,
    {
      number: iteration,
      ...(extension === '' ? {} : { extension: extension.slice(0, EXTENSION_SHOWN) }),
      startedAt: Date.now(),
      agentResults: {},
      issuesFound: [],
      resolved: false,
    },
  ].slice(-ITERATIONS_KEPT)
}
