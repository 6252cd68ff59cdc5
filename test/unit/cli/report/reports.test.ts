// The reports of `fix --ci`, read back by our own JUnit reader and checked by the rules of CTRF.
import { XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJUnit } from '../../../../src/adapters/test-runners/reports/junit.js'
import { Ctrf, ctrf } from '../../../../src/cli/report/ctrf.js'
import { finalRun, oneLine } from '../../../../src/cli/report/final-run.js'
import { junitXml } from '../../../../src/cli/report/junit-xml.js'
import { summaryMarkdown } from '../../../../src/cli/report/summary.js'
import type { RunResult } from '../../../../src/contract/result.js'
import type { StoredRun, StoredTest } from '../../../../src/contract/test-run.js'

const RESULT: RunResult = {
  warnings: [],
  id: 'WFS-test-x.012345',
  kind: 'test-fix',
  outcome: 'partial_success',
  status: 'completed',
  iterations: 1,
  passRate: 97.5,
  reviewNeeded: true,
  branch: 'ratchet/WFS-test-x',
  commits: ['c1'],
  failures: [{ test: 'pays', file: 'pay.test.ts', criticality: 'low', error: 'boom' }],
  failuresTotal: 1,
  reason: 'one failure of low criticality',
  recordDir: '/p/.workflow/WFS-test-x',
  usage: { turns: 2, inputTokens: 10, outputTokens: 2, estimated: true },
  history: [
    { iteration: 0, passRate: 50, passed: 1, total: 2, result: 'baseline', commit: null, turns: 0 },
    {
      iteration: 1,
      passRate: 97.5,
      passed: 39,
      total: 40,
      result: 'kept',
      commit: 'c1',
      turns: 2,
      note: 'a | b <i>',
    },
  ],
}
const FACTS = {
  run: RESULT.id,
  outcome: RESULT.outcome,
  reviewNeeded: true,
  branch: RESULT.branch,
  healthy: true,
  at: 1_000_000,
}
const stored = (tests: StoredTest[], missing: StoredRun['missing'] = []): StoredRun => ({
  schema: 1,
  commit: 'c1',
  runner: 'vitest',
  tests,
  missing,
})
const MIXED = stored(
  // prettier-ignore
  [
    { file: 'b.test.ts', test: 'adds', status: 'passed', durationMs: 12.4 },
    { file: 'a.test.ts', test: 'divides', status: 'failed', error: 'expected 2\n  at divide', criticality: 'medium', source: 'assess', durationMs: 1500 },
    { file: 'a.test.ts', test: 'waits', status: 'flaky', error: 'timeout' },
    { file: 'b.test.ts', test: 'later', status: 'skipped' },
    { file: 'b.test.ts', test: 'was there', status: 'skipped' },
  ],
  [
    { file: 'b.test.ts', test: 'was there', error: '', missing: true },
    { file: 'c.test.ts', test: 'is gone', error: 'missing' },
  ],
)
const readBack = (xml: string) => parseJUnit(xml, 'junit.xml', '/nowhere')

test('JUnit lists every test with its status; missing tests count as failed', () => {
  const { tests, unloaded } = readBack(junitXml(finalRun(RESULT, MIXED), RESULT.id))
  expect(unloaded).toEqual([])
  expect(
    tests.map(
      ({ file, test, status, error }) =>
        `${file} ${test}: ${status}${error === undefined ? '' : ` (${error})`}`,
    ),
  ).toEqual([
    'a.test.ts divides: failed (expected 2\n  at divide)',
    'a.test.ts waits: flaky (timeout)',
    'b.test.ts adds: passed',
    'b.test.ts later: skipped',
    'b.test.ts was there: failed (it ran in an earlier run and is missing or skipped now)',
    'c.test.ts is gone: failed (missing)',
  ])
})

test('JUnit has counts per file and in total, and the criticality', () => {
  const xml = junitXml(finalRun(RESULT, MIXED), RESULT.id)
  expect(xml).toMatch(
    /<testsuites name="WFS-test-x\.012345" tests="6" failures="3" errors="0" skipped="1" time="1\.512">/,
  )
  expect(xml).toMatch(
    /<testsuite name="a\.test\.ts" tests="2" failures="1" errors="0" skipped="0" time="1\.500">/,
  )
  expect(xml).toContain('<property name="criticality" value="medium"/>')
  expect(xml).toContain('<flakyFailure message="timeout">timeout</flakyFailure>')
})

