// What is known of failing tests and of earlier attempts, as prompts, tasks and reports show it.
import type { IterationSummary } from '../../contract/result.js'
import type { Criticality } from '../../contract/test-run.js'
import { claimOn, indexClaims } from '../test-results/criticality-claims.js'
import type { FixHistoryEntry } from './fix-history-match.js'
import { oneLine } from '../text/one-line.js'
import { shownId } from '../test-results/test-merge.js'
import { firstChars } from '../text/test-text.js'

export type TestType = 'static' | 'unit' | 'integration' | 'e2e'

/** One failing test. */
export type FailureFact = {
  test: string
  file: string
  error: string
  /** Line in `file` that the error names. */
  line?: number
  criticality: Criticality
  /** Who said how critical. */
  source?: string
  /** Full runs in a row that it failed in. */
  streak?: number
  test_type?: TestType
  missing?: boolean
}

/** What an earlier iteration tried, and what came of it. */
export type Attempt = {
  iteration: number
  task?: string
  strategy?: string
  failures: string[]
  fixes_attempted: string[]
  result: string
  pass_rate: number | null
  note?: string
}

/** Maximum number of tests or points of one attempt, and characters of each. */
const ATTEMPT_ITEMS = 10
const ATTEMPT_CHARS = 200

/** Most test files that run first. */
const AFFECTED_FILES = 20

/**
 * Names that leave no doubt, as a part of a path. `it`, `types` and the like are names of code,
 * too.
 */
const LAYER_NAMES: readonly [TestType, RegExp][] = [
  ['e2e', /(^|[/._-])(e2e|cypress|playwright)([/._-]|$)/],
  ['integration', /(^|[/._-])integration([/._-]|$)/],
  ['static', /(^|\/)(tests?|__tests__)\/static\/|[._-]typecheck\./],
]

/** What kind of test a file holds, where its path says so plainly; else a unit test. */
export function testTypeOf(file: string): TestType {
  return LAYER_NAMES.find(([, name]) => name.test(file.toLowerCase()))?.[0] ?? 'unit'
}

/** The first line of a file that an error names. */
export function lineIn(error: string, file: string): number | undefined {
  const name = file.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const line = new RegExp(`${name}(?:"?, line |:)(\\d{1,7})\\b`).exec(error)?.[1]
  return line === undefined ? undefined : Number(line)
}

/**
 * Returns the files of the tests that an analysis names, in its order: of failing tests by name,
 * else as they appear in the name.
 */
export function affectedFiles(
  names: readonly string[],
  failing: readonly { test: string; file: string }[],
): string[] {
  const files = names.flatMap((name) => {
    const index = indexClaims([
      { test: name, level: 'high', source: 'analysis', agent: '', iteration: 0 },
    ])
    const known = failing
      .filter((failure) => claimOn(index, failure) !== undefined)
      .map(({ file }) => file)
    const [first = ''] = name.split(/\s+>\s+|::/)
    return known.length > 0
      ? known
      : /^(?!\/)(?!.*\.\.)[^\s:]+\.\w+$/.test(first)
        ? [first.replace(/^\.\//, '')]
        : []
  })
  return [...new Set(files)].slice(0, AFFECTED_FILES)
}

/** The attempts of a run, oldest first, with what its fix-history knows of them. */
export function attemptsOf(
  history: readonly IterationSummary[],
  entries: readonly FixHistoryEntry[],
): Attempt[] {
  return history
    .filter((h) => h.iteration > 0)
    .map((h) => {
      const entry = entries.findLast(
        (e) =>
          e.iteration === h.iteration &&
          (h.task === undefined || e.task === undefined || e.task === h.task),
      )
      const strategy = h.strategy ?? entry?.strategy
      return {
        iteration: h.iteration,
        task: h.task,
        strategy,
        failures: shortened((entry?.failures ?? []).map(shownId)),
        fixes_attempted: shortened(entry?.modification_points ?? []),
        result: h.result,
        pass_rate: h.passRate,
        note: h.note,
      }
    })
}

function shortened(items: readonly string[]): string[] {
  return items.slice(0, ATTEMPT_ITEMS).map((item) => firstChars(item, ATTEMPT_CHARS))
}

/** An attempt in one line. */
export function describeAttempt({
  iteration,
  task,
  strategy,
  result,
  pass_rate,
  note,
}: Attempt): string {
  const how = [task, strategy].filter((v) => v !== undefined).join(', ')
  const rate = pass_rate === null ? 'not measured' : `${pass_rate} %`
  return `Iteration ${iteration}${how === '' ? '' : ` (${how})`}: ${result}, pass rate ${rate}${note === undefined || note === '' ? '' : `: ${oneLine(note, 500)}`}`
}
