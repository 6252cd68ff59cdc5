// What a person reads before an agent may do something.
import { expect, test } from 'vitest'
import {
  permissionMark,
  permissionText,
  type PermissionFacts,
} from '../../../../src/core/agents/permission-text.js'

const asked = (facts: Partial<PermissionFacts>): PermissionFacts => ({
  title: 'List files',
  kind: 'execute',
  input: undefined,
  paths: [],
  ...facts,
})

test.each(
  // prettier-ignore
  [
  { why: 'a title alone', facts: {}, text: 'List files | execute' },
  { why: 'a harmless title with another command', facts: { input: { command: 'rm -rf ~' } }, text: 'List files | execute: {"command":"rm -rf ~"}' },
  { why: 'paths', facts: { kind: 'edit', paths: ['/home/a/.bashrc'] }, text: 'List files | edit | in /home/a/.bashrc' },
  { why: 'many paths', facts: { paths: ['a', 'b', 'c', 'd', 'e'] }, text: 'List files | execute | in a, b, c and 2 more' },
  { why: 'an empty input', facts: { input: {} }, text: 'List files | execute' },
  { why: 'line breaks and escapes', facts: { title: 'a\nb\u001b[2K', input: 'x\u001b[1Ay' }, text: 'a b [2K | execute: x [1Ay' },
  { why: 'a long input', facts: { input: 'x'.repeat(700) }, text: `List files | execute: ${'x'.repeat(600)}… (100 characters more)` },
],
)('$why', ({ facts, text }) => {
  expect(permissionText(asked(facts))).toBe(text)
})

test.each(
  // prettier-ignore
  [
  { why: 'another input', facts: { input: { command: 'rm' } } },
  { why: 'another kind', facts: { kind: 'edit' } },
  { why: 'another path', facts: { paths: ['/etc/passwd'] } },
],
)('$why under the same title is another request', ({ facts }) => {
  expect(permissionMark(asked(facts))).not.toBe(permissionMark(asked({})))
})
