import { expect, test } from 'vitest'
import type { Blocker } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { CycleInput } from '../../../../src/contract/dev-cycle/cycle-input.js'
import {
  carriedError,
  carriedInput,
  forNext,
  forRecord,
} from '../../../../src/core/dev-cycle/cycle-carried.js'
import { cycleState, phaseResults } from '../../../support/cycle/cycle-results.js'

const blockers = Array.from({ length: 40 }, (_, n): Blocker => ({
  id: `BLK-${n + 1}`,
  description: `b${n}`,
  reported_by: 'cd',
  status: n % 2 === 0 ? 'open' : 'resolved',
}))

test('the input of the record has the fields it needs, and nothing else from the agents', () => {
  const said = {
    issues: ['i'],
    planIssues: ['p'],
    decisions: [{ description: 'd', options: [] }],
    blockers: ['b'],
    files: ['plan.json'],
    summary: 'done',
    tasksCompleted: 2,
  }
  const { results } = forRecord(cycleState({ results: phaseResults({ cd: said }) }))
  expect(results.cd).toMatchObject({
    issues: [],
    planIssues: [],
    decisions: [],
    blockers: ['b'],
    files: ['plan.json'],
    summary: 'done',
    tasksCompleted: 2,
  })
})

test('carries whole entries into the next iteration: the newest, and every open blocker', () => {
  const iterations = Array.from({ length: 9 }, (_, n) => ({
    number: n + 1,
    startedAt: 0,
    agentResults: {},
    issuesFound: [],
    resolved: false,
  }))
  const next = forNext(
    cycleState({
      results: phaseResults(),
      iterations,
      blockers,
      phaseErrors: Array.from({ length: 20 }, (_, at) => ({ phase: 'ra', error: 'e', at })),
    }),
  )
  expect(next).toMatchObject({
    results: {},
    iterations: iterations.slice(-3),
    phaseErrors: { length: 10 },
  })
  expect(next.blockers.filter(({ status }) => status === 'open')).toHaveLength(20)
  expect(next.blockers.filter(({ status }) => status !== 'open').map(({ id }) => id)).toEqual(
    blockers
      .filter(({ status }) => status !== 'open')
      .slice(-10)
      .map(({ id }) => id),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'a new cycle',          input: { project: '/repo', task: 'x', base: 'main', parallel: 2 },         carried: { project: '/repo', cycleId: 'run-1', parallel: 2 } },
  { why: 'a resumed one',        input: { project: '/repo', cycleId: 'cycle-1', extend: 'y' },              carried: { project: '/repo', cycleId: 'cycle-1' } },
  { why: 'one with a named prep package', input: { project: '/repo', task: 'x', prep: 'p.json' },             carried: { project: '/repo', cycleId: 'run-1' } },
],
)('the texts of the start travel once, in the tasks: $why', ({ input, carried }) => {
  expect(carriedInput(input, 'run-1')).toEqual(carried)
  expect(CycleInput.safeParse(carried).success).toBe(true)
})

test('a long error is cut before it travels', () => {
  expect(carriedError('short')).toBe('short')
  expect(carriedError('x'.repeat(5_000))).toHaveLength(400)
})
