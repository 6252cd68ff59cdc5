import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lenientJson } from '../../../../src/adapters/records/lenient-json.js'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import {
  readCycle,
  restoredCycle,
} from '../../../../src/adapters/records/dev-cycle/load-cycle-record.js'
import { RestoredCycle, type CycleState } from '../../../../src/contract/dev-cycle/cycle-state.js'
import type { CycleRecord } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { AT, cycleState, DOCUMENTS, ID, MINUTE, OFFSET, place, recordInput } from './cycle-state.js'

async function written(rest: Partial<CycleState> = {}) {
  const at = place(DOCUMENTS)
  const state = cycleState(at, rest)
  await writeCycleRecord(recordInput(state, { outcome: 'completed_with_issues' }), {
    offset: OFFSET,
  })
  return { at, state, text: readFileSync(at.master, 'utf8') }
}

function recordIn(project: string): CycleRecord {
  const read = readCycle(project, ID)
  if (read.state !== 'ok') throw new Error(`not ok: ${JSON.stringify(read)}`)
  return read.record
}

test.each(
  // prettier-ignore
  [
  { why: 'cut in the middle', edit: (text: string) => text.slice(0, text.length / 2), says: 'is cut or is no JSON' },
  { why: 'empty', edit: () => '\n', says: 'is empty' },
  { why: 'no JSON at all', edit: () => '\0\0\0\0', says: 'holds no JSON object' },
  { why: 'a list', edit: () => '[]', says: 'holds no JSON object' },
  { why: 'a wrong type', edit: (text: string) => text.replace('"current_iteration": 1', '"current_iteration": "one"'), says: /^.*does not have the form of a record: current_iteration: / },
  { why: 'no schema version, as another tool writes it', edit: (text: string) => text.replace('"schema": 1,', ''), says: /does not have the form of a record: schema: / },
],
)('reports a damaged master file: $why', async ({ edit, says }) => {
  const { at, text } = await written()
  writeFileSync(at.master, edit(text))
  expect(readCycle(at.project, ID)).toEqual({
    state: 'damaged',
    problem:
      typeof says === 'string' ? `${at.master} ${says}` : (expect.stringMatching(says) as string),
  })
})

test('none, newer, a directory, a link', async () => {
  const { at } = await written()
  expect(readCycle(at.project, 'other')).toEqual({ state: 'none' })
  writeFileSync(at.master, '{"schema": 7, "anything": true}')
  expect(readCycle(at.project, ID)).toEqual({ state: 'newer', schema: 7 })
  mkdirSync(at.master.replace(ID, 'dir'))
  expect(readCycle(at.project, 'dir')).toEqual({
    state: 'damaged',
    problem: `${at.master.replace(ID, 'dir')} is a directory`,
  })
  symlinkSync(at.master, at.master.replace(ID, 'link'))
  expect(readCycle(at.project, 'link')).toEqual({
    state: 'damaged',
    problem: `${at.master.replace(ID, 'link')} is a link, which is not followed`,
  })
})

test('a cycle resumes from its record alone with the state it had', async () => {
  const prep = {
    convergence: { test_pass_rate: 90, coverage: 80, max_critical_bugs: 0, max_open_issues: 3 },
    phase_gates: {
      zero_to_one: { iterations: [1, 2], exit_criteria: {} },
      one_to_hundred: { iterations: [3], exit_criteria: {} },
    },
    agent_focus: { zero_to_one: { ra: 'core_requirements_only' }, one_to_hundred: {} },
    source_refs: [{ path: 'a.md', type: 'local_file' as const, status: 'verified' as const }],
  }
  const tasks = [
    { text: 'Add up the cart', iteration: 1 },
    { text: 'Also login', iteration: 2 },
  ]
  const { at, state } = await written({
    prep,
    tasks,
    oneToHundred: true,
    interactive: true,
    scheduling: 'staged',
    parallel: 2,
    maxIterations: 7,
    pendingExtensions: ['Also cover CSV'],
    workFrom: 'c'.repeat(40),
    hadSuite: true,
    refused: { commit: 'd'.repeat(40), iteration: 1, why: 'FR-001 is not met' },
    untracked: 2,
    phaseErrors: [{ phase: 'ra', error: 'timed out', at: AT + MINUTE }],
  })
  const restored = restoredCycle(recordIn(at.project))
  expect(RestoredCycle.parse(restored)).toEqual(restored)
  const keys = Object.keys(RestoredCycle.shape) as (keyof RestoredCycle)[]
  const expected = Object.fromEntries(keys.map((key) => [key, state[key]]))
  expect(restored).toEqual({ ...expected, changedFiles: 0 }) // nothing was committed here
})

