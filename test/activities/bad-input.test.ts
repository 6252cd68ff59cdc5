// The files of a session may come from other tools and change between two runs. Each bad one is
// refused with the problem, its place and a remedy, or repaired with a warning. None is lost.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { TestFixState } from '../../src/contract/test-fix/test-fix-state.js'
import { IterationState } from '../../src/core/records/iteration-record.js'
import { filesOf, writeFiles } from '../support/repositories/repos.js'
import { PLANNED, plannedTask } from '../support/runs/sessions.js'
import { recordInput, stateAfterOne } from '../support/records.js'
import { madeOnce, sessionHost, type SessionHost } from './session-host.js'

const NAME = 'WFS-test-login'
const OPEN = { generateTests: false }
const record = (project: string, place = '.workflow'): string => path.join(project, place, NAME)
const task = (project: string, name: string): string => path.join(record(project), '.task', name)

/** Refused as `BadInput`, with all three parts, and without creating anything. */
async function expectRefused(host: SessionHost, message: RegExp, where: string): Promise<void> {
  const before = host.left()
  const error = await host.prepare({ open: OPEN }).then(
    () => undefined,
    (thrown: unknown) =>
      thrown as {
        type: string
        nonRetryable: boolean
        details: { message: string; where: string; next: string }[]
      },
  )
  expect(error).toMatchObject({
    type: 'BadInput',
    nonRetryable: true,
    details: [
      {
        message: expect.stringMatching(message) as string,
        where: expect.stringContaining(where) as string,
        next: expect.stringMatching(/./) as string,
      },
    ],
  })
  expect(host.left()).toEqual(before)
}

test.each<{ why: string; spoil: (project: string) => void; message: RegExp }>(
  // prettier-ignore
  [
  { why: 'an id like a path', spoil: (project) => writeFileSync(task(project, 'IMPL-003.json'), plannedTask('../../IMPL-003', 'work', '@code-developer')), message: /IMPL-003\.json: id: must look like "IMPL-001"/ },
  { why: 'a dependency like a path', spoil: (project) => writeFileSync(task(project, 'IMPL-003.json'), plannedTask('IMPL-003', 'work', '@code-developer', { depends_on: ['../IMPL-001'] })), message: /IMPL-003\.json: depends_on\.0: must be the id of a task/ },
  { why: 'a directory in the place of a file', spoil: (project) => { rmSync(task(project, 'IMPL-002.json')); mkdirSync(task(project, 'IMPL-002.json')) }, message: /IMPL-002\.json: is a directory; correct it or move it away/ },
  { why: 'a file of 5 MB', spoil: (project) => writeFileSync(task(project, 'IMPL-002.json'), plannedTask('IMPL-002', 'test-fix', '@test-fix-agent', { padding: 'x'.repeat(5 << 20) })), message: /IMPL-002\.json: has \d+ bytes, more than 2097152; correct it or move it away/ },
  { why: 'a link to nothing', spoil: (project) => { rmSync(task(project, 'IMPL-002.json')); symlinkSync('nowhere.json', task(project, 'IMPL-002.json')) }, message: /IMPL-002\.json: is a link to nothing; correct it or move it away/ },
  { why: 'a link that leads out', spoil: (project) => { renameSync(task(project, 'IMPL-002.json'), path.join(project, 'mine.json')); symlinkSync(path.join(project, 'mine.json'), task(project, 'IMPL-002.json')) }, message: /IMPL-002\.json: is a link to a file outside of \.task; correct it or move it away/ },
  { why: 'a pipe', spoil: (project) => { rmSync(task(project, 'IMPL-002.json')); execFileSync('mkfifo', [task(project, 'IMPL-002.json')]) }, message: /IMPL-002\.json: is no file; correct it or move it away/ },
  { why: 'a file in the place of .task', spoil: (project) => { rmSync(path.join(record(project), '.task'), { recursive: true }); writeFileSync(path.join(record(project), '.task'), '') }, message: /\.task is no directory; move it away/ },
],
)('a task that is $why is refused before anything is made', async ({ spoil, message }) => {
  const host = sessionHost()
  writeFiles(record(host.project), PLANNED)
  spoil(host.project)
  await expectRefused(host, message, path.join(record(host.project), '.task'))
})

test('two sessions of one name in both places are refused and left alone', async () => {
  const host = sessionHost()
  for (const place of ['.workflow', '.workflow/active'])
    writeFiles(record(host.project, place), PLANNED)
  await expectRefused(
    host,
    /^there are two sessions WFS-test-login$/,
    `${record(host.project)} and ${record(host.project, '.workflow/active')}`,
  )
  for (const place of ['.workflow', '.workflow/active'])
    expect(filesOf(record(host.project, place))).toEqual(PLANNED)
})

