// Rebuilding a state file, and a loop that resumes from its record alone.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { RestoredLoop, type LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import type { LoopRecord } from '../../../../src/contract/dev-loop/loop-record.js'
import { loopFiles } from '../../../../src/adapters/records/dev-loop/loop-paths.js'
import { writeLoopRecord } from '../../../../src/adapters/records/dev-loop/write-loop-record.js'
import { rebuildLoop } from '../../../../src/adapters/records/dev-loop/recover-loop.js'
import {
  readLoop,
  restoredLoop,
} from '../../../../src/adapters/records/dev-loop/load-loop-record.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import {
  AT,
  ID,
  loopState,
  MINUTE,
  noted,
  OFFSET,
  place,
  recordInput,
  TIME,
  type Place,
} from './loop-state.js'

const AGAIN = { at: AT + 60 * MINUTE, offset: OFFSET }
const task = (n: number) => ({
  id: `T${n}`,
  description: `Task ${n}`,
  priority: 'medium' as const,
  status: 'pending' as const,
  files: [],
})

/** A loop whose workers planned four tasks, built one, and found something. */
async function written(end?: 'failed' | 'user_exit', rest: Partial<LoopState> = {}) {
  const at = place()
  await noted(at, 'init', 1, { tasks: [1, 2, 3, 4].map(task) })
  await noted(at, 'develop', 2, { tasksCompleted: ['T1'] })
  await noted(at, 'validate', 3, { findings: ['cart 3 fails'] })
  const state = loopState(at, rest)
  await writeLoopRecord(
    recordInput(state, end === undefined ? undefined : { outcome: end, reason: 'spent' }),
    { offset: OFFSET },
  )
  const text = readFileSync(at.files.master, 'utf8')
  return { at, state, text, record: JSON.parse(text) as LoopRecord }
}

function recordIn({ project }: Place): LoopRecord {
  const read = readLoop(project, ID)
  if (read.state !== 'ok') throw new Error(`not ok: ${JSON.stringify(read)}`)
  return read.record
}

test.each(
  // prettier-ignore
  [
  { why: 'cut in the middle', edit: (text: string) => text.slice(0, text.length / 2), says: 'is cut or is no JSON' },
  { why: 'empty', edit: () => '\n', says: 'is empty' },
  { why: 'no JSON at all', edit: () => '\0\0\0\0', says: 'holds no JSON object' },
  { why: 'a wrong type', edit: (text: string) => text.replace('"current_iteration": 3', '"current_iteration": "three"'), says: /does not have the form of a record: current_iteration: / },
  { why: 'no schema version, as another tool writes it', edit: (text: string) => text.replace('"schema": 1,', ''), says: /does not have the form of a record: schema: / },
],
)('reports a damaged state file: $why', async ({ edit, says }) => {
  const { at, text } = await written()
  writeFileSync(at.files.master, edit(text))
  expect(readLoop(at.project, ID)).toEqual({
    state: 'damaged',
    problem:
      typeof says === 'string'
        ? `${at.files.master} ${says}`
        : (expect.stringMatching(says) as string),
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a byte order mark and lines that end as on Windows', edit: (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`, says: {} },
  { why: 'a key twice, of which the last counts', edit: (text: string) => text.replace('"mode": "auto"', '"mode": "parallel", "mode": "interactive"'), says: { mode: 'interactive' } },
  { why: 'unknown keys', edit: (text: string) => text.replace('"mode"', '"mine": {}, "mode"'), says: {} },
],
)('reads an edited state file: $why', async ({ edit, says }) => {
  const { at, text, record } = await written()
  const edited = edit(text)
  expect(edited).not.toBe(text)
  writeFileSync(at.files.master, edited)
  expect(recordIn(at)).toEqual({ ...record, ...says })
})

test('none, newer, a directory, a link', async () => {
  const { at } = await written()
  const file = (name: string): string => at.files.master.replace(ID, name)
  expect(readLoop(at.project, 'other')).toEqual({ state: 'none' })
  mkdirSync(file('dir'))
  expect(readLoop(at.project, 'dir')).toEqual({
    state: 'damaged',
    problem: `${file('dir')} is a directory`,
  })
  symlinkSync(at.files.master, file('link'))
  expect(readLoop(at.project, 'link')).toEqual({
    state: 'damaged',
    problem: `${file('link')} is a link, which is not followed`,
  })
  writeFileSync(at.files.master, '{"schema": 7, "anything": true}')
  expect(readLoop(at.project, ID)).toEqual({ state: 'newer', schema: 7 })
  await expect(rebuildLoop(at.project, ID, AGAIN)).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining('has schema 7, written by a newer version') as string,
  })
})

