// A dev cycle under the hands of people, while its four agents run: the CLI, a script, and JSON typed by
// hand into the `temporal` command, which is what the forms of the Web UI send.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { StoredCycle } from '../../src/adapters/records/cycle/schema.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { RunHandle } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import { recordedServer } from '../../src/local/server.js'
import { allFour, bought, cycleEnd, cycleProject, cycleRecord, CYCLE_TURNS, resumed, resumedOnce } from '../support/killed-cycle.js'
import type { CycleProject } from '../support/killed-cycle.js'
import { workerOf } from '../support/killed-session.js'
import { BUILT } from '../support/local.js'
import { realUser } from '../support/real-run.js'
import type { RealUser } from '../support/real-run.js'
import { fingerprint, runGit } from '../support/repos.js'
import { temporalPath } from '../support/temporal.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
let undisturbed: { end: Record<string, unknown>; record: Record<string, string> }
beforeAll(async () => {
  user = await realUser()
  const cycle = cycleProject(user, 'undisturbed')
  const result = await user.finish(await user.cycle(cycle.project, cycle.id))
  undisturbed = { end: cycleEnd(cycle, result), record: cycleRecord(user, cycle, result) }
  expect(undisturbed.end).toMatchObject({ outcome: 'completed', iterations: 2, passRate: 100 })
})
afterAll(() => user.close())

const execute = promisify(execFile)
const ratchet = async (project: string, ...argv: string[]): Promise<string> => (await execute(process.execPath, [path.join(BUILT, 'cli/main.js'), ...argv], { cwd: project, env: user.env })).stdout
const temporal = (...argv: string[]) =>
  execute(temporalPath(), ['workflow', ...argv, '--address', recordedServer(user.dirs)?.address ?? '', '--namespace', 'ratchet', '-o', 'json'], { env: { ...process.env, HOME: user.root } })
const typed = (id: string, name: string, ...input: string[]) => temporal('signal', '--workflow-id', id, '--name', name, ...input.flatMap((one) => ['--input', one]))

type Hand = { pause: (mode: 'now' | 'turn') => Promise<unknown>; resume: () => Promise<unknown>; stop: () => Promise<unknown> }

const HANDS: { through: string; name: string; hand: (cycle: CycleProject, run: RunHandle) => Hand }[] = [
  {
    through: 'the CLI', name: 'cli',
    hand: ({ project, id }) => ({
      pause: (mode) => ratchet(project, 'pause', id, ...(mode === 'now' ? ['--now'] : []), '--reason', 'night'),
      resume: () => ratchet(project, 'resume', id, '--detach'),
      stop: () => ratchet(project, 'stop', id, '--reason', 'enough'),
    }),
  },
  { through: 'a script', name: 'script', hand: (_, run) => ({ pause: (mode) => run.pause({ mode, reason: 'night' }), resume: () => run.resume(), stop: () => run.stop('enough') }) },
  {
    through: 'a form of the Web UI', name: 'form',
    hand: (_, { id }) => ({
      pause: (mode) => typed(id, 'pause', JSON.stringify({ mode, reason: 'night' })),
      resume: () => typed(id, 'resume'),
      stop: () => typed(id, 'stop', '"enough"'),
    }),
  },
]

const left = (run: RunHandle) => findMarked(MARKERS.run, run.id)
const master = ({ project, id }: CycleProject) => StoredCycle.parse(JSON.parse(readFileSync(path.join(project, '.workflow/.cycle', `${id}.json`), 'utf8')))
const workspace = ({ project, id }: CycleProject): string => path.join(user.dirs.state, 'workspaces', projectKey(project), id, 'tree')
const published = ({ project, id }: CycleProject): string => runGit(project, 'rev-parse', `ratchet/${id}`).trim()
const calc = (cycle: CycleProject): string => readFileSync(path.join(workspace(cycle), 'calc.py'), 'utf8')
const paused = (run: RunHandle) => waitFor(async () => (await run.status()).status === 'paused', { what: 'the pause', timeoutMs: 60_000 })
const untouched = (project: string) => Object.fromEntries(Object.entries(fingerprint(project)).filter(([file]) => !file.startsWith('.workflow')))

