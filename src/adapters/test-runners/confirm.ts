// Confirms that a test run reports what its tests do: tests that must fail are put in the place of
// tests that pass.
//
// Code under test runs in the process that reports on it, and may report what it likes. It cannot
// know which test is sabotaged. An honest run is never refuted: what is not reported is tried
// again, and then on the first measured commit, where the code under test is the user's own.
// Source: SECURITY.md "Canaries".
import type { Confirmation } from '../../contract/test-fix/test-fix-step.js'
import type { StoredRun, StoredTest } from '../../contract/test-run.js'
import { shortList } from '../../core/text/short-text.js'
import { testId } from '../../core/test-results/test-merge.js'
import {
  canaryAmong,
  runWithCanaries,
  shuffled,
  type Canary,
  type Project,
  type Seen,
} from './canaries.js'
import type { ExecuteInput } from './execute.js'

/** Files of one confirmation. */
export const MOST_FILES = 20

export type ConfirmOptions = Omit<
  ExecuteInput,
  'phase' | 'name' | 'files' | 'workedBefore' | 'expected'
> & {
  /** The measured run, and the first one. */
  now: StoredRun
  baseline: StoredRun | undefined
  /** The last run that was confirmed: files that changed to passing since come first. */
  since?: StoredRun | undefined
  /** Runs something on the tree of a commit; `isTracked` tells its files. */
  onCommit: <T>(commit: string, body: (isTracked: Project['isTracked']) => Promise<T>) => Promise<T>
}

type Suspect = Canary & { seen: Seen }

export async function confirmResults(options: ConfirmOptions): Promise<Confirmation> {
  const { now, onCommit, cwd } = options
  // Of another commit: there is nothing to compare a first run with.
  const baseline = options.baseline?.commit === now.commit ? undefined : options.baseline
  const changed = changedToPassing(now, baseline)
  if (changed.size === 0) return { verdict: 'unconfirmed', reason: 'no test passes' }
  const files = inOrder(changed, now, options.since).slice(0, MOST_FILES)
  const shared = { ...options, workedBefore: true }

  const looked = await onCommit(now.commit, async (isTracked) => {
    const draw = (file: string): Canary | undefined =>
      canaryAmong({ cwd, isTracked }, file, changed.get(file) ?? []) ??
      canaryAmong({ cwd, isTracked }, file, passing(now, file))
    const first = files.flatMap((file) => draw(file) ?? [])
    const without = files.filter((file) => first.every((canary) => canary.file !== file))
    if (first.length === 0) return { suspects: [], without }
    const once = await runWithCanaries(shared, 'output-canaries', first)
    const left =
      'seen' in once ? first.filter((canary) => once.seen.get(canary) !== 'reported') : first
    if (left.length === 0) return { suspects: [], without }
    const again = left.flatMap(({ file }) => draw(file) ?? [])
    const twice = await runWithCanaries(shared, 'output-canaries-again', again)
    // Its canaries were not reported, also where it hangs: the start is asked.
    if ('problem' in twice)
      return {
        suspects: again.map((canary): Suspect => ({ ...canary, seen: 'other' })),
        without,
        problem: twice.problem,
      }
    return {
      suspects: again.flatMap((canary): Suspect[] =>
        twice.seen.get(canary) === 'reported'
          ? []
          : [{ ...canary, seen: twice.seen.get(canary) ?? 'other' }],
      ),
      without,
    }
  })
  const { suspects, without, problem } = looked
  if (suspects.length > 0 && baseline !== undefined) {
    const refuted = await withControl(shared, baseline, suspects)
    if (refuted.length > 0) return { verdict: 'refuted', files: refuted.map(({ file }) => file) }
  }
  if (problem !== undefined)
    return {
      verdict: 'unconfirmed',
      reason: `the tests do not run with a canary in them: ${problem}`,
    }
  const other = suspects.filter(({ seen }) => seen === 'other')
  if (other.length > 0)
    return {
      verdict: 'unconfirmed',
      reason: `a test with a canary in ${shortList(other.map(({ file }) => file))} was skipped, or failed for another reason`,
    }
  if (suspects.length > 0)
    return {
      verdict: 'unconfirmed',
      reason: `a canary in ${shortList(suspects.map(({ file }) => file))} is not reported as failed, and it is not known to be reported at the start`,
    }
  if (without.length > 0)
    return { verdict: 'unconfirmed', reason: `no canary can be written into ${shortList(without)}` }
  return { verdict: 'confirmed' }
}

