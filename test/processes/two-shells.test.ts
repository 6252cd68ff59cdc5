// Two shells with other values of DATABASE_URL, on real processes that are killed: the runs keep
// their own as long as the supervisor or the worker lives, and say so if both are gone.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandLine } from '../../src/cli/program.js'
import type { RunHandle } from '../../src/client/index.js'
import { testFixWorkflowId } from '../../src/contract/ids.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { localStatus } from '../../src/dev-server/index.js'
import { identify } from '../../src/adapters/process/identity.js'
import { realUser, type RealUser } from '../support/runs/real-run.js'
import { SESSIONS, seeingProject, seenBy, shellOf, valueOf } from '../support/runs/two-shells.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

async function command(
  cwd: string,
  argv: string[],
  env: NodeJS.ProcessEnv,
  stdout: (text: string) => void = () => undefined,
): Promise<number> {
  return runCommandLine(
    argv,
    { version: 'test', env, cwd, interrupted: new AbortController().signal },
    { stdout, stderr: () => undefined },
  )
}

async function paused(project: string, session: (typeof SESSIONS)[number]): Promise<RunHandle> {
  const env = shellOf(user.env, session)
  const already = seenBy(user, session).times
  expect(await command(project, ['fix', '--session', session, '--detach'], env)).toBe(0)
  const id = testFixWorkflowId(session, projectKey(project))
  const run = user.ratchet.attach(id)
  await waitFor(() => seenBy(user, session).times > already, {
    what: `the first tests of ${id}`,
    timeoutMs: 120_000,
  })
  await run.pause()
  await waitFor(async () => (await run.status()).status === 'paused', {
    what: `${id} to pause`,
    timeoutMs: 120_000,
  })
  return run
}

async function kill(project: string, ...kinds: ('project' | 'supervisor')[]): Promise<void> {
  const worker = (await localStatus(user.dirs)).workers.find(({ queue }) =>
    queue.endsWith(projectKey(project)),
  )
  const pids = await Promise.all(
    kinds.map(async (kind) => (kind === 'project' ? (worker?.pid ?? 0) : user.pidOf(kind))),
  )
  expect(pids).not.toContain(0) // a signal to it goes to the whole group
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  for (const pid of pids)
    await waitFor(() => identify(pid) === undefined, { what: `the end of process ${pid}` })
}

test('each of two runs keeps the variables of its shell when the worker dies, then the supervisor', async () => {
  const project = seeingProject(user, 'shells')
  const runs = [await paused(project, SESSIONS[0]), await paused(project, SESSIONS[1])]
  await kill(project, 'project')
  const before = SESSIONS.map((session) => seenBy(user, session).times)
  const [first, second] = runs as [RunHandle, RunHandle]
  await first.resume()
  expect((await user.finish(first)).outcome).toBe('success')

  await kill(project, 'supervisor')
  await user.ensure({ env: { ...user.env, DATABASE_URL: 'of a third shell' }, entries: {} })
  await second.resume()
  const result = await user.finish(second)
  expect([result.outcome, result.env?.from, result.warnings]).toEqual(['success', 'command', []])
  for (const [n, session] of SESSIONS.entries()) {
    expect(seenBy(user, session).values).toEqual([valueOf(session)])
    expect(seenBy(user, session).times).toBeGreaterThan(before[n] ?? 0)
  }
  const files = readdirSync(user.dirs.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  expect(files.filter((file) => readFileSync(file, 'latin1').includes('postgres://'))).toEqual([])
})

test('a run whose environment is lost says which variables differ', async () => {
  const project = seeingProject(user, 'lost')
  const run = await paused(project, SESSIONS[0])
  await kill(project, 'supervisor', 'project')
  const { DATABASE_URL: _, ...without } = user.env
  await user.ensure({ env: without, entries: {} })
  await run.resume()
  const result = await user.finish(run)
  expect([result.outcome, result.env?.from]).toEqual(['success', 'supervisor'])
  expect(result.warnings.join('\n')).toMatch(
    /the environment of this run was lost .*missing DATABASE_URL.*ratchet resume WFS-test-one\./,
  )
})

test('a run waits for a variable of its configuration that was lost, and measures nothing without it', async () => {
  const project = seeingProject(user, 'named', {
    agents: { other: { protocol: 'acp', command: 'other', passEnv: ['DATABASE_URL'] } },
    roles: { default: 'playbook', 'loop-debug': 'other' },
  })
  const run = await paused(project, SESSIONS[0])
  const before = seenBy(user, SESSIONS[0]).times
  await kill(project, 'supervisor', 'project')
  await user.ensure({ env: { ...user.env, DATABASE_URL: 'of another shell' }, entries: {} })
  await run.resume()
  await waitFor(
    async () => {
      const told: string[] = []
      await command(project, ['status', run.id, '--json'], user.env, (text) => told.push(text))
      return /missing variable: [^"]* other values of DATABASE_URL; [^"]*ratchet resume/.test(
        told.join(''),
      )
    },
    { what: 'the run to wait for its variable', timeoutMs: 120_000 },
  )
  expect(seenBy(user, SESSIONS[0]).times).toBe(before)
  expect(
    await command(project, ['resume', run.id, '--detach'], shellOf(user.env, SESSIONS[0])),
  ).toBe(0)
  const { outcome, warnings } = await user.finish(run)
  expect([outcome, warnings]).toEqual(['success', []])
  expect(seenBy(user, SESSIONS[0]).values).toEqual([valueOf(SESSIONS[0])])
})
