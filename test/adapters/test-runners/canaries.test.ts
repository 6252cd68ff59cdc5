// What counts as a reported canary.
import { expect, test } from 'vitest'
import { seenIn } from '../../../src/adapters/test-runners/canaries.js'
import type { StoredTest } from '../../../src/contract/test-run.js'

const TEXT = '5f2c81d09ab3'
const AT = { file: 'test_a.py', test: 'test_adds', text: TEXT }
const DURING = 'During handling of the above exception, another exception occurred:'
const CAUSE = 'The above exception was the direct cause of the following exception:'

test.each<{ why: string; status: StoredTest['status']; error?: string; seen: string }>([
  {
    why: 'its text in the error',
    status: 'failed',
    error: `AssertionError: ${TEXT}`,
    seen: 'reported',
  },
  {
    why: 'another exception raised while it was handled',
    status: 'failed',
    error: `AssertionError: ${TEXT}\n\n${DURING}\n\nRuntimeError: another`,
    seen: 'other',
  },
  {
    why: 'another exception raised from it',
    status: 'failed',
    error: `AssertionError: ${TEXT}\n\n${CAUSE}\n\nRuntimeError: another`,
    seen: 'other',
  },
  {
    why: 'its text in the last of two exceptions',
    status: 'failed',
    error: `KeyError: 1\n\n${DURING}\n\nAssertionError: ${TEXT}`,
    seen: 'reported',
  },
  { why: 'another error', status: 'failed', error: 'RuntimeError: another', seen: 'other' },
  { why: 'a pass', status: 'passed', seen: 'passed' },
  { why: 'a skip', status: 'skipped', seen: 'other' },
])('a canary with $why is seen as $seen', ({ status, error, seen }) => {
  const one = { file: AT.file, test: AT.test, status, ...(error === undefined ? {} : { error }) }
  expect(seenIn([one as StoredTest], AT)).toBe(seen)
})
