// Restores a session from its record alone: its workflow, its workspace, even its state directory
// may be gone. Measurements are used only if they can be verified; others are repeated.
//
// Works in the prepared workspace; `begun-session.ts` has read the record before.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FileRef } from '../../../contract/files.js'
import type { Restored, Best } from '../../../contract/test-fix/test-fix-state.js'
import type { Measured, TestRun } from '../../../contract/test-run.js'
import type { Workspace } from '../../../contract/workspace.js'
import { refTo } from '../../files/file-ref.js'
import { acceptedAt } from '../../git/candidates.js'
import { readCommit } from '../../git/commits.js'
import { commitsOfStep, partsIn } from '../../git/parts.js'
import { workspaceRepo } from '../../git/repo.js'
import { sameTree } from '../../workspace/continue.js'
import { ITERATION_STATE } from './iteration-state.js'
import { measuredFrom } from '../measured-from.js'
import { COPIES, foundCopies, holds, refsOf, type Copied } from '../result-copies.js'
import type { Begun } from './begun-session.js'
import { keepCopy } from '../write-if-unchanged.js'

export type RestorePlace = {
  /** Directory of the record. */
  dir: string
  workspace: Workspace
  head: string
  /** The workspace is at the branch or candidate of the session; else no measurement holds. */
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
): Promise<{ restored: Restored; head: string; warnings: string[] }> {
  const { dir, into } = at
  const warnings = [...begun.warnings]
  if (begun.damaged !== undefined)
    warnings.push(
      `the damaged file was kept as ${await keepCopy(path.join(dir, ITERATION_STATE), begun.damaged, 'damaged')}`,
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
    dropped = [],
    ...bare
  } = begun.restored
  const placed = at.continued
    ? place(dir, into, begun.isRebuilt ? foundCopies(dir) : refsOf(begun.restored))
    : {}
  const pending = at.continued ? await pendingAt(begun.restored, at) : before
  const measured = await lastRunAt(begun, placed, pending, at)
  if (lastRun?.kind === 'measured' && measured === undefined && at.continued)
    warnings.push('the last test run is missing or does not match the branch: the tests run again')
  // A fix of Ratchet's own that nothing is left to compare with: its id is not used again.
  const lost =
    begun.isRebuilt &&
    pending !== undefined &&
    pending.planned !== true &&
    typeof pending.commit !== 'string' &&
    measured === undefined
  // The record has no copy of these: one whose results are lost is none that a refuted run can go
  // back to.
  const [kept, out] = [earlier, dropped].map((states) =>
    states.filter(({ run: { results } }) => at.continued && holds(results.path, results)),
  ) as [Best[], Best[]]
  const restored: Restored = {
    ...bare,
    ...(kept.length === 0 ? {} : { earlier: kept }),
    ...(out.length === 0 ? {} : { dropped: out }),
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
    ...(lost
      ? { iteration: Math.max(bare.iteration, pending.iteration) }
      : pending === undefined
        ? {}
        : { pending }),
  }
  // A candidate that no iteration waits for is left.
  const waits = restored.pending !== undefined && restored.pending.commit === at.head
  const head = waits ? at.head : await acceptedAt(await workspaceRepo(at.workspace), at.head)
  return { restored, head, warnings }
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
  if (!continued || (fix !== undefined && fix !== head)) return undefined
  const { lastRun: results, output } = placed
  const run =
    lastRun?.kind === 'measured' || (lastRun === undefined && isRebuilt)
      ? measuredAgain(lastRun, results, output, into)
      : withOutput(pending === undefined ? undefined : lastRun, output)
  if (run === undefined || run.kind === 'cannot_execute') return undefined
  const repo = await workspaceRepo(workspace)
  const before = fix === undefined ? head : await acceptedAt(repo, fix)
  if (!(await sameTree(repo, run.commit, before))) return undefined
  // Stored results name the candidate that was measured.
  return isRebuilt ? { ...run, commit: before } : run
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

// The session continues at a candidate unless it is gone or others have built on the branch: then
// the fix is made again. One that has no note, because everything died right after it, is known by
// its step.
async function pendingAt(
  { pending, lastRun }: Restored,
  { workspace, head }: RestorePlace,
): Promise<Restored['pending']> {
  if (pending === undefined || pending.commit === null || pending.commit === head) return pending
  const { commit, ...uncommitted } = pending
  if (commit !== undefined) return uncommitted
  const repo = await workspaceRepo(workspace)
  const { trailers } = await readCommit(repo, head)
  const [run, step] = [trailers.get('Ratchet-Run'), `iteration-${pending.iteration}/commit`]
  const made = run === undefined ? [] : await commitsOfStep(repo, { run, step }, head)
  const before = made[0]?.parents[0]
  if (before === undefined || lastRun === undefined) return uncommitted
  if (!(await sameTree(repo, before, lastRun.commit))) return uncommitted
  const parts = pending.causes === undefined ? undefined : partsIn(made)
  return { ...uncommitted, commit: head, ...(parts === undefined ? {} : { parts }) }
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
