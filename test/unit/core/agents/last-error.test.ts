// The error that a program wrote before it ended.
import { expect, test } from 'vitest'
import { lastError } from '../../../../src/core/agents/last-error.js'

const STACK = '    at Module._load (node:internal/modules/cjs/loader:1038:27)\n'.repeat(20)

test.each([
  { what: 'nothing', text: ' \n', error: '' },
  { what: 'a plain sentence', text: 'please log in\n', error: 'please log in' },
  {
    what: 'an option',
    text: 'usage: x\nerror: unknown option --acp\n',
    error: 'error: unknown option --acp',
  },
  {
    what: 'a traceback of Python',
    text: 'Traceback (most recent call last):\n  File "a.py", line 1\nModuleNotFoundError: No module named \'b\'\n',
    error: "ModuleNotFoundError: No module named 'b'",
  },
  {
    what: 'a panic of Go',
    text: 'starting\npanic: closed\n\ngoroutine 1 [running]:\n',
    error: 'panic: closed goroutine 1 [running]:',
  },
  {
    what: 'an error that was survived, before the last one',
    text: 'Error: first\nretrying\nError: second\n',
    error: 'Error: second',
  },
])('names $what', ({ text, error }) => {
  expect(lastError(text)).toBe(error)
})

test('a stack after the error does not hide it', () => {
  const error = lastError(
    `node:internal:1210\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n${STACK}`,
  )
  expect(error).toMatch(/^Error: Cannot find module 'x' at Module/)
  expect(error).toHaveLength(400)
})

test('the end of a long text without an error', () => {
  const last = lastError(`${'a '.repeat(900)}the end`)
  expect(last).toMatch(/^….* the end$/)
  expect(last).toHaveLength(400)
})
