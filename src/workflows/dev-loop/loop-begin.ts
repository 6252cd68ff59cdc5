// Begins a loop: workspace, state, first measurement.
import { type LoopRun, addTask } from './loop-run.js'
import type { LoopEnd } from './loop-end.js'
import { prepare, record } from './loop-steps.js'
import { firstMeasurement } from '../run/run-start.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { PreparedLoop } from '../../contract/dev-loop/loop-step.js'
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import { wantedMode } from '../../contract/dev-loop/loop-input.js'
import { iterationLimit } from '../../core/dev-loop/in-mode.js'
import { carriedInput } from '../../core/dev-loop/loop-carried.js'
import { NO_USAGE } from '../../core/run/run-usage.js'

/** Prepares a workspace and a record, and runs the tests before any change. */
export async function begin(run: LoopRun): Promise<LoopEnd | undefined> {
  const { facts, prepared } = await prepare(run)
  run.state = stateOf(run, facts, prepared)
  return firstMeasurement(run, record)
}

function stateOf({ id, input }: LoopRun, facts: ServerFacts, answer: PreparedLoop): LoopState {
  const { restored, prep, ...prepared } = answer
  const mode = wantedMode(input)
  const limit = input.maxIterations ?? iterationLimit(prepared, mode ?? restored?.mode)
  const state: LoopState = {
    schema: 1,
    input: carriedInput(input, id),
    startedAt: Date.now(),
    facts,
    prepared: { ...prepared, warnings: [] },
    texts: input.task === undefined ? [] : [prep?.task ?? input.task],
    mode: 'interactive',
    iteration: 0,
    maxIterations: limit,
    head: prepared.head,
    phase: 'init',
    actionIndex: 0,
    initialised: false,
    workersCompleted: [],
    tasks: [],
    findings: [],
    workers: [],
    debugged: false,
    timeouts: 0,
    loopBacks: [],
    parallelResults: null,
    history: [],
    commits: [],
    changedFiles: 0,
    usage: NO_USAGE,
    warnings: prepared.warnings,
    requestIds: [],
    // With the tasks of a package, init has nothing to do.
    ...(prep === undefined || prep.tasks.length === 0
      ? {}
      : { tasks: prep.tasks, initialised: true, phase: 'develop' }),
    ...restored,
    ...(restored === undefined ? {} : { maxIterations: restored.iteration + limit }),
    ...(mode === undefined ? {} : { mode }),
  }
  if (input.interactive === true && (!state.initialised || prep !== undefined))
    state.approval = 'open'
  if (input.extend !== undefined) addTask(state, input.extend)
  return state
}
