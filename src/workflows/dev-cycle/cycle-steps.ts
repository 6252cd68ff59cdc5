// The steps of a dev cycle that act on the host: prepare, commit, record.
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import type { RunResult } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import { forRecord } from '../../core/dev-cycle/cycle-carried.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { tasksFollowed, withTakenBack } from '../../core/dev-cycle/promised.js'
import type { CycleRun } from './cycle-run.js'
import { keepEdits } from '../run/person-edits.js'
import { applyReloaded } from '../run/hold.js'
import { hostStep, moveBranch } from '../run/host-step.js'
import { recordedResult } from '../run/run-end.js'
import { prepareWorkspace } from '../run/run-start.js'
import type { PreparedCycle, RecordCycleInput } from '../../contract/dev-cycle/cycle-step.js'

/** Prepares a workspace and the record, new or existing. */
export function prepare(
  run: CycleRun,
): Promise<{ facts: ServerFacts; prepared: PreparedCycle & { maxIterations?: number } }> {
  const { task, cycleId, extend, base, prep, maxIterations } = run.input
  return prepareWorkspace(run, (host, about) =>
    host.prepareCycle({ ...about, task, cycleId, extend, base, prep, maxIterations }),
  )
}

/** The result of committing an iteration's work. */
export type Committed = { commit: string | null; files: string[]; filesTotal: number }

/**
 * Commits the developer's work and writes the record, so that nothing changes while it is judged.
 */
export async function commit(
  run: CycleRun,
  step: string,
  agent: string | null,
): Promise<Committed> {
  const state = run.ready
  const { prepared, iteration } = state
  await run.control.safePoint()
  const tasks = tasksFollowed(state.promised ?? [], state.results.cd)
  run.enter('committing', `host: committing the work of iteration ${iteration}`)
  const answer = await hostStep(run, `commit, ${step}`, (host) =>
    host.commitCycle({
      run: run.id,
      step,
      workspace: prepared.workspace,
      configHash: run.ready.prepared.configHash,
      expectHead: state.head,
      ...(state.workFrom === undefined ? {} : { workFrom: state.workFrom }),
      ...(tasks.length === 0 ? {} : { tasks }),
      at: Date.now(),
      subject: `Iteration ${iteration} of ${prepared.name}`,
      body: `Documents of this iteration have version ${cycleVersion(iteration)}.${agent === null ? '' : ` Made by ${agent}.`}`,
      record: recordInput(run),
      suite: state.baseline !== undefined,
    }),
  )
  moveBranch(state, { ...answer, commits: answer.commit === null ? [] : [answer.commit] })
  if (answer.commit !== null && state.promised !== undefined)
    state.promised = withTakenBack(
      state.promised,
      tasks,
      answer.tasksTakenBack ?? [],
      state.results.cd,
    )
  state.changedFiles += answer.filesTotal
  run.committedFiles += answer.filesTotal
  run.tampered = [...run.tampered, ...answer.tampered]
  run.foreign = [...run.foreign, ...answer.foreign]
  run.changedTests = [...new Set([...run.changedTests, ...answer.changedTests])]
  if (answer.changedTests.length > 0)
    run.warn(
      `existing tests were changed in iteration ${iteration}: ${answer.changedTests.join(', ')}`,
    )
  for (const warning of answer.warnings) run.warn(warning)
  keepEdits(run, answer.edits)
  return { commit: answer.commit, files: answer.files, filesTotal: answer.filesTotal }
}

/**
 * Projects the state into the record and the branch into the user's repository.
 *
 * @param end how the run ended, and which agents were settled then: an interrupted agent still owns
 * its documents
 */
export async function record(
  run: CycleRun,
  end?: { result: RunResult; settled: Phase[] },
): Promise<RunResult['failures']> {
  const answer = await hostStep(run, 'write the record', (host) =>
    host.recordCycle({
      ...recordInput(run),
      ...(end === undefined ? {} : { settled: end.settled }),
      ...recordedResult(end?.result),
    }),
  )
  for (const warning of answer.warnings) run.warn(warning)
  run.foreign = [...run.foreign, ...answer.foreign]
  keepEdits(run, answer.edits)
  run.archived = answer.archived
  return answer.failures ?? []
}

function recordInput(run: CycleRun): RecordCycleInput {
  const { ready: state } = run
  return {
    run: run.id,
    state: forRecord(state),
    status: run.recordStatus(),
    at: Date.now(),
    settled: settled(state),
  }
}

/**
 * Agents whose turn was read: their documents are in the record, and later changes come from
 * others.
 */
export function settled({ agents, results }: CycleState): Phase[] {
  return PHASES.filter(
    (phase) => agents[phase].status !== 'running' && typeof results[phase]?.agent === 'string',
  )
}

/** After a resume, the current configuration applies. */
export async function reload(run: CycleRun): Promise<void> {
  const { ready: state } = run
  const { workspace, name, timezone } = state.prepared
  const { edits, ...reloaded } = await hostStep(run, 'read the configuration', (host) =>
    host.reloadCycle({
      workspace,
      name,
      timezone,
      iteration: Math.max(1, state.iteration),
      phases: PHASES.filter((phase) => state.agents[phase].status !== 'running'),
      seen: state.edits?.seen ?? 0,
    }),
  )
  keepEdits(run, edits)
  applyReloaded(run, reloaded)
}
