import assert from 'node:assert/strict'
import test from 'node:test'
import { lastLine, total } from '../src/receipt.js'

test('a total counts every item', () => {
  assert.equal(total([{ price: '2.50', count: 3 }, { price: '1.25', count: 2 }]), 1000)
})

test('a discount is taken off', () => {
  assert.equal(total([{ price: '50.00', count: 1 }], 10), 4500)
})

test('the last line shows the total', () => {
  assert.equal(lastLine([{ price: '37.50', count: 1 }]), 'TOTAL 37.50')
})

test('the discount of a large purchase is rounded', () => {
  assert.equal(total([{ price: '1,250.55', count: 1 }], 10), 112549)
})
