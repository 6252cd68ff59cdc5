// The record keeps the results of the first full run, so that a resumed run knows which tests
// failed before it.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { FileRef } from '../../../../src/contract/files.js'
import type { StoredRun, StoredTest } from '../../../../src/contract/test-run.js'
import { keptBaseline, restoredBaseline } from '../../../../src/adapters/records/kept-baseline.js'
import { readStoredRun, writeStoredRun } from '../../../../src/adapters/test-runners/stored-run.js'
import { compareRuns } from '../../../../src/core/test-results/compare-runs.js'
import { tempDir } from '../../../support/repositories/repos.js'

const failed = (test: string): StoredTest => ({
  file: 'a.test.js',
  test,
  status: 'failed',
  error: 'expected 1',
})
const run = (...tests: StoredTest[]): StoredRun => ({
  schema: 1,
  commit: 'c0',
  runner: 'vitest',
  tests,
  missing: [],
})
const known = (baseline: StoredRun, now: StoredRun, tellsKnown = true) =>
  compareRuns({
    now,
    baseline,
    lastKept: true,
    claims: [],
    rules: [],
    fingerprint: '',
    size: 0,
    tellsKnown,
  }).comparison.known

async function firstRun(
  ...tests: StoredTest[]
): Promise<{ record: string; workspace: string; ref: FileRef }> {
  const workspace = tempDir()
  return { record: tempDir(), workspace, ref: await writeStoredRun(workspace, run(...tests), true) }
}

test('a baseline is copied into the record, and the workspace may go', async () => {
  const { record, workspace, ref } = await firstRun(failed('old'))
  const kept = await keptBaseline(record, ref)
  expect(kept).toEqual({ ...ref, path: path.join(record, 'baseline.json') })
  rmSync(workspace, { recursive: true })
  expect(await keptBaseline(record, ref)).toEqual(kept)
  expect(await keptBaseline(record, kept)).toEqual(kept)
  expect(readFileSync(kept?.path ?? '', 'utf8')).toContain('"old"')
})

test('a missing baseline, and none at all, give none', async () => {
  const { record, workspace, ref } = await firstRun(failed('old'))
  rmSync(workspace, { recursive: true })
  expect(await keptBaseline(record, ref)).toBeUndefined()
  expect(await keptBaseline(record, undefined)).toBeUndefined()
})

test('a test that failed before the run is known after a resume, and one that fails since is not', async () => {
  const { record, workspace, ref } = await firstRun(failed('old'), {
    ...failed('new'),
    status: 'passed',
  })
  const baseline = await keptBaseline(record, ref)
  rmSync(workspace, { recursive: true })
  const restored = restoredBaseline({
    ...(baseline === undefined ? {} : { baseline }),
    baseline_of_base: true,
  })
  expect(restored).toEqual({ baseline, baselineOfBase: true })
  const stored = readStoredRun(restored.baseline as FileRef)
  expect(known(stored, run(failed('old'), failed('new')))).toEqual({
    total: 1,
    tests: ['a.test.js > old'],
    differently: 0,
  })
  expect(known(stored, run(failed('old')), false)).toBeUndefined()
})

test('a baseline of a later commit says nothing about earlier failures', async () => {
  const { record, ref } = await firstRun(failed('old'))
  const baseline = await keptBaseline(record, ref)
  expect(
    restoredBaseline({ ...(baseline === undefined ? {} : { baseline }), baseline_of_base: false }),
  ).toMatchObject({ baselineOfBase: false })
})

test('a record without a baseline restores none', async () => {
  const { record, ref } = await firstRun(failed('old'))
  const baseline = await keptBaseline(record, ref)
  rmSync(path.join(record, 'baseline.json'))
  expect(
    restoredBaseline({ ...(baseline === undefined ? {} : { baseline }), baseline_of_base: true }),
  ).toEqual({})
})

test('a test that fails for another reason than before is known, and is counted', () => {
  const first = compareRuns({
    now: run(failed('old')),
    lastKept: true,
    claims: [],
    rules: [],
    fingerprint: '',
    size: 0,
  })
  const now = run({ ...failed('old'), error: 'TypeError: x is not a function' })
  expect(
    compareRuns({
      now,
      baseline: run(failed('old')),
      lastFull: first,
      lastKept: true,
      claims: [],
      rules: [],
      fingerprint: '',
      size: 0,
      tellsKnown: true,
    }).comparison.known,
  ).toEqual({ total: 1, tests: ['a.test.js > old'], differently: 1 })
})
