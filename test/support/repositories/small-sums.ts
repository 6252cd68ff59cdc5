// A sum and a product with a bug each, and five tests of them, three of which fail: one project a
// test runner.
import type { Files } from './repos.js'
import { JEST, MOCHA } from './runner-projects.js'
import { VITEST } from './test-projects.js'

/** Replaces a text that is in a file once. */
type Edit = { path: string; find: string; replace: string }

export type SmallSum = {
  name: string
  files: Readonly<Record<string, string>>
  code: string
  testFile: string
  fixAdd: Edit
  fixMul: Edit
}

const manifest = (test: string, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ name: 'sum', private: true, ...more, scripts: { test } }, null, 2)}\n`
const COMMON_JS = 'exports.add = (a, b) => a - b\nexports.mul = (a, b) => a + b\n'
const IGNORED = 'node_modules\n'

const add = { find: '=> a - b', replace: '=> a + b' }
const mul = { find: 'mul = (a, b) => a + b', replace: 'mul = (a, b) => a * b' }
const inScript = (path: string): Pick<SmallSum, 'code' | 'fixAdd' | 'fixMul'> => ({
  code: path,
  fixAdd: { path, ...add },
  fixMul: { path, ...mul },
})

/** Where the tests of a runner begin, and how they compare. The code under test is loaded first. */
type Style = { head: string; equal: (actual: string, expected: string) => string }

/**
 * The five tests. `differs` is for assertions that say what must not be: the value of the wrong
 * code.
 */
const tests = ({ head, equal }: Style, differs = false): string => {
  const line = (actual: string, right: string, wrong: string) =>
    equal(actual, differs ? wrong : right)
  return `${head}
describe('sum', () => {
  it('adds', () => {
    ${line('add(1, 2)', '3', '-1')}
  })
  it('adds equal numbers', () => { ${line('add(2, 2)', '4', '0')} })
  it('adds nothing, and later', async () => ${line('add(1, 0)', '1', '2')})
  it('multiplies', () => {
    ${line('mul(2, 3)', '6', '5')}
  })
  it('multiplies equal numbers', () => ${line('mul(2, 2)', '4', '5')})
})
`
}

const expecting = (head: string): Style => ({
  head,
  equal: (actual, expected) => `expect(${actual}).toBe(${expected})`,
})
const expectingNot = (head: string): Style => ({
  head,
  equal: (actual, expected) => `expect(${actual}).not.toBe(${expected})`,
})
const asserting = (head: string, name: string): Style => ({
  head,
  equal: (actual, expected) => `assert.${name}(${actual}, ${expected})`,
})
const matching = (head: string): Style => ({
  head,
  equal: (actual, expected) => `assert.match(String(${actual}), /^${expected}$/)`,
})

const CODE = "const { add, mul } = require('./sum')\n"
const MODULE = "import { add, mul } from './sum.js'\n"
const IN_MOCHA = "const { add, mul } = require('../sum')\nconst assert = require('assert')\n"
const IN_NODE = `${CODE}const assert = require('node:assert')\nconst { describe, it } = require('node:test')\n`
/** The same tests with an assertion that says what must not be, or compares with a pattern. */
export const OTHERWISE: Readonly<Record<'vitest' | 'jest' | 'mocha' | 'node', string>> = {
  vitest: tests(expectingNot(MODULE), true),
  jest: tests(expectingNot(CODE), true),
  mocha: tests(asserting(IN_MOCHA, 'notEqual'), true),
  node: tests(matching(IN_NODE)),
}

export const VITEST_SUM: SmallSum = {
  name: 'vitest',
  testFile: 'sum.test.js',
  ...inScript('sum.js'),
  files: {
    'package.json': manifest(`node ${VITEST} run`, { type: 'module' }),
    'vitest.config.js': 'export default { test: { globals: true } }\n',
    '.gitignore': IGNORED,
    'sum.js': COMMON_JS.replaceAll('exports.', 'export const '),
    'sum.test.js': tests(expecting(MODULE)),
  },
}
export const JEST_SUM: SmallSum = {
  name: 'jest',
  testFile: 'sum.test.js',
  ...inScript('sum.js'),
  files: {
    'package.json': manifest(JEST),
    '.gitignore': IGNORED,
    'sum.js': COMMON_JS,
    'sum.test.js': tests(expecting(CODE)).replace(
      / {2}it\('adds'[^]*? {2}it\('adds nothing/,
      "  test.each([[1, 2, 3], [2, 2, 4]])('adds %i to %i', (a, b, sum) => {\n    expect(add(a, b)).toBe(sum)\n  })\n  it('adds nothing",
    ),
  },
}
export const MOCHA_SUM: SmallSum = {
  name: 'mocha',
  testFile: 'test/sum.js',
  ...inScript('sum.js'),
  files: {
    'package.json': manifest(MOCHA),
    '.gitignore': IGNORED,
    'sum.js': COMMON_JS,
    'test/sum.js': tests(asserting(IN_MOCHA, 'equal')).replace(
      'async () => assert.equal(add(1, 0), 1)',
      '(done) => { setTimeout(() => { assert.equal(add(1, 0), 1); done() }, 1) }',
    ),
  },
}
export const NODE_SUM: SmallSum = {
  name: 'node',
  testFile: 'sum.test.js',
  ...inScript('sum.js'),
  files: {
    'package.json': manifest('node --test'),
    '.gitignore': IGNORED,
    'sum.js': COMMON_JS,
    'sum.test.js': tests(asserting(IN_NODE, 'equal')),
  },
}

const CALC = 'calc/sum.py'
export const UNITTEST_SUM: SmallSum = {
  name: 'pytest with classes of unittest',
  code: CALC,
  testFile: 'tests/test_calc.py',
  files: {
    'calc/__init__.py': '',
    'pytest.ini': '[pytest]\npythonpath = .\ntestpaths = tests\n',
    '.gitignore': '__pycache__\n.pytest_cache\n',
    [CALC]: 'def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a + b\n',
    'tests/test_calc.py': `import unittest

from calc.sum import add, mul


class AddTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_equal(self):
        self.assertEqual(add(2, 2), 4)

    def test_zero(self): self.assertEqual(add(1, 0), 1)


class MulTest(unittest.TestCase):
    def test_mul(self):
        """Multiplies."""
        self.assertEqual(mul(2, 3), 6)

    def test_equal(self):
        self.assertEqual(mul(2, 2), 4)
`,
  },
  fixAdd: { path: CALC, find: 'return a - b', replace: 'return a + b' },
  fixMul: {
    path: CALC,
    find: 'def mul(a, b):\n    return a + b',
    replace: 'def mul(a, b):\n    return a * b',
  },
}

/** The code with both bugs repaired. */
export function rightCode({ files, code, fixAdd, fixMul }: SmallSum): Files {
  const right = [fixMul, fixAdd].reduce(
    (text, { find, replace }) => text.replace(find, replace),
    files[code] ?? '',
  )
  return { [code]: right }
}
