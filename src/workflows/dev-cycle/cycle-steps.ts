// The steps of a dev cycle that act on the host: prepare, commit, record.
import { workflowInfo } from '@temporalio/workflow'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import type { RunResult } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import { forRecord } from '../../core/dev-cycle/cycle-carried.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { files, light } from '../run/activity-options.js'
import type { CycleRun } from './cycle-run.js'
import { keepEdits } from '../run/person-edits.js'
import { hostStep } from '../run/host-step.js'
import type { PreparedCycle, RecordCycleInput } from '../../contract/dev-cycle/cycle-step.js'

/** Reads facts about the server, and prepares a workspace and the record, new or existing. */
export async function prepare(
  run: CycleRun,
): Promise<{ facts: ServerFacts; prepared: PreparedCycle & { maxIterations?: number } }> {
  const { input, control } = run
  const facts = await light.serverFacts({ project: input.project })
  run.details.register(facts.searchAttributes)
  run.details.upsert({ RatchetProject: facts.project, RatchetKind: 'dev-cycle' })
  const { task, cycleId, extend, base, prep, maxIterations } = input
  const prepared = await control.step(() => {
    run.enter('preparing', 'host: preparing the workspace')
    return files(facts.queue, 'prepare the workspace').prepareCycle({
      run: run.id,
      chain: workflowInfo().firstExecutionRunId,
      project: facts.project,
      at: Date.now(),
      task,
      cycleId,
      extend,
      base,
      prep,
      maxIterations,
    })
  })
  return { facts, prepared }
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
  run.enter('committing', `host: committing the work of iteration ${iteration}`)
  const answer = await hostStep(run, `commit, ${step}`, (host) =>
    host.commitCycle({
      run: run.id,
      step,
      workspace: prepared.workspace,
      configHash: run.ready.prepared.configHash,
      expectHead: state.head,
      at: Date.now(),
      subject: `Iteration ${iteration} of ${prepared.name}`,
      body: `Documents of this iteration have version ${cycleVersion(iteration)}.${agent === null ? '' : ` Made by ${agent}.`}`,
      record: recordInput(run),
      suite: state.baseline !== undefined,
    }),
  )
  state.head = answer.head
  if (answer.commit !== null) state.commits.push(answer.commit)
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
      ...(end === undefined
        ? {}
        : { settled: end.settled, result: { ...end.result, history: [], failures: [] } }),
    }),
  )
  for (const warning of answer.warnings) run.warn(warning)
  run.foreign = [...run.foreign, ...answer.foreign]
  keepEdits(run, answer.edits)
  return answer.failures ?? []
}

/** During a hold, the master file shows the cycle as paused. */
export async function recordHold(run: CycleRun): Promise<void> {
  if (run.state !== undefined) await record(run)
}

// History and failures are in the state: twice of them would exceed a payload.
function recordInput(run: CycleRun): RecordCycleInput {
  const { ready: state } = run
  const status = run.status()
  const isNew = state.iteration === 0 && status.status === 'running'
  return {
    run: run.id,
    state: forRecord(state),
    status: { ...status, ...(isNew ? { status: 'created' as const } : {}), history: [] },
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
  const { state } = run
  if (state === undefined) return
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
  if ('problem' in reloaded) run.warn(`the configuration was not read again: ${reloaded.problem}`)
  else state.prepared = { ...state.prepared, ...reloaded }
}
