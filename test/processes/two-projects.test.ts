// Runs of two projects in one worker process: each has the environment of its shell, both survive
// the end of the process, and a stop reaches one of them alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identify } from '../../src/adapters/process/identity.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { runCommandLine } from '../../src/cli/program.js'
import type { RunHandle } from '../../src/client/index.js'
import { testFixWorkflowId } from '../../src/contract/ids.js'
import { localStatus } from '../../src/dev-server/index.js'
import {
  ANALYSE,
  CALCULATOR,
  makeProject,
  markers,
  realUser,
  RIGHT_ADD,
  RIGHT_MUL,
  type RealUser,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

const NAMES = ['first', 'second'] as const
type Name = (typeof NAMES)[number]

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

const gate = (name: Name): string => path.join(user.root, `${name}.gate`)
const seen = (name: Name): string => path.join(user.root, `${name}.seen`)
const valueOf = (name: Name): string => `postgres://${name}.example`

/** Its tests note the variable that they see; its fix turn waits for the gate. */
function project(name: Name): string {
  const note = `open(${JSON.stringify(seen(name))}, 'a').write(f"{os.environ.get('DATABASE_URL')}\\n")`
  return makeProject(
    user,
    name,
    [
      ANALYSE,
      {
        when: { role: 'test-fix-agent' },
        do: [{ wait: { 'until-file': gate(name) } }, RIGHT_ADD, RIGHT_MUL],
      },
    ],
    {},
    { ...CALCULATOR, 'conftest.py': `import os\n${note}\n` },
  )
}

async function started(name: Name): Promise<RunHandle> {
  const cwd = project(name)
  const session = `WFS-test-${name}`
  const nothing = (): void => undefined
  const code = await runCommandLine(
    ['fix', '--session', session, '--detach'],
    {
      version: 'test',
      env: { ...user.env, DATABASE_URL: valueOf(name) },
      cwd,
      interrupted: new AbortController().signal,
    },
    { stdout: nothing, stderr: nothing },
  )
  expect(code).toBe(0)
  return user.ratchet.attach(testFixWorkflowId(session, projectKey(cwd)))
}

const fixTurns = (name: Name) => markers(user, name).filter(({ role }) => role === 'test-fix-agent')

/** Waits for an attempt of both fix turns, and returns the processes of their agents. */
async function bothInTurn(attempt: number): Promise<number[]> {
  const agents = () => NAMES.map((name) => fixTurns(name).at(-1))
  await waitFor(() => agents().every((agent) => agent?.attempt === attempt), {
    what: `attempt ${attempt} of both fix turns`,
    timeoutMs: 180_000,
  })
  return agents().map((agent) => agent?.pid ?? 0)
}

async function workerPids(): Promise<(number | undefined)[]> {
  const { workers } = await localStatus(user.dirs)
  return workers.filter(({ kind }) => kind === 'project').map(({ pid }) => pid)
}

test('two runs in one process keep their environments and turns when it is killed; a stop is of one run', async () => {
  const [first, second] = [await started('first'), await started('second')]
  await bothInTurn(1)
  const pids = await workerPids()
  expect(pids).toHaveLength(2)
  expect(new Set(pids).size).toBe(1)
  const [pid = 0] = pids
  expect(pid).toBeGreaterThan(0) // a signal to 0 goes to the whole group
  process.kill(pid, 'SIGKILL')

  const agents = await bothInTurn(2)
  const next = await workerPids()
  expect([next.length, new Set(next).size, next.includes(pid)]).toEqual([2, 1, false])
  await second.stop()
  expect(await user.finish(second)).toMatchObject({ outcome: 'stopped' })
  expect(agents.map((agent) => identify(agent) !== undefined)).toEqual([true, false])
  expect(await workerPids()).toEqual(next)

  writeFileSync(gate('first'), '')
  const result = await user.finish(first)
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 1,
    usage: { turns: 2 },
    env: { from: 'command' },
    warnings: [],
  })
  for (const name of NAMES) {
    expect(
      existsSync(seen(name)) ? readFileSync(seen(name), 'utf8').trim().split('\n') : [],
    ).toEqual(expect.arrayContaining([valueOf(name)]))
    expect(new Set(readFileSync(seen(name), 'utf8').trim().split('\n'))).toEqual(
      new Set([valueOf(name)]),
    )
    // One turn of each role; the second attempt continues the session of the first.
    expect(markers(user, name).map(({ role, attempt }) => `${role} ${attempt}`)).toEqual([
      'cli-planning-agent 1',
      'test-fix-agent 1',
      'test-fix-agent 2',
    ])
    expect(new Set(fixTurns(name).map(({ turn, session }) => `${turn} ${session}`)).size).toBe(1)
  }
})
