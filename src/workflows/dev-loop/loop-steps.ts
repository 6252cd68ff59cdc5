// The steps of a dev loop that act on the host: prepare, commit, check, record.
import type { WorkerEnd } from '../../contract/dev-loop/loop-state.js'
import type { LoopAction } from '../../contract/dev-loop/loop-input.js'
import type { RunResult } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import { forRecord } from '../../core/dev-loop/loop-carried.js'
import { tasksFollowed, withTakenBack } from '../../core/dev-loop/loop-tasks.js'
import { shortList } from '../../core/text/short-text.js'
import type { LoopRun } from './loop-run.js'
import { checkQuality, measure } from '../run/measure.js'
import { keptEdits } from '../run/person-edits.js'
import { applyReloaded } from '../run/hold.js'
import { hostStep, moveBranch } from '../run/host-step.js'
import { recordedResult } from '../run/run-end.js'
import { prepareWorkspace } from '../run/run-start.js'
import type { CommitLoopAnswer, PreparedLoop } from '../../contract/dev-loop/loop-step.js'

/** Prepares a workspace and the record, new or existing. */
export function prepare(run: LoopRun): Promise<{ facts: ServerFacts; prepared: PreparedLoop }> {
  const { task, loopId, extend, base, prep } = run.input
  return prepareWorkspace(run, (host, about) =>
    host.prepareLoop({ ...about, task, loopId, extend, base, prep }),
  )
}

/** Commits a worker's work, so that nothing changes while it is judged. */
export async function commit(
  run: LoopRun,
  end: Omit<WorkerEnd, 'commit'>,
): Promise<CommitLoopAnswer> {
  const state = run.ready
  const { prepared, iteration } = state
  const { action } = end
  await run.control.safePoint()
  run.enter(action, `host: committing the work of ${action}`)
  const tasks = tasksFollowed(state.tasks, end)
  const what = end.task === undefined ? action : `${action} ${end.task}`
  const answer = await hostStep(run, `commit, ${what}`, (host) =>
    host.commitLoop({
      run: run.id,
      step: `iteration-${iteration}/${action}`,
      workspace: prepared.workspace,
      configHash: prepared.configHash,
      expectHead: state.head,
      ...(state.workFrom === undefined ? {} : { workFrom: state.workFrom }),
      ...(tasks.length === 0 ? {} : { tasks }),
      at: Date.now(),
      action,
      suite: state.baseline !== undefined,
      subject: `${what} of ${prepared.name}`,
      body: [end.summary, end.agent === null ? '' : `Made by ${end.agent}.`]
        .filter((text) => text !== '')
        .join('\n\n'),
    }),
  )
  moveBranch(state, { ...answer, commits: answer.commit === null ? [] : [answer.commit] })
  if (answer.commit !== null)
    state.tasks = withTakenBack(state.tasks, tasks, answer.tasksTakenBack ?? [], end)
  state.changedFiles += answer.filesTotal
  for (const warning of answer.warnings) run.warn(warning)
  if (answer.undoneTotal > 0) run.warn(undoneWarning(action, answer.undone, answer.undoneTotal))
  if (answer.changedTests.length > 0)
    run.warn(
      `existing tests were changed by ${action} in iteration ${iteration}: ${answer.changedTests.join(', ')}`,
    )
  return answer
}

/** Warns that a worker changed files that it may not change. */
export function undoneWarning(
  action: LoopAction,
  undone: readonly string[],
  total = undone.length,
): string {
  return `${action} changed files that it may not change; they were restored: ${shortList([...undone], total, 5)}`
}

/** Runs the tests of the head, then lint, types and coverage if the project has them. */
export async function measureAll(run: LoopRun, step: string): Promise<void> {
  await measure(run, step)
  await checkQuality(run, step)
}

/** Projects the state into the record and the branch into the user's repository. */
export async function record(
  run: LoopRun,
  result?: RunResult,
): Promise<Pick<RunResult, 'failures' | 'suggestion'>> {
  const { ready: state } = run
  const answer = await hostStep(run, 'write the record', (host) =>
    host.recordLoop({
      run: run.id,
      state: forRecord(state),
      status: run.recordStatus(),
      at: Date.now(),
      workers: run.facts,
      clones: result === undefined ? [] : run.clones,
      ...recordedResult(result),
    }),
  )
  run.facts = []
  for (const warning of answer.warnings) run.warn(warning)
  keptEdits(run, answer.edits)
  run.archived = answer.archived
  return {
    failures: answer.failures ?? [],
    suggestion: answer.suggestion,
  }
}

/** After a resume, the current configuration applies. */
export async function reload(run: LoopRun): Promise<void> {
  const { prepared, iteration, edits: known } = run.ready
  const { workspace, name, timezone } = prepared
  const { edits, ...reloaded } = await hostStep(run, 'read the configuration', (host) =>
    host.reloadLoop({ workspace, name, timezone, iteration, seen: known?.seen ?? 0 }),
  )
  keptEdits(run, edits)
  applyReloaded(run, reloaded)
}
