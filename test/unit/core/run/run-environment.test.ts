// What a run says whose environment was lost.
import { expect, test } from 'vitest'
import {
  comparedNames,
  envText,
  lostNamed,
  lostVariables,
  lostWarning,
} from '../../../../src/core/run/run-environment.js'
import { present } from '../../../support/present.js'

test('compared are the variables that programs depend on', () => {
  const env = {
    DATABASE_URL: 'x',
    PATH: '/bin',
    PWD: '/a',
    SHLVL: '2',
    SSH_TTY: 't',
    GONE: undefined,
  }
  expect(comparedNames(env)).toEqual(['DATABASE_URL', 'PATH'])
})

test.each(
  // prettier-ignore
  [
  { why: 'the same digests', before: { A: '1' }, now: { A: '1' }, lost: { missing: [], changed: [] } },
  { why: 'one is not set', before: { B: '2', A: '1' }, now: { B: '2' }, lost: { missing: ['A'], changed: [] } },
  { why: 'one has another value', before: { B: '2', A: '1' }, now: { A: '1', B: '3' }, lost: { missing: [], changed: ['B'] } },
  { why: 'one more is set', before: { A: '1' }, now: { A: '1', B: '3' }, lost: { missing: [], changed: [] } },
],
)('lost variables: $why', ({ before, now, lost }) =>
  expect(lostVariables(present(before), present(now))).toEqual(lost),
)

const MANY = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'KEY']
test.each(
  // prettier-ignore
  [
  { why: 'nothing differs', lost: { missing: [], changed: [] }, named: ['KEY'], says: undefined },
  { why: 'one is missing', lost: { missing: ['KEY'], changed: [] }, named: ['KEY'], says: 'missing KEY; to give' },
  { why: 'both', lost: { missing: ['A'], changed: ['B'] }, named: [], says: 'missing A; other values of B; to give' },
  { why: 'many, those of the configuration first', lost: { missing: [], changed: MANY }, named: ['KEY'], says: 'other values of KEY, A, B, C, D, E, F, G and 1 more; to give it that of a shell: ratchet resume run-1' },
],
)('the warning: $why', ({ lost, named, says }) => {
  const warning = lostWarning(lost, named, 'run-1')
  if (says === undefined) expect(warning).toBeUndefined()
  else expect(warning).toContain(says)
})

test.each(
  // prettier-ignore
  [
  { why: 'nothing differs', lost: { missing: [], changed: [] }, named: ['KEY'], says: undefined },
  { why: 'only others differ', lost: { missing: ['A'], changed: ['B'] }, named: ['KEY'], says: undefined },
  { why: 'one is missing', lost: { missing: ['A', 'KEY'], changed: ['B'] }, named: ['KEY'], says: 'missing KEY; to give' },
  { why: 'one has another value', lost: { missing: ['A'], changed: ['KEY'] }, named: ['KEY'], says: 'other values of KEY; to give it those of a shell, run there: ratchet resume run-1' },
],
)('why a run waits: $why', ({ lost, named, says }) => {
  const problem = lostNamed(lost, named, 'run-1')
  if (says === undefined) expect(problem).toBeUndefined()
  else expect(problem).toContain(says)
})

test.each(
  // prettier-ignore
  [
  { env: { named: [] }, says: 'of the supervisor' },
  { env: { named: ['KEY'] }, says: 'of the supervisor, with KEY' },
  { env: { named: ['KEY'], redacted: ['KEY', 'TOKEN'] }, says: 'of the supervisor, with KEY, redacted: KEY, TOKEN' },
],
)('where it is from: $says', ({ env, says }) =>
  expect(envText({ from: 'supervisor', ...env })).toBe(says),
)
