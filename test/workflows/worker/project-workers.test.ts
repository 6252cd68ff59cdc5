// The workers of several projects in one process: orders that cross each other or cannot be read,
// and an end while one is opened.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { NativeConnection, Runtime } from '@temporalio/worker'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { layout, projectKey, userDirs, type Dirs } from '../../../src/adapters/state-dir.js'
import { serveControl } from '../../../src/dev-server/control.js'
import { ProjectWorkers } from '../../../src/worker/project-workers.js'
import { tempDir } from '../../support/repositories/repos.js'
import { sharedEnv } from '../../support/servers/temporal.js'
import { quietRuntime } from '../../support/servers/workflow-env.js'
import { waitFor } from '../../support/wait.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

let dirs: Dirs
let orders: PassThrough
let answers: string[]
let said: string[]
let workers: ProjectWorkers
let connection: NativeConnection
let over: Promise<void>
beforeEach(async () => {
  for (const name of ['STATE', 'CACHE']) vi.stubEnv(`XDG_${name}_HOME`, tempDir())
  dirs = userDirs(process.env)
  orders = new PassThrough()
  answers = []
  said = []
  connection = await NativeConnection.connect({ address: env.address })
  workers = new ProjectWorkers(connection, env.namespace ?? 'default', {
    dirs,
    runtime: Runtime.instance(),
    hasMetrics: false,
    projects: [],
    orders: createInterface({ input: orders }),
    answer: (line) => void answers.push(line),
    say: (text) => void said.push(String(text)),
  })
  over = workers.run()
})
afterEach(() => vi.unstubAllEnvs())

/** Ends like the process: a worker that is left keeps its connection from closing. */
async function end(): Promise<void> {
  workers.shutdown()
  await workers.interrupt()
  await over
  await connection.close()
}

type Project = { path: string; key: string }
function project(): Project {
  const dir = tempDir()
  return { path: dir, key: projectKey(dir) }
}
const order = (kind: 'open' | 'close', { path, key }: Project): void =>
  void orders.write(`${JSON.stringify({ [kind]: { path, key } })}\n`)
const answered = (...wanted: string[]): Promise<unknown> =>
  waitFor(() => answers.length >= wanted.length, {
    what: `${wanted.length} answers`,
    timeoutMs: 30_000,
  }).then(() => expect(answers).toEqual(wanted))

test('an order that cannot be read is reported, and the next one is followed', async () => {
  const one = project()
  orders.write('{"open":{"path":"/cut\n')
  orders.write('{"other":1}\n')
  order('open', one)
  await answered(`ready project-${one.key}`)
  expect(said).toEqual([
    expect.stringContaining('an order of the supervisor cannot be read'),
    expect.stringContaining('an order of the supervisor cannot be read'),
  ])
  await end()
})

test('a project that is opened, closed and opened at once has one worker, which ends with the process', async () => {
  const one = project()
  for (const kind of ['open', 'close', 'open', 'open'] as const) order(kind, one)
  await answered(...Array.from({ length: 3 }, () => `ready project-${one.key}`))
  await end()
  expect(said).toEqual([])
})

test('a project whose opening failed can be opened again, and the others work', async () => {
  const [one, two] = [project(), project()]
  const notes = path.join(dirs.state, 'in-flight', one.key)
  mkdirSync(notes, { recursive: true })
  const note = { workflowId: '', runId: 'r', activityId: '1', attempt: 1 } // the server refuses it
  const worker = { ...self(), startTime: 'another' }
  writeFileSync(path.join(notes, '1.json'), JSON.stringify({ ...note, worker }))
  order('open', one)
  await waitFor(() => answers.length === 1, { what: 'the failure', timeoutMs: 30_000 })
  expect(answers[0]).toMatch(`failed project-${one.key} `)
  answers.length = 0
  order('open', two)
  await answered(`ready project-${two.key}`)
  order('open', one)
  await answered(`ready project-${two.key}`, `ready project-${one.key}`)
  await end()
})

test('a process that ends while a project is opened leaves no worker', async () => {
  const asked: string[] = []
  let answer!: () => void
  const held = new Promise<void>((resolve) => (answer = resolve))
  const control = await serveControl({
    'POST /environments/of': async () => {
      asked.push('of')
      await held
      return { code: 200, body: { held: [], over: [], projects: [] } }
    },
    'POST /environments/back': () => {
      asked.push('back')
      return Promise.resolve({ code: 200, body: {} })
    },
  })
  onTestFinished(() => void control.server.close())
  const { port, token } = control
  mkdirSync(path.dirname(layout.supervisor(dirs)), { recursive: true })
  writeFileSync(layout.supervisor(dirs), JSON.stringify({ identity: self(), port, token }))
  let isOver = false
  void over.then(() => (isOver = true))

  order('open', project())
  await waitFor(() => asked.includes('of'), { what: 'the opening' })
  workers.shutdown()
  await waitFor(() => asked.includes('back'), { what: 'the environments' })
  await connection.workflowService.getSystemInfo({})
  expect(isOver).toBe(false)
  answer()
  await end()
  expect([answers, said]).toEqual([[], []])
})
