import { describe, expect, test } from 'vitest'
import type { StoredRun, StoredTest } from '../../../../src/contract/test-run.js'
import { settle, type SettleInput, type Settled } from '../../../../src/core/test-results/settle.js'

const tests = (...lines: string[]): StoredTest[] =>
  lines.map((line) => {
    const [test = '', status = 'passed'] = line.split(': ')
    return {
      file: 'f',
      test,
      status: status as StoredTest['status'],
      ...(status === 'failed' ? { error: 'no' } : {}),
    }
  })
const stored = (commit: string, ...lines: string[]): StoredRun => ({
  schema: 1,
  commit,
  runner: 'r',
  tests: tests(...lines),
  missing: [],
})

type Executions = {
  here?: string[][]
  there?: string[][]
  flakyRetries?: number
} & Partial<SettleInput>

/** Settles a run of the commit `fix`, and returns the executed runs. */
async function settled(
  first: string[],
  base: StoredRun,
  { here = [], there = [], ...rest }: Executions = {},
): Promise<Settled & { ran: string[] }> {
  const ran: string[] = []
  const left = { here: [...here], there: [...there] }
  const next = (
    from: 'here' | 'there',
    why: string,
    named: readonly { test: string }[],
  ): Promise<StoredTest[] | undefined> => {
    ran.push(`${from}, ${why}: ${named.map((one) => one.test).join(', ')}`)
    const lines = left[from].shift()
    return Promise.resolve(lines && tests(...lines))
  }
  const result = await settle({
    commit: 'fix',
    first: tests(...first),
    flakyRetries: 1,
    earlier: { baseline: base, before: base, lastFull: base },
    again: {
      here: (named, why) => next('here', why, named),
      there: (_run, named, why) => next('there', why, named),
    },
    ...rest,
  })
  return { ...result, ran }
}
const ended = ({ tests: all, missing, flaky }: Settled) => ({
  tests: all.map(
    (one) => `${one.test.replace('(name differs from run to run) ', '#')}: ${one.status}`,
  ),
  missing: missing.map((one) => one.test.replace('(name differs from run to run) ', '#')),
  flaky: [...flaky].map((id) => id.slice(2)),
})

describe('a missing test', () => {
  const base = stored('base', 'a', 'b')
  test('is not run by the name of its file where no test of that file ran: the suite excludes it', async () => {
    const run = await settled([], base, { there: [['a', 'b']], here: [['a', 'b']] })
    expect(run.ran).not.toContainEqual(expect.stringContaining('here, missing'))
    expect(ended(run)).toEqual({ tests: [], missing: ['a', 'b'], flaky: [] })
  })

  test('is run again on the fix, and on the commit before it: it is broken if it is missing twice and passed there', async () => {
    const run = await settled(['a'], base, { there: [['a', 'b']], here: [['a']] })
    expect(run.ran).toEqual(['there, names: b', 'here, missing: b'])
    expect(ended(run)).toEqual({ tests: ['a: passed'], missing: ['b'], flaky: [] })
  })

  test('that passes the second time is flaky', async () => {
    expect(ended(await settled(['a'], base, { there: [['a', 'b']], here: [['a', 'b']] }))).toEqual({
      tests: ['a: passed', 'b: flaky'],
      missing: [],
      flaky: [],
    })
  })

  test('that is skipped first and fails the second time has failed', async () => {
    expect(
      ended(
        await settled(['a', 'b: skipped'], base, {
          there: [['a', 'b']],
          here: [['a', 'b: failed']],
        }),
      ),
    ).toEqual({ tests: ['a: passed', 'b: failed'], missing: [], flaky: [] })
  })

  test('is flaky where it failed on the commit before the fix', async () => {
    expect(
      ended(await settled(['a'], base, { there: [['a', 'b: failed']], here: [['a']] })).flaky,
    ).toEqual(['b'])
  })

  test('is not flaky where it is skipped or absent on the commit before the fix', async () => {
    for (const there of [['a', 'b: skipped'], []])
      expect(ended(await settled(['a'], base, { there: [there], here: [['a']] }))).toMatchObject({
        missing: ['b'],
        flaky: [],
      })
  })

  test('since an earlier run is not run again', async () => {
    const before = {
      ...stored('c1', 'a'),
      missing: [{ file: 'f', test: 'b', error: '', missing: true }],
    }
    const run = await settled(['a'], base, {
      earlier: { baseline: base, before, best: base, lastFull: before },
    })
    expect(run.ran).toEqual([])
    expect(ended(run)).toMatchObject({ missing: ['b'] })
  })
})

