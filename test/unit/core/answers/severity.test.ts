import { expect, it } from 'vitest'
import { holdsUp, severityOf } from '../../../../src/core/answers/severity.js'

it.each([
  ['[low] a name', 'low'],
  ['(minor) a name', 'low'],
  ['Low: a name', 'low'],
  ['nit: a name', 'low'],
  ['Suggestion: use a map', 'low'],
  ['Severity: low - a name', 'low'],
  ['BUG-3: [low] a name', 'low'],
  ['**Low** - a name', 'low'],
  ['a name could be better (low)', 'low'],
  ['a name [severity: minor]', 'low'],
  ['【低】命名', 'low'],
  ['低：命名', 'low'],
  ['[high] login fails', 'high'],
  ['Critical: login fails', 'high'],
  ['P1 - login fails', 'high'],
  ['login fails (critical)', 'high'],
  ['login fails', 'medium'],
  ['[medium] login fails', 'medium'],
  ['low memory ends the import', 'medium'],
  ['the minor version is wrong', 'medium'],
  ['note that the login fails', 'medium'],
  ['BUG-3: login fails', 'medium'],
  ['', 'medium'],
] as const)('%s: %s', (text, severity) => {
  expect(severityOf(text)).toBe(severity)
})

it('only a low remark does not block', () => {
  expect([holdsUp('[low] a name'), holdsUp('a name'), holdsUp('[high] a name')]).toEqual([
    false,
    true,
    true,
  ])
})
