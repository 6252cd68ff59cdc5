// After a reboot only the files are left: open runs continue with the next command.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { identify, self } from '../../src/adapters/process/identity.js'
import { connect } from '../../src/client/index.js'
import { livingChildren } from '../../src/dev-server/children.js'
import { localStatus } from '../../src/dev-server/index.js'
import { BUILT, localUser, type LocalUser } from '../support/servers/local.js'
import {
  ANALYSE,
  makeProject,
  markers,
  realUser,
  RIGHT_ADD,
  RIGHT_MUL,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: LocalUser
afterEach(() => user.remove())

/** Kills supervisor, workers and server at once, like a reboot. */
async function killEverything(): Promise<void> {
  const { supervisor, server } = await localStatus(user.dirs)
  const pids = [
    supervisor?.pid,
    ...livingChildren(user.dirs).map((child) => child.identity.pid),
    server?.pid,
  ].map((pid) => pid ?? 0)
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await waitFor(() => pids.every((pid) => identify(pid) === undefined), {
    what: 'everything to be gone',
  })
}

test('an open run of another project continues with the next command that needs the server', async () => {
  const real = await realUser()
  user = real
  const gate = path.join(real.root, 'gate')
  const project = makeProject(real, 'a', [
    ANALYSE,
    { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
  ])
  const { id } = await real.fix(project, 'WFS-test-a')
  await waitFor(() => markers(real, 'a').some((marker) => marker.role === 'test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: 60_000,
  })
  await killEverything()
  await real.ratchet.close()
  writeFileSync(gate, '')

  const { address } = await real.ensure({
    entries: { supervisor: path.join(BUILT, 'dev-server/supervisor-main.js') },
  })
  const ratchet = await connect({ address })
  try {
    expect(await ratchet.attach(id).result()).toMatchObject({
      result: { outcome: 'success', passRate: 100 },
    })
  } finally {
    await ratchet.close()
  }
  expect(real.log('supervisor')).toMatch(/project-[0-9a-f]{12} is ready/)
})

test('processes of a dead worker are ended before any worker starts; all others stay', async () => {
  user = localUser()
  const dead = { ...self(), startTime: '1' }
  const note = (name: string, workflowId: string, worker: object): void => {
    const dir = path.join(user.dirs.state, 'in-flight', '0123456789ab')
    mkdirSync(dir, { recursive: true })
    writeFileSync(
      path.join(dir, name),
      JSON.stringify({ workflowId, runId: 'r', activityId: '1', attempt: 1, worker }),
    )
  }
  const [left, shared, other] = ['left', 'shared', 'other'].map(
    (name) => `${path.basename(user.root)}-${name}`,
  ) as [string, string, string]
  note('1.json', left, dead)
  note('2.json', shared, dead)
  note('3.json', shared, self()) // a living worker continues it
  const sleeping = [left, shared, other].map((run) =>
    spawn('sleep', ['600'], {
      env: { PATH: process.env['PATH'], RATCHET_RUN: run },
      stdio: 'ignore',
    }),
  )
  const alive = (): boolean[] => sleeping.map((child) => identify(child.pid ?? 0) !== undefined)
  try {
    await user.ensure()
    expect(alive()).toEqual([false, true, true])
    expect(user.log('supervisor')).toContain(
      `ended 1 processes of the run ${left}, whose worker had died`,
    )
  } finally {
    for (const child of sleeping) child.kill('SIGKILL')
  }
})

test('a project whose directory is gone gets no worker, even with open runs', async () => {
  const real = await realUser()
  user = real
  const project = makeProject(real, 'gone', [
    { do: [{ wait: { 'until-file': path.join(real.root, 'never') } }] },
  ])
  await real.fix(project, 'WFS-test-gone')
  await waitFor(() => markers(real, 'gone').length > 0, {
    what: 'the first turn',
    timeoutMs: 60_000,
  })
  await killEverything()
  await real.ratchet.close()
  rmSync(project, { recursive: true })
  await real.ensure({ entries: { supervisor: path.join(BUILT, 'dev-server/supervisor-main.js') } })
  expect(await localStatus(real.dirs)).toMatchObject({
    workers: [{ kind: 'workflows' }],
    problems: [],
  })
  // Before the crash
  expect(real.log('supervisor').match(/opens \S+/g)).toHaveLength(1)
})
