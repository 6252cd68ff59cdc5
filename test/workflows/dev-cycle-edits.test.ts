// A person edits the record of an open cycle: what the agents get, what status says, and what is
// asked.
import { expect, test } from 'vitest'
import type { PersonEdit } from '../../src/contract/dev-cycle/person-edit.js'
import { cycleHost, type CycleHost } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { measured } from '../support/test-runs.js'

const { run, whole } = cycleRuns()

const requirements: PersonEdit = {
  id: 'EDIT-001',
  phase: 'ra',
  file: 'ra/requirements.md',
  change: ['+ - FR-003: sub'],
}
const plan: PersonEdit = {
  id: 'EDIT-001',
  phase: 'ep',
  file: 'ep/plan.json',
  change: ['+ T2'],
  plan: {
    tasks: [
      { id: 'T1', text: 'add' },
      { id: 'T2', text: 'sub' },
    ],
    added: ['T2'],
    removed: [],
  },
}
const briefs = (host: CycleHost) =>
  host.turns.map((t) => ({
    turn: `${t.iteration} ${t.phase} ${t.turn}`,
    edits: 'brief' in t.ask ? t.ask.brief.edits?.map(({ id }) => id) : undefined,
  }))

test('an edit found at the commit keeps the cycle open until the developer gets it, in the same iteration', async () => {
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    edits: (step, n) => (step === 'commit' && n === 1 ? [requirements] : undefined),
  })
  expect(briefs(host).filter(({ edits }) => edits !== undefined)).toEqual([
    { turn: '1 vas validate', edits: ['EDIT-001'] },
    { turn: '1 cd feedback', edits: ['EDIT-001'] },
  ])
  expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
  expect(host.records.at(-1)?.state.feedbackLog).toContainEqual(
    expect.objectContaining({
      source: 'user',
      target: 'ra',
      content: 'ra/requirements.md was edited: + - FR-003: sub',
    }),
  )
})

test('an edit that the developer has not seen at the end of the iteration causes another one', async () => {
  const later = { ...requirements, id: 'EDIT-002' }
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    turn: (t) =>
      t.phase === 'vas' && t.turn === 'validate' && t.iteration === 1
        ? { says: { edits: [requirements] } }
        : {},
    edits: (step, n) => (step === 'commit' && n === 2 ? [requirements, later] : undefined),
  })
  expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
  expect(briefs(host).filter(({ turn }) => / cd /.test(turn))).toEqual([
    { turn: '1 cd work', edits: undefined },
    { turn: '1 cd feedback', edits: ['EDIT-001'] },
    { turn: '2 cd work', edits: ['EDIT-002'] },
  ])
})

test('an edit found after the last turn of an iteration goes to all four agents in the next one', async () => {
  const { host } = await whole({
    runs: [measured(3, 3), measured(4, 5), measured(4, 5), measured(5, 5)],
    edits: (step, n) => (step === 'record' && n === 2 ? [requirements] : undefined),
  })
  expect(
    briefs(host)
      .filter(({ turn }) => /^2 .* work$/.test(turn))
      .sort((a, b) => (a.turn < b.turn ? -1 : 1)),
  ).toEqual(
    ['cd', 'ep', 'ra', 'vas'].map((phase) => ({ turn: `2 ${phase} work`, edits: ['EDIT-001'] })),
  )
})

test('a task that a person adds to the plan is open until it is done', async () => {
  const named = [{ id: 'T1', text: 'add' }]
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    edits: (step, n) => (step === 'commit' && n === 1 ? [plan] : undefined),
    turn: (t) => ({
      says:
        t.phase === 'ep'
          ? { plan: { tasks: 1, criticalPath: [], named } }
          : t.phase === 'cd'
            ? { tasksNamed: t.iteration === 1 ? ['T1'] : ['T1', 'T2'] }
            : {},
    }),
  })
  expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
  expect(
    host.records
      .map(({ state }) => state.promised?.map(({ id, state: how }) => `${id} ${how}`).join())
      .filter((one) => one !== undefined),
  ).toEqual(['T1 done,T2 open', 'T1 done,T2 done'])
})

