// Parallel mode: develop, debug and validate at the same time, each in its own clone, then a merge.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import { PARALLEL_ACTIONS, type ParallelAction } from '../../contract/dev-loop/loop-input.js'
import type { ParallelResults } from '../../contract/dev-loop/loop-record.js'
import { choiceOf, conflictQuestion } from '../../core/dev-loop/conflicts.js'
import { reopened, tasksFollowed, withLost, withTakenBack } from '../../core/dev-loop/loop-tasks.js'
import { summaryOfWorker } from '../../core/dev-loop/loop-view.js'
import { files } from '../run/activity-options.js'
import { settleEdits } from '../run/edit-questions.js'
import type { LoopRun } from './loop-run.js'
import { measureAll, record, undoneWarning } from './loop-steps.js'
import { workerTurn, type WorkerDone } from './loop-turns.js'
import { keep } from './loop-work.js'
import { all } from '../run/all.js'
import { hostStep, moveBranch } from '../run/host-step.js'
import type { MergeWorkersAnswer, MergeWorkersInput } from '../../contract/dev-loop/loop-step.js'

/** Runs one round: three workers, their merge, and its tests. */
export async function sideBySide(run: LoopRun): Promise<void> {
  await run.control.safePoint()
  const state = run.ready
  const { head, prepared, iteration, facts } = state
  const { agentTurnMs, convergeMs } = prepared.limits.parallel
  const startedAt = (run.startedRound = Date.now())
  const turnsBefore = state.usage.turns
  run.worker = `round ${iteration} of develop, debug and validate`
  state.phase = 'develop'
  state.tasks = reopened(state.tasks)
  const cloned = await run.control.step(() => {
    run.enter('preparing', 'host: a clone for each worker')
    return files(facts.queue, 'clone the workspace for the workers').cloneWorkers({
      run: run.id,
      step: `${run.runId}/iteration-${iteration}`,
      name: prepared.name,
      workspace: prepared.workspace,
      head,
      configHash: run.ready.prepared.configHash,
      workers: [...PARALLEL_ACTIONS],
    })
  })
  for (const warning of cloned.warnings) run.warn(warning)
  run.clones = cloned.workspaces
  const done = new Map<ParallelAction, WorkerDone>()
  await all(
    cloned.workspaces.map(({ action, workspace }) => async () => {
      done.set(
        action,
        await workerTurn(run, {
          action,
          limitMs: agentTurnMs,
          convergeMs,
          place: { workspace, head },
        }),
      )
    }),
  )
  const { merged, choices } = await merge(run, done.get('develop'))
  await measureAll(run, `iteration-${iteration}/measure`)
  for (const { action, commit, files: changed, filesTotal } of merged.workers) {
    const worker = done.get(action)
    if (worker === undefined) continue
    const end: WorkerEnd = { ...worker, commit }
    keep(run, end, { files: changed, filesTotal }, { commit: head, parallel: true })
    if (action === 'develop')
      state.tasks = withLost(
        state.tasks,
        end.tasksCompleted ?? [],
        { files: changed, filesTotal },
        choices,
      )
    state.history.push(
      summaryOfWorker({
        end,
        run: state.lastRun,
        measured: action === 'validate',
        turns: action === 'develop' ? state.usage.turns - turnsBefore : 0,
        filesTotal,
        startedAt,
        completedAt: Date.now(),
      }),
    )
  }
  state.parallelResults = resultsOf(run, state.parallelResults?.conflicts ?? [])
  run.worker = undefined
  run.recording()
  await record(run)
  await settleEdits(run, { isAsked: false, record: () => record(run) })
}

/** Merges the clones; a person decides about conflicting files. */
async function merge(
  run: LoopRun,
  develop: WorkerDone | undefined,
): Promise<{ merged: MergeWorkersAnswer; choices: MergeWorkersInput['choices'] }> {
  const state = run.ready
  const { head, prepared, iteration } = state
  const decided: Decided = { choices: {}, asked: 0 }
  const tasks = tasksFollowed(state.tasks, develop ?? {})
  state.parallelResults = resultsOf(run, [])
  for (;;) {
    await run.control.safePoint()
    run.enter('merging', 'host: merging what the workers did')
    const merged = await hostStep(run, 'merge the workers', (host) =>
      host.mergeWorkers({
        run: run.id,
        step: `iteration-${iteration}/merge`,
        workspace: prepared.workspace,
        configHash: prepared.configHash,
        expectHead: head,
        ...(state.workFrom === undefined ? {} : { workFrom: state.workFrom }),
        ...(tasks.length === 0 ? {} : { tasks }),
        at: run.startedRound,
        subject: `Merge of ${run.clones.map(({ action }) => action).join(', ')} of ${prepared.name}`,
        suite: state.baseline !== undefined,
        workers: run.clones,
        choices: decided.choices,
      }),
    )
    for (const warning of merged.warnings) run.warn(warning)
    if (merged.conflicts.length === 0) {
      moveBranch(state, merged)
      if (merged.commits.length > 0)
        state.tasks = withTakenBack(state.tasks, tasks, merged.tasksTakenBack ?? [], develop ?? {})
      state.changedFiles += merged.filesTotal
      for (const { action, undone } of merged.workers)
        if (undone.length > 0) run.warn(undoneWarning(action, undone))
      run.clones = []
      return { merged, choices: decided.choices }
    }
    await decideConflicts(run, merged, decided)
  }
}

/**
 * A person's decisions. There may be more conflicts than a run carries: `all` applies to those too.
 */
type Decided = {
  choices: MergeWorkersInput['choices']
  all?: ParallelAction | 'base'
  asked: number
}

async function decideConflicts(
  run: LoopRun,
  { conflicts, conflictsTotal }: MergeWorkersAnswer,
  decided: Decided,
): Promise<void> {
  const state = run.ready
  const { choices } = decided
  const known = state.parallelResults?.conflicts ?? []
  state.parallelResults = resultsOf(run, [...known, ...conflicts])
  await record(run)
  for (const [n, conflict] of conflicts.entries()) {
    const { all } = decided
    if (all === undefined || (all !== 'base' && !conflict.workers.includes(all))) {
      run.enter('merging', `person: whose version of ${conflict.file} counts`)
      const option = await run.ask(
        conflictQuestion(conflict, {
          id: `conflict-${state.iteration}-${++decided.asked}`,
          left: conflictsTotal - n,
          askedAt: Date.now(),
        }),
      )
      await run.control.safePoint()
      if (option === undefined) throw new Error('a conflict was left without an answer')
      const choice = choiceOf(option)
      choices[conflict.file] = choice.whose
      if (choice.all) decided.all = choice.whose
    } else choices[conflict.file] = all
  }
  state.parallelResults = resultsOf(
    run,
    [...known, ...conflicts].map((one) => ({
      ...one,
      ...(choices[one.file] === undefined ? {} : { chosen: choices[one.file] }),
    })),
  )
}

function resultsOf(run: LoopRun, conflicts: ParallelResults['conflicts']): ParallelResults {
  const of = (action: ParallelAction) =>
    run.ready.workers.findLast(
      (one) => one.action === action && one.iteration === run.ready.iteration,
    ) ?? null
  return {
    develop: of('develop'),
    debug: of('debug'),
    validate: of('validate'),
    conflicts: conflicts.slice(0, CONFLICTS_KEPT),
    merged_at: run.now(),
  }
}

/** Number of conflicts that a run carries. */
const CONFLICTS_KEPT = 50
