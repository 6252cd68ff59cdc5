// kill -9 while something runs: the agent worker in a turn and in a test run, the agent, the
// workflow worker, the supervisor and the server. A running turn continues in its session; nothing
// starts over.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import { ensureProjectWorker } from '../../src/dev-server/index.js'
import { BUILT } from '../support/servers/local.js'
import {
  CALCULATOR,
  endState,
  makeProject,
  markers,
  realUser,
  RIGHT_ADD,
  RIGHT_MUL,
  TWO_FIXES,
  type RealUser,
  type Step,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
let undisturbed: Record<string, unknown>
beforeAll(async () => {
  user = await realUser()
  const project = makeProject(user, 'undisturbed', TWO_FIXES)
  undisturbed = endState(
    project,
    await user.finish(await user.fix(project, 'WFS-test-undisturbed')),
  )
  expect(undisturbed).toMatchObject({ outcome: 'success', iterations: 2, passRate: 100 })
})
afterAll(() => user.close())

/** The second fix has done its work and waits for a file, so the turn is still open. */
function waiting(file: string): Step[] {
  return [
    TWO_FIXES[0] as Step,
    { when: { role: 'test-fix-agent', iteration: 1 }, do: [RIGHT_ADD] },
    {
      when: { role: 'test-fix-agent', iteration: 2 },
      do: [RIGHT_MUL, { wait: { 'until-file': file } }, { say: 'done' }],
    },
  ]
}

async function inTheTurn(name: string) {
  const go = path.join(user.root, `${name}.go`)
  const project = makeProject(user, name, waiting(go))
  const run = await user.fix(project, `WFS-test-${name}`)
  const marker = await waitFor(
    () => markers(user, name).find((m) => m.role === 'test-fix-agent' && m.iteration === 2),
    { what: 'the turn that waits', timeoutMs: 60_000 },
  )
  return {
    project,
    run,
    marker,
    goOn: () => writeFileSync(go, ''),
    turns: () => markers(user, name).map((m) => `${m.role} ${m.iteration} attempt ${m.attempt}`),
  }
}

const RESUMED_ONCE = [
  'cli-planning-agent 1 attempt 1',
  'test-fix-agent 1 attempt 1',
  'cli-planning-agent 2 attempt 1',
  'test-fix-agent 2 attempt 1',
  'test-fix-agent 2 attempt 2',
]

test('the agent worker killed mid-turn: the next worker ends its agent and resumes the session', async () => {
  const { project, run, marker, goOn, turns } = await inTheTurn('worker')
  process.kill(await projectWorker(project), 'SIGKILL')
  await waitFor(() => turns().length === 5, { what: 'the resumed turn', timeoutMs: 90_000 })
  expect(alive(marker.pid)).toBe(false)
  goOn()
  expect(endState(project, await user.finish(run))).toEqual(undisturbed)
  expect(turns()).toEqual(RESUMED_ONCE)
})

test('the agent worker ended by SIGTERM mid-turn: the turn continues in its session', async () => {
  const { project, run, goOn, turns } = await inTheTurn('terminated')
  process.kill(await projectWorker(project), 'SIGTERM')
  await waitFor(() => turns().length === 5, { what: 'the resumed turn', timeoutMs: 90_000 })
  goOn()
  expect(endState(project, await user.finish(run))).toEqual(undisturbed)
  expect(turns()).toEqual(RESUMED_ONCE)
})

test('the agent killed mid-turn: the same activity restarts it and resumes its session', async () => {
  const { project, run, marker, goOn, turns } = await inTheTurn('agent')
  process.kill(marker.pid, 'SIGKILL')
  await waitFor(() => turns().length === 5, { what: 'the resumed turn', timeoutMs: 60_000 })
  goOn()
  expect(endState(project, await user.finish(run))).toEqual(undisturbed)
  expect(turns()).toEqual(RESUMED_ONCE)
})

test('the workflow worker killed mid-turn: the turn continues', async () => {
  const { project, run, goOn, turns } = await inTheTurn('workflows')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  goOn()
  expect(endState(project, await user.finish(run))).toEqual(undisturbed)
  expect(turns()).toEqual(RESUMED_ONCE.slice(0, 4))
})

test('the server killed mid-turn: the supervisor restarts it, the turn ends once', async () => {
  const { project, run, goOn, turns } = await inTheTurn('server')
  const there = await user.killServer(run)
  goOn()
  expect(endState(project, await user.finish(there))).toEqual(undisturbed)
  // If another server took the port, the workers are replaced and the turn continues in its
  // session.
  expect(turns().filter((t) => t.endsWith('attempt 1'))).toEqual(RESUMED_ONCE.slice(0, 4))
})

test('the supervisor killed mid-turn: the next start brings a new one, the turn continues', async () => {
  const { project, run, goOn, turns } = await inTheTurn('supervisor')
  process.kill(await user.pidOf('supervisor'), 'SIGKILL')
  await user.ensure({ entries: { supervisor: path.join(BUILT, 'dev-server/supervisor-main.js') } })
  await ensureProjectWorker(user.dirs, project, { env: user.env })
  goOn()
  expect(endState(project, await user.finish(run))).toEqual(undisturbed)
  expect(turns().filter((t) => t.endsWith('attempt 1'))).toEqual(RESUMED_ONCE.slice(0, 4))
})

test('the agent worker killed in a test run: the running tests are ended and started again', async () => {
  const go = path.join(user.root, 'tests.go')
  const started = path.join(user.root, 'tests.started')
  const slow = `import os, time\nfrom calc import add, mul\n\n\ndef test_waits():\n    open(${JSON.stringify(started)}, 'a').write(str(os.getpid()) + '\\n')\n    while not os.path.exists(${JSON.stringify(go)}):\n        time.sleep(0.05)\n`
  const project = makeProject(
    user,
    'tests',
    TWO_FIXES,
    {},
    { ...CALCULATOR, 'tests/test_wait.py': slow },
  )
  const run = await user.fix(project, 'WFS-test-tests')
  await waitFor(() => existsSync(started), { what: 'the test run', timeoutMs: 60_000 })
  const first = findMarked(MARKERS.run, run.id)
  expect(first.length).toBeGreaterThan(0)
  process.kill(await projectWorker(project), 'SIGKILL')
  await waitFor(() => first.every((p) => !alive(p.pid)), {
    what: 'the end of the first test run',
    timeoutMs: 90_000,
  })
  writeFileSync(go, '')
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 2, passRate: 100 })
  expect(markers(user, 'tests')).toHaveLength(4)
})

async function projectWorker(project: string): Promise<number> {
  const { localStatus } = await import('../../src/dev-server/index.js')
  const { projectKey } = await import('../../src/adapters/state-dir.js')
  const worker = (await localStatus(user.dirs)).workers.find((w) =>
    w.queue.endsWith(projectKey(project)),
  )
  if (worker === undefined) throw new Error(`no worker for ${project}`)
  return worker.pid
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
