// Reads what validate claims about the tests: counts, coverage, failures and removed tests.
import {
  type Details,
  detail,
  valueIn,
  sectionOf,
  detailList,
  saidIn,
  textIn,
} from './action-details.js'
import {
  type WorkerClaim,
  WORKER_ITEMS,
  WORKER_ITEM_CHARS,
} from '../../../contract/dev-loop/action-reading.js'
import { textOf, percentOf } from '../../answers/result-block.js'
import { fraction, count, percent } from '../../answers/agent-values.js'
import { oneLine } from '../../text/one-line.js'
import { keptItems } from '../../dev-cycle/kept-items.js'

/** Returns the counts and the coverage that validate claims. */
export function claimedBy(details: Details): WorkerClaim | undefined {
  const value = detail(details, ['TEST_RESULTS', 'tests'])
  const summary =
    valueIn(detail(details, ['summary']), 'passed') === undefined
      ? undefined
      : detail(details, ['summary'])
  const counts = typeof value === 'object' ? value : summary
  const said =
    typeof value === 'string'
      ? value
      : (sectionOf(details, ['TEST_RESULTS']) ??
        ['tests_passing', 'test_results', 'tests']
          .map((key) => textOf(details.block, key))
          .find((one) => one !== undefined) ??
        '')
  const shares = fraction(said)
  const inWords = (word: string): number | undefined =>
    count(
      new RegExp(
        `(?<![\\d.])(\\d{1,9})\\s+(?:tests?\\s+)?${word}|\\b${word}\\b[*_\`"]*\\s*:[*_\`]*\\s*(\\d{1,9})(?![\\d./])`,
        'i',
      )
        .exec(said)
        ?.slice(1)
        .find((one) => (one as string | undefined) !== undefined),
    )
  const claim = {
    passed: count(valueIn(counts, 'passed')) ?? inWords('passed') ?? shares?.part ?? null,
    failed: count(valueIn(counts, 'failed')) ?? inWords('failed') ?? null,
    total: count(valueIn(counts, 'total')) ?? inWords('total') ?? shares?.whole ?? null,
    coverage:
      percent(coverageIn(details) ?? valueIn(counts, 'coverage')) ??
      percentOf(details.block, 'coverage') ??
      percent(sectionOf(details, ['coverage'])?.split('\n')[0]),
  }
  return Object.values(claim).every((one) => one === null) ? undefined : claim
}

// A number, or one of the shares that a coverage report has.
function coverageIn(details: Details): unknown {
  const value = detail(details, ['coverage'])
  return typeof value === 'object'
    ? ['lines', 'line', 'total', 'statements', 'percent']
        .map((key) => valueIn(value, key))
        .find((one) => one !== undefined)
    : value
}

/** Returns the tests whose removal validate calls intended. */
export function removedIn(details: Details): string[] | undefined {
  const said = detailList(details, ['removed_tests']) ?? []
  return said.length === 0 ? undefined : keptItems(said, WORKER_ITEMS)
}

/** Returns the failures and findings that validate names; `issues` is a word of the other form. */
export function failuresIn(details: Details): string[] | undefined {
  const lists = [['failures'], ['findings'], ['failed_tests']].map((names) =>
    detailList(details, names, described),
  )
  const issues = saidIn(details, 'issues')
  if (issues.length > 0) lists.push(issues.map((one) => oneLine(one, WORKER_ITEM_CHARS)))
  return lists.every((one) => one === undefined)
    ? undefined
    : keptItems(
        lists.flatMap((one) => one ?? []),
        WORKER_ITEMS,
      )
}

/** Returns a failure as one sentence: the test, its error, and where. */
export function described(entry: unknown): unknown {
  const text = (key: string): string | undefined => textIn(entry, key, WORKER_ITEM_CHARS)
  const [test, error, location] = [text('test'), text('error'), text('location')]
  if (test === undefined && error === undefined) return entry
  return `${[test, error].filter((one) => one !== undefined).join(': ')}${location === undefined ? '' : ` (${location})`}`
}
