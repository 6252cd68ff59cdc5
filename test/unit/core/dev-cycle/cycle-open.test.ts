// Open items of a cycle by its state.
import { expect, test } from 'vitest'
import type { Decision } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { cycleEvidence } from '../../../../src/core/dev-cycle/cycle-open.js'
import { cycleState } from '../../../support/cycle/cycle-results.js'

const decision = (status: Decision['status']): Decision => ({
  id: 'DEC-001',
  description: 'Which rounding?',
  options: [],
  status,
})

test.each([
  { status: 'pending', open: ['pending'] },
  { status: 'made', open: ['untold'] },
  { status: 'implemented', open: [] },
] as const)('a decision that is $status', ({ status, open }) => {
  const { decisions } = cycleEvidence(cycleState({ decisions: [decision(status)] }), { issues: [] })
  expect(decisions.map(({ state }) => state)).toEqual(open)
})
