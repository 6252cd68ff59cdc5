import { expect, test } from 'vitest'
import { dollars } from '../../../../src/core/text/money.js'

test.each([
  { why: 'nothing', value: 0, text: '0.00' },
  { why: 'whole dollars', value: 1500, text: '1,500.00' },
  { why: 'from one dollar on cents are enough', value: 1.2345, text: '1.23' },
  { why: 'tenths keep their cent', value: 0.5, text: '0.50' },
  { why: 'a sum that is not exact', value: 0.1 + 0.2, text: '0.30' },
  { why: 'a cent', value: 0.01, text: '0.01' },
  { why: 'a cent and a half', value: 0.015, text: '0.015' },
  { why: 'below a cent', value: 0.004, text: '0.004' },
  { why: 'far below', value: 0.0000123456, text: '0.0000123' },
  { why: 'as little as can be shown', value: 1e-30, text: '0.00' },
])('$why: $text', ({ value, text }) => expect(dollars(value)).toBe(text))
