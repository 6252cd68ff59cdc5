// A person pauses, stops and cancels a dev cycle while its four agents run.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { StoredCycle } from '../../../src/adapters/records/dev-cycle/cycle-schema.js'
import { projectKey } from '../../../src/adapters/state-dir.js'
import type { RunHandle } from '../../../src/client/index.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { InProcessUser } from '../in-process/user.js'
import {
  allAtWork,
  bought,
  cycleEnd,
  cycleProject,
  cycleRecord,
  CYCLE_TURNS,
  resumed,
  resumedOnce,
  type CycleProject,
} from './killed-cycle.js'
import { gitOf, runGit, outsideOfRecord } from '../repositories/repos.js'
import { waitFor } from '../wait.js'

export type Hand = {
  pause: (mode: 'now' | 'turn') => Promise<unknown>
  resume: () => Promise<unknown>
  stop: () => Promise<unknown>
}
/** A way to control a cycle: its name and its commands. */
export type HandOf = { name: string; hand: (cycle: CycleProject, run: RunHandle) => Hand }
/** A program with the client. */
export const SCRIPT: HandOf = {
  name: 'script',
  hand: (_, run) => ({
    pause: (mode) => run.pause({ mode, reason: 'night' }),
    resume: () => run.resume(),
    stop: () => run.stop('enough'),
  }),
}

export type Undisturbed = { end: Record<string, unknown>; record: Record<string, string> }

/** The end of an undisturbed cycle. */
export async function undisturbedCycle(user: InProcessUser): Promise<Undisturbed> {
  const cycle = cycleProject(user, 'undisturbed')
  const result = await user.finish(await user.cycle(cycle.project, cycle.id))
  const undisturbed = { end: cycleEnd(cycle, result), record: cycleRecord(user, cycle, result) }
  expect(undisturbed.end).toMatchObject({ outcome: 'completed', iterations: 2, passRate: 100 })
  return undisturbed
}

/**
 * Pauses a cycle in its first iteration in mode now, and stops it in its second: all four continue
 * their sessions, then no process is left.
 */
export async function pausedThenStopped(
  user: InProcessUser,
  { name, hand }: HandOf,
): Promise<void> {
  const cycle = cycleProject(user, `steered-${name}`, [...allAtWork(1), ...allAtWork(2)])
  const { project, id } = cycle
  const was = outsideOfRecord(project)
  const run = await user.cycle(project, id)
  const { pause, resume, stop } = hand(cycle, run)
  await cycle.reached(allAtWork(1))
  await pause('now')
  await paused(run)
  expect((await run.status()).waitingFor).toBe(
    `paused (night); continue with: ratchet resume ${id}`,
  )
  await waitFor(() => left(run).length === 0, { what: 'the end of the agents', timeoutMs: 60_000 })
  expect(calc(user, cycle)).toContain('a + b\n\n\ndef mul') // what CD has not committed
  await resume()
  await waitFor(() => resumed(user, project).length === 4, {
    what: 'the four of them',
    timeoutMs: 60_000,
  })
  expect(calc(user, cycle)).toContain('a + b\n\n\ndef mul')
  cycle.open(allAtWork(1))

  await cycle.reached(allAtWork(2))
  const before = published(cycle)
  await stop()
  expect(await user.finish(run)).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    reason: 'stopped by request: enough',
    branch: `ratchet/${id}`,
    passRate: 75,
  })
  expect(left(run)).toEqual([])
  expectStopped(user, cycle, 'stopped by request: enough', before)
  expect(outsideOfRecord(project)).toEqual(was)
  expect([
    bought(user, project).filter((turn) => turn.startsWith('1 ')),
    resumed(user, project),
  ]).toEqual([CYCLE_TURNS.filter((turn) => turn.startsWith('1 ')), resumedOnce(allAtWork(1))])
}

/**
 * Pauses a cycle in its first iteration in mode now, in its second after the turns; it ends as
 * usual.
 */
