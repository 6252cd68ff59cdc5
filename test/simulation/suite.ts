// What runs the tests of a world: full runs of its trees, compared as real result lists are.
import type { RunTestsInput } from '../../src/contract/step.js'
import type { StoredRun, StoredTest, TestRun } from '../../src/contract/test-run.js'
import { compareRuns } from '../../src/core/compare-runs.js'
import { countTests, failuresOf, fingerprintText, mergeRerun, mergeSameCommit, missingTests, testId } from '../../src/core/test-merge.js'
import { textDigest } from '../../src/core/text-digest.js'
import type { Tree } from './world.js'

type Stored = StoredRun & { commit: string }

export type Suite = { measure: (input: RunTestsInput) => TestRun; stored: ReadonlyMap<string, Stored>; runs: () => number }

/** @param executed one execution of a tree's tests; `undefined` where the suite does not start */
export function suiteOf<T extends Tree>(treeOf: (commit: string) => T, executed: (tree: T) => StoredTest[] | undefined): Suite {
  const stored = new Map<string, Stored>()
  let runs = 0
  const measure = ({ commit, baseline, compare }: RunTestsInput): TestRun => {
    runs += 1
    const tree = treeOf(commit)
    const first = executed(tree)
    if (first === undefined || first.length === 0) return { kind: 'not_started', commit, reason: 'a.test could not be loaded', tail: '', durationMs: 1 }
    const of = (ref: { path: string } | undefined): Stored | undefined => (ref === undefined ? undefined : stored.get(ref.path))
    const [base, before, best, start, lastFull] = [baseline, compare?.before, compare?.best, compare?.start, compare?.lastFull].map(of)
    const compared = before ?? base
    const rerun = mergeRerun(first, executed(tree) ?? [], compared?.commit === commit ? undefined : compared?.tests)
    const merged = [base, before, best, start, lastFull].reduce<StoredTest[]>((tests, one) => (one?.commit === commit ? mergeSameCommit(tests, one.tests) : tests), rerun)
    const missing = missingTests(merged, base?.tests ?? [])
    const passedThere = new Set((before?.tests ?? []).filter(({ status }) => status === 'passed').map(testId))
    const broken = [...merged.filter(({ status }) => status === 'failed'), ...missing].map(testId).filter((id) => passedThere.has(id))
    const again = before === undefined || before.commit === commit || broken.length === 0 ? undefined : executed(treeOf(before.commit))
    const passesThere = new Set((again ?? []).filter(({ status }) => status === 'passed').map(testId))
    const seenFlaky = new Set(again === undefined ? [] : broken.filter((id) => !passesThere.has(id)))
    const fingerprint = textDigest(fingerprintText(failuresOf(merged, missing, (error) => error)))
    const { tests, memory, comparison, ...rest } = compareRuns({
      now: { tests: merged, missing }, baseline: base, before, best, start, lastFull, lastKept: compare?.lastKept ?? true, flaky: seenFlaky, claims: [], rules: [], fingerprint, size: tree.lines, tellsKnown: compare?.tellsKnown,
    })
    const path = `/r${runs}`
    stored.set(path, { schema: 1, commit, runner: 'simulated', tests, missing: rest.missing, memory })
    const failures = failuresOf(tests, rest.missing, (error) => error)
    return {
      kind: 'measured', commit, ...countTests(tests, rest.missing), flakyTests: tests.filter(({ status }) => status === 'flaky').map(({ test }) => test), failures: failures.slice(0, 5), failuresTotal: failures.length,
      results: { path, sha256: path, bytes: 1 }, output: { path: '/o', sha256: 'o', bytes: 1 }, fingerprint, durationMs: 1, comparison,
    }
  }
  return { measure, stored, runs: () => runs }
}
