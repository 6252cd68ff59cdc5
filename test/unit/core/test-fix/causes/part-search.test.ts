import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  brokeText,
  harmOf,
  mayRunAgain,
  nextSuspect,
  partResults,
  searched,
  suspects,
  type PartSearch,
} from '../../../../../src/core/test-fix/causes/part-search.js'
import { compared, measured, notStarted } from '../../../../support/test-runs.js'

const kept = { keep: true, isBest: true, progress: true, worse: 0, back: false } as const
const out = { keep: false, reason: 'it broke more' } as const
const broke = (...names: string[]) =>
  measured(3, 5, { comparison: compared({ broken: names.length, brokenTests: names }) })

/** Carries out a search; returns the causes that stay, if nothing is broken then, and its runs. */
function search(
  all: readonly string[],
  order: readonly string[],
  harm: (kept: readonly string[]) => number,
): { rest: string[] | undefined; runs: number } {
  let now: PartSearch = { all, out: [], suspects: order, harm: harm(all) }
  let runs = 1
  for (let next = nextSuspect(now); next !== undefined; next = nextSuspect(now)) {
    const tried = all.filter((one) => one !== next && !now.out.includes(one))
    runs += 1
    now = searched(now, harm(tried))
    if (now.harm === 0) return { rest: all.filter((one) => !now.out.includes(one)), runs }
  }
  return { rest: undefined, runs }
}

const causes = fc.integer({ min: 2, max: 3 }).chain((k) => {
  const all = ['1', '2', '3'].slice(0, k)
  return fc.record({
    all: fc.constant(all),
    order: fc.shuffledSubarray(all, { minLength: k }),
    // Tests that each cause breaks
    breaks: fc.array(fc.nat(3), { minLength: k, maxLength: k }),
    unloads: fc.boolean(),
  })
})

describe('a search', () => {
  test('finds every wrong cause among good ones and takes it out alone, in any order, with one run for each cause', () => {
    fc.assert(
      fc.property(causes, ({ all, order, breaks }) => {
        const of = (one: string): number => breaks[all.indexOf(one)] ?? 0
        const good = all.filter((one) => of(one) === 0)
        if (good.length === all.length) return
        const { rest, runs } = search(all, order, (some) => some.reduce((n, one) => n + of(one), 0))
        expect(runs).toBeLessThanOrEqual(all.length + 1)
        expect(rest).toEqual(good.length === 0 ? undefined : good)
      }),
    )
  })

  test('finds the one cause without which the suite starts', () => {
    fc.assert(
      fc.property(causes, ({ all, order }) => {
        const wrong = order.at(-1) as string
        const { rest, runs } = search(all, order, (some) => (some.includes(wrong) ? Infinity : 0))
        expect(runs).toBeLessThanOrEqual(all.length + 1)
        expect(rest).toEqual(all.filter((one) => one !== wrong))
      }),
    )
  })

  test('keeps nothing that was not measured without harm, for any results of its runs', () => {
    const harm = fc.constantFrom(0, 0.5, 1, 2, Infinity)
    fc.assert(
      fc.property(
        causes,
        fc.array(harm, { minLength: 8, maxLength: 8 }),
        ({ all, order }, says) => {
          let last: readonly string[] = []
          const answers = [...says]
          const { rest, runs } = search(all, order, (some) => {
            last = some
            return some.length === all.length ? 3 : (answers.pop() ?? 0)
          })
          expect(runs).toBeLessThanOrEqual(all.length + 1)
          if (rest !== undefined) expect(rest).toEqual(last)
        },
      ),
    )
  })
})

describe('suspects', () => {
  const parts = ['1', '2', '3'].map((task) => ({ task, files: [`src/${task}.ts`] }))
  // prettier-ignore
  test.each<[string, string[], string[]]>([
    ['the first file that the errors name comes first', ['at f (/tmp/w/src/2.ts:3:1)\nat g (/tmp/w/src/1.ts:1:1)'], ['2', '1', '3']],
    ['of several errors too', ['at f (x.ts:1)', 'at g (src/3.ts:2)'], ['3', '2', '1']],
    ['where they name none, the least certain one comes first', ['expected 1'], ['3', '2', '1']],
    ['a part of another path is no name of it', ['at my-src/1.tsx:1', 'at my_src/2.ts'], ['3', '2', '1']],
  ])('%s', (_, errors, expected) => {
    expect(suspects(parts, errors)).toEqual(expected)
  })
})

test('harm is what is broken, a part more where the fix would be rolled back, and beyond all where nothing starts', () => {
  expect(harmOf({ after: broke(), verdict: kept })).toBe(0)
  expect(harmOf({ after: broke('a', 'b'), verdict: kept })).toBe(2)
  expect(harmOf({ after: broke(), verdict: out })).toBeGreaterThan(0)
  expect(harmOf({ after: notStarted(), verdict: out })).toBe(Infinity)
})

test('a cause broke what is broken with it and not without it', () => {
  expect(brokeText(broke('a > 1', 'a > 2', 'b > 1'), broke('b > 1'))).toBe(
    'it broke 2 tests: a > 1, a > 2',
  )
  expect(brokeText(broke('a > 1'))).toBe('it broke 1 test: a > 1')
  expect(brokeText(notStarted(), broke())).toBe('the tests do not start with it')
})

// prettier-ignore
test.each<[string, Parameters<typeof mayRunAgain>[0], boolean]>([
  ['no limit', { leftMinutes: undefined, spentMs: 9e9, nextMs: 9e9 }, true],
  ['half of what is left is enough', { leftMinutes: 10, spentMs: 120_000, nextMs: 180_000 }, true],
  ['it would take more than half of what is left', { leftMinutes: 10, spentMs: 120_001, nextMs: 180_000 }, false],
  ['nothing is left', { leftMinutes: 0, spentMs: 0, nextMs: 1 }, false],
])('another run: %s', (_, facts, expected) => {
  expect(mayRunAgain(facts)).toBe(expected)
})

test('what became of each cause', () => {
  const causes = ['1', '2', '3'].map((n) => ({ task: `T.${n}`, cause: n, files: [] }))
  const parts = [
    { task: 'T.1', commit: 'c1' },
    { task: 'T.3', commit: 'c3' },
  ]
  const words = (...args: Parameters<typeof partResults>) =>
    partResults(...args)?.map(({ result }) => result)
  expect(words({ causes, parts, out: ['T.3'] }, 'kept')).toEqual([
    'kept',
    'no_change',
    'rolled_back',
  ])
  expect(words({ causes, parts }, 'rolled_back')).toEqual([
    'rolled_back',
    'no_change',
    'rolled_back',
  ])
  expect(words({ causes }, 'no_change')).toEqual(['no_change', 'no_change', 'no_change'])
  expect(partResults({}, 'kept')).toBeUndefined()
})
