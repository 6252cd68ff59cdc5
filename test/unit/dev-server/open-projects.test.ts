// What the supervisor tells the worker of the projects, and what it knows of them.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { ProjectOrder } from '../../../src/contract/registry.js'
import { OpenProjects } from '../../../src/dev-server/workers/open-projects.js'
import type { WorkerProcess } from '../../../src/dev-server/workers/worker-process.js'
import { waitFor } from '../../support/wait.js'

const [A, B] = ['a', 'b'].map((key) => ({ key, path: `/repo/${key}`, registeredAt: '' })) as [
  { key: string; path: string; registeredAt: string },
  { key: string; path: string; registeredAt: string },
]

let log: string
let orders: string[]
let projects: OpenProjects
let background: Promise<unknown>[]
let fails: string | undefined
beforeEach(() => {
  log = path.join(mkdtempSync(path.join(os.tmpdir(), 'ratchet-open-')), 'projects.log')
  writeFileSync(log, '')
  orders = []
  background = []
  fails = undefined
  projects = new OpenProjects(
    (text) => {
      if (text === fails) throw new Error('cannot be recorded')
    },
    (work) => void background.push(work),
  )
})
afterEach(() => rmSync(path.dirname(log), { recursive: true }))

/** A worker; one that has ended has no identity. */
function worker(identity: WorkerProcess['process']['identity'] = self()): WorkerProcess {
  const write = (text: string): void => {
    const order = ProjectOrder.parse(JSON.parse(text))
    orders.push('open' in order ? `open ${order.open.key}` : `close ${order.close.key}`)
  }
  return { process: { identity, ended: new Promise(() => undefined), log, logFrom: 0, write } }
}
const says = (line: string): void => appendFileSync(log, `${line}\n`)
const states = (): string[] =>
  projects
    .list()
    .map(({ project, state, problem }) =>
      [project.key, state, problem].filter((part) => part !== undefined).join(' '),
    )
const toBe = (...wanted: string[]): Promise<unknown> =>
  waitFor(() => states().join() === wanted.join(), {
    what: `${wanted.join()}, not ${states().join()}`,
  })

test('a project waits for a worker, is opened once, and is ready when that says so', async () => {
  projects.need(A)
  expect(states()).toEqual(['a waiting'])
  projects.joined(worker())
  projects.need(A)
  projects.need(B)
  expect(orders).toEqual(['open a', 'open b'])
  says('ready project-ab')
  says('ready project-b')
  await toBe('a starting', 'b ready')
  says('ready project-a')
  await toBe('a ready', 'b ready')
})

test('one that fails has the reason, and is opened again when it is needed again', async () => {
  projects.joined(worker())
  projects.need(A)
  says('failed project-a the directory is gone')
  await toBe('a failed the directory is gone')
  projects.need(A)
  expect(orders).toEqual(['open a', 'open a'])
  expect(states()).toEqual(['a starting'])
  says('ready project-a')
  await toBe('a ready')
})

test('the next process opens all of them; what the last one said counts no more', async () => {
  projects.joined(worker())
  projects.need(A)
  projects.need(B)
  says('ready project-a')
  await toBe('a ready', 'b starting')
  projects.joined(worker())
  says('ready project-b')
  await toBe('a starting', 'b ready')
  expect(orders).toEqual(['open a', 'open b', 'open a', 'open b'])
})

test('a project is open for a process that starts, not for one that has ended', () => {
  projects.joined(worker({ ...self(), startTime: 'another' }))
  projects.need(A)
  expect([orders, states()]).toEqual([[], ['a waiting']])
})

test('one without an open run is closed after ten minutes, unless a command needs it', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  projects.joined(worker())
  projects.need(A)
  projects.need(B)
  vi.advanceTimersByTime(9 * 60_000)
  projects.need(B)
  vi.advanceTimersByTime(2 * 60_000)
  projects.need(A)
  projects.closeUnused()
  expect(orders).toEqual(['open a', 'open b'])
  vi.advanceTimersByTime(9 * 60_000)
  projects.need(A)
  projects.closeUnused()
  expect(orders.slice(2)).toEqual(['close b'])
  projects.closeUnused()
  expect(projects.list().map(({ project }) => project.key)).toEqual(['a'])
  vi.advanceTimersByTime(11 * 60_000)
  projects.closeUnused()
  expect(orders.slice(3)).toEqual(['close a'])
  projects.need(A)
  expect(orders.slice(4)).toEqual(['open a'])
})

test('an order without an answer is repeated after ten seconds: its line of the log may be lost', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  projects.joined(worker())
  projects.need(A)
  vi.advanceTimersByTime(9_000)
  projects.need(A)
  expect(orders).toEqual(['open a'])
  vi.advanceTimersByTime(2_000)
  await waitFor(() => orders.length === 2, { what: 'the order again' })
  says('ready project-a')
  await toBe('a ready')
  expect(orders).toEqual(['open a', 'open a'])
})

test('what fails when an answer arrives is no unhandled rejection', async () => {
  fails = 'project-a is ready'
  projects.joined(worker())
  projects.need(A)
  says('ready project-a')
  expect(background).toHaveLength(1)
  await expect(background[0]).rejects.toThrow('cannot be recorded')
})