describe.concurrent('while four agents run', () => {
  test.each(HANDS)('paused now and after the turn through $through, the cycle ends as if nothing had happened', async ({ name, hand }) => {
    const cycle = cycleProject(user, `paused-${name}`, [...allFour(1), ...allFour(2)])
    const run = await user.cycle(cycle.project, cycle.id)
    const { pause, resume } = hand(cycle, run)

    await cycle.reached(allFour(1))
    await pause('now')
    await paused(run)
    await waitFor(() => master(cycle).status === 'paused', { what: 'the pause in the record', timeoutMs: 60_000 })
    expect((await run.status()).waitingFor).toBe(`paused (night); go on with: ratchet resume ${cycle.id}`)
    await waitFor(() => left(run).length === 0, { what: 'the end of the agents', timeoutMs: 60_000 })
    expect(calc(cycle)).toContain('a + b\n\n\ndef mul') // what CD has not committed
    expect(runGit(workspace(cycle), 'status', '--porcelain', 'calc.py')).toContain('M calc.py')
    await resume()
    await waitFor(() => resumed(user, cycle.project).length === 4, { what: 'the four of them', timeoutMs: 60_000 })
    expect(calc(cycle)).toContain('a + b\n\n\ndef mul')
    cycle.open(allFour(1))

    await cycle.reached(allFour(2))
    const before = published(cycle)
    await pause('turn')
    cycle.open(['ra 2 work', 'cd 2 work'])
    await waitFor(async () => /^agents: (?=.*exploration-planner)(?=.*validation-archivist)(?!.*(analyst|developer)).*; then it pauses \(night\)$/.test((await run.status()).waitingFor), { what: 'two of four', timeoutMs: 60_000 })
    cycle.open(allFour(2))
    await paused(run)
    expect([published(cycle), bought(user, cycle.project).filter((turn) => turn.startsWith('2 ')).length]).toEqual([before, 4])
    await resume()

    const result = await user.finish(run)
    expect(cycleEnd(cycle, result)).toEqual(undisturbed.end)
    expect(cycleRecord(user, cycle, result)).toEqual(undisturbed.record)
    expect([bought(user, cycle.project), resumed(user, cycle.project)]).toEqual([CYCLE_TURNS, resumedOnce(allFour(1))])
  })

  test.each(HANDS)('stopped through $through: nothing of it runs on, and what the agents had done is kept', async ({ name, hand }) => {
    const cycle = cycleProject(user, `stopped-${name}`, allFour(2))
    const { project, id } = cycle
    const was = untouched(project)
    const run = await user.cycle(project, id)
    await cycle.reached(allFour(2))
    const before = published(cycle)
    await hand(cycle, run).stop()
    const result = await user.finish(run)
    expect(result).toMatchObject({ outcome: 'stopped', status: 'failed', reason: 'stopped by request: enough', branch: `ratchet/${id}`, passRate: 75 })
    expect(left(run)).toEqual([])
    expectStopped(cycle, 'stopped by request: enough', before)
    expect(untouched(project)).toEqual(was)

    // And it goes on: the iteration that was cut off is done again, in sessions of its own.
    cycle.open(allFour(2))
    const end = await user.finish(await user.cycle(project, id, { cycleId: id }))
    expect(end).toMatchObject({ outcome: 'completed', iterations: 2, passRate: 100 })
  })

  test('cancelled in the Web UI it does the same work as stopped', async () => {
    const cycle = cycleProject(user, 'cancelled', allFour(2))
    const run = await user.cycle(cycle.project, cycle.id)
    await cycle.reached(allFour(2))
    const before = published(cycle)
    await temporal('cancel', '--workflow-id', cycle.id)
    expect(await run.result()).toMatchObject({ ended: { kind: 'canceled' } })
    expect(left(run)).toEqual([])
    expectStopped(cycle, 'cancelled', before)
  })
})

function expectStopped(cycle: CycleProject, reason: string, before: string): void {
  const record = master(cycle)
  expect(record).toMatchObject({ status: 'failed', failure_reason: reason, current_iteration: 2, ratchet: { outcome: 'stopped', head: before } })
  expect(Object.values(record.agents).map(({ status, error }) => [status, error])).toEqual(Array(4).fill(['failed', reason]))
  expect(published(cycle)).toBe(before)
  const snapshots = runGit(workspace(cycle), 'for-each-ref', '--format=%(refname)', 'refs/ratchet').trim().split('\n')
  expect(snapshots.filter((ref) => runGit(workspace(cycle), 'show', `${ref}:calc.py`).includes('a * b'))).not.toEqual([])
}

test('interactive: with its question open the workers and the server are killed; the answer finds it, and it goes on', async () => {
  const cycle = cycleProject(user, 'asked')
  const run = await user.cycle(cycle.project, cycle.id, { task: 'Make the calculator right', interactive: true })
  const question = async (at: RunHandle) => waitFor(async () => (await at.questions().catch(() => []))[0], { what: 'the question', timeoutMs: 120_000 })
  const asked = await question(run)
  expect(asked).toMatchObject({ id: 'iteration-1', options: ['continue', 'extend', 'stop'] })
  process.kill(await workerOf(user, cycle.project), 'SIGKILL')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  const there = await user.killServer(run)
  expect(await question(there)).toEqual(asked)
  await ratchet(cycle.project, 'answer', cycle.id, 'continue')
  const result = await user.finish(there)
  expect(cycleEnd(cycle, result)).toEqual(undisturbed.end)
  expect([bought(user, cycle.project), resumed(user, cycle.project)]).toEqual([CYCLE_TURNS, []])
})
