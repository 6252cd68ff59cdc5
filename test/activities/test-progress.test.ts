// How far a test run is, in the heartbeats of the activity, while real runners run. More runners:
// test/exhaustive/activities.
import path from 'node:path'
import { expect, test } from 'vitest'
import { testHost } from '../support/test-host.js'
import { VITEST } from '../support/repositories/test-projects.js'
import { config, expectWords, type Watched } from '../support/watched-tests.js'

const MODULES = path.resolve(import.meta.dirname, '../../node_modules')

test.each<Watched>([
  {
    runner: 'pytest',
    words: 'pytest: 2 of 3, 1 failed',
    files: (gate) => ({
      ...config('python3 -m pytest'),
      'test_a.py': `import os, time\n\ndef test_a():\n    assert False\n\ndef test_b():\n    pass\n\ndef test_c():\n    while not os.path.exists(${JSON.stringify(gate)}):\n        time.sleep(0.02)\n`,
    }),
  },
  {
    runner: 'vitest',
    words: 'vitest: 2 tests, 1 failed',
    again: 'vitest: 2 of about 3, 1 failed',
    files: (gate) => ({
      ...config(['node', VITEST, 'run']),
      'vitest.config.mjs':
        'export default { test: { globals: true, maxWorkers: 2, testTimeout: 60_000 } }\n',
      'package.json': '{"type":"commonjs"}',
      'a.test.js': "test('a', () => { throw new Error('boom') })\ntest('b', () => {})\n",
      'b.test.js': `test('c', async () => { const { existsSync } = await import('node:fs'); while (!existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)) })\n`,
    }),
  },
])('issue 8: heartbeats tell how far $runner is', { timeout: 180_000 }, (row) => expectWords(row))

test('issue 8: what a test prints in the words of its runner is no result', async () => {
  const { measure } = await testHost({
    ...config(`node ${MODULES}/mocha/bin/mocha.js`),
    'test/a.js':
      "it('a', () => { for (let n = 0; n < 100_000; n++) console.log(`  FAIL ${n}`) })\n",
  })
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 1, failed: 0 })
})
