// Runs the unchanged scripts of examples/scripts: TypeScript, Temporal's own command, Python.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerProject } from '../../src/adapters/config/registry.js'
import { userDirs } from '../../src/adapters/state-dir.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { asks, develop, step, workers } from '../support/loop/loop-play.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { ran, runTypeScript } from '../support/scripts.js'
import { temporalPath } from '../support/servers/temporal.js'
import { waitFor } from '../support/wait.js'

const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/scripts/${name}`, import.meta.url))
const GREEN = [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }]
const LOOP = [
  step('develop', { task: 'T1', turn: 'work' }, [
    asks('Which database? | Options: [Postgres, SQLite] | Recommended: [SQLite]'),
  ]),
  step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
  ...workers([RIGHT_MUL]),
]

let user: CliProcessUser
let shop: string
beforeAll(async () => {
  user = cliProcessUser()
  shop = user.project('shop', GREEN)
  // A run of the command: the server is up, the project known
  expect((await user.ratchet(shop, 'fix')).exitCode).toBe(0)
})
afterAll(() => user.remove())

/** A project that the host knows. */
async function known(name: string, steps = GREEN): Promise<string> {
  const project = user.project(name, steps)
  await registerProject(userDirs(user.env), project)
  return project
}
const address = (): string => recordedServer(userDirs(user.env))?.address ?? ''
const withTemporal = (): NodeJS.ProcessEnv => ({
  ...user.env,
  PATH: `${path.dirname(temporalPath())}:${user.env['PATH'] ?? ''}`,
  TEMPORAL_ADDRESS: address(),
})

test('fix.ts follows a run to its end', async () => {
  const { stdout, stderr, code } = await runTypeScript(user, example('fix.ts'), [shop])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toMatch(/^started WFS-test-shop-[0-9a-f]{4}\.[0-9a-f]{6}\n/)
  expect(stdout).toContain('iteration 0: baseline, 33.3 %\n')
  expect(stdout).toMatch(
    /iteration 1: kept, 100 %\n(.*\n)*success, on branch ratchet\/WFS-test-shop-[0-9a-f]{4}\n$/,
  )
})

test('answer.ts answers the menu of a loop and the question of a worker', async () => {
  const { stdout, stderr, code } = await runTypeScript(user, example('answer.ts'), [
    await known('rule', LOOP),
    'make the calculator right',
  ])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toMatch(/^clarification: .*Which database\? -> SQLite$/m)
  expect(stdout).toMatch(/^menu: Select next action \(completed: 0, pending: 2\): .* -> develop$/m)
  expect(stdout).toMatch(/\ncompleted after \d+ iterations\n$/)
})

test('in-turn.ts processes every project, even if one is missing', async () => {
  const projects = [await known('one'), path.join(user.root, 'gone'), await known('two')]
  const { stdout, stderr, code } = await runTypeScript(user, example('in-turn.ts'), projects)
  expect({ stderr, code }).toEqual({ stderr: '', code: 1 })
  expect(stdout.split('\n')).toEqual([
    `${projects[0] ?? ''}: success`,
    expect.stringContaining(`${projects[1] ?? ''}: project: there is no directory`) as string,
    `${projects[2] ?? ''}: success`,
    '',
  ])
})

test('nightly.ts and nightly.sh create a schedule with normal runs', async () => {
  const project = await known('nightly')
  const scripted = await runTypeScript(user, example('nightly.ts'), [project, '--now'])
  expect(scripted).toMatchObject({
    stderr: '',
    code: 0,
    stdout: expect.stringMatching(/^next run at \d{4}-\d\d-\d\dT0[01]:00:00.000Z\n$/) as string,
  })
  const typed = await ran('sh', [example('nightly.sh'), await known('nightly-by-hand')], {
    cwd: user.root,
    env: withTemporal(),
  })
  expect(typed.code, typed.stderr).toBe(0)
  for (const id of ['nightly-fix', 'nightly-by-hand']) {
    const run = await waitFor(
      async () => {
        const { stdout } = await ran(
          temporalPath(),
          [
            'workflow',
            'list',
            '--address',
            address(),
            '--namespace',
            'ratchet',
            '--query',
            `WorkflowId STARTS_WITH "${id}-20"`,
            '-o',
            'json',
          ],
          { cwd: user.root, env: user.env },
        )
        return (JSON.parse(stdout) as { execution: { workflowId: string } }[])[0]?.execution
          .workflowId
      },
      { what: `a run of ${id}`, timeoutMs: 60_000, everyMs: 500 },
    )
    expect((await user.json(project, 'watch', run)).document).toMatchObject({
      id: run,
      outcome: 'success',
    })
    await ran(
      temporalPath(),
      ['schedule', 'delete', '--schedule-id', id, '--address', address(), '--namespace', 'ratchet'],
      { cwd: user.root, env: user.env },
    )
  }
})

test("steer.sh starts, pauses, asks, resumes and answers a loop with Temporal's own command", async () => {
  const { stdout, stderr, code } = await ran(
    'sh',
    [example('steer.sh'), await known('typed', LOOP)],
    { cwd: user.root, env: withTemporal() },
  )
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('lunch')
  expect(stdout).toContain('Select next action')
  expect(stdout).toContain('user_exit')
})

test('steer.py does the same from Python with plain JSON', async (ctx) => {
  const project = await known('python', LOOP)
  const venv = path.join(user.root, 'venv')
  const made = await ran('python3', ['-m', 'venv', venv], { cwd: user.root, env: process.env })
  const python = path.join(venv, 'bin/python')
  const installed =
    made.code === 0
      ? await ran(python, ['-m', 'pip', 'install', '--quiet', 'temporalio'], {
          cwd: user.root,
          env: process.env,
        })
      : made
  if (installed.code !== 0)
    return ctx.skip(`temporalio could not be installed: ${installed.stderr.slice(0, 300)}`)
  const { stdout, stderr, code } = await ran(python, [example('steer.py'), project], {
    cwd: user.root,
    env: { ...user.env, TEMPORAL_ADDRESS: address() },
  })
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^started from-python-\d+\n/)
  expect(stdout).toContain('Select next action')
  expect(stdout).toMatch(/\nuser_exit after \d+ iterations\n$/)
})