test('an invalid criticality rule is refused with its place; once corrected, the session resumes', async () => {
  const { host, dir } = await begun()
  const before = filesOf(dir)
  writeFileSync(
    path.join(host.project, 'ratchet.config.json'),
    JSON.stringify({ test: { criticality: [{ match: '(', level: 'low' }] } }),
  )
  await expect(host.prepare({ chain: 'second', open: OPEN })).rejects.toMatchObject({
    type: 'BadConfig',
    nonRetryable: true,
    details: [
      {
        message: expect.stringContaining('test.criticality.0.match') as string,
        where: expect.stringContaining('ratchet.config.json') as string,
      },
    ],
  })
  expect(filesOf(dir)).toEqual(before)
  writeFileSync(
    path.join(host.project, 'ratchet.config.json'),
    JSON.stringify({ test: { criticality: [{ match: 'cart', level: 'low' }] } }),
  )
  expect(await host.prepare({ chain: 'third', open: OPEN })).toMatchObject({
    restored: { iteration: 1 },
  })
})

const session = madeOnce(async () => {
  const { project, dirs, prepare, record } = sessionHost()
  const { tasks = [], unplanned: _unplanned, ...prepared } = await prepare({ open: OPEN })
  const state: TestFixState = {
    ...stateAfterOne(project, path.join(path.dirname(prepared.workspace.root), 'of-the-run'), {
      queue: tasks,
    }),
    prepared,
    head: prepared.head,
    commits: [],
  }
  await record(recordInput(state))
  return { project, dirs, dir: prepared.recordDir, state }
})

/** A session after iteration 1, its run gone. */
async function begun(): Promise<{ host: SessionHost; dir: string; state: TestFixState }> {
  const { dir, state, ...place } = await session()
  return { host: sessionHost(undefined, place), dir, state }
}

const stateFile = (dir: string): string => path.join(dir, '.process/iteration-state.json')

test.each<{ why: string; change: (content: IterationState) => unknown }>(
  // prettier-ignore
  [
  { why: 'cut off', change: (content) => JSON.stringify(content).slice(0, 300) },
  { why: 'of a negative iteration', change: (content) => ({ ...content, current_iteration: -3, state: { ...content.state, iteration: -3 } }) },
  { why: 'of more iterations than anybody has', change: (content) => ({ ...content, current_iteration: 1e9, state: { ...content.state, iteration: 1e9 } }) },
  { why: 'of negative attempts', change: (content) => ({ ...content, state: { ...content.state, queue: content.state.queue?.map((one) => ({ ...one, attempts: -1e6 })) } }) },
  { why: 'of a number beyond all', change: (content) => JSON.stringify(content).replace('"maxIterations":5', '"maxIterations":1e400') },
  { why: 'a list', change: () => [] },
  { why: 'without its state', change: ({ state: _state, ...rest }) => rest },
],
)(
  'a state file that is $why is kept and reported, and the state is rebuilt from the other files',
  async ({ change }) => {
    const { host, dir } = await begun()
    const changed = change(IterationState.parse(JSON.parse(readFileSync(stateFile(dir), 'utf8'))))
    const text = typeof changed === 'string' ? changed : JSON.stringify(changed)
    writeFileSync(stateFile(dir), text)
    const prepared = await host.prepare({ chain: 'second', open: OPEN })
    expect(prepared.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/iteration-state\.json is damaged/),
        'the damaged file was kept as iteration-state.json.damaged-1',
      ]),
    )
    expect(prepared.restored).toMatchObject({
      iteration: 1,
      history: expect.arrayContaining([
        expect.objectContaining({ iteration: 1, result: 'kept' }),
      ]) as unknown,
    })
    expect(readFileSync(`${stateFile(dir)}.damaged-1`, 'utf8')).toBe(text)
  },
)

test.each(['baseline', 'last-run', 'last-full'])(
  'an edited copy of the results (%s) is ignored',
  async (name) => {
    const { host, dir } = await begun()
    const copy = path.join(dir, '.process/results', `${name}.json`)
    writeFileSync(copy, readFileSync(copy, 'utf8').replaceAll('"failed"', '"passed"'))
    const { restored } = await host.prepare({ chain: 'second', open: OPEN })
    const left = {
      baseline: restored?.baseline,
      'last-run': restored?.lastRun,
      'last-full': restored?.lastFull,
    }
    expect(left[name as keyof typeof left]).toBeUndefined()
  },
)

test('a record removed during the run is written again, a removed project is not', async () => {
  const { host, dir, state } = await begun()
  rmSync(path.join(host.project, '.workflow'), { recursive: true })
  expect((await host.record(recordInput(state))).warnings).toEqual([])
  expect(Object.keys(filesOf(dir))).toEqual(
    expect.arrayContaining([
      'workflow-session.json',
      '.process/iteration-state.json',
      '.process/results/baseline.json',
      'TODO_LIST.md',
    ]),
  )
  expect(existsSync(path.join(host.project, '.workflow/.gitignore'))).toBe(true)
  expect(JSON.parse(readFileSync(path.join(dir, 'workflow-session.json'), 'utf8'))).toMatchObject({
    session_id: NAME,
    branch: `ratchet/${NAME}`,
  })
  rmSync(host.project, { recursive: true })
  expect((await host.record(recordInput(state))).warnings).toEqual([
    expect.stringContaining('the branch is at its last published commit'),
  ])
  expect(existsSync(host.project)).toBe(false)
})
