import { describe, expect, test } from 'vitest'
import { format, round } from '../src/money.js'

describe('money', () => {
  test('rounds half a cent up', () => expect(round(10.5)).toBe(11))
  test('keeps whole cents', () => expect(round(10)).toBe(10))
  test('shows two digits after the point', () => expect(format(1205)).toBe('12.05'))
  test('shows large amounts', () => expect(format(123456)).toBe('1234.56'))
})
