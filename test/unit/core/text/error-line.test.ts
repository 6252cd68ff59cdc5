// The line of a test's error that is shown to a person.
import { expect, test } from 'vitest'
import { errorLine } from '../../../../src/core/text/test-text.js'

test.each([
  { what: 'nothing', error: '', line: '' },
  { what: 'one line', error: 'expected 3\n  at x', line: 'expected 3' },
  {
    what: 'values after an empty line',
    error: 'Expected values to be strictly equal:\n\n-1 !== 5\n\n  at x',
    line: 'Expected values to be strictly equal: -1 !== 5',
  },
  { what: 'a colon and nothing else', error: 'failed:\n \n', line: 'failed:' },
])('$what', ({ error, line }) => expect(errorLine(error)).toBe(line))
