import { expect, test } from 'vitest'
import { defined } from '../../../../src/core/text/defined.js'

test('an option that is undefined overrides no default; null, false, 0 and "" do', () => {
  const options = defined({ a: undefined, b: null, c: false, d: 0, e: '', f: 'x' })
  expect(Object.keys(options)).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect({ a: 1, b: 2, c: true, d: 3, e: 'e', ...options }).toEqual({
    a: 1,
    b: null,
    c: false,
    d: 0,
    e: '',
    f: 'x',
  })
})
