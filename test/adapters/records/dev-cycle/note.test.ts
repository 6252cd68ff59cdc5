import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CYCLE } from '../../../../src/adapters/records/dev-cycle/cycle-state-file.js'
import { noteAgent } from '../../../../src/adapters/records/dev-cycle/patch-cycle-record.js'
import { noteResumed } from '../../../../src/adapters/records/patch-record.js'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { readCycle } from '../../../../src/adapters/records/dev-cycle/load-cycle-record.js'
import { withStatuses } from '../../../../src/adapters/records/dev-cycle/plan-status.js'
import type { CycleRecord, PlanTask } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { PHASES } from '../../../../src/contract/dev-cycle/discovery.js'
import { writeFiles } from '../../../support/repositories/repos.js'
import {
  AT,
  cycleState,
  DOCUMENTS,
  ID,
  OFFSET,
  place,
  recordInput,
  type Place,
} from './cycle-state.js'

const LATER = '2026-11-20T21:00:00+08:00'

async function begun(files = {}): Promise<Place> {
  const at = place(files)
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  return at
}

function record({ project }: Place): CycleRecord {
  const read = readCycle(project, ID)
  if (read.state !== 'ok') throw new Error('the record cannot be read')
  return read.record
}

test('the master file has the end of each agent, with its documents', async () => {
  const at = await begun()
  expect(record(at).requirements).toBeUndefined()
  writeFiles(at.dir, DOCUMENTS)
  await noteAgent(
    at.project,
    ID,
    'ra',
    { status: 'completed', completed_at: LATER, last_message: 'done' },
    LATER,
    { take: { cwd: at.cwd, iteration: 1, at: AT, offset: OFFSET } },
  )
  expect(record(at)).toMatchObject({
    updated_at: LATER,
    agents: {
      ra: {
        status: 'completed',
        completed_at: LATER,
        last_message: 'done',
        iterations_completed: 1,
      },
    },
    requirements: { version: '1.0.0', last_updated: LATER },
  })
  expect(record(at).plan).toBeUndefined() // the planner has not ended yet
})

test('four agents that end at the same time: no note is lost', async () => {
  const at = await begun(DOCUMENTS)
  await Promise.all(
    PHASES.flatMap((phase) =>
      // prettier-ignore
      [
    noteAgent(at.project, ID, phase, { status: 'running', started_at: LATER }, LATER),
    noteAgent(at.project, ID, phase, { status: 'completed', last_message: `${phase} again` }, LATER),
  ],
    ),
  )
  const { agents } = record(at)
  expect(PHASES.map((phase) => agents[phase])).toEqual(
    PHASES.map(
      (phase) =>
        expect.objectContaining({
          status: 'completed',
          started_at: LATER,
          last_message: `${phase} again`,
        }) as unknown,
    ),
  )
})

test('AgentState: a started agent has no end and no error', async () => {
  const at = await begun()
  await noteAgent(
    at.project,
    ID,
    'cd',
    { status: 'failed', completed_at: LATER, error: 'timed out' },
    LATER,
  )
  expect(record(at).agents.cd).toMatchObject({ status: 'failed', error: 'timed out' })
  await noteAgent(at.project, ID, 'cd', { status: 'running', started_at: LATER }, LATER)
  expect(record(at).agents.cd).not.toHaveProperty('error')
  expect(record(at).agents.cd).not.toHaveProperty('completed_at')
})

test('an edit by hand survives a note, and the next full record reports it; a note alone is no edit', async () => {
  const at = await begun()
  await noteAgent(at.project, ID, 'ra', { status: 'running' }, LATER)
  writeFileSync(
    at.master,
    readFileSync(at.master, 'utf8')
      .replace('{', '{\n  "mine": 1,')
      .replace('"status": "running"', '"status": "paused"'),
  )
  await noteAgent(at.project, ID, 'ra', { status: 'completed' }, LATER)
  expect(JSON.parse(readFileSync(at.master, 'utf8'))).toMatchObject({
    mine: 1,
    status: 'paused',
    agents: { ra: { status: 'completed' } },
  })
  expect(
    (await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })).warnings,
  ).toEqual([expect.stringContaining(`ratchet pause ${ID}`)])
  await noteAgent(at.project, ID, 'ra', { status: 'running' }, LATER)
  expect(
    (await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })).warnings,
  ).toEqual([])
})

