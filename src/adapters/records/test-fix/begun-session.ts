// Reads a session that was begun before from its record: its state, its queue, and whether it can
// continue. Writes nothing.
import path from 'node:path'
import { z } from 'zod'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import { Restored } from '../../../contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../../contract/test-fix/task.js'
import { isFixOrRetest, iterationLimit } from '../../../core/test-fix/queue.js'
import { rebuildState } from '../../../core/records/recover-state.js'
import { fixDetails } from '../../../core/records/record-view.js'
import { TEST_FIX_ID } from '../../../core/records/session-files.js'
import type { ContinueFrom } from '../../workspace/continue.js'
import { rawFixEntries } from './fix-histories.js'
import { ITERATION_STATE, readIterationState } from './iteration-state.js'
import type { FoundSession } from './open-session.js'
import { jsonContent } from './sessions.js'
import { withAnswers } from './test-changes.js'

/** A session that was begun before, as its record has it. */
export type Begun = {
  restored: Restored
  /** Tasks of the run's queue; absent where the record has none. */
  queue: TaskEntry[] | undefined
  /** `--max-iterations` of the run. */
  flag: number | undefined
  /** Where the branch was; absent for a session that no run of Ratchet has had. */
  continueFrom: ContinueFrom | undefined
  /** There was no state of the run's own in it. */
  isRebuilt: boolean
  /** Text of an iteration-state.json that could not be read. */
  damaged: string | undefined
  warnings: string[]
}

const Branch = z.object({ branch: z.string().min(1), base: z.string().regex(/^[0-9a-f]{7,64}$/) })

/**
 * Reads what an earlier run of a session has left; `undefined` where no iteration state and no fix
 * is there, so that the session begins.
 *
 * @throws RefusalError where a newer version wrote it
 */
export function readBegun(found: FoundSession, at: number): Begun | undefined {
  const read = readIterationState(found.dir)
  if (found.fields === undefined || (read === undefined && found.fixes.length === 0))
    return undefined
  const branch = Branch.safeParse(found.fields).data
  if (read !== undefined && 'content' in read) {
    const { state } = read.content
    const { workspace } = state.prepared
    const restored = Restored.parse(state)
    const gone =
      restored.pending !== undefined &&
      restored.pending.commit === undefined &&
      !found.fixes.some(({ id }) => id === restored.pending?.task)
    if (gone) delete restored.pending
    if (restored.proposals !== undefined)
      restored.proposals = withAnswers(found.dir, restored.proposals)
    const warnings = gone
      ? [`the fix task ${state.pending?.task ?? ''} is gone: the failures are analysed again`]
      : []
    return {
      restored: reopened(restored, found),
      queue: state.queue,
      flag: state.input.maxIterations,
      continueFrom: fromOf(branch ?? workspace, restored),
      isRebuilt: false,
      damaged: undefined,
      warnings,
    }
  }
  const raw = read?.raw
  refuseNewer(found.dir, raw)
  const isOurs = found.fields['schema'] !== undefined
  const damaged = isOurs ? read?.damaged : undefined // another tool's is as it should be
  const restored = rebuildState({
    iterationState: raw,
    session: found.fields,
    fixHistory: rawFixEntries(found.dir),
    testTask: found.tasks.find((task) => task.type === 'test-fix')?.id ?? TEST_FIX_ID,
    at,
    fixes: found.fixes.map((entry) => ({
      entry,
      details: fixDetails(jsonContent(path.join(found.dir, '.task', entry.file ?? ''))),
    })),
  })
  if (!isOurs && restored.pending !== undefined) restored.pending.planned = true
  const warnings = isOurs
    ? [
        `${ITERATION_STATE} ${damaged === undefined ? 'is gone' : 'is damaged'}: the state of the session was read from its other files`,
      ]
    : []
  return {
    restored,
    queue: undefined,
    flag: undefined,
    continueFrom: branch === undefined ? undefined : fromOf(branch, restored),
    isRebuilt: true,
    damaged,
    warnings,
  }
}

