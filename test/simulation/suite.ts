// What runs the tests of a world: full runs of its trees, compared as real result lists are.
import { ApplicationFailure } from '@temporalio/common'
import type { RunTestsInput } from '../../src/contract/step.js'
import type { StoredRun, StoredTest, TestRun } from '../../src/contract/test-run.js'
import { compareRuns } from '../../src/core/test-results/compare-runs.js'
import { countTests, failuresOf, fingerprintText } from '../../src/core/test-results/test-merge.js'
import { lostBefore, replacing, withoutFiles } from '../../src/core/test-results/replace-files.js'
import { runWithStableNames } from '../../src/core/test-results/stable-names.js'
import { settle } from '../../src/core/test-results/settle.js'
import { notLoaded } from '../../src/core/test-results/stand-ins.js'
import { textDigest } from '../../src/core/text/text-digest.js'
import { fileOf, type Tree } from './world.js'

export type Suite = {
  measure: (input: RunTestsInput) => Promise<TestRun>
  stored: ReadonlyMap<string, StoredRun>
  /** Measured changes of test files, which took the place of the start for those. */
  replaced: readonly { commit: string; files: readonly string[] }[]
}

/** @param executed one execution of a tree's tests; `undefined` where the suite does not start */
export function suiteOf<T extends Tree>(
  treeOf: (commit: string) => T,
  executed: (tree: T) => StoredTest[] | undefined,
): Suite {
  const stored = new Map<string, StoredRun>()
  const replaced: { commit: string; files: readonly string[] }[] = []
  let runs = 0
  const seen = new Set<Tree>()
  const measure = async ({
    commit,
    baseline,
    compare,
    replaces = [],
  }: RunTestsInput): Promise<TestRun> => {
    runs += 1
    const tree = treeOf(commit)
    if (tree.hidden === true)
      throw ApplicationFailure.nonRetryable(
        'no test command is configured and none was found',
        'NoTestCommand',
      )
    const ran = seen.has(tree)
    seen.add(tree)
    if (tree.exits === 'always' || (tree.exits === 'later' && ran))
      return {
        kind: 'cannot_execute',
        commit,
        reason: 'the command ended with exit code 0 and wrote no report',
        tail: '',
        durationMs: 1,
      }
    const first = executed(tree)
    if (first === undefined || first.length === 0) {
      const path = `/r${runs}`
      const isKnown = baseline !== undefined || compare?.lastFull !== undefined
      if (!isKnown)
        stored.set(path, {
          schema: 1,
          commit,
          runner: 'simulated',
          tests: [...new Set(Object.keys(tree.tests).map(fileOf))].map((file) =>
            notLoaded({ file, error: 'no module' }),
          ),
          missing: [],
        })
      return {
        kind: 'not_started',
        commit,
        reason: 'the suite could not be loaded',
        tail: '',
        durationMs: 1,
        ...(isKnown ? {} : { notLoaded: { path, sha256: path, bytes: 1 } }),
      }
    }
    const known = new Map<string, StoredRun>()
    const lost = lostBefore(compare?.before && stored.get(compare.before.path), replaces)
    const of = (ref: { path: string } | undefined): StoredRun | undefined => {
      const run = ref && (known.get(ref.path) ?? stored.get(ref.path))
      if (ref === undefined || run === undefined) return undefined
      if (!known.has(ref.path)) known.set(ref.path, withoutFiles(run, replaces, lost))
      return known.get(ref.path)
    }
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
      accepted: replaces.length > 0,
      earlier: { baseline: base, before, best, start, lastFull },
      again: {
        here: () => Promise.resolve(executed(tree)),
        there: (run) => Promise.resolve(executed(treeOf(run.commit))),
      },
    })
    const fingerprint = textDigest(fingerprintText(failuresOf(merged, missing, (error) => error)))
    const against = replacing(earlier, replaces, { tests: merged, missing })
    const { tests, memory, comparison, ...rest } = compareRuns({
      now: { tests: merged, missing },
      ...against,
      earlier:
        compare?.earlier &&
        (() =>
          (compare.earlier ?? []).map((ref) =>
            runWithStableNames(stored.get(ref.path) as StoredRun, listings),
          )),
      otherErrors,
      lastKept: compare?.lastKept ?? true,
      flaky: seenFlaky,
      claims: [],
      rules: [],
      fingerprint,
      size: tree.lines,
      tellsKnown: compare?.tellsKnown,
      frozen: new Set(
        Object.keys(tree.tests)
          .map(fileOf)
          .filter((file) => !replaces.includes(file))
          .filter((file) => !replaced.some(({ files }) => files.includes(file))),
      ),
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
    if (replaces.length > 0) {
      replaced.push({ commit, files: replaces })
      if (against.baseline !== undefined) stored.set(`${path}-baseline`, against.baseline)
    }
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
      ...(stored.has(`${path}-baseline`)
        ? { baseline: { path: `${path}-baseline`, sha256: path, bytes: 1 } }
        : {}),
    }
  }
  return { measure, stored, replaced }
}
