import assert from 'node:assert/strict'
import test from 'node:test'
import { money } from '../src/money.js'

test('cents are shown', () => {
  assert.equal(money(99), '0.99')
})

test('a round number of ten cents is shown', () => {
  assert.equal(money(1250), '12.50')
})

test('thousands are separated', () => {
  assert.equal(money(125050), '1,250.50')
})

test('less than ten cents are shown with their zero', () => {
  assert.equal(money(5), '0.05')
})
