// Which variables of an environment are secret without being named in a configuration.
import { describe, expect, test } from 'vitest'
import { formsOf, isSecretVariable } from '../../../../src/core/text/secret-value.js'

test.each(
  // prettier-ignore
  [
  { name: 'STRIPE_API_KEY', value: 'sk_live_1', secret: true },
  { name: 'DB_PASSWORD', value: 'Tr0ub4dor&3x', secret: true },
  { name: 'session_secret', value: '9f86d081884c7d659a2feaa0c55ad015', secret: true },
  { name: 'GITHUB_TOKEN', value: 'ghp_abc', secret: true },
  { name: 'DB_PASSWORD', value: 'postgres', secret: false }, // short
  { name: 'DB_PASSWORD', value: 'aaaaaaaaaaaaaaaa', secret: false }, // one character
  { name: 'KEYBOARD_LAYOUT', value: 'Us-International-1', secret: false }, // no whole word
  { name: 'MONKEY', value: 'Tr0ub4dor&3x', secret: false },
  { name: 'TOKENIZERS_PARALLELISM', value: 'Tr0ub4dor&3x', secret: false },
  { name: 'PWD', value: '/home/Ann/work-1', secret: false },
  ],
)('$name=$value: $secret', ({ name, value, secret }) => {
  expect(isSecretVariable(name, value)).toBe(secret)
})

describe('forms of a value', () => {
  test('a short value has one', () => expect(formsOf('secret')).toEqual(['secret']))

  test('base64 and a URL', () => {
    expect(formsOf('Tr0ub4dor&3x?é')).toEqual([
      'Tr0ub4dor&3x?é',
      'VHIwdWI0ZG9yJjN4P8Op',
      'Tr0ub4dor%263x%3F%C3%A9',
    ])
  })
})
