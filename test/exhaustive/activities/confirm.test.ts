// Canaries with the runners that test/activities leaves out: as projects have them, and as code
// bends them.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { confirmed } from '../../support/runs/confirmed.js'
import {
  JEST_SUM,
  MOCHA_SUM,
  rightCode,
  UNITTEST_SUM,
  type SmallSum,
} from '../../support/repositories/small-sums.js'

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
