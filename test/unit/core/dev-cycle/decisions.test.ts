import { expect, test } from 'vitest'
import type { Decision } from '../../../../src/contract/dev-cycle/cycle-record.js'
import type { Phase } from '../../../../src/contract/dev-cycle/discovery.js'
import {
  decisionsAfter,
  implemented,
  made,
  numbered,
} from '../../../../src/core/dev-cycle/decisions.js'

const asked = (description: string, phase: Phase = 'ra') => ({
  phase,
  decision: { description, options: ['SQLite', 'Postgres'], recommended: 'SQLite' },
})
const database: Decision = {
  id: 'DEC-001',
  description: 'Which database?',
  options: ['SQLite', 'Postgres'],
  status: 'pending',
}

test('Decision: from pending to made to implemented', () => {
  const pending = decisionsAfter([], [asked('Which database?')])
  expect(pending).toEqual([database])
  const decided = made(pending, 'DEC-001', { by: 'user', option: 'Postgres' })
  expect(decided).toEqual([
    { ...database, status: 'made', made_by: 'user', chosen_option: 'Postgres' },
  ])
  expect(implemented(decided, decided)).toEqual([
    { ...database, status: 'implemented', made_by: 'user', chosen_option: 'Postgres' },
  ])
})

test.each<{ why: string; before: Decision[]; asked: ReturnType<typeof asked>[]; ids: string[] }>(
  // prettier-ignore
  [
  { why: 'another one has the next id',           before: [database],                                      asked: [asked('Which cache?')],                                  ids: ['DEC-001', 'DEC-002'] },
  { why: 'asked again while pending',             before: [database],                                      asked: [asked('which database')],                                ids: ['DEC-001'] },
  { why: 'asked again after it was made',         before: [{ ...database, status: 'made' }],               asked: [asked('Which database?')],                               ids: ['DEC-001'] },
  { why: 'asked by two agents at once',           before: [],                                              asked: [asked('Which database?'), asked('Which database?', 'ep')], ids: ['DEC-001'] },
  { why: 'asked without words',                   before: [],                                              asked: [asked(' ')],                                             ids: [] },
],
)('Decision: $why', ({ before, asked: now, ids }) =>
  expect(decisionsAfter(before, now).map(({ id }) => id)).toEqual(ids),
)

test('Decision: a decision of this iteration is implemented by a later one', () => {
  const decided = made([database], 'DEC-001', { by: 'user', option: 'SQLite' })
  expect(implemented(decided, [database])).toEqual(decided)
})

test.each(
  // prettier-ignore
  [
  { why: 'one that is not there', id: 'DEC-009', before: database },
  { why: 'one that is made',      id: 'DEC-001', before: { ...database, status: 'made', chosen_option: 'SQLite' } as const },
],
)('Decision: ignores $why', ({ id, before }) =>
  expect(made([before], id, { by: 'user', option: 'Postgres' })).toEqual([before]),
)

test('Decision: the last twenty are kept, implemented ones are dropped first', () => {
  const before = Array.from({ length: 20 }, (_, n): Decision => ({
    ...database,
    id: `DEC-${n + 1}`,
    description: `d${n}`,
    status: n === 0 ? 'pending' : 'implemented',
  }))
  const after = decisionsAfter(before, [asked('one more')])
  expect(after.map(({ id }) => id)).toEqual([
    'DEC-1',
    ...before.slice(2).map(({ id }) => id),
    'DEC-021',
  ])
})

test.each([
  { ids: [], next: 'BLK-001' },
  { ids: ['BLK-002', 'BLK-007'], next: 'BLK-008' },
  { ids: ['BLK-999'], next: 'BLK-1000' },
  { ids: ['odd'], next: 'BLK-001' },
])('the id after $ids is $next', ({ ids, next }) =>
  expect(
    numbered(
      'BLK',
      ids.map((id) => ({ id })),
    ),
  ).toBe(next),
)
