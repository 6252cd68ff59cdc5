import { expect, test } from 'vitest'
import { isTestSession, standing } from '../../../../src/core/test-fix/session-mark.js'

test.each(
  // prettier-ignore
  [
  { why: 'workflow_type', session: { workflow_type: 'test_session' }, marked: true },
  { why: 'type', session: { type: 'test' }, marked: true },
  { why: 'meta.session_type', session: { meta: { session_type: 'test-gen' } }, marked: true },
  { why: 'meta of a context package', session: {}, packages: [undefined, { meta: { session_type: 'test-gen' } }], marked: true },
  { why: 'metadata of a context package', session: {}, packages: [{ metadata: { session_type: 'test-gen' } }], marked: true },
  { why: 'another kind of session', session: { workflow_type: 'standard', type: 'workflow', meta: { session_type: 'plan' } }, marked: false },
  { why: 'an inherited name', session: Object.create({ type: 'test' }) as object, marked: false },
  { why: 'no object', session: 'test_session', marked: false },
  { why: 'nothing', session: null, packages: [[], 7], marked: false },
],
)('mark: $why -> $marked', ({ session, packages = [], marked }) =>
  expect(isTestSession(session, packages)).toBe(marked),
)

test.each([
  ...['planning', 'active', 'paused', 'created', 'running'].map((status) => ({
    status,
    is: 'unfinished',
  })),
  { status: 'failed', is: 'failed' },
  { status: 'completed', is: 'completed' },
  ...['done', '', 'constructor', undefined, 7].map((status) => ({ status, is: 'unknown' })),
])('status: $status -> $is', ({ status, is }) => expect(standing(status)).toBe(is))
