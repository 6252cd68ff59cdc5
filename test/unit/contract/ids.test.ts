import { expect, test } from 'vitest'
import { idProblem, recordName, sessionProblem, testFixWorkflowId } from '../../../src/contract/ids.js'

test.each(['WFS-test-login.a1b2c3', 'nightly-2026-11-20T12:02:00Z', '4f9d1c1e-0000-4000-8000-000000000000', 'a', 'A'.repeat(100)])(
  '%s is an id', (id) => expect(idProblem(id)).toBeUndefined())

test.each(['', '../x', 'a/../b', 'a..b', '.a', '-a', 'a.', 'a.lock', 'a b', 'a/b', 'a\nb', 'ä', 'A'.repeat(101), 'a\0'])(
  '%j is refused as an id', (id) => expect(idProblem(id)).toMatch(/^must /))

test.each([
  { session: 'WFS-test-login', ok: true },
  { session: 'WFS-test-Login', ok: false },
  { session: 'WFS-test-', ok: false },
  { session: 'login', ok: false },
  { session: 'WFS-test-../x', ok: false },
  { session: `WFS-test-${'a'.repeat(42)}`, ok: false },
])('ccw 3.1 session name $session: $ok', ({ session, ok }) => expect(sessionProblem(session) === undefined).toBe(ok))

test('two projects may have a session of one name', () => {
  expect(testFixWorkflowId('WFS-test-login', 'a1b2c3d4e5f6')).toBe('WFS-test-login.a1b2c3')
})

test.each([
  { workflow: 'WFS-test-login.a1b2c3', session: undefined, name: 'WFS-test-login' },
  { workflow: 'nightly-2026-11-20T12:02:00Z', session: undefined, name: 'nightly-2026-11-20T12-02-00Z' },
  { workflow: 'any', session: 'WFS-test-x', name: 'WFS-test-x' },
])('the record of $workflow is $name', ({ workflow, session, name }) => expect(recordName(workflow, session)).toBe(name))