test('a task that a person removes from the plan is no open item', async () => {
  const removed = {
    ...plan,
    plan: { tasks: [{ id: 'T1', text: 'add' }], added: [], removed: [{ id: 'T2', text: 'sub' }] },
  }
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    edits: (step, n) => (step === 'commit' && n === 1 ? [removed] : undefined),
    turn: (t) => ({
      says:
        t.phase === 'ep'
          ? {
              plan: {
                tasks: 2,
                criticalPath: [],
                named: [
                  { id: 'T1', text: 'add' },
                  { id: 'T2', text: 'sub' },
                ],
              },
            }
          : t.phase === 'cd'
            ? { tasksNamed: ['T1'] }
            : {},
    }),
  })
  expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
  // Nor is the developer asked about it.
  expect(host.turns.findLast((t) => t.phase === 'cd')?.read).toMatchObject({ done: ['T1', 'T2'] })
})

const refused: PersonEdit = {
  id: 'EDIT-001',
  phase: 'ep',
  file: 'ep/plan.json',
  change: [],
  problem: 'plan.json has no tasks',
}

test('an unusable edit is a warning in an unattended cycle, which continues', async () => {
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    edits: (step, n) => (step === 'commit' && n === 1 ? [refused] : undefined),
  })
  expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
  expect(briefs(host).every(({ edits }) => edits === undefined)).toBe(true)
  expect(host.records.at(-1)?.state.warnings).toContain(
    'ep/plan.json was edited and cannot be used: plan.json has no tasks. The edit is kept as ep/plan.json.edited. The version of the agents applies',
  )
})

test('an unusable edit is a question; "fixed" reads the file again and asks again if it is unchanged', async () => {
  let corrected = false
  const host = cycleHost({
    runs: [measured(3, 3)],
    edits: (step, n) =>
      step === 'commit' && n === 1
        ? [refused]
        : corrected
          ? [{ ...plan, id: 'EDIT-002' }]
          : undefined,
    turn: (t) => ({ says: t.phase === 'cd' ? { tasksNamed: ['T1', 'T2'] } : {} }),
  })
  const result = await run(
    host,
    async (r) => {
      const question = /ep\/plan\.json was edited and cannot be used: plan\.json has no tasks/
      await r.until('the question', (s) => question.test(s.waitingFor))
      const before = host.records.length
      await r.handle.executeUpdate('answer', { args: ['fixed'] })
      await r.until(
        'the same question',
        (s) => s.questions === 1 && host.records.length > before && question.test(s.waitingFor),
      )
      corrected = true
      await r.handle.executeUpdate('answer', { args: ['fixed'] })
      await r.until('the menu', (s) => s.questions === 1 && !question.test(s.waitingFor))
      await r.handle.executeUpdate('answer', { args: ['stop'] })
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  expect(result).toMatchObject({ outcome: 'stopped' })
  expect(host.records.at(-1)?.state).toMatchObject({
    promised: [{ id: 'T1' }, { id: 'T2' }],
    edits: { seen: 2, open: [{ id: 'EDIT-002' }] },
  })
})

test('the next iteration gets what a person edits while the menu is open', async () => {
  let edited = false
  const host = cycleHost({
    runs: [measured(3, 3), measured(4, 5)],
    edits: () => (edited ? [requirements] : undefined),
  })
  await run(
    host,
    async (r) => {
      await r.until('the menu', (s) => s.questions === 1)
      edited = true
      await r.handle.executeUpdate('answer', { args: ['continue'] })
      await r.until('the next menu', (s) => s.questions === 1 && s.iteration === 2)
      await r.handle.executeUpdate('answer', { args: ['stop'] })
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  expect(
    briefs(host)
      .filter(({ turn }) => /^2 .* work$/.test(turn))
      .map(({ edits }) => edits),
  ).toEqual(Array.from({ length: 4 }, () => ['EDIT-001']))
})