test('a run without a measurement is an error in JUnit and no pass in CTRF', () => {
  const run = finalRun(
    { ...RESULT, outcome: 'failed', passRate: null, reason: 'no tests were found' },
    MIXED,
  )
  expect(readBack(junitXml(run, 'x')).tests).toMatchObject([
    { test: 'the tests run', status: 'failed', error: 'no tests were found' },
  ])
  expect(ctrf(run, FACTS).results).toMatchObject({
    summary: { tests: 1, passed: 0, other: 1 },
    tests: [{ status: 'other', message: 'no tests were found' }],
  })
})

test('without a record, reports the failures that the result names', () => {
  const run = finalRun(RESULT, undefined)
  expect(run).toMatchObject({
    whole: false,
    tests: [{ file: 'pay.test.ts', test: 'pays', status: 'failed', criticality: 'low' }],
  })
  expect(readBack(junitXml(run, 'x')).tests).toHaveLength(1)
})

test.each(
  // prettier-ignore
  [
  { why: 'none is named', failures: [], total: 0, tests: 0, note: '97.5 % of the tests passed.' },
  { why: 'none is named, one is counted', failures: [], total: 1, tests: 0, note: '97.5 % of the tests passed; 1 that failed is not named here.' },
  { why: 'the first are named', failures: RESULT.failures, total: 3, tests: 1, note: '97.5 % of the tests passed; 2 that failed are not named here.' },
],
)(
  'an incomplete JUnit report says so in its own text: $why',
  ({ failures, total, tests, note }) => {
    const xml = junitXml(finalRun({ ...RESULT, failures, failuresTotal: total }, undefined), 'x')
    const said = `the list of all tests no longer exists; the report contains only the failed ones. ${note}`
    expect(XMLValidator.validate(xml)).toBe(true)
    expect(xml).toContain(`<property name="incomplete" value="${said}"/>`)
    expect(xml).toContain(`<system-out>${said}</system-out>`)
    expect(readBack(xml)).toMatchObject({
      tests: expect.objectContaining({ length: tests }) as object,
      unloaded: [],
    })
    expect(junitXml(finalRun(RESULT, MIXED), 'x')).not.toContain('incomplete')
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'the end of a CDATA section', text: 'a ]]> b' },
  { why: 'markup', text: '<failure> & "quotes" \'too\' &amp; &#0;' },
  { why: 'a test called true', text: 'true' },
  { why: 'control characters', text: 'bell\u0007 null\u0000 escape\u001b[31mred\u001b[0m', shown: 'bell null escapered' },
  { why: 'half a surrogate pair', text: 'half \ud83d of it', shown: 'half \ufffd of it' },
  { why: 'characters that XML forbids', text: 'x\uffffy', shown: 'x\ufffdy' },
  { why: 'only characters that are left out', text: '\u0000 ', shown: '(no name)' },
  { why: 'lines and tabs', text: 'one\n\ttwo', shown: 'one two' },
],
)('names and errors do not break JUnit: $why', ({ text, shown = text }) => {
  const xml = junitXml(
    finalRun(RESULT, stored([{ file: 'a.test.ts', test: text, status: 'failed', error: text }])),
    text,
  )
  expect(XMLValidator.validate(xml)).toBe(true)
  expect(readBack(xml).tests).toMatchObject([{ file: 'a.test.ts', test: shown, status: 'failed' }])
})

test('JUnit keeps tests and statuses for any test names', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .map((text) => oneLine(text))
    .filter((text) => text !== '')
  const one = fc.record({
    file: fc.constantFrom('a.test.ts', 'tests/test_b.py', 'pkg/c'),
    test: name,
    status: fc.constantFrom('passed', 'failed', 'skipped'),
    error: fc.string({ unit: 'binary', maxLength: 60 }),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(one, {
        minLength: 1,
        maxLength: 8,
        selector: ({ file, test }) => `${file}\0${test}`,
      }),
      (tests) => {
        const back = readBack(junitXml(finalRun(RESULT, stored(tests)), 'x'))
        const list = (some: readonly { file: string; test: string; status: string }[]) =>
          some.map(({ file, test, status }) => `${file} | ${test} | ${status}`).sort()
        expect(list(back.tests)).toEqual(list(tests))
      },
    ),
    { seed: 4711, numRuns: 300 },
  )
})

