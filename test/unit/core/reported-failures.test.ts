import { expect, test } from 'vitest'
import { ERROR_SHOWN, FAILURES_SHOWN } from '../../../src/contract/test-run.js'
import { reportedFailures } from '../../../src/core/run/reported-failures.js'

test('a result names a failure with its criticality, high by default', () => {
  expect(
    reportedFailures([
      { test: 'x', file: 'a', error: 'no', criticality: 'low' },
      { test: 'y', file: 'a' },
    ]),
  ).toEqual([
    { test: 'x', file: 'a', criticality: 'low', error: 'no' },
    { test: 'y', file: 'a', criticality: 'high', error: '' },
  ])
})

test('the first 50 failures, errors cut to 200 characters', () => {
  const failures = reportedFailures(
    Array.from({ length: 60 }, (_, n) => ({ test: `t${n}`, file: 'a', error: 'x'.repeat(300) })),
  )
  expect(failures).toHaveLength(FAILURES_SHOWN)
  expect(failures.every(({ error }) => error.length === ERROR_SHOWN)).toBe(true)
})
