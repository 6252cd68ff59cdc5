// Finds the causes of a fix that broke a test: one after the other is left out and all tests run. A
// cause without which fewer tests are broken stays out; any other one is back for the next run.
//
// Of at most three causes a half is one, so halves and single causes are the same search. It needs
// one run for each cause, and none for the commit that the fix started from.
import type { TestRun } from '../../../contract/test-run.js'
import type { PartResult } from '../../../contract/test-fix/task.js'
import type { PendingFix } from '../../../contract/test-fix/test-fix-state.js'
import type { IterationSummary } from '../../../contract/result.js'
import type { FixVerdict } from '../../test-results/judge-fix.js'
import { shortList } from '../../text/short-text.js'

export type PartSearch = {
  /** All causes, by task. */
  all: readonly string[]
  /** Causes that are found to have broken a test. */
  out: readonly string[]
  /** Causes that are to be left out, the next one first. */
  suspects: readonly string[]
  /** `harmOf` the fix without those in `out`. */
  harm: number
}

/** Full run of a fix, or of some of its causes, and its verdict. */
export type JudgedFix = { after: TestRun; verdict: FixVerdict }

/**
 * How much a fix broke: tests that passed before, and a part of one if it would be rolled back all
 * the same; `Infinity` if the suite does not start. 0: no cause has to be taken out.
 */
export function harmOf({ after, verdict }: JudgedFix): number {
  if (after.kind !== 'measured') return Infinity
  return (after.comparison?.broken ?? 0) + (verdict.keep ? 0 : 0.5)
}

/** What a fix broke: all of it, or one cause by a run without it. */
export function brokeText(withIt: TestRun, without?: TestRun): string {
  if (withIt.kind !== 'measured') return 'the tests do not start with it'
  const [then, now] = [withIt, without].map((run) =>
    run?.kind === 'measured' ? run.comparison : undefined,
  )
  const total = (then?.broken ?? 0) - (now?.broken ?? 0)
  const names = (then?.brokenTests ?? []).filter((name) => now?.brokenTests.includes(name) !== true)
  return `it broke ${total} test${total === 1 ? '' : 's'}: ${shortList(names, total)}`
}

/** The cause to leave out next; `undefined` if no other one is left, or nothing would be left. */
export function nextSuspect({ all, out, suspects }: PartSearch): string | undefined {
  return out.length + 1 < all.length ? suspects[0] : undefined
}

/** The search after a run without its next suspect. */
export function searched(search: PartSearch, harm: number): PartSearch {
  const [suspect, ...suspects] = search.suspects
  if (suspect === undefined) return search
  return harm < search.harm
    ? { ...search, out: [...search.out, suspect], suspects, harm }
    : { ...search, suspects }
}

/**
 * Orders causes: those whose files the errors name first, by the place where they do; then the
 * others, the last first, as it was planned with the least certainty.
 *
 * @param parts causes with the files that were changed for them
 */
export function suspects(
  parts: readonly { task: string; files: readonly string[] }[],
  errors: readonly string[],
): string[] {
  const text = errors.join('\n')
  const place = ({ files }: { files: readonly string[] }): number =>
    Math.min(...files.map((file) => placeOf(text, file)), Infinity)
  const named = parts.filter((part) => place(part) < Infinity)
  const others = parts.filter((part) => !named.includes(part))
  return [...named.sort((a, b) => place(a) - place(b)), ...others.reverse()].map(({ task }) => task)
}

// As a whole path: `a.ts` is not in `data.ts`.
function placeOf(text: string, file: string): number {
  for (let at = text.indexOf(file); at >= 0; at = text.indexOf(file, at + 1))
    if (!/[\w.-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + file.length] ?? '')) return at
  return Infinity
}

/**
 * Whether a search may run all tests once more. It may take half of the minutes that the budget of
 * the run has left.
 *
 * @param p.leftMinutes at the begin of the search; absent without a limit
 * @param p.spentMs of the runs of the search so far
 * @param p.nextMs of the last full run
 */
export function mayRunAgain(p: {
  leftMinutes: number | undefined
  spentMs: number
  nextMs: number
}): boolean {
  return p.leftMinutes === undefined || p.spentMs + p.nextMs <= (p.leftMinutes / 2) * 60_000
}

/** What became of each cause of a fix; nothing if it has a single one. */
export function partResults(
  { causes, parts = [], out = [] }: Pick<PendingFix, 'causes' | 'parts' | 'out'>,
  result: IterationSummary['result'],
): PartResult[] | undefined {
  return causes?.map(({ task }) => {
    const commit = parts.find((part) => part.task === task)?.commit
    if (commit === undefined) return { task, commit: null, result: 'no_change' }
    const isOut = result === 'rolled_back' || out.includes(task)
    return { task, commit, result: isOut ? 'rolled_back' : 'kept' }
  })
}
