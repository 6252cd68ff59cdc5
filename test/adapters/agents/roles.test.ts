import { expect, test } from 'vitest'
import { ROLES, type Role } from '../../../src/contract/config/agent-config.js'
import { roleText } from '../../../src/adapters/agents/roles.js'

test.each(ROLES)('the package has a text for %s', (role) => {
  expect(roleText(role)).toMatch(new RegExp(`^# Role: ${role}\n`))
})

test('an unknown role never becomes a path', () => {
  expect(() => roleText('../package' as Role)).toThrow('no such role: "../package"')
})

test('a role without a text says which file is missing', () => {
  expect(() => roleText('loop-init', '/nowhere')).toThrow(
    'no text for role loop-init: /nowhere/loop-init.md is missing',
  )
})
