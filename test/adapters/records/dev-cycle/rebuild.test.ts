// Rebuilding a master file.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { rebuildCycle } from '../../../../src/adapters/records/dev-cycle/recover-cycle.js'
import {
  readCycle,
  restoredCycle,
} from '../../../../src/adapters/records/dev-cycle/load-cycle-record.js'
import type { CycleRecord } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { filesOf, tempDir } from '../../../support/repositories/repos.js'
import { AT, cycleState, DOCUMENTS, ID, MINUTE, OFFSET, place, recordInput } from './cycle-state.js'

const AGAIN = { at: AT + 60 * MINUTE, offset: OFFSET }
const COMMIT = {
  sha: '1'.repeat(40),
  changes: [{ file: 'src/cart.js', action: 'modify' as const, added: 3, removed: 1 }],
}

async function written(end?: 'failed' | 'completed') {
  const at = place(DOCUMENTS)
  const state = cycleState(at, { tasks: [{ text: 'Add up the cart', iteration: 1 }] })
  await writeCycleRecord(
    recordInput(state, end === undefined ? undefined : { outcome: end, reason: 'spent' }),
    { offset: OFFSET, commit: COMMIT },
  )
  const text = readFileSync(at.master, 'utf8')
  return { at, state, text, record: JSON.parse(text) as CycleRecord }
}

test('a missing master file is rebuilt from the progress files', async () => {
  const { at, record: before } = await written()
  rmSync(at.master)
  const { record, kept, notes } = await rebuildCycle(at.project, ID, AGAIN)
  expect(kept).toBeUndefined()
  for (const key of [
    'cycle_id',
    'title',
    'description',
    'task_history',
    'created_at',
    'current_iteration',
    'max_iterations',
    'iterations',
    'changes',
    'test_results',
    'schema',
  ] as const)
    expect({ [key]: record[key] }).toEqual({ [key]: before[key] })
  for (const key of ['requirements', 'exploration', 'plan'] as const)
    expect(record[key]).toMatchObject({ version: '1.0.0' })
  expect(record.coordination).toEqual({ ...before.coordination, feedback_log: [] })
  expect(record.ratchet).toMatchObject({
    branch: `ratchet/${ID}`,
    base: 'b'.repeat(40),
    commits: ['1'.repeat(40)],
    open_issues: ['1 test fails: cart 3'],
    history: [{ passRate: 90 }],
  })
  expect(record).toMatchObject({
    status: 'failed',
    failure_reason: 'the record was damaged; how the cycle stood is not known',
  })
  expect(notes).toEqual([
    'the status is not known: the cycle counts as failed, and can be resumed',
    'the log of feedback is lost',
    'the states of the agents are not known',
    'errors of agents are lost',
    'it is unknown whether a prep package was used: Ratchet assumes none',
  ])
  expect(readCycle(at.project, ID)).toEqual({ state: 'ok', record })
  expect(restoredCycle(record)).toMatchObject({
    iteration: 1,
    tasks: [{ text: 'Add up the cart' }],
    commits: ['1'.repeat(40)],
  })
})

test('a truncated file: its first part counts, and the file is kept', async () => {
  const { at, text, record: before } = await written()
  const cut = text.slice(0, text.indexOf('"iterations"'))
  writeFileSync(at.master, cut)
  const { record, kept } = await rebuildCycle(at.project, ID, AGAIN)
  expect(kept).toBe(`${ID}.json.damaged-1`)
  expect(readFileSync(path.join(path.dirname(at.master), kept as string), 'utf8')).toBe(cut)
  expect(record).toMatchObject({
    status: 'running',
    agents: before.agents,
    plan: before.plan,
    iterations: before.iterations,
  })
  expect(record.failure_reason).toBeUndefined()
  // The run continues: its next record is no edit and no second copy.
  expect(
    (await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })).warnings,
  ).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { why: 'a broken beginning', edit: (text: string) => `\0\0\0${text.slice(30)}`, says: { title: 'Add up the cart', description: 'Add up the cart', task_history: ['Add up the cart'], status: 'running' } },
  { why: 'one field of a wrong type', edit: (text: string) => text.replace('"current_iteration": 1', '"current_iteration": -3.5'), says: { current_iteration: 1, status: 'running', coordination: { feedback_log: [{ content: 'cart 3 fails' }] } } },
  { why: 'one entry of a list', edit: (text: string) => text.replace('"bug_report"', '"anything"'), says: { coordination: { feedback_log: [], blockers: [{ id: 'BLK-001' }] } } },
],
)('damage costs only the damaged part: $why', async ({ edit, says }) => {
  const { at, text } = await written()
  const damaged = edit(text)
  expect(damaged).not.toBe(text)
  writeFileSync(at.master, damaged)
  const { record } = await rebuildCycle(at.project, ID, AGAIN)
  expect(record).toMatchObject(says)
  expect(readFileSync(`${at.master}.damaged-1`, 'utf8')).toBe(damaged)
})

