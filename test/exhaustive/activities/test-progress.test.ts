// How far a test run is, in the heartbeats of the activity: the runners that test/activities leaves
// out.
import path from 'node:path'
import { test } from 'vitest'
import { config, expectWords, js, type Watched } from '../../support/watched-tests.js'

const MODULES = path.resolve(import.meta.dirname, '../../../node_modules')

test.each<Watched>([
  {
    runner: 'jest',
    words: 'jest: 1 file, 1 failed',
    again: 'jest: 1 of about 2 files, 1 failed',
    files: (gate) => ({
      ...config(`node ${MODULES}/jest/bin/jest.js -w 2 --testTimeout=60000`),
      'package.json': '{"name":"small"}',
      'a.test.js': "test('a', () => { throw new Error('boom') })\n",
      'b.test.js': `${js(gate)}test('c', open)\n`,
    }),
  },
  {
    runner: 'mocha',
    words: 'mocha: 2 of 3, 1 failed',
    files: (gate) => ({
      ...config(`node ${MODULES}/mocha/bin/mocha.js --timeout 60000`),
      'test/a.js': `${js(gate)}it('a', () => { throw new Error('boom') })\nit('b', () => {})\nit('c', open)\n`,
    }),
  },
  {
    runner: 'node',
    words: 'node: 2 tests, 1 failed',
    files: (gate) => ({
      ...config('node --test'),
      'a.test.js': `const { test } = require('node:test')\n${js(gate)}test('a', () => { throw new Error('boom') })\ntest('b', () => {})\ntest('c', open)\n`,
    }),
  },
  {
    runner: 'go',
    words: 'go: 2 tests, 1 failed',
    again: 'go: 2 of about 3, 1 failed',
    files: (gate) => ({
      ...config('go test ./...'),
      'go.mod': 'module example.com/calc\n\ngo 1.21\n',
      'a_test.go': `package calc\n\nimport (\n\t"os"\n\t"testing"\n\t"time"\n)\n\nfunc TestA(t *testing.T) { t.Error("boom") }\nfunc TestB(t *testing.T) {}\nfunc TestC(t *testing.T) {\n\tfor {\n\t\tif _, err := os.Stat(${JSON.stringify(gate)}); err == nil {\n\t\t\treturn\n\t\t}\n\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n}\n`,
    }),
  },
])('issue 8: heartbeats tell how far $runner is', { timeout: 180_000 }, (row) => expectWords(row))