/** Those whose kind of canary is reported on the first measured commit. */
async function withControl(
  shared: ConfirmOptions & { workedBefore: boolean },
  baseline: StoredRun,
  suspects: readonly Suspect[],
): Promise<Suspect[]> {
  return shared.onCommit(baseline.commit, async (isTracked) => {
    const project = { cwd: shared.cwd, isTracked }
    const ran = [
      ...new Set(
        baseline.tests
          .filter(({ status }) => status === 'passed' || status === 'failed')
          .map(({ file }) => file),
      ),
    ]
    // The same test, then others of its kind: it may fail there before its first statement.
    // What was no clean pass, as a set-up of one file that fails, is compared with that file alone.
    const isAlike =
      (one: Suspect) =>
      ({ kind, file }: Canary): boolean =>
        kind === one.kind && (one.seen !== 'other' || file === one.file)
    const rounds: ((one: Suspect) => Canary | undefined)[] = [
      (one) =>
        ran.includes(one.file)
          ? canaryAmong(project, one.file, [one.test], isAlike(one))
          : undefined,
      (one) =>
        one.seen === 'other'
          ? undefined
          : firstOf(
              [one.file, ...shuffled(ran.filter((file) => file !== one.file)).slice(0, MOST_FILES)],
              (file) => canaryAmong(project, file, passing(baseline, file), isAlike(one)),
            ),
    ]
    const refuted: Suspect[] = []
    let left = [...suspects]
    for (const [n, controlFor] of rounds.entries()) {
      // One a file: suspects of one kind share it.
      const controls = [
        ...new Map(
          left.flatMap((one) => controlFor(one) ?? []).map((one) => [one.source, one]),
        ).values(),
      ]
      if (controls.length === 0) continue
      const run = await runWithCanaries(shared, `output-control-${n + 1}`, controls)
      if ('problem' in run) continue
      const seenFor = (one: Suspect): (Seen | undefined)[] =>
        controls.filter(isAlike(one)).map((control) => run.seen.get(control))
      refuted.push(...left.filter((one) => isReported(seenFor(one))))
      // What passes on the user's own code with a canary in it has none.
      left = left.filter((one) => !isReported(seenFor(one)) && !seenFor(one).includes('passed'))
    }
    return refuted
  })
}

/** Reported at every place it was tried. */
function isReported(seen: readonly (Seen | undefined)[]): boolean {
  return seen.includes('reported') && !seen.includes('passed')
}

function firstOf<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Names of tests that pass now and did not in the first run, by file; all that pass where there is
 * no such test.
 */
function changedToPassing(now: StoredRun, baseline: StoredRun | undefined): Map<string, string[]> {
  const changed = newlyPassing(now, baseline)
  return namesByFile(changed.length > 0 ? changed : newlyPassing(now, undefined))
}

/** The files by chance, those first that changed to passing since a run that was confirmed. */
function inOrder(
  changed: ReadonlyMap<string, unknown>,
  now: StoredRun,
  since: StoredRun | undefined,
): string[] {
  const newer = new Set(since === undefined ? [] : newlyPassing(now, since).map(({ file }) => file))
  const files = shuffled([...changed.keys()])
  return [...files.filter((file) => newer.has(file)), ...files.filter((file) => !newer.has(file))]
}

function newlyPassing({ tests }: StoredRun, before: StoredRun | undefined): StoredTest[] {
  const passed = new Set(
    (before?.tests ?? [])
      .filter(({ status }) => status === 'passed' || status === 'flaky')
      .map(testId),
  )
  return tests.filter((one) => one.status === 'passed' && !passed.has(testId(one)))
}

function namesByFile(tests: readonly StoredTest[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { file, test } of tests) names.set(file, [...(names.get(file) ?? []), test])
  return names
}

function passing(run: StoredRun, file: string): string[] {
  return run.tests
    .filter((one) => one.file === file && one.status === 'passed')
    .map(({ test }) => test)
}
