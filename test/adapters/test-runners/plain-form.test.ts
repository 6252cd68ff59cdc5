// Commands that start several runners, or end with another program: each runner runs alone, and
// all tests count.
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { plainForm } from '../../../src/adapters/test-runners/plain-form.js'

apartRuns()
import {
  apartRuns,
  measured,
  names,
  project,
  pytestReport,
  refused,
} from '../../support/runs/measured-runs.js'

const SCRIPTS = {
  build: 'tsc -b',
  lint: 'eslint .',
  unit: 'vitest run',
  more: 'jest -c e2e.json',
  all: 'npm run unit && npm run more',
  types: 'tsd',
  test: 'npm run lint && npm run all && npm run types',
  deep: 'npm run test',
  self: 'npm run self && jest',
  prebuilt: 'jest && tsd',
  preprebuilt: 'npm run build',
}

describe('splits a command', () => {
  test.each<[string, string[], string[]]>(
    // prettier-ignore
    [
    ['jest && tsd', ['jest'], ['tsd']],
    ['jest && jest -c e2e.json', ['jest', 'jest -c e2e.json'], []],
    ['jest ; mocha', ['jest', 'mocha'], []],
    ['eslint . && mocha && tsd && echo done', ['eslint . && mocha'], ['tsd', 'echo done']],
    ['tsc -b && jest && tsc -b web && vitest run', ['tsc -b && jest', 'tsc -b web && vitest run'], []],
    ['NODE_ENV=test jest && NODE_ENV=production CI= jest', ['NODE_ENV=test jest', "NODE_ENV=production CI='' jest"], []],
    ["mocha 'test/**/*.js' && tsd", ["mocha test/\\*\\*/\\*.js"], ['tsd']],
    ['npm run all', ['npm run unit', 'npm run more'], []],
    ['npm test', ['npm run lint && npm run unit', 'npm run more'], ['npm run types']],
    ['npm run deep', ['npm run lint && npm run unit', 'npm run more'], ['npm run types']],
    ['npm run prebuilt', ['npm run preprebuilt && jest'], ['tsd']],
    ["sh -c 'jest && tsd' && mocha", ['jest', 'tsd && mocha'], []],
  ],
  )('%s', (line, runners, leftOut) =>
    expect(plainForm(['sh', '-c', line], SCRIPTS)).toEqual({ runners, leftOut }),
  )

  test.each([
    'jest || jest --ci',
    'jest | tee log && tsd',
    'jest > log && tsd',
    'jest $ARGS && tsd',
    'jest `cat args` && tsd',
    'jest & mocha',
    'jest\ntsd',
    'ava && tsd',
    'python -m unittest && pytest',
    'npm run all -- --silent && tsd',
    'npm run self',
    'tsd',
    'jest --watch && tsd',
  ])('leaves unchanged: %s', (line) =>
    expect(plainForm(['sh', '-c', line], SCRIPTS)).toBeUndefined(),
  )

  test('leaves a command without a shell unchanged', () =>
    expect(plainForm(['tox'], SCRIPTS)).toBeUndefined())
})

describe('each runner runs alone', () => {
  /**
   * Plays pytest from the project's own packages: its first argument names the report that it
   * writes.
   */
  const PYTEST =
    '#!/bin/sh\nfor one; do case $one in --junitxml=*) report=${one#*=} ;; esac; done\necho "runs $1"\ncp "$1.xml" "$report"\ngrep -q "<failure" "$1.xml" && exit 1\nexit 0\n'
  const suite = (
    test: string,
    a: Record<string, 'passed' | 'failed'>,
    b: Record<string, 'passed' | 'failed'>,
  ): string => {
    const cwd = project({
      'package.json': JSON.stringify({ scripts: { test, types: 'touch types-ran' } }),
      'node_modules/.bin/pytest': PYTEST,
      'a.xml': pytestReport({ 'test_a.py': a }),
      'b.xml': pytestReport({ 'test_b.py': b, 'test_a.py': a }),
    })
    chmodSync(path.join(cwd, 'node_modules/.bin/pytest'), 0o755)
    return cwd
  }

  test('all tests count, also after a runner with failures', async () => {
    const run = await measured(
      suite('pytest a && pytest b', { test_x: 'failed', test_y: 'passed' }, { test_z: 'passed' }),
    )
    expect(run).toMatchObject({ total: 3, passed: 2, failed: 1 })
    expect(names(run)).toEqual([
      'test_a.py | test_x | failed',
      'test_a.py | test_y | passed',
      'test_b.py | test_z | passed',
    ])
    expect(readFileSync(run.output.path, 'utf8')).toBe('$ pytest a\nruns a\n$ pytest b\nruns b\n')
  })

  test('notices a failing one after a green one', async () => {
    expect(
      await measured(suite('pytest a && pytest b', { test_x: 'passed' }, { test_z: 'failed' })),
    ).toMatchObject({ total: 2, passed: 1, failed: 1 })
  })

  test('leaves out commands after the last runner, and the run says so', async () => {
    const run = await measured(suite('pytest a && npm run types', { test_x: 'passed' }, {}))
    expect([run.passed, run.note]).toEqual([
      1,
      'of "npm test" only the tests are run, without: npm run types',
    ])
  })

  test('names one that cannot be measured', async () => {
    const run = await refused(suite('pytest a && pytest missing', { test_x: 'passed' }, {}))
    expect(run.reason).toMatch(/^pytest missing: /)
  })
})
