import { describe, expect, test } from 'vitest'
import { PHASES } from '../../../../../src/contract/dev-cycle/discovery.js'
import { cycleEvidence } from '../../../../../src/core/dev-cycle/cycle-open.js'
import {
  changeOf,
  editsSection,
  judgeEdit,
  NO_EDITS,
  toldTo,
  untoldTo,
  withEdits,
} from '../../../../../src/core/dev-cycle/documents/person-edits.js'
import { planEdit, withPlanEdit } from '../../../../../src/core/dev-cycle/documents/plan-edit.js'
import { planned, worked } from '../../../../../src/core/dev-cycle/promised.js'
import { openItems } from '../../../../../src/core/run/open-items.js'
import { cycleState, phaseResult } from '../../../../support/cycle/cycle-results.js'

const plan = (...tasks: [string, string][]): string =>
  JSON.stringify({ tasks: tasks.map(([id, title]) => ({ id, title, depends_on: [] })) })
const OLD = plan(['TASK-001', 'add'], ['TASK-002', 'mul'])

test.each(
  // prettier-ignore
  [
  { why: 'nothing is there: it comes back',        name: 'requirements.md',   there: undefined,                       ours: false, judged: { edit: 'none' } },
  { why: 'an emptied document comes back',         name: 'requirements.md',   there: { text: ' \n' },                 ours: false, judged: { edit: 'none' } },
  { why: 'what Ratchet wrote',                     name: 'requirements.md',   there: { text: '# R' },                 ours: true,  judged: { edit: 'none' } },
  { why: 'another text',                           name: 'requirements.md',   there: { text: '# R' },                 ours: false, judged: { edit: 'taken', text: '# R' } },
  { why: 'a plan that can be read',                name: 'plan.json',         there: { text: OLD },                   ours: false, judged: { edit: 'taken', text: OLD } },
  { why: 'a plan that is no JSON',                 name: 'plan.json',         there: { text: '{ tasks' },             ours: false, judged: { edit: 'refused', problem: expect.stringMatching(/^plan\.json cannot be read: it is not JSON/) as string } },
  { why: 'a plan without tasks',                   name: 'plan.json',         there: { text: '{}' },                  ours: false, judged: { edit: 'refused', problem: 'plan.json has no tasks' } },
  { why: 'test results that are no JSON',          name: 'test-results.json', there: { text: '{' },                   ours: false, judged: { edit: 'refused', problem: expect.stringContaining('JSON') as string } },
  { why: 'a link',                                 name: 'requirements.md',   there: { problem: 'is a link' },        ours: false, judged: { edit: 'refused', problem: 'it is a link' } },
],
)('a document in the record: $why -> $judged.edit', ({ name, there, ours, judged }) =>
  expect(judgeEdit(name, there, ours)).toEqual(judged),
)

test.each([
  { why: 'an added and a removed line', before: 'a\nb\n', after: 'a\nc\n', change: ['+ c', '- b'] },
  { why: 'a line that stands twice', before: 'a\n', after: 'a\na\n', change: ['+ a'] },
  { why: 'space alone', before: 'a\n\n', after: 'a\n', change: [] },
  { why: 'a new document', before: undefined, after: 'a\n', change: ['+ a'] },
])('the change of an edit: $why', ({ before, after, change }) =>
  expect(changeOf(before, after)).toEqual(change),
)

test('the change of a long edit is bounded, and says how much it leaves out', () => {
  const change = changeOf(
    '',
    Array.from({ length: 40 }, (_, n) => `${n} ${'x'.repeat(500)}`).join('\n'),
  )
  expect(change).toHaveLength(16)
  expect(change.at(-1)).toBe('… and 25 more lines')
  expect(change.join('').length).toBeLessThan(4_000)
})

const edit = (n: number, rest = {}) => ({
  id: `EDIT-00${n}`,
  phase: 'ra' as const,
  file: 'ra/requirements.md',
  change: ['+ x'],
  ...rest,
})

