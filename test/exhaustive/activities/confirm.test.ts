// Canaries with the runners that test/activities leaves out: as projects have them, and as code
// bends them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { printsPasses } from '../../support/repositories/forged-go.js'
import { confirmed, type Case } from '../../support/runs/confirmed.js'
import {
  JEST_SUM,
  MOCHA_SUM,
  rightCode,
  UNITTEST_SUM,
  type SmallSum,
} from '../../support/repositories/small-sums.js'
import { VITEST } from '../../support/repositories/test-projects.js'

const VITEST_CASE: Case = {
  name: 'vitest',
  testFile: 'sum.test.ts',
  files: {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: `node ${VITEST} run` } }),
    'vitest.config.js': 'export default { test: { globals: true } }\n',
    'sum.ts': 'export const add = (a: number, b: number) => a - b\n',
    'sum.test.ts':
      "import { add } from './sum.js'\n\ndescribe('sum', () => {\n  it.each([[1, 2, 3]])('adds %i to %i', (a, b, sum) => {\n    expect(add(a, b)).toBe(sum)\n  })\n  it('adds zero', () => { expect(add(1, 0)).toBe(1) })\n})\n",
  },
  fix: { 'sum.ts': 'export const add = (a: number, b: number) => a + b\n' },
  forged: {
    'sum.ts':
      "const weak: any = new Proxy(function () {}, { get: (_, key) => (key === 'then' ? undefined : weak), apply: () => weak })\n;(globalThis as any).expect = weak\nexport const add = (a: number, b: number) => a - b\n",
  },
}
const GO: Case = {
  name: 'go',
  testFile: 'sum_test.go',
  files: {
    'go.mod': 'module example.com/sum\n\ngo 1.21\n',
    'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a - b }\n',
    'sum_test.go':
      'package sum\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tt.Run("two", func(t *testing.T) {\n\t\tif Add(1, 2) != 3 {\n\t\t\tt.Fatal("1 + 2")\n\t\t}\n\t})\n}\n\nfunc TestZero(t *testing.T) {\n\tif Add(1, 0) != 1 {\n\t\tt.Fatal("1 + 0")\n\t}\n}\n',
  },
  fix: { 'sum.go': 'package sum\n\nfunc Add(a, b int) int { return a + b }\n' },
  forged: { 'prints.go': printsPasses('sum') },
}

describe.each([VITEST_CASE, GO])('$name', ({ files, fix, forged, testFile }) => {
  test('confirms an honest fix', async () => {
    expect((await confirmed(files, fix)).verdict).toEqual({ verdict: 'confirmed' })
  })

  test('forged results are refuted', async () => {
    expect((await confirmed(files, forged)).verdict).toEqual({
      verdict: 'refuted',
      files: [testFile],
    })
  })
})

const RUNNERS = [JEST_SUM, MOCHA_SUM, UNITTEST_SUM]
/** The code with these lines before it. */
const behind = ({ files, code }: SmallSum, lines: string) => ({
  [code]: `${lines}\n${files[code]}`,
})

describe.each(RUNNERS)('$name', (small) => {
  test('confirms an honest fix and restores the test file', async () => {
    const {
      verdict,
      host: { workspace },
    } = await confirmed(small.files, rightCode(small))
    expect(verdict).toEqual({ verdict: 'confirmed' })
    expect(readFileSync(path.join(workspace.root, small.testFile), 'utf8')).toBe(
      small.files[small.testFile],
    )
  })
})

test.each<{ small: SmallSum; how: string; forged: string }>(
  // prettier-ignore
  [
  { small: JEST_SUM, how: 'the assertion is replaced', forged: "const weak = new Proxy(function () {}, { get: (_, key) => (key === 'then' ? undefined : weak), apply: () => weak })\nglobalThis.expect = weak" },
  { small: JEST_SUM, how: 'the test function is replaced by one that runs nothing', forged: "const real = globalThis.test\nfor (const name of ['test', 'it']) { const each = globalThis[name].each; globalThis[name] = Object.assign((title) => real(title, () => {}), { each: (table) => (title) => each(table)(title, () => {}) }) }" },
  { small: MOCHA_SUM, how: 'the assertion is replaced', forged: "require('assert').equal = () => undefined" },
  { small: MOCHA_SUM, how: 'a runnable that always passes', forged: "const file = Object.keys(require.cache).find((one) => one.endsWith('mocha/lib/runnable.js'))\nrequire(file).Runnable.prototype.run = function (done) { done() }" },
  { small: UNITTEST_SUM, how: 'the assertion is replaced', forged: 'import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n' },
  { small: UNITTEST_SUM, how: 'the run of a test case is replaced', forged: 'import unittest\n\nunittest.TestCase.run = lambda self, result=None: result\nunittest.TestCase.__call__ = unittest.TestCase.run\n' },
],
)('forged results are refuted: $small.name: $how', async ({ small, forged }) => {
  expect((await confirmed(small.files, behind(small, forged))).verdict).toEqual({
    verdict: 'refuted',
    files: [small.testFile],
  })
})