test.each([
  { why: 'missing', text: undefined },
  { why: 'cut', text: '{"schema":1,' },
])('leaves a master file that is $why to the next full record', async ({ text }) => {
  const at = place(DOCUMENTS)
  if (text !== undefined) writeFileSync(at.master, text)
  await noteAgent(at.project, ID, 'ra', { status: 'running' }, LATER)
  expect(readCycle(at.project, ID).state).toBe(text === undefined ? 'none' : 'damaged')
  expect(path.dirname(at.master)).toBeTruthy()
})

const task = (id: string, rest: Partial<PlanTask> = {}): PlanTask => ({
  id,
  description: id,
  effort: 'medium',
  depends_on: [],
  status: 'pending',
  files: [],
  ...rest,
})
const done = (id: string) => [{ id, text: '', state: 'done' as const }]
const TASKS = [task('TASK-002', { depends_on: ['TASK-001'] }), task('TASK-001'), task('TASK-003')]

test.each(
  // prettier-ignore
  [
  { why: 'at work: the first one that can begin', tasks: TASKS, cd: { status: 'running' as const, result: undefined, promised: [] }, says: ['pending', 'in_progress', 'pending'] },
  { why: 'at work again: what is done stays done', tasks: TASKS, cd: { status: 'running' as const, result: undefined, promised: done('TASK-001') }, says: ['in_progress', 'completed', 'pending'] },
  { why: 'the tasks that it names, not the first ones', tasks: TASKS, cd: { status: 'completed' as const, result: { blockers: [] }, promised: done('TASK-003') }, says: ['pending', 'pending', 'completed'] },
  { why: 'a success that names no task', tasks: TASKS, cd: { status: 'completed' as const, result: { blockers: [] }, promised: [] }, says: ['pending', 'pending', 'pending'] },
  { why: 'a blocker that names a task', tasks: TASKS, cd: { status: 'failed' as const, result: { blockers: ['TASK-003: no key.', 'TASK-0020'] }, promised: [] }, says: ['pending', 'pending', 'blocked'] },
  { why: 'a cycle ends', tasks: [task('A', { depends_on: ['B'] }), task('B', { depends_on: ['A'] })], cd: { status: 'running' as const, result: undefined, promised: [] }, says: ['in_progress', 'pending'] },
  { why: 'nothing known: as the plan says', tasks: [task('A', { status: 'completed' })], cd: { status: 'idle' as const, result: undefined, promised: [] }, says: ['completed'] },
],
)('PlanTask status: $why', ({ tasks, cd, says }) =>
  expect(withStatuses(tasks, cd).map(({ status }) => status)).toEqual(says),
)

test('state transitions: the first work turn of an iteration opens it, its siblings join it, and a pause ends', async () => {
  const at = place(DOCUMENTS)
  const input = recordInput(cycleState(at))
  await writeCycleRecord(
    { ...input, status: { ...input.status, status: 'paused' } },
    { offset: OFFSET },
  )
  expect(record(at).status).toBe('paused')
  const begins = {
    iteration: 2,
    maxIterations: 6,
    description: `${record(at).description}\n\n--- ITERATION 2 ---\nAlso add MFA`,
    extension: 'Also add MFA',
  }
  await Promise.all(
    (['ra', 'cd'] as const).map((phase) =>
      noteAgent(at.project, ID, phase, { status: 'running', started_at: LATER }, LATER, { begins }),
    ),
  )
  expect(record(at)).toMatchObject({
    status: 'running',
    current_iteration: 2,
    max_iterations: 6,
    current_phase: 'ra',
    description: begins.description,
    task_history: [expect.any(String), 'Also add MFA'],
    completed_phases: [],
    agents: { ra: { status: 'running' }, ep: { status: 'idle' }, cd: { status: 'running' } },
    iterations: [
      { number: 1 },
      { number: 2, extension: 'Also add MFA', started_at: LATER, resolved: false },
    ],
  })
  expect(record(at).iterations).toHaveLength(2)
  await noteAgent(at.project, ID, 'ra', { status: 'completed' }, LATER)
  expect(record(at).current_phase).toBe('cd')
})

