import assert from 'node:assert/strict'
import test from 'node:test'
import { cents } from '../src/amount.js'

test('an amount is read in cents', () => {
  assert.equal(cents('12.50'), 1250)
})

test('an amount without cents is read', () => {
  assert.equal(cents('12'), 1200)
})

test('an amount is not read short of a cent', () => {
  assert.equal(cents('0.29'), 29)
})

test('an amount with a thousands separator is read', () => {
  assert.equal(cents('1,250.50'), 125050)
})
