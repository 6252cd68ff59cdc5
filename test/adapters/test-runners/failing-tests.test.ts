import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withFailingTests } from '../../../src/adapters/test-runners/failing-tests.js'
import { writeStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import { compared, measured, notStarted } from '../../support/test-runs.js'

async function stored(failing: number) {
  const dir = mkdtempSync(path.join(tmpdir(), 'failing-'))
  const tests = Array.from({ length: failing }, (_, n) => ({
    test: `adds ${n}`,
    file: 'a.test.ts',
    status: 'failed' as const,
    error: `expected ${n}`,
  }))
  return {
    dir,
    results: await writeStoredRun(
      dir,
      {
        schema: 1,
        commit: 'c0ffee',
        runner: 'node',
        tests,
        missing: [{ test: 'gone', file: 'b.test.ts', error: '', missing: true }],
      } as unknown as Parameters<typeof writeStoredRun>[1],
      false,
    ),
  }
}

test('a prompt names 20 failing tests although only 5 travel, those that failed before the run last', async () => {
  const { dir, results } = await stored(30)
  const run = withFailingTests(
    measured(0, 31, {
      results,
      comparison: compared({ known: { total: 1, tests: ['a.test.ts > adds 0'], differently: 0 } }),
    }),
    20,
  )
  expect(run.kind === 'measured' ? run.failures.map(({ test: name }) => name) : []).toEqual(
    Array.from({ length: 20 }, (_, n) => `adds ${n + 1}`),
  )
  expect(run).toMatchObject({
    failuresTotal: 31,
    failures: expect.arrayContaining([
      { test: 'adds 7', file: 'a.test.ts', error: 'expected 7' },
    ]) as unknown,
  })
  const all = withFailingTests(measured(0, 31, { results }), 50)
  expect(all.kind === 'measured' ? all.failures.at(-1) : undefined).toEqual({
    test: 'gone',
    file: 'b.test.ts',
    error: '',
    missing: true,
  })
  rmSync(dir, { recursive: true })
  expect(withFailingTests(measured(0, 31, { results }), 20)).toMatchObject({
    failures: { length: 5 },
  })
})

test('a run without a measurement is unchanged', () =>
  expect(withFailingTests(notStarted(), 20)).toEqual(notStarted()))