test('an interrupted and repeated iteration is recorded once', async () => {
  const at = place(DOCUMENTS)
  const state = cycleState(at)
  const [first] = state.iterations
  await writeCycleRecord(
    recordInput({
      ...state,
      iterations:
        first === undefined
          ? []
          : [
              first,
              { number: 2, startedAt: AT, agentResults: {}, issuesFound: [], resolved: false },
            ],
    }),
    { offset: OFFSET },
  )
  await noteAgent(at.project, ID, 'ra', { status: 'running', started_at: LATER }, LATER, {
    begins: { iteration: 2, maxIterations: 6, description: record(at).description },
  })
  expect(record(at).iterations.map(({ number, started_at: from }) => [number, from])).toEqual([
    [1, expect.any(String)],
    [2, LATER],
  ])
})

test('entries on the board at the end of an agent are kept, also when they are removed later', async () => {
  const at = await begun({
    ...DOCUMENTS,
    'coordination/discoveries.ndjson':
      '{"ts":"2026-11-20T12:00:00Z","agent":"ra","type":"x","data":{"n":1}}\n',
  })
  const take = { cwd: at.cwd, iteration: 1, at: AT, offset: OFFSET }
  writeFiles(at.dir, {
    'coordination/discoveries.ndjson':
      '{"ts":"2026-11-20T12:00:00Z","agent":"ra","type":"x","data":{"n":1}}\n{"ts":"2026-11-20T12:00:01Z","agent":"ra","type":"x","data":{"n":2}}\n',
  })
  await noteAgent(at.project, ID, 'ra', { status: 'completed' }, LATER, { take })
  writeFiles(at.dir, { 'coordination/discoveries.ndjson': '' })
  await noteAgent(at.project, ID, 'ep', { status: 'completed' }, LATER, { take })
  expect(
    readFileSync(`${at.record}/coordination/discoveries.ndjson`, 'utf8').split('\n'),
  ).toHaveLength(3)
  expect(
    readFileSync(`${at.dir}/coordination/discoveries.ndjson`, 'utf8').split('\n'),
  ).toHaveLength(3)
  expect(record(at)).toMatchObject({
    agents: { ep: { status: 'completed' } },
    ratchet: {
      warnings: ['coordination/discoveries.ndjson: 2 lines that had been removed were restored'],
    },
  })
})

test('control signals: after a pause the master file says running at once; a closed one stays closed', async () => {
  const at = place(DOCUMENTS)
  const input = recordInput(cycleState(at))
  for (const [status, then] of [
    ['paused', 'running'],
    ['completed', 'completed'],
  ] as const) {
    await writeCycleRecord({ ...input, status: { ...input.status, status } }, { offset: OFFSET })
    await noteResumed(CYCLE, at.project, ID, { at: AT, offset: OFFSET })
    expect(record(at).status).toBe(then)
  }
  await noteResumed(CYCLE, at.project, 'cycle-v1-unknown', { at: AT, offset: OFFSET }) // no record: nothing to say
})

test('a master file with a byte order mark still gets the state of each agent', async () => {
  const at = await begun()
  writeFileSync(at.master, `\ufeff${readFileSync(at.master, 'utf8').replaceAll('\n', '\r\n')}`)
  await noteAgent(at.project, ID, 'ra', { status: 'running', started_at: LATER }, LATER)
  expect(record(at)).toMatchObject({ updated_at: LATER, agents: { ra: { status: 'running' } } })
})