test('a loop resumes from its record alone with the state it had', async () => {
  const results = { develop: null, debug: null, validate: null, conflicts: [], merged_at: TIME }
  const { at, state } = await written('user_exit', {
    texts: ['Add up the cart', 'Also login'],
    mode: 'parallel',
    parallelResults: results,
    maxIterations: 7,
    hadSuite: true,
  })
  const restored = restoredLoop(recordIn(at))
  expect(RestoredLoop.parse(restored)).toEqual(restored)
  const keys = Object.keys(RestoredLoop.shape) as (keyof RestoredLoop)[]
  // No worker is at work any more
  const tasks = state.tasks.map((one) => (one.id === 'T2' ? { ...one, status: 'pending' } : one))
  expect(restored).toEqual({ ...Object.fromEntries(keys.map((key) => [key, state[key]])), tasks })
})

test.each(
  // prettier-ignore
  [
  { why: 'init answered', workers: ['init'], completed: ['init'], initialised: true },
  { why: 'init never answered', workers: ['init'], completed: [], initialised: true },
  { why: 'init was interrupted, a further task came meanwhile', workers: [], completed: [], initialised: false },
] as const,
)('$why', async ({ workers, completed, initialised }) => {
  const { at } = await written('user_exit', {
    workers: workers.map((action) => ({
      action,
      status: 'failed' as const,
      summary: '',
      iteration: 1,
      files: [],
      filesTotal: 0,
    })),
    workersCompleted: [...completed],
  })
  expect(restoredLoop(recordIn(at)).initialised).toBe(initialised)
})

test('a restored loop carries bounded history and closed findings, and all open ones', async () => {
  const finding = (n: number, status: 'open' | 'closed') => ({
    id: `F${n}`,
    description: `${n}`,
    source: 'debug' as const,
    iteration: 9,
    status,
  })
  const { at } = await written('user_exit', {
    history: Array.from({ length: 60 }, (_, n) => ({
      iteration: n,
      passRate: null,
      result: 'kept' as const,
      commit: null,
      turns: 1,
    })),
    iteration: 60,
    findings: [
      ...Array.from({ length: 18 }, (_, n) => finding(n, 'open')),
      ...Array.from({ length: 10 }, (_, n) => finding(50 + n, 'closed')),
    ],
  })
  const { history, findings } = restoredLoop(recordIn(at))
  expect([history.length, history[0]?.iteration]).toEqual([30, 30])
  expect(findings.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 18 }, (_, n) => `F${n}`),
    'F58',
    'F59',
  ])
})