describe('a failing test that passed on the commit before the fix', () => {
  const base = stored('base', 'a', 'b')
  test.each([
    { why: 'passes: flaky', third: ['a', 'b'], status: 'flaky' },
    { why: 'fails: broken', third: ['a', 'b: failed'], status: 'failed' },
  ])('with an accepted change runs a third time, and $why', async ({ third, status }) => {
    const run = await settled(['a', 'b: failed'], base, {
      accepted: true,
      here: [['a', 'b: failed'], third],
      there: [['a', 'b']],
    })
    expect(run.ran.slice(0, 2)).toEqual(['here, failed: b', 'here, failed: b'])
    expect(ended(run)).toEqual({
      tests: ['a: passed', `b: ${status}`],
      missing: [],
      flaky: [],
    })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'passes there again: broken', there: ['a', 'b'], flaky: [] },
    { why: 'fails there too: flaky', there: ['a', 'b: failed'], flaky: ['b'] },
    { why: 'is absent there: broken', there: ['a'], flaky: [] },
    { why: 'its file does not load there: flaky', there: ['(could not be loaded): failed'], flaky: ['b'] },
  ],
  )('$why', async ({ there, flaky }) => {
    const run = await settled(['a', 'b: failed'], base, {
      here: [['a', 'b: failed']],
      there: [there],
    })
    expect(run.ran).toEqual(['here, failed: b', 'there, broken: b'])
    expect(ended(run).flaky).toEqual(flaky)
  })

  test('is run a second time on the fix even without retries', async () => {
    const run = await settled(['a', 'b: failed'], base, {
      flakyRetries: 0,
      here: [['a', 'b']],
      there: [],
    })
    expect([run.ran, ended(run).tests]).toEqual([['here, failed: b'], ['a: passed', 'b: flaky']])
  })
})

describe('names that differ from run to run', () => {
  const base = stored('base', 'a', 'n 11', 'n 12: failed', 'n 13: failed')
  test('are compared by count: one repaired, none missing', async () => {
    const run = await settled(['a', 'n 21', 'n 22', 'n 23: failed'], base, {
      here: [['a', 'n 31', 'n 32', 'n 33: failed']],
      there: [['a', 'n 41', 'n 42: failed', 'n 43: failed']],
    })
    expect(ended(run)).toEqual({
      tests: ['a: passed', '#1: passed', '#2: passed', '#3: failed'],
      missing: [],
      flaky: [],
    })
    expect(
      run.earlier.baseline?.tests.map(({ test: name, status }) => `${name.slice(-1)} ${status}`),
    ).toEqual(['a passed', '1 passed', '2 failed', '3 failed'])
    expect(run.listings).toEqual([{ file: 'f', stable: ['a'] }])
  })

  test('one fewer is one missing', async () => {
    expect(
      ended(
        await settled(['a', 'n 21', 'n 22'], base, {
          there: [['a', 'n 41', 'n 42: failed', 'n 43: failed']],
          here: [['a', 'n 51', 'n 52']],
        }),
      ),
    ).toMatchObject({ missing: ['#3'] })
  })

  test('are known in later runs: no test is listed again', async () => {
    const first = await settled(['a', 'n 21', 'n 22', 'n 23: failed'], base, {
      here: [undefined as unknown as string[]],
      there: [['a', 'n 41', 'n 42: failed', 'n 43: failed']],
    })
    const before = { ...stored('c1'), tests: first.tests, listings: first.listings }
    const later = await settled(['a', 'n 71', 'n 72', 'n 73'], base, {
      commit: 'fix2',
      earlier: { baseline: base, before, best: before, lastFull: before },
    })
    expect(later.ran).toEqual([])
    expect(ended(later)).toEqual({
      tests: ['a: passed', '#1: passed', '#2: passed', '#3: passed'],
      missing: [],
      flaky: [],
    })
  })

  test('a missing test with a stable name in the same file is still noticed', async () => {
    expect(
      ended(
        await settled(['n 21', 'n 22: failed', 'n 23: failed'], base, {
          here: [],
          there: [['a', 'n 41', 'n 42: failed', 'n 43: failed']],
        }),
      ).missing,
    ).toEqual(['a'])
  })
})
