// What holds of every run of a fix, whatever its agents do. Flaky tests are left out.
import { expect } from 'vitest'
import type { Played } from './host.js'
import { flakyTests, type Tree, type World } from './world.js'

/** Moves that repair a test, whatever else they do. */
const REPAIRS: ReadonlySet<string> = new Set(['repair', 'tamper', 'limited'])

const passing = (tree: Tree, names: readonly string[]): string[] =>
  tree.starts ? names.filter((name) => tree.tests[name] === 'passes') : []

export function check(
  world: World,
  { result, trees, head, runs, canaries, refuted, unseen, turns, seen }: Played,
): void {
  const [base, flaky] = [trees.get('base') as Tree, flakyTests(world)]
  const steady = Object.keys(base.tests).filter((name) => !flaky.has(name))
  const [then, now] = [passing(base, steady), passing(head, steady)]

  // A flaky test that did the same in every run of a commit is like any other test: no measurement
  // tells them apart.
  const shaky = new Set(
    [...seen.values()].flatMap((tests) =>
      [...tests].filter(([, did]) => did.size > 1).map(([name]) => name),
    ),
  )
  const passed = (tree: Tree): number =>
    [...flaky].filter(
      (name) =>
        !shaky.has(name) && name in base.tests && seen.get(tree)?.get(name)?.has('passed') === true,
    ).length
  // A stop waits for no canary: what forged a result may be best, and the result says so.
  const stopped = result.outcome === 'stopped'
  const believed = stopped && world.moves.some((one) => one.do === 'forge')
  if (believed && now.length < then.length)
    expect(result.confirmed, 'a stopped run that is below its start is not confirmed').not.toBe(
      true,
    )
  else
    expect(now.length + passed(head), 'never below the baseline').toBeGreaterThanOrEqual(
      then.length + passed(base),
    )
  // Where nothing started at first there is no control, and the result says that it is not
  // confirmed.
  if (result.outcome === 'success' && (base.starts || result.confirmed === true)) {
    const failing = Object.entries(head.tests)
      .filter(
        ([name, is]) =>
          !flaky.has(name) &&
          (is === 'gone' || is === 'varies' ? then.includes(name) : is !== 'passes'),
      )
      .map(([name]) => name)
    expect(failing, 'a success fails and breaks nothing').toEqual([])
  }
  expect(result.iterations, 'within its limit').toBeLessThanOrEqual(world.limit)
  if (result.best !== null && result.best !== undefined)
    expect(head.tests, 'the branch is at best').toEqual(trees.get(result.best.commit)?.tests)
  if (result.best === null)
    expect(head.tests, 'where nothing was measured the branch is at the start').toEqual(base.tests)
  if (flaky.size === 0 && base.starts && !believed) {
    const broken = then.filter((name) => !now.includes(name))
    expect(result.broken?.length ?? 0, 'the result names what is broken').toBe(
      Math.min(20, broken.length),
    )
  }
  if (world.moves.every((one) => REPAIRS.has(one.do)) && flaky.size === 0 && base.starts)
    expect(
      result.outcome,
      'a run in which each iteration repairs something is not blocked',
    ).not.toBe('blocked')
  expect(result.fullRuns ?? 0, 'full runs').toBe(runs + canaries)
  if (refuted === 0) expect(runs + canaries, 'full runs').toBeLessThanOrEqual(result.iterations + 3)
  if (world.selects !== false)
    expect(unseen, 'best states in a row that no canary has looked at').toBeLessThanOrEqual(
      stopped ? 4 : 3,
    )
  expect(new Set(turns).size, 'no turn is bought twice').toBe(turns.length)
}