test('a missing state file is rebuilt from the files of the workers', async () => {
  const { at, record: before } = await written()
  rmSync(at.files.master)
  const { record, kept, notes } = await rebuildLoop(at.project, ID, AGAIN)
  expect(kept).toBeUndefined()
  for (const key of [
    'schema',
    'loop_id',
    'title',
    'description',
    'mode',
    'current_iteration',
    'max_iterations',
    'created_at',
  ] as const)
    expect({ [key]: record[key] }).toEqual({ [key]: before[key] })
  expect(record.skill_state).toEqual({
    phase: 'validate',
    action_index: 3,
    workers_completed: ['init', 'develop', 'validate'],
    parallel_results: null,
    completed_tasks: [{ ...task(1), status: 'completed' }],
    pending_tasks: [2, 3, 4].map(task),
    findings: [
      { id: 'F1', description: 'cart 3 fails', source: 'validate', iteration: 3, status: 'open' },
    ],
  })
  expect(record.ratchet).toEqual({
    run: ID,
    branch: `ratchet/${ID}`,
    base: 'b'.repeat(40),
    commits: [],
    warnings: [],
    task_history: ['Add up the cart'],
    workers: before.ratchet.workers,
    history: [],
  })
  expect(record).toMatchObject({
    status: 'failed',
    failure_reason: 'the record was damaged; how the loop stood is not known',
  })
  expect(notes).toEqual([
    'the status is not known: the loop counts as failed, and can be resumed',
    'the list of commits is lost: they are on the branch',
    'the measurements and the history of the workers are lost',
  ])
  expect(recordIn(at)).toEqual(record)
  expect(restoredLoop(record)).toMatchObject({
    initialised: true,
    iteration: 3,
    tasks: [{ id: 'T1', status: 'completed' }, { id: 'T2' }, { id: 'T3' }, { id: 'T4' }],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'only the output files', left: ['workers'], says: { current_iteration: 3, mode: 'interactive', skill_state: { phase: 'validate', pending_tasks: [], workers_completed: ['develop', 'validate'] }, ratchet: { task_history: [''] } }, initialised: false, lost: ['the task is lost: give it again with ratchet extend', 'the tasks are lost: they are planned again', 'the branch of the loop is not known'] },
  { why: 'only the progress files', left: ['progress'], says: { current_iteration: 3, mode: 'auto', skill_state: { pending_tasks: [{ id: 'T2' }, { id: 'T3' }, { id: 'T4' }] }, ratchet: { task_history: ['Add up the cart'] } }, initialised: true, lost: ['the list of commits is lost: they are on the branch'] },
  { why: 'only the progress file of develop', left: ['progress/develop.md'], says: { current_iteration: 2, skill_state: { phase: 'develop', pending_tasks: [] } }, initialised: false, lost: ['the task is lost: give it again with ratchet extend', 'when the loop began is not known', 'no tasks are known'] },
  { why: 'only the progress file of init', left: ['progress/init.md'], says: { current_iteration: 1, skill_state: { phase: 'init', pending_tasks: [{ id: 'T1' }, { id: 'T2' }, { id: 'T3' }, { id: 'T4' }] } }, initialised: true, lost: [] },
  { why: 'only the state file', left: ['json'], says: { status: 'running', current_iteration: 3 }, initialised: true, lost: [] },
  { why: 'a state file truncated before its tasks, and the progress files', left: ['cut', 'progress'], says: { status: 'running', mode: 'auto', skill_state: { completed_tasks: [{ id: 'T1' }], pending_tasks: [{ id: 'T2', status: 'in_progress' }, { id: 'T3' }, { id: 'T4' }] }, ratchet: { task_history: ['Add up the cart'], branch: `ratchet/${ID}` } }, initialised: true, lost: ['the list of commits is lost: they are on the branch'] },
  { why: 'a state file truncated before its tasks, and nothing else', left: ['cut'], says: { status: 'running', description: 'Add up the cart', ratchet: { task_history: ['Add up the cart'] } }, initialised: true, lost: ['the branch of the loop is not known'] },
],
)('from each part of a record: $why', async ({ left, says, initialised, lost }) => {
  const { at, text } = await written()
  const project = tempDir()
  const from = at.files.dir
  const to = loopFiles(project).dir
  mkdirSync(to, { recursive: true })
  for (const part of left) {
    const [folder = '', file] = part.split('/')
    if (part === 'json') cpSync(at.files.master, path.join(to, `${ID}.json`))
    else if (part === 'cut')
      writeFileSync(path.join(to, `${ID}.json`), text.slice(0, text.indexOf('"id": "T3"')))
    else if (file === undefined)
      cpSync(path.join(from, `${ID}.${folder}`), path.join(to, `${ID}.${folder}`), {
        recursive: true,
        filter: (name) => !name.endsWith('.written.json'),
      })
    else writeFiles(to, { [`${ID}.${part}`]: readFileSync(path.join(from, `${ID}.${part}`)) })
  }
  const { record, notes } = await rebuildLoop(project, ID, AGAIN)
  expect(record).toMatchObject(says)
  for (const note of lost) expect(notes).toContain(note)
  expect(readLoop(project, ID)).toEqual({ state: 'ok', record })
  expect(restoredLoop(record).initialised).toBe(initialised)
  expect(await rebuildLoop(project, ID, AGAIN)).toEqual({ record, notes: [] })
})

test('keeps a truncated state file, and the next record is no edit', async () => {
  const { at, text } = await written()
  const cut = text.slice(0, text.indexOf('"ratchet"'))
  writeFileSync(at.files.master, cut)
  const { record, kept } = await rebuildLoop(at.project, ID, AGAIN)
  expect(kept).toBe(`${ID}.json.damaged-1`)
  expect(readFileSync(`${at.files.master}.damaged-1`, 'utf8')).toBe(cut)
  expect(record).toMatchObject({ status: 'running', updated_at: '2026-11-20T21:00:00+08:00' })
  expect(record.failure_reason).toBeUndefined()
  expect((await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })).warnings).toEqual(
    [],
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'a broken beginning', edit: (text: string) => `\0\0\0${text.slice(30)}`, says: { title: 'Add up the cart', description: 'Add up the cart', status: 'running', mode: 'auto' } },
  { why: 'one field of a wrong type', edit: (text: string) => text.replace('"current_iteration": 3', '"current_iteration": -3.5'), says: { current_iteration: 3, ratchet: { commits: ['1'.repeat(40)] } } },
  { why: 'a number edited by hand', edit: (text: string) => text.replace('"current_iteration": 3', '"current_iteration": 99999999'), says: { current_iteration: 3 } },
  { why: 'one entry of a list', edit: (text: string) => text.replace('"status": "blocked"', '"status": "anything"'), says: { skill_state: { pending_tasks: [{ id: 'T2' }, { id: 'T4' }], completed_tasks: [{ id: 'T1' }] }, status: 'running' } },
],
)('damage costs only the damaged part: $why', async ({ edit, says }) => {
  const { at, text } = await written()
  const damaged = edit(text)
  expect(damaged).not.toBe(text)
  writeFileSync(at.files.master, damaged)
  const { record } = await rebuildLoop(at.project, ID, AGAIN)
  expect(record).toMatchObject(says)
})

