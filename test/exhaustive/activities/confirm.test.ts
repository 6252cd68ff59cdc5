// Canaries with the runners that test/activities leaves out: as projects have them, and as code bends them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { confirmed } from '../../support/confirmed.js'
import type { Case } from '../../support/confirmed.js'
import { JEST, MOCHA, MODULES } from '../../support/runner-projects.js'

const WRONG = 'exports.add = (a, b) => a - b\n'
const RIGHT = 'exports.add = (a, b) => a + b\n'

const JEST_CASE: Case = {
  name: 'jest', testFile: 'sum.test.js',
  files: {
    'package.json': JSON.stringify({ name: 'sum', scripts: { test: JEST } }), 'sum.js': WRONG,
    'sum.test.js': "const { add } = require('./sum')\n\ndescribe('sum', () => {\n  test.each([[1, 2, 3]])('adds %i to %i', (a, b, sum) => {\n    expect(add(a, b)).toBe(sum)\n  })\n  it('adds zero', async () => expect(add(1, 0)).toBe(1))\n})\n",
  },
  fix: { 'sum.js': RIGHT },
  forged: { 'sum.js': `const weak = new Proxy(function () {}, { get: (_, key) => (key === 'then' ? undefined : weak), apply: () => weak })\nglobalThis.expect = weak\n${WRONG}` },
}
const MOCHA_CASE: Case = {
  name: 'mocha', testFile: 'test/sum.js',
  files: {
    'package.json': JSON.stringify({ name: 'sum', scripts: { test: MOCHA } }), 'sum.js': WRONG,
    'test/sum.js': "const assert = require('assert')\nconst { add } = require('../sum')\n\ndescribe('sum', function () {\n  it('adds', function () {\n    assert.equal(add(1, 2), 3)\n  })\n  it('adds later', (done) => { setTimeout(() => { assert.equal(add(1, 0), 1); done() }, 1) })\n})\n",
  },
  fix: { 'sum.js': RIGHT },
  forged: { 'sum.js': `require('assert').equal = () => undefined\n${WRONG}` },
}
const UNITTEST: Case = {
  name: 'pytest with classes of unittest', testFile: 'tests/test_calc.py',
  files: {
    'calc/__init__.py': '', 'calc/sum.py': 'def add(a, b):\n    return a - b\n', 'pytest.ini': '[pytest]\npythonpath = .\n', '.gitignore': '__pycache__\n.pytest_cache\n',
    'tests/test_calc.py': 'import unittest\n\nfrom calc.sum import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\n    def test_zero(self): self.assertEqual(add(1, 0), 1)\n',
  },
  fix: { 'calc/sum.py': 'def add(a, b):\n    return a + b\n' },
  forged: { 'calc/sum.py': 'import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n\n\ndef add(a, b):\n    return a - b\n' },
}

describe.each([JEST_CASE, MOCHA_CASE, UNITTEST])('$name', ({ files, fix, testFile }) => {
  test('an honest fix is confirmed, and the test file is as it was', async () => {
    const { verdict, host: { workspace } } = await confirmed(files, fix)
    expect(verdict).toEqual({ verdict: 'confirmed' })
    expect(readFileSync(path.join(workspace.root, testFile), 'utf8')).toBe(files[testFile])
  })
})

describe('forged results are refuted', () => {
  test.each<Case & { how: string }>([
    { ...JEST_CASE, how: 'the test function is replaced by one that runs nothing', forged: { 'sum.js': `const real = globalThis.test\nfor (const name of ['test', 'it']) { const each = globalThis[name].each; globalThis[name] = Object.assign((title) => real(title, () => {}), { each: (table) => (title) => each(table)(title, () => {}) }) }\n${WRONG}` } },
    { ...MOCHA_CASE, how: 'a runnable that always passes', forged: { 'sum.js': `require('${MODULES}/mocha/lib/runnable').Runnable.prototype.run = function (done) { done() }\n${WRONG}` } },
    { ...UNITTEST, how: 'the run of a test case is replaced', forged: { 'calc/sum.py': 'import unittest\n\nunittest.TestCase.run = lambda self, result=None: result\nunittest.TestCase.__call__ = unittest.TestCase.run\n\n\ndef add(a, b):\n    return a - b\n' } },
  ])('$name: $how', async ({ files, forged, testFile }) => {
    expect((await confirmed(files, forged)).verdict).toEqual({ verdict: 'refuted', files: [testFile] })
  })

  test.each([JEST_CASE, MOCHA_CASE, UNITTEST])('$name: the assertion is replaced', async ({ files, forged, testFile }) => {
    expect((await confirmed(files, forged)).verdict).toEqual({ verdict: 'refuted', files: [testFile] })
  })
})