test('CTRF has the tests with their failures, and its summary adds up', () => {
  const document = ctrf(finalRun(RESULT, MIXED), FACTS)
  expect(Ctrf.parse(JSON.parse(JSON.stringify(document)))).toEqual(document)
  expect(document.results.summary).toEqual({
    tests: 6,
    passed: 2,
    failed: 3,
    skipped: 1,
    pending: 0,
    other: 0,
    flaky: 1,
    suites: 3,
    start: 998_488,
    stop: 1_000_000,
    duration: 1512,
  })
  expect(document.results.tool.name).toBe('vitest')
  expect(document.results.tests[0]).toEqual({
    name: 'divides',
    status: 'failed',
    duration: 1500,
    suite: ['a.test.ts'],
    filePath: 'a.test.ts',
    message: 'expected 2',
    trace: 'expected 2\n  at divide',
    extra: { criticality: 'medium' },
  })
  expect(document.results.tests[1]).toMatchObject({
    name: 'waits',
    status: 'passed',
    flaky: true,
    retries: 1,
  })
})

test('the summary has outcome, rate, review, iterations, failures with their level, and the command that applies the result', () => {
  expect(summaryMarkdown(RESULT, finalRun(RESULT, MIXED)).split('\n')).toEqual([
    '## ⚠️ WFS-test-x.012345: partial success, needs review',
    '',
    '- **Pass rate**: 97.5 % (2 of 5, 1 skipped)',
    '- **Iterations**: 1',
    '- **Review**: one failure of low criticality',
    '- **Branch**: `ratchet/WFS-test-x` (1 commit), applied with `ratchet apply WFS-test-x.012345`',
    '- **Agents**: 2 turns, 10 tokens in, 2 out (estimated)',
    '',
    '| iteration | pass rate | result | note |',
    '|---|---|---|---|',
    '| 0 | 50 % (1 of 2) | baseline |  |',
    '| 1 | 97.5 % (39 of 40) | kept | a \\| b \\<i\\> |',
    '',
    '### Failing tests',
    '',
    '- `a.test.ts` `divides` (medium): `expected 2`',
    '- `b.test.ts` `was there`: `it ran in an earlier run and is missing or skipped now`',
    '- `c.test.ts` `is gone`: `missing`',
    '',
    '### Passed only on re-run',
    '',
    '- `a.test.ts` `waits`: `timeout`',
    '',
  ])
})

test.each([
  { outcome: 'success', sign: '✅' },
  { outcome: 'completed', sign: '✅' },
  { outcome: 'user_exit', sign: '✅' },
  { outcome: 'partial_success', sign: '⚠️' },
  { outcome: 'completed_with_issues', sign: '⚠️' },
  { outcome: 'open', sign: '⏳' },
  { outcome: 'failed', sign: '❌' },
  { outcome: 'blocked', sign: '❌' },
])('the sign of outcome $outcome is $sign; a known cost is shown', ({ outcome, sign }) => {
  const summary = summaryMarkdown(
    { ...RESULT, outcome, usage: { ...RESULT.usage, costUsd: 0.5 } },
    finalRun(RESULT, MIXED),
  )
  expect(summary).toContain(`## ${sign} ${RESULT.id}: `)
  expect(summary).toContain('2 turns, 10 tokens in, 2 out (estimated), $0.50\n')
})

test.each([
  { test: 'a `tick`', shown: '`` a `tick` ``' },
  { test: '</details><script>', shown: '`</details><script>`' },
])('the summary escapes the test name $test', ({ test: name, shown }) => {
  expect(
    summaryMarkdown(
      RESULT,
      finalRun(RESULT, stored([{ file: 'a.ts', test: name, status: 'failed' }])),
    ),
  ).toContain(`- \`a.ts\` ${shown}`)
})
