// Sequences of full runs: what an agent can do about one failing test, and when it is stuck.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TestMemory } from '../../../../src/contract/test-run.js'
import {
  hasMoved,
  memoriesOf,
  MOST_MOVES,
  remember,
} from '../../../../src/core/test-results/memory.js'
import { isStuck } from '../../../../src/core/test-results/stuck.js'

const FILE = 'a.test'

/** A failure: its reason, the line it got to in the first execution and in the second. */
type Failure = { signature: string; line?: number | undefined; again?: number | undefined }

/** Full runs of one test that fails in each of them. */
function fails(runs: readonly Failure[]): { moved: boolean; streak: number }[] {
  let memory: TestMemory[] = []
  return runs.map(({ signature, line, again = line }) => {
    const before = memoriesOf({ memory })
    const reach =
      line === undefined || again === undefined
        ? undefined
        : { first: [Math.min(line, again)], last: [Math.max(line, again)] }
    const one = { file: FILE, test: 'x', signature, reach }
    const moved = hasMoved([...before.values()][0], one)
    memory = remember({ before, lastKept: true, tests: [], failing: [one], flaky: new Set() })
    return { moved, streak: memory[0]?.streak ?? 0 }
  })
}
const at = (...lines: (number | undefined)[]): Failure[] =>
  lines.map((line) => ({ signature: 's', line }))

describe('a test that fails in each run', () => {
  test.each<{ why: string; runs: Failure[]; moved: number[]; streaks: number[] }>(
    // prettier-ignore
    [
    { why: 'further down in each run, with one message: progress, however often', runs: at(5, 6, 7, 8, 9, 10, 11, 12), moved: [1, 2, 3, 4, 5, 6, 7], streaks: [1, 1, 1, 1, 1, 1, 1, 1] },
    { why: 'at the same line: stuck',                                 runs: at(5, 5, 5),                 moved: [],     streaks: [1, 2, 3] },
    { why: 'further up: no progress, and still stuck',                runs: at(9, 7, 5),                 moved: [],     streaks: [1, 2, 3] },
    { why: 'back and forth: the way back is no progress again',       runs: at(5, 7, 5, 7, 5, 7),        moved: [1],    streaks: [1, 1, 2, 3, 4, 5] },
    { why: 'the place is not said in between',                        runs: at(5, undefined, 5, 7),      moved: [3],    streaks: [1, 2, 3, 1] },
    { why: 'the place is said for the first time: nothing to compare', runs: at(undefined, 9, 12),       moved: [2],    streaks: [1, 2, 1] },
    { why: 'two executions of a commit at different lines',           runs: [{ signature: 's', line: 5, again: 9 }, { signature: 's', line: 9, again: 5 }, { signature: 's', line: 7 }, { signature: 's', line: 8, again: 12 }, { signature: 's', line: 13 }], moved: [4], streaks: [1, 2, 3, 4, 1] },
    { why: 'two messages in turn: the second time is nothing new',    runs: [{ signature: 'a' }, { signature: 'b' }, { signature: 'a' }, { signature: 'b' }], moved: [1], streaks: [1, 1, 2, 3] },
    { why: 'a known message further down',                            runs: [{ signature: 'a', line: 5 }, { signature: 'b', line: 6 }, { signature: 'a', line: 7 }], moved: [1, 2], streaks: [1, 1, 1] },
    { why: 'a new message further up is progress, as before',         runs: [{ signature: 'a', line: 9 }, { signature: 'b', line: 6 }, { signature: 'a', line: 8 }], moved: [1], streaks: [1, 1, 2] },
    { why: 'after five moves another message is nothing new',         runs: [...'abcdefghi'].map((signature) => ({ signature })), moved: [1, 2, 3, 4, 5], streaks: [1, 1, 1, 1, 1, 1, 2, 3, 4] },
  ],
  )('$why', ({ runs, moved, streaks }) => {
    const seen = fails(runs)
    expect(seen.flatMap((one, n) => (one.moved ? [n] : []))).toEqual(moved)
    expect(seen.map(({ streak }) => streak)).toEqual(streaks)
  })
})

const failure = fc.record({
  signature: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  line: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  again: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
})

test('any pattern that repeats is stuck in the end, and moves no more', () => {
  fc.assert(
    fc.property(fc.array(failure, { minLength: 1, maxLength: 6 }), (pattern) => {
      const later = fails([...pattern, ...pattern, ...pattern, ...pattern]).slice(pattern.length)
      expect(later.filter(({ moved }) => moved)).toEqual([])
      expect(
        isStuck(fails([...pattern, ...Array<Failure[]>(4).fill(pattern).flat()]).at(-1)?.streak),
      ).toBe(true)
    }),
  )
})

test('a test moves at most five times by its message, and once for each line', () => {
  fc.assert(
    fc.property(fc.array(failure, { maxLength: 60 }), (runs) => {
      expect(fails(runs).filter(({ moved }) => moved).length).toBeLessThanOrEqual(MOST_MOVES + 8)
    }),
  )
})

test('a test that gets further in each run never is stuck', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 }), (steps) => {
      let line = 1
      const runs = at(...steps.map((step) => (line += step)))
      expect(fails(runs).map(({ streak }) => streak)).toEqual(runs.map(() => 1))
    }),
  )
})
