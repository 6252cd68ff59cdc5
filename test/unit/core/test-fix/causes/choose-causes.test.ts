import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_CAUSES, type Strategy } from '../../../../../src/contract/test-fix/task.js'
import type { TestRun } from '../../../../../src/contract/test-run.js'
import {
  carriedCause,
  chooseCauses,
  LONGEST_RUN_MS,
  takesSeveral,
  testsOf,
  withCauses,
  type Cause,
} from '../../../../../src/core/test-fix/causes/choose-causes.js'
import { filesOf } from '../../../../../src/core/test-fix/modification-point.js'
import { measured, notStarted } from '../../../../support/test-runs.js'

const cause = (name: string, files: string[], tests: string[]): Cause => ({
  cause: name,
  points: files.map((file) => `${file}:f:1-2`),
  tests,
})
const failing = ['a', 'b', 'c', 'd'].map((name) => ({ file: `${name}.test.ts`, test: 'works' }))
const named = (chosen: Cause[]): string[] => chosen.map((one) => one.cause)

describe('takesSeveral', () => {
  const careful = {
    strategy: 'conservative' as Strategy,
    progress: true,
    brokeNothing: true,
    last: measured(3, 5) as TestRun,
  }
  // prettier-ignore
  test.each<[string, Partial<typeof careful>, boolean]>([
    ['after progress that broke nothing', {}, true],
    ['in the first iteration', { progress: false, brokeNothing: false }, false],
    ['without progress', { progress: false }, false],
    ['after an iteration that broke a test', { brokeNothing: false }, false],
    ['with another strategy', { strategy: 'surgical' }, false],
    ['where the suite does not start', { last: notStarted() }, false],
    ['where a full run takes five minutes', { last: measured(3, 5, { durationMs: LONGEST_RUN_MS }) }, true],
    ['where a full run takes longer', { last: measured(3, 5, { durationMs: LONGEST_RUN_MS + 1 }) }, false],
  ])('%s', (_, facts, expected) => {
    expect(takesSeveral({ ...careful, ...facts })).toBe(expected)
  })
})

describe('chooseCauses', () => {
  const a = cause('A', ['a.ts'], ['a.test.ts > works'])
  const b = cause('B', ['b.ts'], ['b.test.ts > works'])
  const c = cause('C', ['c.ts'], ['c.test.ts > works'])
  const d = cause('D', ['d.ts'], ['d.test.ts > works'])
  // prettier-ignore
  test.each<[string, Cause[], string[]]>([
    ['a single cause is one', [], ['A']],
    ['causes with other files and tests are taken, three at most', [b, c, d], ['A', 'B', 'C']],
    ['one with a test of another waits', [cause('B', ['b.ts'], ['works', 'a.test.ts > works'])], ['A']],
    ['one that names no failing test waits', [cause('B', ['b.ts'], ['b.test.ts > passes'])], ['A']],
    ['one without a place waits', [cause('B', [], ['b.test.ts > works'])], ['A']],
    ['those whose files meet become one', [b, cause('C', ['b.ts'], ['c.test.ts > works']), d], ['A', 'B; C', 'D']],
    ['one that meets two makes them one', [b, c, cause('D', ['b.ts', 'c.ts'], ['d.test.ts > works'])], ['A', 'B; C; D']],
    ['a file and a directory of its name meet', [cause('B', ['a.ts/b.ts'], ['b.test.ts > works'])], ['A']],
    ['where all become one, the first is fixed alone', [cause('B', ['a.ts'], ['b.test.ts > works'])], ['A']],
    ['a test file stands for its failing tests', [cause('B', ['b.ts'], ['a.test.ts'])], ['A']],
  ])('%s', (_, further, expected) => {
    expect(named(chooseCauses(a, further, failing))).toEqual(expected)
  })

  test('no two of them share a file or a failing test, for any answer', () => {
    const text = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const any = fc.record({
      files: fc.array(text, { maxLength: 3 }),
      tests: fc.array(text, { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), (all) => {
        const [first, ...further] = all.map(({ files, tests }, n) =>
          cause(
            `${n}`,
            files.map((one) => `${one}.ts`),
            tests.map((one) => `${one}.test.ts > works`),
          ),
        ) as [Cause, ...Cause[]]
        const chosen = chooseCauses(first, further, failing)
        expect(chosen.length).toBeLessThanOrEqual(MOST_CAUSES)
        expect(chosen[0]?.points).toEqual(expect.arrayContaining([...first.points]))
        for (const [n, one] of chosen.entries())
          for (const other of chosen.slice(n + 1)) {
            const files = new Set(filesOf(one.points))
            expect(filesOf(other.points).filter((file) => files.has(file))).toEqual([])
            const tests = testsOf(one, failing)
            expect([...testsOf(other, failing)].filter((id) => tests.has(id))).toEqual([])
          }
      }),
    )
  })

  test('the plan of several names the points, tests and causes of all', () => {
    const analysis = {
      rootCauses: ['A1', 'A2'],
      approach: 'Fix it.',
      points: [...a.points],
      expectedOutcome: 'green',
      verificationSteps: [],
      confidence: 0.9,
      affectedTests: [...a.tests],
      criticality: [],
      cause: 'digest',
    }
    expect(withCauses(analysis, [a, b])).toMatchObject({
      rootCauses: ['A1', 'A2', 'B'],
      approach: 'Fix it.\n\nIndependent of it: B (b.ts:f:1-2)',
      points: ['a.ts:f:1-2', 'b.ts:f:1-2'],
      affectedTests: ['a.test.ts > works', 'b.test.ts > works'],
    })
  })

  test('a run carries one line and at most twelve short paths of a cause', () => {
    const many = Array.from({ length: 50 }, (_, n) => `${n}.ts`)
    const carried = carriedCause(
      'IMPL-fix-2.1',
      cause('long\n'.repeat(100), [`${'x'.repeat(400)}.ts`, ...many], []),
    )
    expect(carried.task).toBe('IMPL-fix-2.1')
    expect(carried.cause).toHaveLength(200)
    expect(carried.cause).not.toContain('\n')
    expect(carried.files).toEqual(many.slice(0, 12))
  })
})
