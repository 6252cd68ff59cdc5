// A query must not leave a worker with a run that is ahead of its history.
import { expect, test } from 'vitest'
import { NOT_YET } from '../../../../src/contract/failures.js'
import { notAhead } from '../../../../src/workflows/run/stale-query-guard.js'

/**
 * An activation: the second in which its workflow task began, how many events are known, what is to
 * be done.
 */
type Activation = [
  second: number,
  events: number,
  what: 'work' | 'query alone' | 'query with a task',
]

const jobs = {
  work: [{ resolveActivity: {} }],
  'query alone': [{ queryWorkflow: { queryId: 'legacy_query' } }],
  'query with a task': [{ queryWorkflow: { queryId: '7' } }],
}

function answers(activations: Activation[]): string[] {
  const interceptor = notAhead()
  return activations.map(([second, historyLength, what]) => {
    try {
      interceptor.activate?.(
        {
          activation: {
            timestamp: { seconds: second as never, nanos: 0 },
            historyLength,
            jobs: jobs[what],
          },
          batchIndex: 0,
        },
        () => undefined,
      )
      return 'done'
    } catch (error) {
      return (error as Error).message
    }
  })
}

test.each<{ why: string; activations: Activation[]; last: string }>(
  // prettier-ignore
  [
  { why: 'answers a query after a workflow task', activations: [[1, 3, 'work'], [2, 9, 'work'], [2, 9, 'query alone']], last: 'done' },
  { why: 'refuses a query while events wait for a workflow task', activations: [[1, 3, 'work'], [2, 9, 'work'], [2, 13, 'work'], [2, 13, 'query alone']], last: NOT_YET },
  { why: 'answers again after that workflow task', activations: [[2, 9, 'work'], [2, 13, 'work'], [5, 16, 'work'], [5, 16, 'query alone']], last: 'done' },
  { why: 'answers a query that comes with a workflow task', activations: [[2, 9, 'work'], [2, 13, 'work'], [2, 13, 'query with a task']], last: 'done' },
  { why: 'treats two activations of one workflow task as one', activations: [[2, 9, 'work'], [2, 9, 'work'], [2, 9, 'query alone']], last: 'done' },
  { why: 'never refuses work', activations: [[2, 9, 'work'], [2, 13, 'work'], [2, 15, 'work']], last: 'done' },
],
)('temporal: $why', ({ activations, last }) => {
  expect(answers(activations).at(-1)).toBe(last)
})
