import { expect, test } from 'vitest'
import { readHeader, turnHeader, withHeader } from '../../../../src/core/prompts/prompt-header.js'
import type { TurnHeader } from '../../../../src/contract/turn.js'

// Written in another order than the documented one on purpose.
const full: TurnHeader = {
  attempt: 2,
  turn: 'work',
  iteration: 3,
  role: 'test-fix-agent',
  kind: 'test-fix',
  task: 'IMPL-fix-3',
  run: 'r1',
  paths: { task: '/t', state: '/s', board: '/b', progress: '/g', workspace: '/w', project: '/p' },
}
const LINE =
  'ratchet-turn: {"run":"r1","kind":"test-fix","role":"test-fix-agent","task":"IMPL-fix-3","iteration":3,"turn":"work","attempt":2,"paths":{"project":"/p","workspace":"/w","progress":"/g","board":"/b","state":"/s","task":"/t"}}'

test('header: compact, with keys in the documented order', () => {
  expect(turnHeader(full)).toBe(LINE)
})

test('header: absent keys are left out', () => {
  const { task: _, ...rest } = full
  expect(turnHeader({ ...rest, paths: { project: '/p', workspace: '/w' } })).toBe(
    'ratchet-turn: {"run":"r1","kind":"test-fix","role":"test-fix-agent","iteration":3,"turn":"work","attempt":2,"paths":{"project":"/p","workspace":"/w"}}',
  )
})

test('header: a line break in a value stays inside the first line', () => {
  expect(withHeader({ ...full, run: 'a\nb' }, 'text').split('\n')).toHaveLength(3)
})

test('header: reads back what it writes', () => {
  expect(readHeader(withHeader(full, 'Do it.'))).toEqual(full)
  expect(readHeader('Do it.')).toBeUndefined()
  expect(readHeader('ratchet-turn: {broken')).toBeUndefined()
})