test('the restored state is bounded, and no agent of it is at work', async () => {
  const { at } = await written({
    agents: {
      ...cycleState(place()).agents,
      cd: {
        status: 'running',
        output_files: [],
        iterations_completed: 0,
        last_message: 'x'.repeat(1000),
      },
    },
    feedbackLog: Array.from({ length: 30 }, (_, n) => ({
      timestamp: String(n),
      source: 'user',
      target: 'ra',
      content: `${n} ${'x'.repeat(2000)}`,
      type: 'clarification' as const,
    })),
    iterations: Array.from({ length: 9 }, (_, n) => ({
      number: n + 1,
      startedAt: AT,
      agentResults: {},
      issuesFound: [],
      resolved: true,
    })),
  })
  const restored = restoredCycle(recordIn(at.project))
  expect(restored.agents.cd).toMatchObject({
    status: 'idle',
    last_message: expect.stringMatching(/^x{199}…$/) as string,
  })
  expect(restored.feedbackLog).toHaveLength(20)
  expect(restored.feedbackLog[19]?.content).toHaveLength(500)
  expect(restored.iterations.map(({ number }) => number)).toEqual([5, 6, 7, 8, 9])
  // Written again from the restored state: no entry is doubled, none is cut.
  await writeCycleRecord(recordInput(cycleState(at, { ...restored })), { offset: OFFSET })
  const { coordination, iterations } = recordIn(at.project)
  expect(coordination.feedback_log.map(({ content }) => content.length)).toEqual(
    Array.from({ length: 30 }, (_, n) => 2001 + String(n).length),
  )
  expect(iterations).toHaveLength(9)
})

test('the kept record of schema 1 is read as it was written', () => {
  const at = place()
  writeFileSync(at.master, readFileSync(new URL('samples/cycle-1.json', import.meta.url), 'utf8'))
  const record = recordIn(at.project)
  expect(record).toMatchObject({
    cycle_id: ID,
    current_iteration: 2,
    task_history: ['Add up the cart', 'Also login'],
    plan: { tasks: [{ status: 'completed' }, { status: 'completed' }] },
    coordination: { blockers: [{ id: 'BLK-001' }] },
  })
  expect(restoredCycle(record)).toMatchObject({
    tasks: [
      { text: 'Add up the cart', iteration: 1 },
      { text: 'Also login', iteration: 2 },
    ],
    iteration: 2,
    oneToHundred: true,
    history: [
      { iteration: 1, passRate: 90 },
      { iteration: 2, passRate: 100 },
    ],
    commits: ['1'.repeat(40), '2'.repeat(40)],
  })
})

test.each([
  { text: '{"a":1,"b":[1,{"c":"x"},{"d":', value: { a: 1, b: [1, { c: 'x' }, {}] } },
  { text: '{"a":"x\\"y","b":"cut', value: { a: 'x"y' } },
  { text: '{"a":"ends in \\\\","b":12', value: { a: 'ends in \\' } },
  { text: '{"a":tru', value: {} },
  { text: '{"a":1 "b":2}', value: { a: 1 } },
  { text: '{"__proto__":{"x":1},"b":', value: JSON.parse('{"__proto__":{"x":1}}') as unknown },
  { text: 'nonsense', value: undefined },
])('the readable part of JSON: $text', ({ text, value }) =>
  expect(lenientJson(text)).toEqual({ value, whole: false }),
)

test('every truncated record is read without an error, and has nothing that the record lacks', async () => {
  const { at, text } = await written()
  for (let length = 0; length < text.length; length += 97) {
    writeFileSync(at.master, text.slice(0, length))
    expect(readCycle(at.project, ID).state).toBe('damaged')
  }
})