test('from the state of the workflow nothing is lost', async () => {
  const { at, state, record: before } = await written()
  rmSync(at.master)
  const { record, notes } = await rebuildCycle(at.project, ID, { ...AGAIN, from: state })
  expect(notes).toEqual([])
  const {
    updated_at: _now,
    requirements: _r,
    exploration: _e,
    plan: _p,
    test_results: _t,
    ...rest
  } = before
  expect(record).toMatchObject(rest)
})

test('iterations that the workflow no longer carries come from the timeline', async () => {
  const { at, state } = await written()
  rmSync(at.master)
  const [first] = state.iterations
  const { record } = await rebuildCycle(at.project, ID, {
    ...AGAIN,
    from: {
      ...state,
      iteration: 5,
      iterations: first === undefined ? [] : [{ ...first, number: 5, issuesFound: [] }],
    },
  })
  expect(
    record.iterations.map(({ number, issues_found: issues }) => [number, issues.length]),
  ).toEqual([
    [1, 1],
    [5, 0],
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'an open run', rest: {}, says: { status: 'running' } },
  { why: 'a closed one with open issues', rest: { currentPhase: 'complete' as const }, says: { status: 'failed', failure_reason: 'the record was lost, and with it how the run ended' } },
],
)('from the state of $why', async ({ rest, says }) => {
  const { at, state } = await written()
  rmSync(at.master)
  const { record } = await rebuildCycle(at.project, ID, { ...AGAIN, from: { ...state, ...rest } })
  expect(record).toMatchObject(says)
})

test('keeps an intact record; keeps a copy of an edited one and rebuilds it', async () => {
  const { at, text } = await written('completed')
  const before = filesOf(path.dirname(at.master))
  expect((await rebuildCycle(at.project, ID, AGAIN)).notes).toEqual([])
  expect(filesOf(path.dirname(at.master))).toEqual(before)
  const edited = text.replace('The cart adds up', 'Nothing adds up')
  writeFileSync(at.master, edited)
  const { record, kept } = await rebuildCycle(at.project, ID, AGAIN)
  expect(record.requirements?.specification).toContain('The cart adds up')
  expect(record).toMatchObject({
    status: 'completed',
    completed_at: '2026-11-20T20:20:00+08:00',
    ratchet: { outcome: 'completed' },
  })
  expect(readFileSync(path.join(path.dirname(at.master), kept as string), 'utf8')).toBe(edited)
})

test('a claim never becomes a measured rate', async () => {
  const { at } = await written()
  rmSync(at.master)
  rmSync(path.join(at.record, 'coordination/timeline.md'))
  const { record, notes } = await rebuildCycle(at.project, ID, AGAIN)
  expect(record.test_results).toMatchObject({
    pass_rate: null,
    claimed: 100,
    coverage: 82,
    total_tests: 10,
  })
  expect(notes).toContain('the last measurement is lost: test results are those of the validation')
  expect(notes).toContain('of iteration 1 only the number is known')
  expect(record.iterations).toEqual([
    {
      number: 1,
      started_at: '2026-11-20T20:20:00+08:00',
      agent_results: {},
      issues_found: [],
      resolved: false,
    },
  ])
})

test('history/: an iteration known only from an archived version counts', async () => {
  const { at } = await written()
  rmSync(at.master)
  writeFileSync(path.join(at.record, 'ra/history/requirements-v1.2.0.md'), '# R\n')
  expect((await rebuildCycle(at.project, ID, AGAIN)).record.current_iteration).toBe(4)
})

test('refused: no such cycle, and a newer version', async () => {
  const project = tempDir()
  await expect(rebuildCycle(project, ID, AGAIN)).rejects.toMatchObject({
    type: 'BadInput',
    message: 'Cycle not found',
  })
  expect(existsSync(path.join(project, '.workflow'))).toBe(false)
  const { at } = await written()
  writeFileSync(at.master, '{"schema":3}')
  await expect(rebuildCycle(at.project, ID, AGAIN)).rejects.toMatchObject({
    message: `the record of ${ID} has schema 3, written by a newer version of Ratchet`,
  })
})
