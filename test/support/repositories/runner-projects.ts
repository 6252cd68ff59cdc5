// The runners that take a report path: jest (29.7) and mocha (12.0) of this repository, this node,
// the go of this machine.
import path from 'node:path'
import { project } from '../runs/measured-runs.js'

export const MODULES = path.resolve(import.meta.dirname, '../../../node_modules')
export const JEST = `node ${MODULES}/jest/bin/jest.js`
export const MOCHA = `node ${MODULES}/mocha/bin/mocha.js`

export const script = (line: string, files: Record<string, string>): string =>
  project({ 'package.json': JSON.stringify({ name: 'small', scripts: { test: line } }), ...files })
export const MODULE = { 'go.mod': 'module example.com/calc\n\ngo 1.21\n' }
export const goTest = (name: string, body: string): string =>
  `package ${name}\n\nimport "testing"\n\n${body}\n`

// One row per runner: the same small project in its own syntax, with `npm test` if it has scripts.
export const RUNNERS = [
  {
    runner: 'jest',
    make: () =>
      script(JEST, {
        'a.test.js':
          "describe('outer', () => { test('passes', () => {}); test('fails', () => { throw new Error('boom') }) })",
        'sub/b ü.test.js': "test('passes', () => {}); test.skip('later', () => {})",
      }),
    tests: [
      'a.test.js | outer > fails | failed',
      'a.test.js | outer > passes | passed',
      'sub/b ü.test.js | later | skipped',
      'sub/b ü.test.js | passes | passed',
    ],
    prints: 'Tests:',
    breaks: { 'c.test.js': "require('./gone')\ntest('x', () => {})" },
    unloaded: 'c.test.js',
    error: /^Cannot find module '\.\/gone'/,
  },
  {
    runner: 'mocha',
    make: () =>
      script(MOCHA, {
        'test/a.spec.js':
          "describe('outer', () => { it('passes', () => {}); it('fails', () => { throw new Error('boom') }) })",
        'test/b ü.spec.js': "it('passes', () => {}); it.skip('later', () => {})",
      }),
    tests: [
      'test/a.spec.js | outer > fails | failed',
      'test/a.spec.js | outer > passes | passed',
      'test/b ü.spec.js | later | skipped',
      'test/b ü.spec.js | passes | passed',
    ],
    prints: 'FAIL outer > fails',
    breaks: { 'test/c.spec.js': "require('./gone')\nit('x', () => {})" },
    unloaded: 'test/c.spec.js',
    error: /^Error: Cannot find module '\.\/gone'/,
  },
  {
    runner: 'node',
    make: () =>
      script('node --test', {
        'a.test.js':
          "const { describe, test } = require('node:test')\ndescribe('outer', () => { test('passes', () => {}); test('fails', () => { throw new Error('boom') }) })",
        'sub/b ü.test.js':
          "const { test } = require('node:test')\ntest('passes', () => {}); test.skip('later', () => {})",
      }),
    tests: [
      'a.test.js | outer > fails | failed',
      'a.test.js | outer > passes | passed',
      'sub/b ü.test.js | later | skipped',
      'sub/b ü.test.js | passes | passed',
    ],
    prints: '✖ fails',
    breaks: { 'c.test.js': "require('./gone')" },
    unloaded: 'c.test.js',
    error: /^Error: Cannot find module '\.\/gone'/,
  },
  {
    runner: 'go',
    make: () =>
      project({
        ...MODULE,
        'a/a_test.go': goTest(
          'a',
          'func TestOuter(t *testing.T) {\n\tt.Run("passes", func(t *testing.T) {})\n\tt.Run("fails", func(t *testing.T) { t.Error("boom") })\n}',
        ),
        'b/b_test.go': goTest('b', 'func TestLater(t *testing.T) { t.Skip() }'),
        'c/c.go': 'package c\n',
      }),
    tests: [
      'a/a_test.go | TestOuter > fails | failed',
      'a/a_test.go | TestOuter > passes | passed',
      'b/b_test.go | TestLater | skipped',
    ],
    prints: '--- FAIL: TestOuter/fails',
    breaks: { 'c/c_test.go': goTest('c', 'func TestC(t *testing.T) { gone() }') },
    unloaded: 'c',
    error: /^c\/c_test\.go:5:28: undefined: gone/,
  },
]
