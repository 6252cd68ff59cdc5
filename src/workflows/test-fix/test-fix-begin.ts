// Begins a test-fix run: its workspace, its state, and the unfinished fix of an earlier run.
import type { TestFixRun } from './test-fix-run.js'
import type { End } from './test-fix-end.js'
import { acceptFix, prepare, record } from './test-fix-steps.js'
import { NO_USAGE } from '../../core/run/run-usage.js'
import { reopenedQueue } from '../../core/test-fix/closed-queue.js'
import { rollBack } from './go-back.js'
import { acceptTestChanges } from './test-changes.js'
import type { PendingFix } from '../../contract/test-fix/test-fix-state.js'
import { spend, insertFix, setStatus } from '../../core/test-fix/queue.js'

/** Prepares a workspace, the session's files and its queue. */
export async function begin(run: TestFixRun): Promise<End | undefined> {
  const { input } = run
  const requested = {
    generateTests: input.generateTests === true,
    ...(input.testsFor === undefined ? {} : { testsFor: input.testsFor }),
    maxIterations: input.maxIterations,
    extend: input.extend,
    ...(input.acceptTestChanges === true ? { acceptTestChanges: true as const } : {}),
  }
  const {
    facts,
    prepared: { tasks, unplanned, generation, restored, ...prepared },
  } = await prepare(run, requested)
  run.state = {
    schema: 1,
    input,
    startedAt: Date.now(),
    facts,
    prepared,
    iteration: 0,
    maxIterations: input.maxIterations ?? prepared.limits.maxIterations,
    head: prepared.head,
    history: [],
    commits: [],
    usage: NO_USAGE,
    warnings: prepared.warnings,
    requestIds: [],
    ...(generation === undefined ? {} : { generation }),
    ...restored,
    ...interactiveOf(input, restored),
    // Tasks that their author blocked stay blocked; tasks that a run of Ratchet blocked are due
    // again.
    queue: (restored === undefined ? tasks : reopenedQueue(tasks)).filter(
      (task) => task.type !== 'test-fix-iteration',
    ),
    ...(unplanned === true ? { unplanned } : {}),
    // An explicit limit is the total, regardless of what was granted before.
    extended:
      (input.maxIterations === undefined ? (restored?.extended ?? 0) : 0) + (input.extend ?? 0),
  }
  if (input.acceptTestChanges === true) await dropPending(run)
  await restorePending(run)
  await record(run)
  return input.acceptTestChanges === true ? acceptTestChanges(run) : undefined
}

/** A session that continues asks as before, unless its start says otherwise. */
function interactiveOf(
  { auto, interactive }: TestFixRun['input'],
  restored: { interactive?: boolean | undefined } | undefined,
): { interactive?: boolean } {
  const asks = auto === true ? false : (interactive ?? restored?.interactive)
  return asks === undefined ? {} : { interactive: asks }
}

/** Drops a fix that waits for its retest: it was made for the tests as they were. */
async function dropPending(run: TestFixRun): Promise<void> {
  const { pending } = run.ready
  if (pending === undefined) return
  spendPending(run, pending)
  if (typeof pending.commit === 'string') await rollBack(run, pending.iteration, 'begin/candidate')
  delete run.ready.pending
}

/** Counts an iteration that is left behind, as its turns were paid for. */
function spendPending(run: TestFixRun, { iteration, parent }: PendingFix): void {
  const state = run.ready
  if (iteration <= state.iteration) return
  state.iteration = iteration
  if (run.queue.some(({ id }) => id === parent)) run.queue = spend(run.queue, parent)
}

/** Restores the fix and retest of a session that continues in the middle of an iteration. */
async function restorePending(run: TestFixRun): Promise<void> {
  const { pending, lastRun } = run.ready
  if (pending === undefined || pending.planned === true) return
  if (lastRun === undefined) {
    // Nothing is left to compare it with, so it is kept, and the branch is measured as it is.
    if (pending.commit !== undefined) spendPending(run, pending)
    if (typeof pending.commit === 'string') await acceptFix(run, pending, undefined)
    delete run.ready.pending
    return
  }
  const { iteration, parent, task, summary } = pending
  run.queue = insertFix(run.queue, {
    iteration,
    parent,
    title: summary,
    file: `${task}.json`,
    dependsOn: [],
    maxIterations: run.ready.maxIterations,
  })
  if (pending.commit !== undefined) run.queue = setStatus(run.queue, task, 'completed')
}
