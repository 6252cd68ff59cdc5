import { describe, expect, test } from 'vitest'
import { discount, subtotal, total } from '../src/invoice.js'

const lines = [{ price: 1000, quantity: 2 }, { price: 250, quantity: 4 }]

describe('invoice', () => {
  test('multiplies price and quantity', () => expect(subtotal(lines)).toBe(3000))
  test('an empty invoice costs nothing', () => expect(subtotal([])).toBe(0))
  test('a discount is a percentage', () => expect(discount(2000, 10)).toBe(1800))
  test('no discount changes nothing', () => expect(discount(2000, 0)).toBe(2000))
  test('tax is added after the discount', () => expect(total(lines, { percentOff: 10, taxPercent: 19 })).toBe(3213))
})