describe('edits for the agents', () => {
  test('an edit that is answered twice counts once', () => {
    const once = withEdits(NO_EDITS, [edit(1), edit(2)])
    expect(withEdits(once.edits, [edit(1), edit(2)])).toEqual({ edits: once.edits, news: [] })
    expect(once.edits.seen).toBe(2)
  })

  test('many edits at once: each is named, the older ones without their lines', () => {
    const all = Array.from({ length: 8 }, (_, n) => edit(n + 1, { change: ['+ a line'] }))
    const told = untoldTo(withEdits(NO_EDITS, all).edits, 'cd')
    expect(told.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(told.map(({ change }) => change.length)).toEqual([0, 0, 0, 1, 1, 1, 1, 1])
  })

  test('each agent hears of an edit once; it is kept until all of them know it', () => {
    let { edits } = withEdits(NO_EDITS, [edit(1)])
    edits = toldTo(edits, 'cd', ['EDIT-001'], PHASES)
    expect(PHASES.map((phase) => untoldTo(edits, phase).length)).toEqual(
      PHASES.map((phase) => (phase === 'cd' ? 0 : 1)),
    )
    for (const phase of PHASES) edits = toldTo(edits, phase, ['EDIT-001'], PHASES)
    expect(edits).toEqual({ seen: 1, open: [], removed: [] })
  })

  test('no agent hears of an unusable edit', () =>
    expect(untoldTo(withEdits(NO_EDITS, [edit(1, { problem: 'no JSON' })]).edits, 'cd')).toEqual(
      [],
    ))

  test('the cycle is not done before the developer has heard of an edit', () => {
    const { edits } = withEdits(NO_EDITS, [edit(1)])
    const items = (state: Partial<ReturnType<typeof cycleState>>): string[] =>
      openItems(cycleEvidence(cycleState(state), { issues: [] }))
        .items.filter(({ kind }) => kind === 'decision')
        .map(({ text }) => text)
    expect(items({ edits })).toEqual([
      expect.stringContaining('a person edited ra/requirements.md'),
    ])
    expect(items({ edits: toldTo(edits, 'cd', ['EDIT-001'], PHASES) })).toEqual([])
  })

  test('a prompt has the new text below the path of the document', () => {
    const { edits } = withEdits(NO_EDITS, [edit(1, { change: ['+ - FR-003: sub'] })])
    expect(editsSection(untoldTo(edits, 'cd'), '/ws/p')).toMatch(
      /^## EDITED BY A PERSON\n[^]+\n- \/ws\/p\/ra\/requirements\.md\n {2}\+ - FR-003: sub$/,
    )
    expect(editsSection([], '/ws/p')).toBe('')
  })
})

describe('a person edits the plan', () => {
  const promised = planned(
    [],
    [
      { id: 'TASK-001', text: 'add' },
      { id: 'TASK-002', text: 'mul' },
    ],
  )

  test.each(
    // prettier-ignore
    [
    { why: 'a task is added',           now: plan(['TASK-001', 'add'], ['TASK-002', 'mul'], ['TASK-003', 'sub']), added: ['TASK-003'], removed: [],                                left: ['TASK-001', 'TASK-002', 'TASK-003'] },
    { why: 'a task is removed',         now: plan(['TASK-001', 'add']),                                           added: [],           removed: [{ id: 'TASK-002', text: 'mul' }], left: ['TASK-001'] },
    { why: 'a task is reworded',        now: plan(['TASK-001', 'add three'], ['TASK-002', 'mul']),                added: ['TASK-001'], removed: [],                                left: ['TASK-001', 'TASK-002'] },
  ],
  )('$why', ({ now, added, removed, left }) => {
    const change = planEdit(OLD, now)
    expect(change).toMatchObject({ added, removed })
    const after = withPlanEdit(
      promised.map((task) => ({ ...task, state: 'done' })),
      change,
    )
    expect(after.map(({ id }) => id)).toEqual(left)
    expect(after.filter(({ state }) => state === 'open').map(({ id }) => id)).toEqual(added)
  })

  test('a plan that the planner writes later neither drops the added task nor brings back the removed one', () => {
    const change = planEdit(OLD, plan(['TASK-001', 'add'], ['TASK-003', 'sub']))
    const { edits } = withEdits(NO_EDITS, [edit(1, { plan: change })])
    const later = planned(
      withPlanEdit(promised, change),
      [
        { id: 'TASK-001', text: 'add' },
        { id: 'TASK-002', text: 'mul' },
      ],
      edits.removed,
    )
    expect(later.map(({ id }) => id)).toEqual(['TASK-001', 'TASK-003'])
    const done = worked(later, phaseResult('cd', { tasksNamed: ['TASK-003'] }), ['c1'])
    expect(planned(done, [{ id: 'TASK-001', text: 'add' }], edits.removed)).toContainEqual({
      id: 'TASK-003',
      text: 'sub',
      state: 'done',
      byPerson: true,
      commits: ['c1'],
    })
  })

  test('a task restored by a person is planned again', () => {
    const first = withEdits(NO_EDITS, [
      edit(1, { plan: planEdit(OLD, plan(['TASK-001', 'add'])) }),
    ]).edits
    const then = withEdits(first, [
      edit(2, { plan: planEdit(plan(['TASK-001', 'add']), OLD) }),
    ]).edits
    expect([first.removed.length, then.removed.length]).toEqual([1, 0])
  })
})
