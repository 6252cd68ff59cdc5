import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('an empty cart costs nothing', () => assert.equal(total([]), 0))
test('quantities count', () => assert.equal(total([{ price: 250, quantity: 3 }]), 750))
