// What holds for every run of a fix, for any moves of its agents. Flaky tests are left out.
import { expect } from 'vitest'
import type { Played } from './host.js'
import { fileOf, flakyTests, type Tree, type World } from './world.js'

/** Moves that repair a test, among other effects. */
const REPAIRS: ReadonlySet<string> = new Set([
  'repair',
  'further',
  'tamper',
  'limited',
  'times out',
  'unavailable',
])

const passing = (tree: Tree, names: readonly string[]): string[] =>
  tree.starts
    ? names.filter((name) => tree.tests[name] === 'passes' && tree.unloaded !== fileOf(name))
    : []

/** Tests of a tree that a person sees pass: a forged one too, until a canary has looked at it. */
const reported = (tree: Tree, names: readonly string[]): string[] =>
  tree.starts ? names.filter((name) => ['passes', 'forged'].includes(tree.tests[name] ?? '')) : []

export function check(
  world: World,
  {
    result,
    extended,
    trees,
    head,
    done,
    before,
    runs,
    lost,
    replaced,
    knownFlaky,
    refuted,
    bests,
    unseen,
    turns,
    sessions,
    several,
    seen,
  }: Played,
): void {
  const [base, flaky] = [trees.get('base') as Tree, flakyTests(world)]
  // For the files of an accepted change, what it made of them takes the place of the start.
  const startOf = (name: string): Tree =>
    replaced.findLast(({ files }) => files.includes(fileOf(name)))?.tree ?? base
  const all = [base, ...replaced.map(({ tree }) => tree)].flatMap(({ tests }) => Object.keys(tests))
  const known = [...new Set(all)].filter((name) => name in startOf(name).tests)
  const steady = known.filter((name) => !flaky.has(name))
  const then = steady.filter((name) => passing(startOf(name), [name]).length > 0)

  // A stop waits for no canary: what forged a result may be best, and the result says so.
  const stopped = result.outcome === 'stopped'
  const believed = stopped && Object.values(head.tests).includes('forged')
  if (believed) expect(result.confirmed, 'a forged result is not confirmed').toBe(false)
  const now = believed ? reported(head, steady) : passing(head, steady)

  // A flaky test that did the same in every run of a commit is like any other test: no measurement
  // tells them apart.
  const shaky = new Set(
    [...seen.values()].flatMap((tests) =>
      [...tests].filter(([, did]) => did.size > 1).map(([name]) => name),
    ),
  )
  const passed = (treeOf: (name: string) => Tree): number =>
    [...flaky].filter(
      (name) =>
        !shaky.has(name) &&
        known.includes(name) &&
        seen.get(treeOf(name))?.get(name)?.has('passed') === true,
    ).length
  for (const { tree, on, files } of replaced) {
    const others = steady.filter((name) => !files.includes(fileOf(name)))
    expect(passing(tree, others), 'an accepted change breaks no other file').toEqual(
      expect.arrayContaining(passing(on, others)),
    )
  }
  // A flaky test that failed in a state seems to be repaired where it passes, as long as the run
  // does not know it.
  const seemed = (tree: Tree): number =>
    [...shaky].filter(
      (name) =>
        known.includes(name) && !knownFlaky.has(name) && seen.get(tree)?.get(name)?.has('failed'),
    ).length
  const held = (tree: Tree): number =>
    passing(tree, steady).length + passed(() => tree) - seemed(tree)
  // What a fix repaired and broke before a change was accepted stays so.
  const floor = replaced.at(-1)?.tree ?? base
  expect(now.length + passed(() => head), 'never below the baseline').toBeGreaterThanOrEqual(
    held(floor),
  )
  if (refuted === 0 && replaced.length === 0 && !stopped && base.starts)
    for (const tree of bests)
      expect(now.length + passed(() => head), 'no best state is lost').toBeGreaterThanOrEqual(
        held(tree),
      )
  // Where nothing started at first there is no control, and the result says that it is not
  // confirmed.
  if (result.outcome === 'success' && (base.starts || result.confirmed === true)) {
    const failing = Object.entries(head.tests)
      .filter(
        ([name, is]) =>
          !flaky.has(name) &&
          (is === 'gone' || is === 'varies'
            ? then.includes(name)
            : // A test that was skipped before the suite started for the first time is not known.
              is !== 'passes' && (is !== 'skipped' || base.starts)),
      )
      .map(([name]) => name)
    expect(failing, 'a success fails and breaks nothing').toEqual([])
  }
  if (result.outcome === 'success' || result.outcome === 'partial_success')
    expect(result.failuresTotal, 'nothing fails at the best state of a success').toBe(0)
  const told = /([\d.]+) % \([^)]*\) after \d+ of \d+ iterations/.exec(result.reason ?? '')
  if (told !== null)
    expect(Number(told[1]), 'the reason tells the rate of the best state').toBe(result.passRate)
  if (result.outcome === 'blocked')
    expect(result.reason, 'a fix that hides the tests ends no run').not.toContain('no test command')
  const limit = Math.max(world.limit + extended, before)
  expect(result.iterations, 'within its limit').toBeLessThanOrEqual(limit)
  if (result.outcome === 'failed')
    expect(result.iterations, 'a failed run has spent its limit').toBeGreaterThanOrEqual(
      Math.max(world.limit + extended, done),
    )
  if (result.best !== null && result.best !== undefined)
    expect(head.tests, 'the branch is at best').toEqual(trees.get(result.best.commit)?.tests)
  // A run of a session that was stopped while it prepared says nothing of the session.
  const isPrepared = result.recordDir !== null
  if (result.best === null && isPrepared)
    expect(head.tests, 'where nothing was measured the branch is at the start').toEqual(base.tests)
  if (flaky.size === 0 && base.starts && isPrepared) {
    const broken = then.filter((name) => !now.includes(name))
    expect(result.broken?.length ?? 0, 'the result names what is broken').toBe(
      Math.min(20, broken.length),
    )
  }
  // A stop ends a run at best, and getting further is not better: a resume begins before that.
  const isWhole = world.stopsAt === undefined || world.moves.every((one) => one.do !== 'further')
  if (isWhole && world.moves.every((one) => REPAIRS.has(one.do)) && flaky.size === 0 && base.starts)
    expect(
      result.outcome,
      'a run in which each iteration repairs something, or gets further, is not blocked',
    ).not.toBe('blocked')
  const accepted = (result.proposedTestChanges ?? []).filter(({ answer }) => answer === 'accepted')
  if (world.person !== 'accepts' && world.person !== 'accepts later') {
    expect(accepted, 'no change is accepted but by a person').toEqual([])
    expect(replaced, 'no change is applied but by a person').toEqual([])
  }
  expect(result.fullRuns ?? 0, 'full runs').toBe(runs)
  // An accepted change is measured alone, and what it is made on is confirmed.
  const changes = replaced.length + 1
  const extra = world.person === undefined || world.person === 'refuses' ? 0 : 2 * changes
  // An extension while the end is confirmed leads to another one.
  const again = extended > 0 ? 1 : 0
  // After a refutation a bisection looks at the states before.
  const searches = refuted * (1 + Math.ceil(Math.log2(limit + 1)))
  // A search for the cause that broke a test needs one run for each of them.
  const parts = several.reduce((sum, one) => sum + one.parts.length, 0)
  expect(runs, 'full runs').toBeLessThanOrEqual(
    result.iterations - before + 3 + extra + again + lost + searches + parts,
  )
  checkParts(result, several, trees, flaky.size === 0)
  const isForged = (tree: Tree): boolean => Object.values(tree.tests).includes('forged')
  const first = bests.findIndex(isForged)
  const honest = first < 1 ? undefined : bests[first - 1]
  if (honest !== undefined && !stopped && base.starts && flaky.size === 0 && replaced.length === 0)
    expect(now.length, 'no honest best state before a forged one is lost').toBeGreaterThanOrEqual(
      passing(honest, steady).length,
    )
  if (world.selects !== false)
    expect(unseen, 'best states in a row that no canary has looked at').toBeLessThanOrEqual(3)
  expect(sessions?.wrong ?? [], 'a session is not continued where a fresh look is due').toEqual([])
  expect(new Set(turns).size, 'no turn is bought twice').toBe(turns.length)
}

/** Of several causes, those that break a test are taken out, and no other one. */
function checkParts(
  { history }: Played['result'],
  several: Played['several'],
  trees: Played['trees'],
  isSteady: boolean,
): void {
  for (const { iteration, before, parts, apart, treeOf } of several) {
    const done = history.findLast((one) => one.iteration === iteration)
    if (done?.parts === undefined || parts.length < 2) continue
    const kept = done.parts.filter(({ result }) => result === 'kept').map(({ task }) => task)
    const tree = trees.get(done.commit ?? '')
    if (done.result === 'kept')
      expect(tree?.tests, 'the commit holds the causes that are kept').toEqual(treeOf(kept).tests)
    // A file that cannot be loaded shows nothing of what breaks in it.
    const isPlain =
      before.unloaded === undefined &&
      Object.values(before.tests).every((is) => is === 'passes' || is.startsWith('fails'))
    if (!isSteady || !apart || !isPlain || done.note?.includes('forges') === true) continue
    const good = parts.filter(({ breaks }) => breaks.length === 0).map(({ task }) => task)
    expect(kept, 'wrong causes are taken out alone').toEqual(good)
  }
}
