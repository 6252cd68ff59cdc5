// What runs the tests of a world: full runs of its trees, compared as real result lists are.
import type { RunTestsInput } from '../../src/contract/step.js'
import type { StoredRun, StoredTest, TestRun } from '../../src/contract/test-run.js'
import { compareRuns } from '../../src/core/test-results/compare-runs.js'
import { countTests, failuresOf, fingerprintText } from '../../src/core/test-results/test-merge.js'
import { settle } from '../../src/core/test-results/settle.js'
import { notLoaded } from '../../src/core/test-results/stand-ins.js'
import { textDigest } from '../../src/core/text/text-digest.js'
import type { Tree } from './world.js'

export type Suite = {
  measure: (input: RunTestsInput) => Promise<TestRun>
  stored: ReadonlyMap<string, StoredRun>
  runs: () => number
}

/** @param executed one execution of a tree's tests; `undefined` where the suite does not start */
export function suiteOf<T extends Tree>(
  treeOf: (commit: string) => T,
  executed: (tree: T) => StoredTest[] | undefined,
): Suite {
  const stored = new Map<string, StoredRun>()
  let runs = 0
  const measure = async ({ commit, baseline, compare }: RunTestsInput): Promise<TestRun> => {
    runs += 1
    const tree = treeOf(commit)
    const first = executed(tree)
    if (first === undefined || first.length === 0) {
      const path = `/r${runs}`
      const isKnown = baseline !== undefined || compare?.lastFull !== undefined
      if (!isKnown)
        stored.set(path, {
          schema: 1,
          commit,
          runner: 'simulated',
          tests: [notLoaded({ file: 'a.test', error: 'no module' })],
          missing: [],
        })
      return {
        kind: 'not_started',
        commit,
        reason: 'a.test could not be loaded',
        tail: '',
        durationMs: 1,
        ...(isKnown ? {} : { notLoaded: { path, sha256: path, bytes: 1 } }),
      }
    }
    const of = (ref: { path: string } | undefined): StoredRun | undefined =>
      ref === undefined ? undefined : stored.get(ref.path)
    const [base, before, best, start, lastFull] = [
      baseline,
      compare?.before,
      compare?.best,
      compare?.start,
      compare?.lastFull,
    ].map(of)
    const {
      tests: merged,
      missing,
      flaky: seenFlaky,
      otherErrors,
      earlier,
      listings,
    } = await settle({
      commit,
      first,
      flakyRetries: 1,
      earlier: { baseline: base, before, best, start, lastFull },
      again: {
        here: () => Promise.resolve(executed(tree)),
        there: (run) => Promise.resolve(executed(treeOf(run.commit))),
      },
    })
    const fingerprint = textDigest(fingerprintText(failuresOf(merged, missing, (error) => error)))
    const { tests, memory, comparison, ...rest } = compareRuns({
      now: { tests: merged, missing },
      ...earlier,
      otherErrors,
      lastKept: compare?.lastKept ?? true,
      flaky: seenFlaky,
      claims: [],
      rules: [],
      fingerprint,
      size: tree.lines,
      tellsKnown: compare?.tellsKnown,
    })
    const path = `/r${runs}`
    stored.set(path, {
      schema: 1,
      commit,
      runner: 'simulated',
      tests,
      missing: rest.missing,
      memory,
      listings,
    })
    const failures = failuresOf(tests, rest.missing, (error) => error)
    return {
      kind: 'measured',
      commit,
      ...countTests(tests, rest.missing),
      flakyTests: tests.filter(({ status }) => status === 'flaky').map(({ test }) => test),
      failures: failures.slice(0, 5),
      failuresTotal: failures.length,
      results: { path, sha256: path, bytes: 1 },
      output: { path: '/o', sha256: 'o', bytes: 1 },
      fingerprint,
      durationMs: 1,
      comparison,
    }
  }
  return { measure, stored, runs: () => runs }
}