export async function pausedTwice(
  user: InProcessUser,
  { name, hand }: HandOf,
  undisturbed: Undisturbed,
): Promise<void> {
  const cycle = cycleProject(user, `paused-${name}`, [...allAtWork(1), ...allAtWork(2)])
  const run = await user.cycle(cycle.project, cycle.id)
  const { pause, resume } = hand(cycle, run)

  await cycle.reached(allAtWork(1))
  await pause('now')
  await paused(run)
  await waitFor(() => master(cycle).status === 'paused', {
    what: 'the pause in the record',
    timeoutMs: 60_000,
  })
  expect((await run.status()).waitingFor).toBe(
    `paused (night); continue with: ratchet resume ${cycle.id}`,
  )
  await waitFor(() => left(run).length === 0, { what: 'the end of the agents', timeoutMs: 60_000 })
  expect(calc(user, cycle)).toContain('a + b\n\n\ndef mul') // what CD has not committed
  expect(runGit(workspace(user, cycle), 'status', '--porcelain', 'calc.py')).toContain('M calc.py')
  await resume()
  await waitFor(() => resumed(user, cycle.project).length === 4, {
    what: 'the four of them',
    timeoutMs: 60_000,
  })
  expect(calc(user, cycle)).toContain('a + b\n\n\ndef mul')
  cycle.open(allAtWork(1))

  await cycle.reached(allAtWork(2))
  const before = published(cycle)
  await pause('turn')
  cycle.open(['cd 2 work'])
  await waitFor(
    async () =>
      /^(?=.*validation-archivist)(?!.*developer).*; then it pauses \(night\)$/.test(
        (await run.status()).waitingFor,
      ),
    { what: 'one of two', timeoutMs: 60_000 },
  )
  cycle.open(allAtWork(2))
  await paused(run)
  expect([
    published(cycle),
    bought(user, cycle.project).filter((turn) => turn.startsWith('2 ')).length,
  ]).toEqual([before, 2])
  await resume()

  const result = await user.finish(run)
  expect(cycleEnd(cycle, result)).toEqual(undisturbed.end)
  expect(cycleRecord(user, cycle, result)).toEqual(undisturbed.record)
  expect([bought(user, cycle.project), resumed(user, cycle.project)]).toEqual([
    CYCLE_TURNS,
    resumedOnce(allAtWork(1)),
  ])
}

/**
 * Stops a cycle in its second iteration: no process is left, the work is kept, and it can resume.
 */
export async function stoppedOnce(user: InProcessUser, { name, hand }: HandOf): Promise<void> {
  const cycle = cycleProject(user, `stopped-${name}`, allAtWork(2))
  const { project, id } = cycle
  const was = outsideOfRecord(project)
  const run = await user.cycle(project, id)
  await cycle.reached(allAtWork(2))
  const before = published(cycle)
  await hand(cycle, run).stop()
  const result = await user.finish(run)
  expect(result).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    reason: 'stopped by request: enough',
    branch: `ratchet/${id}`,
    passRate: 75,
  })
  expect(left(run)).toEqual([])
  expectStopped(user, cycle, 'stopped by request: enough', before)
  expect(outsideOfRecord(project)).toEqual(was)

  // It resumes: the interrupted iteration is done again, in new sessions.
  cycle.open(allAtWork(2))
  const end = await user.finish(await user.cycle(project, id, { cycleId: id }))
  expect(end).toMatchObject({ outcome: 'completed', iterations: 2, passRate: 100 })
}

/** Cancels a cycle in its second iteration, like the Web UI, with the same effects as a stop. */
export async function cancelledOnce(
  user: InProcessUser,
  cancel: (id: string) => Promise<unknown>,
): Promise<void> {
  const cycle = cycleProject(user, 'cancelled', allAtWork(2))
  const run = await user.cycle(cycle.project, cycle.id)
  await cycle.reached(allAtWork(2))
  const before = published(cycle)
  await cancel(cycle.id)
  expect(await run.result()).toMatchObject({ ended: { kind: 'canceled' } })
  expect(left(run)).toEqual([])
  expectStopped(user, cycle, 'cancelled', before)
}

const left = (run: RunHandle) => findMarked(MARKERS.run, run.id)
const master = ({ project, id }: CycleProject) =>
  StoredCycle.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.cycle', `${id}.json`), 'utf8')),
  )
const workspace = (user: InProcessUser, { project, id }: CycleProject): string =>
  path.join(user.dirs.state, 'workspaces', projectKey(project), id, 'tree')
const published = ({ project, id }: CycleProject): string =>
  runGit(project, 'rev-parse', `ratchet/${id}`).trim()
const calc = (user: InProcessUser, cycle: CycleProject): string =>
  readFileSync(path.join(workspace(user, cycle), 'calc.py'), 'utf8')
const paused = (run: RunHandle) =>
  waitFor(async () => (await run.status()).status === 'paused', {
    what: 'the pause',
    timeoutMs: 60_000,
  })
function expectStopped(
  user: InProcessUser,
  cycle: CycleProject,
  reason: string,
  before: string,
): void {
  const record = master(cycle)
  expect(record).toMatchObject({
    status: 'failed',
    failure_reason: reason,
    current_iteration: 2,
    ratchet: { outcome: 'stopped', head: before },
  })
  // RA and EP have nothing to do in the second iteration.
  expect(
    Object.entries(record.agents).map(([phase, { status, error }]) => [phase, status, error]),
  ).toEqual([
    ['ra', 'idle', undefined],
    ['ep', 'idle', undefined],
    ['cd', 'failed', reason],
    ['vas', 'failed', reason],
  ])
  expect(published(cycle)).toBe(before)
  const kept = gitOf({ root: workspace(user, cycle) })
  const snapshots = runGit(kept, 'for-each-ref', '--format=%(refname)', 'refs/ratchet')
    .trim()
    .split('\n')
  expect(
    snapshots.filter((ref) => runGit(kept, 'show', `${ref}:calc.py`).includes('a * b')),
  ).not.toEqual([])
}
