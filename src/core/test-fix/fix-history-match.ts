// Plans a fix from what helped before: the fallback if no agent gives a usable analysis.
//
// An earlier fix matches by the tests it repaired and by their errors, without numbers and paths.
// If none matches, only the places in the failures are left.
import { z } from 'zod'
import { filesOf } from './modification-point.js'

/**
 * One entry of a fix-history, read leniently: it may come from an older version or another tool.
 */
export const FixHistoryEntry = z.object({
  iteration: z.number().int(),
  task: z.string().optional().catch(undefined),
  strategy: z.string().optional().catch(undefined),
  modification_points: z.array(z.string()).catch([]),
  root_causes: z.array(z.string()).optional().catch(undefined),
  failures: z
    .array(z.object({ test: z.string(), file: z.string(), error: z.string().catch('') }))
    .catch([]),
  affected_tests: z.array(z.string()).catch([]),
  confidence: z.number().nullable().optional().catch(undefined),
  commit: z.string().nullable().optional().catch(undefined),
  pass_rate_before: z.number().nullable().catch(null),
  pass_rate_after: z.number().nullable().catch(null),
  result: z.string().catch(''),
  reason: z.string().nullable().optional().catch(undefined),
  analysis: z.string().nullable().optional().catch(undefined),
})
export type FixHistoryEntry = z.infer<typeof FixHistoryEntry>

/**
 * An entry with the session it comes from. `brought`: its file from the project, if the repository
 * brings it.
 */
export type KnownFix = FixHistoryEntry & { session: string; brought?: string | undefined }

type Failing = { test: string; file: string; error: string }

// Errors are much alike ("expected # to be #"): they only decide where tests do not.
const SAME_TEST = 1_000
const SAME_ERROR = 1
/** Places in errors that are taken as points. */
const PLACES = 10

/** Whether a fix was kept and more tests passed after it than before. */
export function helped({
  result,
  pass_rate_before: before,
  pass_rate_after: after,
  modification_points,
}: FixHistoryEntry): boolean {
  return (
    ['kept', 'success', 'partial_success'].includes(result) &&
    after !== null &&
    after > (before ?? 0) &&
    modification_points.length > 0
  )
}

/**
 * The first line of an error without what differs from run to run: numbers, paths, addresses,
 * quoted values.
 */
export function errorPattern(error: string): string {
  const line =
    error
      .split('\n')
      .map((l) => l.trim())
      .find((l) => l !== '') ?? ''
  return line
    .toLowerCase()
    .replace(/(["'`]).*?\1/g, '_')
    .replace(/\S*[/\\]\S*/g, '_')
    .replace(/0x[0-9a-f]+|\d+(?:\.\d+)?/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Names of failing tests, also without their files, which other tools may leave out. */
export function namesOf(failures: readonly Failing[]): Set<string> {
  return new Set(failures.flatMap(({ file, test }) => [`${file} > ${test}`, ` > ${test}`]))
}

/** The fix that helped with the most of these failures; among equals the last of the list. */
export function bestFix(
  failures: readonly Failing[],
  fixes: readonly KnownFix[],
): KnownFix | undefined {
  const tests = namesOf(failures)
  const errors = new Set(
    failures
      .map(({ error }) => errorPattern(error))
      .filter((pattern) => pattern.replace(/[^a-z]/g, '').length > 3),
  )
  let best: { fix: KnownFix; score: number } | undefined
  for (const fix of fixes.filter(helped)) {
    const score = fix.failures.reduce(
      (sum, { file, test, error }) =>
        sum +
        (tests.has(`${file} > ${test}`) ? SAME_TEST : 0) +
        (errors.has(errorPattern(error)) ? SAME_ERROR : 0),
      0,
    )
    if (score > 0 && (best === undefined || score >= best.score)) best = { fix, score }
  }
  return best?.fix
}

/**
 * Places that errors name, as `file:line`: files of the project first that are no tests.
 *
 * @param known makes a path of the project out of one that an error names, `undefined` for others
 */
export function placesIn(
  errors: readonly string[],
  known: (named: string) => string | undefined,
  isTest: (file: string) => boolean,
): string[] {
  const places = new Set<string>()
  for (const error of errors)
    for (const [, quoted, at, bare, line] of error.matchAll(
      /File "([^"\n]{1,300})", line (\d{1,7})|((?:file:\/\/)?[\w@./\\+-]{1,300}\.\w{1,8}):(\d{1,7})/g,
    )) {
      const file = known((quoted ?? bare ?? '').replace(/^file:\/\//, ''))
      if (file !== undefined) places.add(`${file}:${at ?? line ?? ''}`)
    }
  const isOfTest = (place: string): boolean => filesOf([place]).some(isTest)
  return [
    ...[...places].filter((place) => !isOfTest(place)),
    ...[...places].filter(isOfTest),
  ].slice(0, PLACES)
}

/** How to go about it with an earlier fix, or with places only. */
export function fallbackApproach(match: KnownFix | undefined, places: readonly string[]): string {
  const check =
    'No agent gave an analysis that could be used, so this is a pattern match, not a diagnosis: find the cause yourself before you change anything.'
  if (match !== undefined) {
    const causes =
      match.root_causes === undefined || match.root_causes.length === 0
        ? ''
        : ` Its causes were: ${match.root_causes.join('; ')}.`
    return `${check} An earlier fix helped with the same failures (${match.task ?? `iteration ${match.iteration}`} of ${match.session}, ${match.pass_rate_before ?? '?'} % -> ${match.pass_rate_after ?? '?'} %).${causes} Look for the same at its modification points.`
  }
  return `${check} ${places.length > 0 ? 'The failures name the places below.' : 'The failures name no place in the project: begin with the code that the failing tests call.'}`
}
