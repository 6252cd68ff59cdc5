// Refusals of a commit by VAS, and how long they last.
import { describe, expect, test } from 'vitest'
import { cycleEvidence } from '../../../../src/core/dev-cycle/cycle-open.js'
import { refusalOf, refusedAfter } from '../../../../src/core/dev-cycle/refusal.js'
import { openItems } from '../../../../src/core/run/open-items.js'
import { claimed, cycleState, phaseResult } from '../../../support/cycle/cycle-results.js'
import { measured } from '../../../support/test-runs.js'

type Said = Parameters<typeof refusalOf>[0]
const said = (rest: Partial<Said> = {}): Said => ({
  status: 'success',
  summary: 'looked at it',
  issues: [],
  ...rest,
})
const red = measured(2, 3, { failures: [{ file: 'a.test.ts', test: 'adds numbers', error: 'no' }] })

test.each<{ why: string; says: Partial<Said>; refuses: string | undefined }>(
  // prettier-ignore
  [
  { why: 'success', says: {}, refuses: undefined },
  { why: 'it does not know', says: { status: 'unknown' }, refuses: undefined },
  { why: 'partial', says: { status: 'partial' }, refuses: 'looked at it' },
  { why: 'failed without a word', says: { status: 'failed', summary: '' }, refuses: 'its status was failed' },
  { why: 'not ready', says: { claimed: claimed({ ready: false }) }, refuses: 'it is not ready: looked at it' },
  { why: 'a critical issue', says: { claimed: claimed({ criticalIssues: 1 }) }, refuses: 'looked at it' },
  { why: 'an issue', says: { issues: ['FR-001 is not met'] }, refuses: 'FR-001 is not met' },
  { why: 'a low remark', says: { issues: ['[low] a name'] }, refuses: undefined },
  { why: 'a measured failure in its own words', says: { issues: ['adds numbers fails'] }, refuses: undefined },
],
)('$why', ({ says, refuses }) => expect(refusalOf(said(says), red)).toBe(refuses))

describe('how long', () => {
  const refused = { commit: 'a', iteration: 1, why: 'FR-001 is not met' }
  const after = (commit: string, says: Partial<Said> = {}) =>
    refusedAfter(refused, said(says), { commit, iteration: 2, run: undefined })

  test('a later answer about the same commit does not revoke it', () =>
    expect(after('a')).toEqual(refused))
  test('nor does another refusal replace it', () =>
    expect(after('a', { status: 'failed' })).toEqual(refused))
  test('a later commit is judged by its own answer', () => {
    expect(after('b')).toBeUndefined()
    expect(after('b', { status: 'failed' })).toEqual({
      commit: 'b',
      iteration: 2,
      why: 'looked at it',
    })
  })

  test('the refused commit is an open item although VAS agrees now', () => {
    const state = cycleState({ head: 'a', results: { vas: phaseResult('vas') }, refused })
    const texts = openItems(cycleEvidence(state, { issues: [], validated: 'a' })).items.map(
      ({ text }) => text,
    )
    expect(texts).toContain(
      'the validation refused this commit in iteration 1, and nothing was committed since: FR-001 is not met',
    )
    const later = openItems(
      cycleEvidence({ ...state, head: 'b' }, { issues: [], validated: 'b' }),
    ).items
    expect(later.filter(({ kind }) => kind === 'validation')).toEqual([])
  })
})
