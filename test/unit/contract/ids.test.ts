import { expect, test } from 'vitest'
import {
  cycleId,
  idProblem,
  loopId,
  recordName,
  sessionProblem,
  testFixWorkflowId,
} from '../../../src/contract/ids.js'

test.each([
  'WFS-test-login.a1b2c3',
  'nightly-2026-11-20T12:02:00Z',
  '4f9d1c1e-0000-4000-8000-000000000000',
  'a',
  'A'.repeat(100),
])('%s is an id', (id) => expect(idProblem(id)).toBeUndefined())

test.each([
  '',
  '../x',
  'a/../b',
  'a..b',
  '.a',
  '-a',
  'a.',
  'a.lock',
  'a b',
  'a/b',
  'a\nb',
  'ä',
  'A'.repeat(101),
  'a\0',
])('%j is refused as an id', (id) => expect(idProblem(id)).toMatch(/^must /))

test.each([
  { session: 'WFS-test-login', ok: true },
  { session: 'WFS-test-Login', ok: false },
  { session: 'WFS-test-', ok: false },
  { session: 'login', ok: false },
  { session: 'WFS-test-../x', ok: false },
  { session: `WFS-test-${'a'.repeat(42)}`, ok: false },
])('session name $session: $ok', ({ session, ok }) =>
  expect(sessionProblem(session) === undefined).toBe(ok),
)

test('two projects may have a session of one name', () => {
  expect(testFixWorkflowId('WFS-test-login', 'a1b2c3d4e5f6')).toBe('WFS-test-login.a1b2c3')
})

test.each(
  // prettier-ignore
  [
  { workflow: 'WFS-test-login.a1b2c3', session: undefined, name: 'WFS-test-login' },
  { workflow: 'nightly-2026-11-20T12:02:00Z', session: undefined, name: 'nightly-2026-11-20T12-02-00Z' },
  { workflow: 'any', session: 'WFS-test-x', name: 'WFS-test-x' },
],
)('the record of $workflow is $name', ({ workflow, session, name }) =>
  expect(recordName(workflow, session)).toBe(name),
)

const BYTES = Uint8Array.from([0, 9, 10, 35, 36, 71, 255, 1, 99])
test.each(
  // prettier-ignore
  [
  { why: 'the sources\' clock where none is given', at: '2026-11-20T12:02:03.999Z', offset: undefined, id: 'cycle-v1-20261120T200203-09az0z31' },
  { why: 'the clock of the configuration',          at: '2026-11-20T12:02:03Z',     offset: '-05:30', id: 'cycle-v1-20261120T063203-09az0z31' },
  { why: 'midnight of another year',                at: '2026-12-31T16:00:00Z',     offset: '+08:00', id: 'cycle-v1-20270101T000000-09az0z31' },
],
)('cycle id: $why -> $id', ({ at, offset, id }) => {
  expect(cycleId(Date.parse(at), BYTES, offset)).toBe(id)
  expect(idProblem(id)).toBeUndefined()
})

test('a cycle id needs a valid offset', () => {
  expect(() => cycleId(0, BYTES, 'Europe/Paris')).toThrow('not an offset: Europe/Paris')
})

test('loop id: the time, as in a cycle id', () => {
  const id = loopId(Date.parse('2026-11-20T12:02:03Z'), BYTES)
  expect(id).toBe('loop-b-20261120T200203-09az0z31')
  expect(loopId(Date.parse('2026-11-20T12:02:03Z'), BYTES, '-05:30')).toBe(
    'loop-b-20261120T063203-09az0z31',
  )
  expect(idProblem(id)).toBeUndefined()
})
