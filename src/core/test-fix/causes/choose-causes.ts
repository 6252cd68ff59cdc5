// Which root causes of an analysis are fixed in one turn. One, unless the last iteration made
// progress and broke nothing: then all that are independent, which have other files and other
// failing tests.
import { MOST_CAUSES, type FixCause, type Strategy } from '../../../contract/test-fix/task.js'
import type { TestRun } from '../../../contract/test-run.js'
import { claimOn, indexClaims } from '../../test-results/criticality-claims.js'
import { testId } from '../../test-results/test-merge.js'
import { oneLine } from '../../text/one-line.js'
import type { Analysis } from '../answers/analysis-answer.js'
import { filesOf } from '../modification-point.js'

/** Characters of a cause and of a path that a run carries, and files of a cause. */
const CAUSE_CHARS = 200
const PATH_CHARS = 300
const FILES_KEPT = 12

/** A longer full run is not spent on finding the cause that broke a test. */
export const LONGEST_RUN_MS = 5 * 60_000

/** Whether the next analysis may name several causes. */
export function takesSeveral({
  strategy,
  progress,
  brokeNothing,
  last,
}: {
  strategy: Strategy
  progress: boolean
  brokeNothing: boolean
  /** Full run of the commit that the next fix starts from. */
  last: TestRun
}): boolean {
  return (
    strategy === 'conservative' &&
    progress &&
    brokeNothing &&
    last.kind === 'measured' &&
    last.durationMs <= LONGEST_RUN_MS
  )
}

/** A root cause with its modification points and the tests that it makes fail. */
export type Cause = { cause: string; points: readonly string[]; tests: readonly string[] }

/**
 * Returns the causes to fix in one turn, the first one included; a single one if no other is
 * independent of it.
 *
 * Causes whose files meet become one. One that names no failing test or file, or shares a test with
 * another, waits for a later analysis.
 *
 * @param failing all failing tests
 */
export function chooseCauses(
  first: Cause,
  further: readonly Cause[],
  failing: readonly { file: string; test: string }[],
): Cause[] {
  let chosen = [first]
  for (const one of further) {
    const tests = testsOf(one, failing)
    const rest = chosen.filter((other) => !meet(filesOf(one.points), filesOf(other.points)))
    const joined = chosen.filter((other) => !rest.includes(other))
    const isKnown = tests.size > 0 && filesOf(one.points).length > 0
    const isApart = rest.every((other) => isDisjoint(tests, testsOf(other, failing)))
    if (!isKnown || !isApart) continue
    const [into] = joined
    if (into === undefined && chosen.length >= MOST_CAUSES) continue
    const all = [...joined, one]
    const whole = {
      cause: all.map(({ cause }) => cause).join('; '),
      points: [...new Set(all.flatMap(({ points }) => points))],
      tests: [...new Set(all.flatMap((cause) => cause.tests))],
    }
    chosen =
      into === undefined
        ? [...chosen, whole]
        : chosen.flatMap((other) =>
            other === into ? [whole] : joined.includes(other) ? [] : [other],
          )
  }
  return chosen.length > 1 ? chosen : [first]
}

/** Failing tests that a cause names: by name, or by their file. */
export function testsOf(
  { tests }: Pick<Cause, 'tests'>,
  failing: readonly { file: string; test: string }[],
): Set<string> {
  const index = indexClaims(
    tests.map((test) => ({ test, level: 'high', source: 'analysis', agent: '', iteration: 0 })),
  )
  const files = new Set(tests.map((name) => name.replace(/^\.\//, '')))
  return new Set(
    failing
      .filter((one) => files.has(one.file) || claimOn(index, one) !== undefined)
      .map((one) => testId(one)),
  )
}

/** Returns an analysis that plans the fix of all chosen causes. */
export function withCauses(analysis: Analysis, causes: readonly Cause[]): Analysis {
  const further = causes.slice(1)
  return {
    ...analysis,
    rootCauses: [...analysis.rootCauses, ...further.map(({ cause }) => cause)],
    approach: [
      analysis.approach,
      ...further.map(({ cause, points }) => `Independent of it: ${cause} (${points.join('; ')})`),
    ].join('\n\n'),
    points: [...new Set(causes.flatMap(({ points }) => points))],
    affectedTests: [...new Set(causes.flatMap(({ tests }) => tests))],
  }
}

/** Returns the analysis of a chosen cause alone, for a task of its own. */
export function ofCause(analysis: Analysis, { cause, points, tests }: Cause, n: number): Analysis {
  return {
    ...analysis,
    rootCauses: n === 0 ? analysis.rootCauses : [cause],
    approach: n === 0 ? analysis.approach : cause,
    points: [...points],
    affectedTests: [...tests],
  }
}

/** What a run carries of a chosen cause. */
export function carriedCause(task: string, { cause, points }: Cause): FixCause {
  return {
    task,
    cause: oneLine(cause, CAUSE_CHARS),
    files: filesOf(points)
      .filter((file) => file.length <= PATH_CHARS)
      .slice(0, FILES_KEPT),
  }
}

/** Whether two lists share a file, or one has a directory where the other has a file. */
export function meet(a: readonly string[], b: readonly string[]): boolean {
  return a.some((one) =>
    b.some((other) => one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)),
  )
}

function isDisjoint(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((one) => !b.has(one))
}
