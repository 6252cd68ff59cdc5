import { expect, test } from 'vitest'
import type { Blocker } from '../../../../src/contract/dev-cycle/cycle-record.js'
import type { Phase } from '../../../../src/contract/dev-cycle/discovery.js'
import { blockersAfter, persistent } from '../../../../src/core/dev-cycle/blockers.js'

const one = (rest: Partial<Blocker> = {}): Blocker => ({
  id: 'BLK-001',
  description: 'Which currency?',
  reported_by: 'cd',
  status: 'open',
  ...rest,
})
const by = (phase: Phase, ...texts: string[]) => ({ phase, texts })
const RA = { phase: 'ra', summary: 'euro only' } as const

test.each<{
  why: string
  before: Blocker[]
  reported: { phase: Phase; texts: string[] }[]
  answered?: { phase: Phase; summary: string }
  after: Blocker[]
}>(
  // prettier-ignore
  [
  { why: 'a new one is open',                      before: [],        reported: [by('cd', 'Which currency?')],                  after: [one()] },
  { why: 'the next one has the next id',           before: [one()],   reported: [by('cd', 'Which currency?', 'No API key')],    after: [one(), one({ id: 'BLK-002', description: 'No API key' })] },
  { why: 'other words for the same are the same',  before: [one()],   reported: [by('cd', 'which  currency')],                  after: [one()] },
  { why: 'two agents have one in common',          before: [],        reported: [by('cd', 'Which currency?'), by('vas', 'which currency?')], after: [one()] },
  { why: 'answered and not reported again',        before: [one()],   reported: [by('cd')], answered: RA,                       after: [one({ status: 'resolved', resolution: 'RA: euro only' })] },
  { why: 'not reported again, by itself',          before: [one()],   reported: [by('cd')],                                     after: [one({ status: 'workaround', resolution: 'CD no longer reports it, and there was no answer' })] },
  { why: 'answered and reported again: open',      before: [one()],   reported: [by('cd', 'Which currency?')], answered: RA,    after: [one({ resolution: 'RA: euro only' })] },
  { why: 'new, and answered at once: open',        before: [],        reported: [by('cd', 'Which currency?')], answered: RA,    after: [one({ resolution: 'RA: euro only' })] },
  { why: 'answered in the iteration before',       before: [one({ resolution: 'RA: euro only' })], reported: [by('cd')],        after: [one({ status: 'resolved', resolution: 'RA: euro only' })] },
  { why: 'a newer answer counts',                  before: [one({ resolution: 'RA: any' })], reported: [by('cd')], answered: RA, after: [one({ status: 'resolved', resolution: 'RA: euro only' })] },
  { why: 'an empty answer is none',                before: [one()],   reported: [by('cd')], answered: { phase: 'ra', summary: ' ' }, after: [one({ status: 'workaround', resolution: 'CD no longer reports it, and there was no answer' })] },
  { why: 'no agent answers itself',                  before: [one({ reported_by: 'ra' })], reported: [by('ra')], answered: RA,    after: [one({ reported_by: 'ra', status: 'workaround', resolution: 'RA no longer reports it, and there was no answer' })] },
  { why: 'its agent had no turn: open',            before: [one()],   reported: [by('vas')], answered: RA,                      after: [one()] },
  { why: 'another agent reports it now: open',     before: [one()],   reported: [by('cd'), by('vas', 'Which currency?')],       after: [one()] },
  { why: 'a closed one stays closed',              before: [one({ status: 'resolved', resolution: 'x' })], reported: [by('cd')], answered: RA, after: [one({ status: 'resolved', resolution: 'x' })] },
  { why: 'a closed one that is back is open again', before: [one({ status: 'resolved', resolution: 'x' })], reported: [by('cd', 'Which currency?')], after: [one()] },
  { why: 'a worked-around one that is back',       before: [one({ status: 'workaround', resolution: 'x' })], reported: [by('cd', 'Which currency?')], after: [one()] },
  { why: 'an empty report is none',                before: [],        reported: [by('cd', ' \n')],                              after: [] },
],
)('Blocker: $why', ({ before, reported, answered, after }) =>
  expect(blockersAfter(before, reported, answered)).toEqual(after),
)

test('Blocker: no id is given twice, and the last fifty are kept, open ones first', () => {
  let blockers: Blocker[] = [one({ description: 'the first', status: 'open' })]
  for (let n = 0; n < 80; n += 1)
    blockers = blockersAfter(blockers, [by('vas', `blocker number ${n}`)], undefined)
  expect(blockers).toHaveLength(50)
  expect(blockers[0]?.description).toBe('the first')
  expect(blockers.at(-1)).toMatchObject({
    id: 'BLK-081',
    description: 'blocker number 79',
    status: 'open',
  })
  expect(new Set(blockers.map(({ id }) => id)).size).toBe(50)
})

test('a blocker of many pages travels as one line', () => {
  const [blocker] = blockersAfter([], [by('cd', 'x\n'.repeat(9_000))], {
    phase: 'ra',
    summary: 'y'.repeat(9_000),
  })
  expect(blocker?.description.length).toBeLessThanOrEqual(200)
})

test('a blocker open before and after is a question', () => {
  const before = [one(), one({ id: 'BLK-002', status: 'resolved' })]
  const after = [
    one(),
    one({ id: 'BLK-002', status: 'open' }),
    one({ id: 'BLK-003', status: 'open' }),
  ]
  expect(persistent(before, after).map(({ id }) => id)).toEqual(['BLK-001'])
  expect(persistent(before, [one({ status: 'resolved' })])).toEqual([])
})