// A person who resumes a blocked session has changed something: it gets its reflective iteration
// again.
function reopened(restored: Restored, { fields }: FoundSession): Restored {
  const { lastStrategy: _lastStrategy, degraded: _degraded, ...rest } = restored
  const open = fields?.['outcome'] === 'blocked' ? rest : restored
  const { pending } = open
  if (pending === undefined) return open
  // The analysis of the fix that is pending has had it
  const { rollbackReason: _reason, ...begun } = open
  return { ...begun, lastStrategy: pending.strategy }
}

function fromOf(
  { branch, base }: { branch: string; base: string },
  { pending }: Restored,
): ContinueFrom {
  return {
    branch,
    base,
    ...(typeof pending?.commit === 'string' ? { fix: pending.commit } : {}),
    ...(pending !== undefined && pending.commit === undefined
      ? { iteration: pending.iteration }
      : {}),
  }
}

function refuseNewer(dir: string, raw: unknown): void {
  const schema =
    typeof raw === 'object' && raw !== null ? (raw as { schema?: unknown }).schema : undefined
  if (typeof schema === 'number' && schema > 2)
    throw new RefusalError(
      BAD_INPUT,
      `the session was written by a newer version of Ratchet (schema ${schema})`,
      path.join(dir, ITERATION_STATE),
      'continue it with that version',
    )
}

/**
 * Returns the queue of a session that continues: its task files, with what the run knew of each.
 */
export function resumedTasks(
  tasks: readonly TaskEntry[],
  { queue, restored, flag }: Begun,
): { tasks: TaskEntry[]; warnings: string[] } {
  const first = tasks.find((task) => task.type === 'test-fix')?.id
  const resumed = tasks.map((task) => {
    const known = queue?.find(({ id }) => id === task.id)
    const spent = restored.history.filter(
      (one) => one.iteration > 0 && (one.parent ?? first) === task.id,
    ).length
    const limit = task.maxIterations ?? (task.type === 'test-fix' ? flag : undefined)
    return {
      ...task,
      status: known?.status ?? task.status,
      attempts: known?.attempts ?? (task.type === 'test-fix' ? spent : 0),
      ...(known?.noTests === undefined ? {} : { noTests: known.noTests }),
      ...(limit === undefined ? {} : { maxIterations: limit }),
    }
  })
  const gone = (queue ?? []).filter(
    (task) => !isFixOrRetest(task) && !tasks.some(({ id }) => id === task.id),
  )
  return {
    tasks: resumed,
    warnings: gone.map(({ id }) => `${id} has no file in .task any more and was left out`),
  }
}

/**
 * Refuses to continue if no iteration is left.
 *
 * @throws RefusalError `BadInput` with the number of spent iterations and the flag to give
 */
export function refuseSpent(
  found: FoundSession,
  tasks: readonly TaskEntry[],
  { restored }: Begun,
  requested: { flag: number | undefined; extend: number | undefined; config: number },
): void {
  const open = tasks.filter((task) => task.type === 'test-fix' && task.status !== 'completed')
  const spent = open.find(
    (task) =>
      task.attempts >=
      iterationLimit({
        flag: requested.flag,
        task: task.maxIterations,
        config: requested.config,
        extended: (restored.extended ?? 0) + (requested.extend ?? 0),
      }),
  )
  if (spent === undefined || restored.pending !== undefined) return
  const isGreen = restored.lastRun?.kind === 'measured' && restored.lastRun.failed === 0
  // It ends by itself, with its result
  if (isGreen || (found.standing !== 'failed' && requested.flag === undefined)) return
  const limit = spent.attempts + Math.max(1, requested.extend ?? 0)
  throw new RefusalError(
    BAD_INPUT,
    `${spent.attempts} iteration${spent.attempts === 1 ? ' is' : 's are'} spent on ${spent.id}, none is left`,
    found.dir,
    `allow more: ratchet fix --resume-session ${found.name} --max-iterations ${limit} or higher`,
  )
}