test('reads the known fields of a state file of the tool that loops came from', async () => {
  const project = tempDir()
  const theirs = {
    loop_id: ID,
    title: 'Cart',
    description: 'Add up the cart',
    max_iterations: 10,
    status: 'paused',
    current_iteration: 2,
    created_at: TIME,
    updated_at: TIME,
    mode: 'auto',
    skill_state: {
      phase: 'develop',
      action_index: 2,
      workers_completed: ['init'],
      parallel_results: null,
      pending_tasks: [{ ...task(2) }, { id: 'T3' }],
      completed_tasks: [{ ...task(1), status: 'completed' }],
      findings: ['anything'],
    },
  }
  writeFiles(loopFiles(project).dir, { [`${ID}.json`]: JSON.stringify(theirs) })
  const { record, kept } = await rebuildLoop(project, ID, AGAIN)
  expect(kept).toBe(`${ID}.json.damaged-1`)
  expect(record).toMatchObject({
    schema: 1,
    description: 'Add up the cart',
    status: 'paused',
    current_iteration: 2,
    mode: 'auto',
    skill_state: {
      phase: 'develop',
      pending_tasks: [{ id: 'T2' }],
      completed_tasks: [{ id: 'T1' }],
      findings: [],
    },
  })
  expect(restoredLoop(record)).toMatchObject({ initialised: true, texts: ['Add up the cart'] })
})

test('from the state of the workflow nothing is lost', async () => {
  const { at, state, record: before } = await written()
  rmSync(at.files.master)
  const { record, notes } = await rebuildLoop(at.project, ID, {
    ...AGAIN,
    from: state,
    status: 'running',
  })
  expect(notes).toEqual([])
  expect(record).toEqual({ ...before, updated_at: '2026-11-20T21:00:00+08:00' })
})

test('keeps the end of a run, from the workflow, else from the file', async () => {
  const { at, state, record: before } = await written('failed')
  const { record } = await rebuildLoop(at.project, ID, { ...AGAIN, from: state })
  expect(record).toEqual({ ...before, updated_at: '2026-11-20T21:00:00+08:00' })
  rmSync(at.files.master)
  const lost = await rebuildLoop(at.project, ID, { ...AGAIN, from: state })
  expect(lost.record).toMatchObject({
    status: 'failed',
    failure_reason: 'the record was lost, and with it how the run ended',
  })
  const known = await rebuildLoop(at.project, ID, {
    ...AGAIN,
    from: state,
    status: 'failed',
    ...(before.ratchet.result === undefined ? {} : { result: before.ratchet.result }),
  })
  expect(known.record).toMatchObject({
    status: 'failed',
    failure_reason: 'spent',
    ratchet: { outcome: 'failed' },
  })
})

