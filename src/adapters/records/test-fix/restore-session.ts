// Restores a session from its record alone: its workflow, its workspace, even its state directory
// may be gone. Measurements are used only if they can be verified; others are repeated.
//
// In two steps, before and after the workspace is prepared: `readBegun` reads and writes nothing,
// `restore` puts the copies of test results into the new workspace.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import type { FileRef } from '../../../contract/files.js'
import { Restored, type Best } from '../../../contract/test-fix/test-fix-state.js'
import type { TaskEntry } from '../../../contract/test-fix/task.js'
import type { Measured, TestRun } from '../../../contract/test-run.js'
import type { Workspace } from '../../../contract/workspace.js'
import { FixHistory } from '../../../core/records/iteration-record.js'
import { isFixOrRetest, iterationLimit } from '../../../core/test-fix/queue.js'
import { rebuildState } from '../../../core/records/recover-state.js'
import { fixDetails } from '../../../core/records/record-view.js'
import { TEST_FIX_ID } from '../../../core/records/session-files.js'
import { refTo } from '../../files/file-ref.js'
import { readCommit } from '../../git/commits.js'
import { isAncestor, resolve, workspaceRepo } from '../../git/repo.js'
import { sameTree, type ContinueFrom } from '../../workspace/continue.js'
import { ITERATION_STATE, readIterationState } from './iteration-state.js'
import { measuredFrom } from '../measured-from.js'
import type { FoundSession } from './open-session.js'
import { COPIES, foundCopies, holds, refsOf, type Copied } from '../result-copies.js'
import { readJson } from './sessions.js'
import { withAnswers } from './test-changes.js'
import { keepBeside } from '../write-if-unchanged.js'

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
    fixHistory: fixHistoryOf(found.dir),
    testTask: found.tasks.find((task) => task.type === 'test-fix')?.id ?? TEST_FIX_ID,
    at,
    fixes: found.fixes.map((entry) => ({
      entry,
      details: fixDetails(contentOf(path.join(found.dir, '.task', entry.file ?? ''))),
    })),
  })
  const warnings = isOurs
    ? [
        `${ITERATION_STATE} ${damaged === undefined ? 'is gone' : 'is damaged'}: where the session stood was taken from its other files`,
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
  return { branch, base, ...(typeof pending?.commit === 'string' ? { fix: pending.commit } : {}) }
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

export type RestorePlace = {
  /** Directory of the record. */
  dir: string
  workspace: Workspace
  head: string
  /** The workspace is at the session's branch; else nothing that was measured holds. */
  continued: boolean
  /** Where the copies of test results go, outside of the project. */
  into: string
}

/**
 * Puts what is left of the test results into the new workspace, and drops what does not fit: it is
 * measured again. Can be repeated.
 */
export async function restore(
  begun: Begun,
  at: RestorePlace,
): Promise<{ restored: Restored; warnings: string[] }> {
  const { dir, into } = at
  const warnings = [...begun.warnings]
  if (begun.damaged !== undefined)
    warnings.push(
      `the damaged file was kept as ${await keepBeside(path.join(dir, ITERATION_STATE), begun.damaged, 'damaged')}`,
    )
  const {
    baseline: _baseline,
    lastRun,
    lastFull: _lastFull,
    claims: _claims,
    assessed,
    pending: before,
    best,
    start,
    earlier = [],
    ...bare
  } = begun.restored
  const placed = at.continued
    ? place(dir, into, begun.isRebuilt ? foundCopies(dir) : refsOf(begun.restored))
    : {}
  const pending = at.continued ? await pendingAt(begun.restored, at) : before
  const measured = await lastRunAt(begun, placed, pending, at)
  if (lastRun?.kind === 'measured' && measured === undefined && at.continued)
    warnings.push(
      'the last test run does not belong to what the branch holds now, or is gone: the tests are run again',
    )
  // A fix that another tool planned, or that nothing is left to compare with: its id is not used
  // again.
  const given = begun.isRebuilt && pending !== undefined && measured === undefined
  // The record has no copy of these: one whose results are lost is none that a refuted run can go
  // back to.
  const kept = at.continued
    ? earlier.filter(({ run: { results } }) => holds(results.path, results))
    : []
  const restored: Restored = {
    ...bare,
    ...(kept.length === 0 ? {} : { earlier: kept }),
    baseline: placed.baseline,
    lastFull: placed.lastFull,
    ...(placed.claims === undefined ? {} : { claims: placed.claims, assessed }),
    lastRun: measured,
    ...(best === undefined || placed.best === undefined
      ? {}
      : { best: withResults(best, placed.best) }),
    ...(start === undefined || placed.start === undefined
      ? {}
      : { start: withResults(start, placed.start) }),
    ...(given
      ? { iteration: Math.max(bare.iteration, pending.iteration) }
      : pending === undefined
        ? {}
        : { pending }),
  }
  return { restored, warnings }
}

// The last run, where it is the one before a fix that is pending, or of what the branch holds. What
// only a person could repair is looked at again.
async function lastRunAt(
  { restored: { lastRun }, isRebuilt }: Begun,
  placed: Placed,
  pending: Restored['pending'],
  { workspace, head, continued, into }: RestorePlace,
): Promise<TestRun | undefined> {
  const fix = typeof pending?.commit === 'string' ? pending.commit : undefined
  // Somebody has built on the fix
  if (!continued || (fix !== undefined && fix !== head)) return undefined
  const { lastRun: results, output } = placed
  const run =
    lastRun?.kind === 'measured' || (lastRun === undefined && isRebuilt)
      ? measuredAgain(lastRun, results, output, into)
      : withOutput(pending === undefined ? undefined : lastRun, output)
  if (run === undefined || run.kind === 'cannot_execute') return undefined
  return (await sameTree(
    await workspaceRepo(workspace),
    run.commit,
    fix === undefined ? head : `${fix}^`,
  ))
    ? run
    : undefined
}

function measuredAgain(
  run: Measured | undefined,
  results: FileRef | undefined,
  output: FileRef | undefined,
  into: string,
): Measured | undefined {
  if (results === undefined) return undefined
  const log = output ?? emptyFile(path.join(into, 'no-output.log'))
  return run === undefined ? measuredFrom(results, log) : { ...run, results, output: log }
}

function withOutput(run: TestRun | undefined, output: FileRef | undefined): TestRun | undefined {
  if (run === undefined || run.kind === 'measured') return undefined
  const { output: _output, ...rest } = run
  return { ...rest, output }
}

// A commit that the branch does not hold was never published: the fix is made again. One that
// has no note, because everything died right after it, is known by its step.
async function pendingAt(
  { pending, lastRun }: Restored,
  { workspace, head }: RestorePlace,
): Promise<Restored['pending']> {
  if (pending === undefined || pending.commit === null || pending.commit === head) return pending
  const { commit, ...uncommitted } = pending
  const repo = await workspaceRepo(workspace)
  if (commit !== undefined)
    return (await resolve(repo, commit)) !== undefined && (await isAncestor(repo, commit, head))
      ? pending
      : uncommitted
  const { ours, trailers, parents } = await readCommit(repo, head)
  const isItsOwn =
    ours &&
    trailers.get('Ratchet-Step') === `iteration-${pending.iteration}/commit` &&
    parents[0] !== undefined
  return isItsOwn &&
    lastRun !== undefined &&
    (await sameTree(repo, parents[0] as string, lastRun.commit))
    ? { ...uncommitted, commit: head }
    : uncommitted
}

const withResults = (state: Best, results: FileRef): Best => ({
  ...state,
  run: { ...state.run, results },
})

type Placed = Partial<Record<Copied, FileRef>>

function place(dir: string, into: string, refs: Placed): Placed {
  mkdirSync(into, { recursive: true, mode: 0o700 })
  return Object.fromEntries(
    Object.entries(refs).flatMap(([name, ref]) => {
      const copy = path.join(dir, COPIES[name as Copied])
      if (!holds(copy, ref)) return []
      const to = path.join(into, path.basename(copy))
      copyFileSync(copy, to)
      return [[name, { ...ref, path: to }]]
    }),
  )
}

function emptyFile(file: string): FileRef {
  writeFileSync(file, '', { mode: 0o600 })
  return refTo(file, '')
}

function fixHistoryOf(dir: string): readonly unknown[] {
  return (
    FixHistory.safeParse(contentOf(path.join(dir, '.process/fix-history.json'))).data?.entries ?? []
  )
}

function contentOf(file: string): unknown {
  const read = readJson(file)
  return read !== undefined && 'value' in read ? read.value : undefined
}
