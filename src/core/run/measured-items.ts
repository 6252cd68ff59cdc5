// Compares what Ratchet measured with the state before the run: tests, checks and coverage.
import { type Evidence, type OpenItem, namedRemoved } from './open-evidence.js'
import { meantRemovals } from '../test-results/removed-tests.js'
import { shortList, firstSentence } from '../text/short-text.js'
import { textKey } from '../dev-cycle/documents/same-text.js'

/** The measurements. `removed`: tests whose removal the validation of this run calls intended. */
type Measure = Pick<Evidence, 'run' | 'requireGreen' | 'description' | 'checks' | 'coverage'> & {
  removed?: readonly string[]
}

/** Points of line coverage that a run may lose. */
const COVERAGE_POINTS = 1

/** Number of tests that are listed as items. */
const TESTS_NAMED = 10

/** Minimum length of a test title that a description can name. */
const TITLE_CHARS = 6

/**
 * Returns what Ratchet measured compared with the state before the run: tests, checks and coverage.
 */
export function measuredItems(e: Measure): OpenItem[] {
  return [
    ...testItems(e).items,
    ...e.checks.map((text): OpenItem => ({ kind: 'check', text })),
    ...coverageItem(e),
  ]
}

/** Returns the measurements, with what the validation of the head says about them. */
export function measuredIn(e: Evidence): OpenItem[] {
  return measuredItems({ ...e, removed: namedRemoved(e) })
}

function coverageItem({ coverage }: Pick<Evidence, 'coverage'>): OpenItem[] {
  const { before = null, now = null } = coverage ?? {}
  if (before === null) return []
  if (now === null)
    return [
      {
        kind: 'coverage',
        text: `line coverage was ${before} % before the run and is not measured now`,
      },
    ]
  return before - now <= COVERAGE_POINTS
    ? []
    : [{ kind: 'coverage', text: `line coverage fell from ${before} % to ${now} %` }]
}

/** A project without tests has nothing to measure; a project whose tests do not run has. */
export function testItems({
  run,
  requireGreen,
  description,
  removed = [],
}: Pick<Measure, 'run' | 'requireGreen' | 'description' | 'removed'>): {
  items: OpenItem[]
  known?: string
} {
  if (run === undefined) return { items: [] }
  if (run.kind !== 'measured')
    return {
      items: [
        {
          kind: 'not_measured',
          text: `${run.kind === 'not_started' ? 'the test suite did not start' : 'the tests could not be run'}: ${run.reason}`,
        },
      ],
    }
  const failing = run.total - run.passed
  const before = requireGreen ? undefined : run.comparison?.known
  const named = (before?.tests ?? []).filter((test) => names(description, test))
  // The list of names is bounded.
  const known = isAboutTests(description) ? 0 : (before?.total ?? 0) - named.length
  const meant = meantRemovals(run, removed)
  const open = failing - known - meant.total
  const differently =
    before === undefined || before.differently === 0
      ? ''
      : `, ${before.differently} of them for another reason now`
  const said =
    known <= 0
      ? {}
      : {
          known: `${known} test${known === 1 ? '' : 's'} failed before the run and still ${known === 1 ? 'does' : 'do'}${differently}: ${shortList(
            (before?.tests ?? []).filter((test) => !named.includes(test)),
            known,
            3,
          )}`,
        }
  if (open <= 0)
    return {
      items:
        run.passed > 0 || known > 0
          ? []
          : [{ kind: 'not_measured', text: 'the suite ran no test that passes' }],
      ...said,
    }
  const isKnown = new Set((before?.tests ?? []).filter((test) => !named.includes(test)))
  const shown = run.failures
    .filter(
      ({ file, test, missing }) =>
        !(missing === true && meant.is({ file, test })) &&
        !isKnown.has(file === '' ? test : `${file} > ${test}`),
    )
    .slice(0, TESTS_NAMED)
  const items = shown.map(({ file, test, error, missing }): OpenItem => ({
    kind: missing === true ? 'missing_test' : 'test',
    text: `${file === '' ? '' : `${file} > `}${test}: ${missing === true ? 'it existed before the run and is missing now' : error === '' ? 'failed' : firstSentence(error)}`,
  }))
  return {
    items:
      open > items.length
        ? [
            {
              kind: 'test',
              text: `${open} of ${run.total} tests fail that did not fail before the run${items.length === 0 ? '' : `, ${items.length} of them are named`}`,
            },
            ...items,
          ]
        : items,
    ...said,
  }
}

// "Make the failing tests pass", "Fix the tests", "Get CI green" name all of them.
const ABOUT_TESTS = [
  /\b(?:failing|failed|red|broken)\s+(?:unit |integration )?tests?\b|\btests?\s+(?:that |which )?(?:fail|are red|are failing|are broken)|\b(?:all|the|every)\s+(?:unit |integration )?tests?\s+(?:must |should |have to |to )?(?:pass|be green|turn green|green)|\btest suite\s+(?:pass|green|must|should)|失败的测试|测试.{0,6}通过|fehlschlagende\w* tests?/i,
  /\b(?:fix|repair|correct)\s+(?:(?:up|all|of|the|our|my|these|those|every|remaining|failing|failed|broken|red|unit|integration|e2e|existing|old|other|test|\d+)\s+){0,6}(?:tests|specs|test|suites?|test failures|CI)(?=\s*(?:$|[.,;:!)\n]|(?:again|and|so|first|please|in|of|for|now|before)\b))/i,
  /\b(?:make|get|turn|bring)\b(?![^.;\n]{0,40}\b(?:new|its|your|own)\b)[^.;\n]{0,40}\b(?:tests?|suite|specs?|CI)\b[^.;\n]{0,20}\b(?:pass|passing|green|succeed|work)\b/i,
  /\b(?:tests|suite|specs|CI)\s+(?:is|are)\s+(?:red|failing|broken)\b/i,
]
/** A task that names a test file is about its tests where it has one of these words. */
const REPAIRS = /\b(?:fix\w*|repair\w*|fail\w*|red|broken|green|pass\w*)\b/i

function names(description: string, test: string): boolean {
  if (isAboutTests(description)) return true
  const [file = '', ...titles] = test.split(' > ')
  const base = file.split('/').at(-1) ?? ''
  const isFile = (word: string): boolean => word === base || word.endsWith(`/${base}`)
  if (titles.length > 0 && base.includes('.') && REPAIRS.test(description))
    if (wordsOf(description).some(isFile)) return true
  const title = textKey(titles.at(-1) ?? file)
  return title.length >= TITLE_CHARS && ` ${textKey(description)} `.includes(` ${title} `)
}

function isAboutTests(description: string): boolean {
  return ABOUT_TESTS.some((one) => one.test(description))
}

function wordsOf(text: string): string[] {
  return text.split(/[^\w./@-]+/).map((word) => word.replace(/[.]+$/, ''))
}
