// How far a test run is, in the heartbeats of the activity, while real runners run: two tests end, one of
// them badly, and the next waits until that has been seen.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Files } from '../support/repos.js'
import { tempDir } from '../support/repos.js'
import { testHost } from '../support/test-host.js'
import { VITEST } from '../support/test-projects.js'
import { waitFor } from '../support/wait.js'

const MODULES = path.resolve(import.meta.dirname, '../../node_modules')
const config = (command: string | string[]) => ({ 'ratchet.config.json': JSON.stringify({ test: { command, flakyRetries: 0 } }) })
const js = (gate: string) => `const open = async () => { while (!require('node:fs').existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)) }\n`

type Row = { runner: string; files: (gate: string) => Files; words: string; again?: string }

test.each<Row>([
  {
    runner: 'pytest', words: 'pytest: 2 of 3, 1 failed',
    files: (gate) => ({ ...config('python3 -m pytest'), 'test_a.py': `import os, time\n\ndef test_a():\n    assert False\n\ndef test_b():\n    pass\n\ndef test_c():\n    while not os.path.exists(${JSON.stringify(gate)}):\n        time.sleep(0.02)\n` }),
  },
  {
    runner: 'vitest', words: 'vitest: 2 tests, 1 failed', again: 'vitest: 2 of about 3, 1 failed',
    files: (gate) => ({
      ...config(['node', VITEST, 'run']), 'vitest.config.mjs': 'export default { test: { globals: true, maxWorkers: 2, testTimeout: 60_000 } }\n', 'package.json': '{"type":"commonjs"}',
      'a.test.js': "test('a', () => { throw new Error('boom') })\ntest('b', () => {})\n", 'b.test.js': `test('c', async () => { const { existsSync } = await import('node:fs'); while (!existsSync(${JSON.stringify(gate)})) await new Promise((go) => setTimeout(go, 20)) })\n`,
    }),
  },
  {
    runner: 'jest', words: 'jest: 1 file, 1 failed', again: 'jest: 1 of about 2 files, 1 failed',
    files: (gate) => ({ ...config(`node ${MODULES}/jest/bin/jest.js -w 2 --testTimeout=60000`), 'package.json': '{"name":"small"}', 'a.test.js': "test('a', () => { throw new Error('boom') })\n", 'b.test.js': `${js(gate)}test('c', open)\n` }),
  },
  {
    runner: 'mocha', words: 'mocha: 2 of 3, 1 failed',
    files: (gate) => ({ ...config(`node ${MODULES}/mocha/bin/mocha.js --timeout 60000`), 'test/a.js': `${js(gate)}it('a', () => { throw new Error('boom') })\nit('b', () => {})\nit('c', open)\n` }),
  },
  {
    runner: 'node', words: 'node: 2 tests, 1 failed',
    files: (gate) => ({ ...config('node --test'), 'a.test.js': `const { test } = require('node:test')\n${js(gate)}test('a', () => { throw new Error('boom') })\ntest('b', () => {})\ntest('c', open)\n` }),
  },
  {
    runner: 'go', words: 'go: 2 tests, 1 failed', again: 'go: 2 of about 3, 1 failed',
    files: (gate) => ({
      ...config('go test ./...'), 'go.mod': 'module example.com/calc\n\ngo 1.21\n',
      'a_test.go': `package calc\n\nimport (\n\t"os"\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) { t.Error("boom") }\nfunc TestB(t *testing.T) {}\nfunc TestC(t *testing.T) {\n\tfor {\n\t\tif _, err := os.Stat(${JSON.stringify(gate)}); err == nil {\n\t\t\treturn\n\t\t}\n\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n}\n`,
    }),
  },
])('issue 8: heartbeats tell how far $runner is', { timeout: 180_000 }, async ({ files, words, again }) => {
  const gate = path.join(tempDir(), 'gate')
  const { measure } = await testHost(files(gate))
  for (const [step, awaited] of Object.entries({ baseline: words, ...(again === undefined ? {} : { 'baseline of another run': again }) })) {
    rmSync(gate, { force: true })
    const said: string[] = []
    const running = measure({ step }, ({ now }) => void (typeof now === 'string' && said.push(now)))
    const ended = running.then((run) => { throw new Error(`it ended: ${JSON.stringify(run)}; it said: ${said.join('; ')}`) })
    await Promise.race([ended, waitFor(() => said.some((now) => now.startsWith(`${awaited}, under way`)), { what: awaited, timeoutMs: 60_000 })])
    ended.catch(() => undefined)
    writeFileSync(gate, '')
    expect(await running).toMatchObject({ kind: 'measured', failed: 1 })
  }
})

test('issue 8: what a test prints in the words of its runner is no result', async () => {
  const { measure } = await testHost({ ...config(`node ${MODULES}/mocha/bin/mocha.js`), 'test/a.js': "it('a', () => { for (let n = 0; n < 100_000; n++) console.log(`  FAIL ${n}`) })\n" })
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 1, failed: 0 })
})
