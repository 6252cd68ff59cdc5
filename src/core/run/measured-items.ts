// Compares what Ratchet measured with the state before the run: tests, checks and coverage.
import { type Evidence, type OpenItem, namedRemoved } from './open-evidence.js'
import { knownBefore } from './known-before.js'
import { meantRemovals } from '../test-results/removed-tests.js'
import { shortList, firstSentence } from '../text/short-text.js'
import { isAboutTests, namesTest } from './named-tests.js'

/** The measurements. `removed`: tests whose removal the validation of this run calls intended. */
type Measure = Pick<Evidence, 'run' | 'requireGreen' | 'description' | 'checks' | 'coverage'> & {
  removed?: readonly string[]
}

/** Points of line coverage that a run may lose. */
const COVERAGE_POINTS = 1

/** Number of tests that are listed as items. */
const TESTS_NAMED = 10

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
  const before = requireGreen ? undefined : knownBefore(run)
  const named = (before?.tests ?? []).filter((test) => namesTest(description, test))
  // The list of names is bounded.
  const known = isAboutTests(description) ? 0 : (before?.total ?? 0) - named.length
  const isNew = (before?.total ?? 0) === known
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
              text: `${open} of ${run.total} tests fail${isNew ? ' that did not fail before the run' : ''}${items.length === 0 ? '' : `, ${items.length} of them are named`}`,
            },
            ...items,
          ]
        : items,
    ...said,
  }
}
