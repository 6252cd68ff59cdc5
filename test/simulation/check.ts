// What holds of every run of a fix, whatever its agents do. Flaky tests are left out.
import { expect } from 'vitest'
import type { Played } from './play.js'
import { firstTree, flakyTests } from './world.js'
import type { Tree, World } from './world.js'

const passing = (tree: Tree, names: readonly string[]): string[] => (tree.starts ? names.filter((name) => tree.tests[name] === 'passes') : [])

export function check(world: World, { result, trees, head, runs, turns }: Played): void {
  const [base, flaky] = [firstTree(world), flakyTests(world)]
  const steady = Object.keys(base.tests).filter((name) => !flaky.has(name))
  const [then, now] = [passing(base, steady), passing(head, steady)]

  expect(now.length, 'never below the baseline').toBeGreaterThanOrEqual(then.length)
  if (result.outcome === 'success') {
    const failing = Object.entries(head.tests).filter(([name, is]) => !flaky.has(name) && (is === 'gone' ? then.includes(name) : is !== 'passes')).map(([name]) => name)
    expect(failing, 'a success fails and breaks nothing').toEqual([])
  }
  expect(result.iterations, 'within its limit').toBeLessThanOrEqual(world.limit)
  if (result.best !== null && result.best !== undefined) expect(head.tests, 'the branch is at best').toEqual(trees.get(result.best.commit)?.tests)
  if (flaky.size === 0 && base.starts) {
    const broken = then.filter((name) => !now.includes(name))
    expect(result.broken?.length ?? 0, 'the result names what is broken').toBe(Math.min(20, broken.length))
  }
  if (world.moves.every((one) => one.do === 'repair') && flaky.size === 0 && base.starts) expect(result.outcome, 'a run in which each iteration repairs something is not blocked').not.toBe('blocked')
  expect(runs, 'full runs').toBeLessThanOrEqual(result.iterations + 3)
  expect(new Set(turns).size, 'no turn is bought twice').toBe(turns.length)
}
