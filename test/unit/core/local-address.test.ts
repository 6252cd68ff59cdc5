// Which addresses name the port of the local server.
import { expect, test } from 'vitest'
import { isAt } from '../../../src/core/local-address.js'

test.each(
  // prettier-ignore
  [
  { address: '127.0.0.1:7233', is: true },
  { address: 'localhost:7233', is: true },
  { address: '127.0.1.1:7233', is: true },
  { address: '[::1]:7233', is: true },
  { address: '127.0.0.1:7234', is: false },
  { address: 'temporal.example.com:7233', is: false },
  { address: 'no address', is: false },
],
)('$address: $is', ({ address, is }) => {
  expect(isAt(address, '127.0.0.1:7233')).toBe(is)
})