test('keeps an intact file; keeps a copy of an edited one and rebuilds it; reports a missing one', async () => {
  const { at, text, record } = await written()
  const before = filesOf(at.files.dir)
  expect(await rebuildLoop(at.project, ID, AGAIN)).toEqual({ record, notes: [] })
  expect(filesOf(at.files.dir)).toEqual(before)
  writeFileSync(at.files.master, text.replace('"mode": "auto"', '"mode": "interactive"'))
  expect(await rebuildLoop(at.project, ID, AGAIN)).toMatchObject({
    kept: `${ID}.json.edited-1`,
    record: { mode: 'interactive' },
  })
  await expect(rebuildLoop(at.project, 'other', AGAIN)).rejects.toMatchObject({
    type: 'BadInput',
    message: 'Loop not found',
  })
  await expect(rebuildLoop(at.project, '../x', AGAIN)).rejects.toMatchObject({ type: 'BadInput' })
})

test('restores missing output files with the state file', async () => {
  const { at } = await written()
  rmSync(at.files.workers, { recursive: true })
  rmSync(at.files.master)
  await rebuildLoop(at.project, ID, AGAIN)
  expect(JSON.parse(readFileSync(at.files.output('develop'), 'utf8'))).toMatchObject({
    schema: 1,
    action: 'develop',
    status: 'success',
    summary: 'develop is done',
    iteration: 2,
  })
})

test('a loop resumes from a record of schema 1 as the first version wrote it', () => {
  const project = tempDir()
  const sample = path.join(import.meta.dirname, 'samples/loop-1')
  cpSync(sample, loopFiles(project).dir, { recursive: true })
  expect(loopFiles(project, ID).master).toBe(path.join(loopFiles(project).dir, `${ID}.json`))
  const read = readLoop(project, ID)
  if (read.state !== 'ok') throw new Error(JSON.stringify(read))
  expect(RestoredLoop.safeParse(restoredLoop(read.record)).success).toBe(true)
  expect(read.record).toMatchObject({
    status: 'failed',
    failure_reason: 'spent',
    skill_state: { pending_tasks: [{ id: 'T2' }, { id: 'T3' }, { id: 'T4' }] },
    ratchet: {
      outcome: 'failed',
      workers: [{ action: 'init' }, { action: 'develop' }, { action: 'validate' }],
    },
  })
})

test('files of schema 1 as the first version wrote them still restore a lost record', async () => {
  const project = tempDir()
  cpSync(path.join(import.meta.dirname, 'samples/loop-1'), loopFiles(project).dir, {
    recursive: true,
  })
  rmSync(loopFiles(project, ID).master)
  const { record } = await rebuildLoop(project, ID, AGAIN)
  expect(record).toMatchObject({
    description: 'Add up the cart',
    current_iteration: 3,
    skill_state: {
      completed_tasks: [{ id: 'T1' }],
      pending_tasks: [{ id: 'T2' }, { id: 'T3' }, { id: 'T4' }],
    },
    ratchet: { branch: `ratchet/${ID}` },
  })
})

test('a resumed loop keeps the state of tasks and validation, and resets the tries of each task', async () => {
  const task = (id: string, rest: object) => ({
    id,
    description: id,
    priority: 'medium' as const,
    status: 'completed' as const,
    files: [],
    ...rest,
  })
  const tasks = [
    task('T1', { noChange: 'it is there' }),
    task('T2', { claimed: true }),
    task('T3', { status: 'pending', lost: 'a.js' }),
    task('T4', { status: 'blocked', aside: { times: 2, why: 'no key', debugged: true } }),
  ]
  const validation = {
    passed: false,
    why: 'validate says failed',
    iteration: 3,
    commit: 'c',
    passRate: 100,
    status: 'failed' as const,
    word: 'refuses' as const,
  }
  const { at } = await written('failed', {
    tasks,
    namesTasks: true,
    workFrom: 'b'.repeat(40),
    developed: true,
    validation,
  })
  const restored = restoredLoop(recordIn(at))
  expect(restored).toMatchObject({
    namesTasks: true,
    workFrom: 'b'.repeat(40),
    developed: true,
    validation,
    tasks: [
      { noChange: 'it is there' },
      { claimed: true },
      { lost: 'a.js' },
      { id: 'T4', status: 'blocked' },
    ],
  })
  expect(restored.tasks[3]).not.toHaveProperty('aside')
})
