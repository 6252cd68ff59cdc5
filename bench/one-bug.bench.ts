// A repository with one bug, from `ratchet fix` to the first model call and to the end: without a
// server, with one, and with a worker of the project. Needs the build: `npm run build`.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopLocal } from '../src/dev-server/index.js'
import { commitAll } from '../test/support/repositories/repos.js'
import { analysis, makeProject, markers } from '../test/support/runs/real-run.js'
import { BUILT, localUser, type LocalUser } from '../test/support/servers/local.js'
import { waitFor } from '../test/support/wait.js'
import { median, timed } from './support/numbers.js'
import { sized, tell, type Row } from './support/results.js'

const ROUNDS = sized(5, 1)
const run = promisify(execFile)
const MAIN = path.join(BUILT, 'cli/main.js')
const BUG = 'export const add = (a, b) => a - b\n'
const rows: Row[] = []

let user: LocalUser
/** Milliseconds that the project's own tests take. */
let ownTests: number
beforeAll(async () => {
  if (!existsSync(MAIN)) throw new Error('there is no build: npm run build')
  user = localUser()
  const project = oneBug('alone')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(
      await timed(() =>
        run(process.execPath, ['--test'], { cwd: project, env: user.env }).catch(() => undefined),
      ),
    )
  ownTests = median(times)
})
afterAll(async () => {
  await user.remove()
  tell({
    order: 6,
    title: 'A repository with one bug',
    how: `Two tests of ${ownTests.toFixed(0)} ms in all, no sandbox, and a scripted agent that answers at once. The time of the project's own tests is subtracted: two executions before the first model call, five in all. Medians of ${ROUNDS} runs.`,
    rows,
  })
})

test.each([
  { what: 'without a server', goals: [3_000, 5_000], prepare: stopped, name: () => 'cold' },
  {
    what: 'with a server, in a new project',
    goals: [undefined, undefined],
    prepare: () => Promise.resolve(),
    name: (round: number) => `new-${round}`,
  },
  {
    what: 'with a server and the worker of the project',
    goals: [1_200, 2_500],
    prepare: () => Promise.resolve(),
    name: () => 'cold',
  },
])('$what', async ({ what, goals, prepare, name }) => {
  const measured: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await prepare()
    measured.push(await fixed(name(round)))
  }
  note(
    `${what}, to the first model call`,
    measured.map(({ first }) => first),
    goals[0],
  )
  note(
    `${what}, to the end`,
    measured.map(({ end }) => end),
    goals[1],
  )
})

type Measured = { first: number; end: number }

/** Fixes the bug once, and puts it back first where it was fixed before. */
async function fixed(name: string): Promise<Measured> {
  const dir = path.join(user.root, 'projects', name)
  const project = existsSync(dir) ? dir : oneBug(name)
  const file = path.join(user.root, `${name}.markers.ndjson`)
  rmSync(file, { force: true })
  rmSync(executions(name), { force: true })
  const began = performance.now()
  const ended = run(process.execPath, [MAIN, 'fix'], { cwd: project, env: user.env })
  const called = waitFor(() => markers(user, name).length > 0, {
    what: 'the first model call',
    timeoutMs: 120_000,
    everyMs: 5,
  }).then(() => performance.now() - began)
  const [first] = await Promise.all([called, ended])
  const end = performance.now() - began
  expect(readFileSync(executions(name), 'utf8')).toBe('.'.repeat(5))
  return { first: first - 2 * ownTests, end: end - 5 * ownTests }
}

/** A file with a dot for each execution of the tests. */
const executions = (name: string): string => path.join(user.root, `${name}.executions`)

function oneBug(name: string): string {
  const project = makeProject(
    user,
    name,
    [
      {
        when: { role: 'cli-planning-agent' },
        do: [{ say: analysis(['src/add.js:add:1-1'], ['test/add.test.js']) }],
      },
      { do: [{ patch: { path: 'src/add.js', find: 'a - b', replace: 'a + b' } }] },
    ],
    { test: { command: 'node --test' } },
    {
      'package.json': '{"name":"one-bug","type":"module"}\n',
      'src/add.js': BUG,
      'notes.txt': 'committed\n',
      'test/add.test.js': [
        "import assert from 'node:assert'",
        "import { appendFileSync } from 'node:fs'",
        "import test from 'node:test'",
        "import { add } from '../src/add.js'",
        `appendFileSync(${JSON.stringify(executions(name))}, '.')`,
        "test('adds', () => assert.equal(add(1, 2), 3))",
        "test('zero', () => assert.equal(add(0, 0), 0))",
        '',
      ].join('\n'),
    },
  )
  commitAll(project, 'the configuration')
  return project
}

async function stopped(): Promise<void> {
  await stopLocal(user.dirs, { force: true })
}

function note(what: string, times: number[], goalMs: number | undefined): void {
  rows.push({
    what,
    value: median(times),
    unit: 'ms',
    ...(goalMs === undefined ? {} : { goal: `≤ ${goalMs} ms` }),
    reference: `least ${Math.min(...times).toFixed(0)} ms`,
  })
}
