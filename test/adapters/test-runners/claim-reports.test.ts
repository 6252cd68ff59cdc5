import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  readClaims,
  recount,
  writeClaims,
} from '../../../src/adapters/test-runners/claim-reports.js'
import { writeStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import type { CriticalityClaim } from '../../../src/core/test-results/criticality-claims.js'
import { measured } from '../../support/test-runs.js'

let dir = ''
beforeEach(() => (dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-claims-'))))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const claim = (
  test: string,
  level: CriticalityClaim['level'],
  iteration = 1,
): CriticalityClaim => ({ test, level, source: 'analysis', agent: 'a', iteration })

test('reads back claims, private to the user; before the first there are none', () => {
  const claims = [claim('a > x', 'low'), claim('a > y', 'high')]
  const ref = writeClaims(path.join(dir, 'tests'), claims)
  expect(readClaims(ref)).toEqual(claims)
  expect(statSync(ref.path).mode & 0o777).toBe(0o600)
  expect(readClaims(undefined)).toEqual([])
})

test('drops a claim that a later one replaced', () => {
  const ref = writeClaims(dir, [
    claim('a::x', 'low'),
    claim('a > y', 'high'),
    claim('a > x', 'medium', 2),
  ])
  expect(readClaims(ref)).toEqual([claim('a > y', 'high'), claim('a > x', 'medium', 2)])
})

test('the same claims give the same file, others do not change it', () => {
  const first = writeClaims(dir, [claim('a > x', 'low')])
  expect(writeClaims(dir, [claim('a > x', 'low')])).toEqual(first)
  const second = writeClaims(dir, [...readClaims(first), claim('a > y', 'low')])
  expect(readdirSync(dir)).toHaveLength(2)
  expect([readClaims(first), readClaims(second)].map((claims) => claims.length)).toEqual([1, 2])
})

test('ignores claims changed by another writer', () => {
  const ref = writeClaims(dir, [claim('a > x', 'high')])
  writeFileSync(ref.path, `${JSON.stringify({ schema: 1, claims: [claim('a > x', 'low')] })}\n`)
  expect(() => readClaims(ref)).toThrow(`the claims on failures were changed: ${ref.path}`)
})

test('counts a run with new claims and leaves it unchanged', async () => {
  const tests = [
    {
      file: 'a',
      test: 'x',
      status: 'failed' as const,
      streak: 1,
      criticality: 'high' as const,
      source: 'default' as const,
    },
  ]
  const results = await writeStoredRun(
    dir,
    { schema: 1, commit: 'c0ffee', runner: 'vitest', tests, missing: [] },
    false,
  )
  const run = measured(19, 20, { results })
  expect(recount(run, [claim('a > x', 'low')], [])).toEqual({
    levels: { high: 0, medium: 0, low: 1, undecided: 1, barring: 0 },
  })
  expect(recount(run, [], [])).toEqual({
    levels: { high: 1, medium: 0, low: 0, undecided: 1, barring: 0 },
  })
  expect(recount(run, [claim('a > x', 'low')], [{ match: '^a > x$', level: 'high' }])).toEqual({
    levels: { high: 1, medium: 0, low: 0, undecided: 0, barring: 1 },
  })
})
