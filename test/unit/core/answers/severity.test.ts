import { expect, it } from 'vitest'
import { sentence } from '../../../../src/core/answers/agent-values.js'
import { holdsUp, isUngraded, severityOf } from '../../../../src/core/answers/severity.js'

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
  ['[high] save() drops its second argument (optional)', 'high'],
  ['[critical] passwords are logged in clear text (info)', 'high'],
  ['[blocker] the import crashes (minor)', 'high'],
  ['P1 - data is lost (minor)', 'high'],
  ['auth: [critical] orders are lost (minor)', 'high'],
  ['[HIGH/SECURITY] keys are logged (note)', 'high'],
  ['Severity: high. The email is not checked (optional)', 'high'],
  ['Style: severity: critical', 'high'],
  ['Suggestion: repair save() (critical)', 'high'],
  ['Note: orders are lost (critical)', 'high'],
  ['[medium] a name (low)', 'medium'],
  ['Note: FR-001 is not met', 'medium'],
  ['Info: every request is answered with 500', 'medium'],
  ['save() drops its second argument (optional)', 'medium'],
  ['Note: orders could be lost', 'medium'],
  ['[info] a name', 'low'],
  ['Note: docs could be longer', 'low'],
  ['Note: no action needed', 'low'],
  ['Info: the suite takes 3 s', 'low'],
  ['The README could be longer (optional)', 'low'],
  ['the suite takes 3 s (info)', 'low'],
  ['src/a.ts: [low] a name', 'low'],
  ['src/a.ts:12: [low] a name', 'low'],
  ['src/a.ts:12:3: [high] orders are lost', 'high'],
  ['[docs, low] a name', 'low'],
  ['[data, high] orders are lost (info)', 'high'],
  ['🟢 low: a name', 'low'],
  ['🔴 critical: orders are lost (optional)', 'high'],
  ['Note: [high] orders are lost', 'high'],
  ['Note: orders are lost [medium]', 'medium'],
  ['Style: a name', 'low'],
  ['[low/style] a name', 'low'],
] as const)('%s: %s', (text, severity) => {
  expect(severityOf(text)).toBe(severity)
})

it.each([
  ['Note: FR-001 is not met', true],
  ['Remark: a name', true],
  ['spaces (style)', true],
  ['a name (info)', true],
  ['Note: docs could be longer', false],
  ['Note: [low] a name', false],
  ['Note: orders are lost (high)', false],
  ['login fails', false],
] as const)('%s: the grade is asked for: %s', (text, asks) => {
  expect(isUngraded(text)).toBe(asks)
})

it('only a low remark does not block', () => {
  expect([holdsUp('[low] a name'), holdsUp('a name'), holdsUp('[high] a name')]).toEqual([
    false,
    true,
    true,
  ])
})

it.each([
  [{ severity: 'critical', description: 'orders are lost (minor)' }, 'high'],
  [{ id: 'cart', severity: 'HIGH', description: 'Note: orders are lost (optional)' }, 'high'],
  [{ severity: 'low', description: 'a name' }, 'low'],
] as const)('the severity of %j counts before its text', (entry, severity) => {
  expect(severityOf(sentence(entry) ?? '')).toBe(severity)
})
