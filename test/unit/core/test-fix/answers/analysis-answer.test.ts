import { describe, expect, test } from 'vitest'
import {
  causeDigest,
  lowConfidence,
  missingPoints,
  readAnalysis,
  repeatedCause,
  thinReport,
  vaguePoints,
} from '../../../../../src/core/test-fix/answers/analysis-answer.js'
import { impliedTests } from '../../../../../src/core/test-fix/affected-tests.js'
import {
  filesOf,
  isConcrete,
  parsePoint,
} from '../../../../../src/core/test-fix/modification-point.js'
import { ANALYSIS_FORM } from '../../../../../src/core/prompts/prompt-forms.js'

const GOOD = {
  root_causes: ['parse() cuts the last field'],
  fix_strategy: {
    approach: 'Take the rest of the line.',
    modification_points: ['src/a.ts:parse:10-14'],
    expected_outcome: 'All tests pass',
  },
  confidence_score: 0.8,
  affected_tests: ['tests/a.test.ts > parses'],
}
const PROSE = `## Root Cause Analysis\n\n${'word '.repeat(100)}\n\n`
const answer = (changes: Record<string, unknown> = {}, prose = PROSE): string =>
  `${prose}\`\`\`json\n${JSON.stringify({ ...GOOD, ...changes })}\n\`\`\``
const strategy = (changes: Record<string, unknown>) => ({
  fix_strategy: { ...GOOD.fix_strategy, ...changes },
})
const read = (text: string, earlierCauses: string[] = []) => readAnalysis(text, { earlierCauses })

test('reads a complete analysis', () => {
  expect(
    read(
      answer({
        criticality: { 'tests/a.test.ts > parses': 'Low', other: 'urgent' },
        fix_strategy: {
          ...GOOD.fix_strategy,
          layer_context: 'unit',
          verification_steps: ['run it'],
        },
      }),
    ),
  ).toEqual({
    ok: true,
    analysis: {
      rootCauses: ['parse() cuts the last field'],
      approach: 'Take the rest of the line.',
      points: ['src/a.ts:parse:10-14'],
      expectedOutcome: 'All tests pass',
      layerContext: 'unit',
      verificationSteps: ['run it'],
      confidence: 0.8,
      affectedTests: ['tests/a.test.ts > parses'],
      criticality: [['tests/a.test.ts > parses', 'low']],
      cause: causeDigest(['parse() cuts the last field']),
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'causes as objects', changes: { root_causes: [{ cause: 'a' }, { id: 1, description: 'b' }, 'c'] }, want: { rootCauses: ['a', 'b', 'c'] } },
  { why: 'points as objects', changes: strategy({ modification_points: [{ file: 'a.py', function: 'f', lines: '3-5', change: 'round' }, { file: 'b.py', line: 7 }] }), want: { points: ['a.py:f:3-5 - round', 'b.py:7'] } },
  { why: 'tests as objects', changes: { affected_tests: [{ file: 't.py', test: 'x' }] }, want: { affectedTests: ['t.py > x'] } },
  { why: 'the approach as lines', changes: strategy({ approach: ['one', 'two'] }), want: { approach: 'one\ntwo' } },
  { why: 'the confidence as text', changes: { confidence_score: '0.75' }, want: { confidence: 0.75 } },
  { why: 'the confidence in percent', changes: { confidence_score: 80 }, want: { confidence: 0.8 } },
  { why: 'the confidence in percent, as text', changes: { confidence_score: '80 %' }, want: { confidence: 0.8 } },
  { why: 'the confidence in words', changes: { confidence_score: 'High' }, want: { confidence: 0.9 } },
  { why: 'one cause as text', changes: { root_causes: 'parse() cuts the last field' }, want: { rootCauses: ['parse() cuts the last field'] } },
  { why: 'odd optional fields', changes: { criticality: ['x'], ...strategy({ verification_steps: 7, layer_context: {} }) }, want: { criticality: [], verificationSteps: [] } },
],
)('$why are read leniently', ({ changes, want }) =>
  expect(read(answer(changes))).toMatchObject({ ok: true, analysis: want }),
)

test.each(
  // prettier-ignore
  [
  { why: 'no JSON', text: PROSE, says: 'there is no fenced JSON' },
  { why: 'invalid JSON', text: `${PROSE}\`\`\`json\n{"root_causes": [,]}\n\`\`\``, says: 'is not valid' },
  { why: 'no strategy', text: answer({ fix_strategy: undefined }), says: 'fix_strategy' },
  { why: 'no cause', text: answer({ root_causes: [] }), says: 'root_causes: must name a cause' },
  { why: 'an empty approach', text: answer(strategy({ approach: ' ' })), says: 'fix_strategy.approach' },
  { why: 'no expected outcome', text: answer(strategy({ expected_outcome: undefined })), says: 'fix_strategy.expected_outcome' },
  { why: 'a confidence of 800', text: answer({ confidence_score: 800 }), says: 'confidence_score' },
  { why: 'no points', text: answer(strategy({ modification_points: undefined })), says: 'modification_points is empty' },
  { why: 'only vague points', text: answer(strategy({ modification_points: ['Improve error handling', 'src/a.ts'] })), says: 'no modification point is concrete' },
  { why: 'the sample of the prompt, echoed', text: PROSE + ANALYSIS_FORM, says: 'does not have the form' },
],
)('CLI fallback: $why is refused, and asked for again', ({ text, says }) =>
  expect(read(text)).toEqual({ ok: false, problem: expect.stringContaining(says) as string }),
)

test('reads an analysis without tests: the failing tests give them', () => {
  for (const affected_tests of [[], [''], null, 'all of them', undefined])
    expect(read(answer({ affected_tests }))).toMatchObject({
      ok: true,
      analysis: { affectedTests: [] },
    })
})

test('an echoed sample before the answer does not count', () => {
  expect(read(`${ANALYSIS_FORM}\n\n${answer()}`)).toMatchObject({
    ok: true,
    analysis: { confidence: 0.8 },
  })
  expect(read(`${answer()}\n\n${ANALYSIS_FORM}`)).toMatchObject({
    ok: true,
    analysis: { confidence: 0.8 },
  })
})

test('a thin report, a repeated cause and a low confidence make an analysis weak, not unusable', () => {
  expect(read(answer({ confidence_score: 0.39 }))).toMatchObject({
    ok: true,
    weak: 'the confidence is 0.39, below 0.4',
  })
  expect(read(answer({ confidence_score: 0.1 }, ''))).toMatchObject({
    ok: true,
    weak: expect.stringMatching(
      /^the confidence is 0\.1, below 0\.4; the report has \d+ words$/,
    ) as string,
  })
  expect(read(answer({}, ''))).toMatchObject({
    ok: true,
    weak: expect.stringMatching(/^the report has \d+ words$/) as string,
  })
  const cause = causeDigest(GOOD.root_causes)
  expect(read(answer(), [cause, 'other', cause])).toMatchObject({
    ok: true,
    weak: 'the same root causes for the 3rd time',
  })
  expect(read(answer(), [cause])).not.toHaveProperty('weak')
})

describe('each refusal alone', () => {
  test.each(
    // prettier-ignore
    [
    { rule: missingPoints, bad: { points: [] }, good: { points: ['a'] } },
    { rule: lowConfidence, bad: { confidence: 0.399 }, good: { confidence: 0.4 } },
    { rule: vaguePoints, bad: { points: ['the parser', 'src/a.ts'] }, good: { points: ['the parser', 'src/a.ts:4'] } },
  ],
  )('$rule.name', ({ rule, bad, good }) => {
    expect(rule(bad as never)).toEqual(expect.any(String))
    expect(rule(good as never)).toBeUndefined()
  })

  test.each([
    { words: 99, thin: true },
    { words: 100, thin: false },
  ])('thinReport: $words words', ({ words, thin }) =>
    expect(thinReport('a '.repeat(words)) !== undefined).toBe(thin),
  )

  test('thinReport: a report in Chinese is not thin for lack of spaces', () =>
    expect(thinReport('根'.repeat(100))).toBeUndefined())

  test.each([
    { earlier: [], repeated: false },
    { earlier: ['c'], repeated: false },
    { earlier: ['c', 'd'], repeated: false },
    { earlier: ['c', 'd', 'c'], repeated: true },
  ])('repeatedCause: after $earlier', ({ earlier, repeated }) =>
    expect(repeatedCause({ cause: 'c' }, earlier) !== undefined).toBe(repeated),
  )
})

const failing = (file: string, name: string, error = 'boom') => ({
  test: name,
  file,
  error,
  criticality: 'high' as const,
})
test.each(
  // prettier-ignore
  [
  { why: 'an error that names the place', points: ['src/sum.js:add:3'], failures: [failing('tests/a.test.js', 'adds', 'at src/sum.js:3'), failing('tests/b.test.js', 'login')], tests: ['tests/a.test.js > adds'] },
  { why: 'a file named after the place', points: ['lib/calc.py:mul:5'], failures: [failing('tests/test_calc.py', 'test_mul'), failing('tests/test_login.py', 'test_in')], tests: ['tests/test_calc.py > test_mul'] },
  { why: 'the same in Go and with spec', points: ['pkg/calc.go:Sum', 'src/Form.tsx:render'], failures: [failing('pkg/calc_test.go', 'TestSum'), failing('src/form.spec.tsx', 'renders'), failing('x.test.ts', 'y')], tests: ['pkg/calc_test.go > TestSum', 'src/form.spec.tsx > renders'] },
  { why: 'a test in the very file', points: ['tests/a.test.js:1'], failures: [failing('tests/a.test.js', 'adds'), failing('tests/b.test.js', 'login')], tests: ['tests/a.test.js > adds'] },
  { why: 'none of it: all that fails', points: ['src/other.js:f'], failures: [failing('tests/a.test.js', 'adds'), failing('tests/b.test.js', 'login')], tests: ['tests/a.test.js > adds', 'tests/b.test.js > login'] },
  { why: 'a suite that did not start: nothing', points: ['src/other.js:f'], failures: [], tests: [] },
],
)('the tests of an analysis that names none: $why', ({ points, failures, tests }) =>
  expect(impliedTests(points, failures)).toEqual(tests),
)

test('of many failing tests twenty are implied', () => {
  expect(
    impliedTests(
      ['a.ts:f'],
      Array.from({ length: 30 }, (_, n) => failing('t.js', String(n))),
    ),
  ).toHaveLength(20)
})

test('causeDigest: order, case, punctuation and line numbers do not matter, words do', () => {
  const digest = causeDigest(['Rounding is wrong (line 12).', 'B'])
  expect(causeDigest(['b', 'rounding is wrong, line 99'])).toBe(digest)
  expect(causeDigest(['rounding is right (line 12).', 'B'])).not.toBe(digest)
  expect(digest).toMatch(/^[0-9a-f]{16}$/)
  expect(causeDigest(['第12行错误'])).toBe(causeDigest(['第99行错误']))
  const causes = [
    'f3 subtracts',
    'f4 subtracts',
    'test_3 subtracts',
    'sha1 is wrong',
    'sha256 is wrong',
  ]
  expect(new Set(causes.map((cause) => causeDigest([cause]))).size).toBe(causes.length)
})

test.each(
  // prettier-ignore
  [
  { text: 'src/a.ts:parse:10-14', point: { file: 'src/a.ts', function: 'parse', lines: '10-14' } },
  { text: '- `src/a.ts:parse:10-14` - take the rest', point: { file: 'src/a.ts', function: 'parse', lines: '10-14', what: 'take the rest' } },
  { text: 'src/a.ts:10', point: { file: 'src/a.ts', lines: '10' } },
  { text: './src/a.ts:L10–L12: round', point: { file: 'src/a.ts', lines: 'L10-L12', what: 'round' } },
  { text: 'lib/calc.py::Calc.add', point: { file: 'lib/calc.py', function: 'Calc.add' } },
  { text: 'calc.go, lines 3 - 9', point: { file: 'calc.go', lines: '3-9', what: 'lines 3 - 9' } },
  { text: 'calc.go: Sum() overflows', point: { file: 'calc.go', function: 'Sum', what: 'Sum() overflows' } },
  { text: 'Makefile:12', point: { file: 'Makefile', lines: '12' } },
  { text: 'src/[id]/page.tsx:load', point: { file: 'src/[id]/page.tsx', function: 'load' } },
],
)('point "$text" is concrete', ({ text, point }) => {
  expect(parsePoint(text)).toEqual(point)
  expect(isConcrete(parsePoint(text))).toBe(true)
})

test.each([
  'Improve error handling',
  'src/a.ts',
  'Change parse() to trim',
  '<file>:<function>:<lines>',
  '',
  'the file src/a.ts',
])('point "%s" is not concrete', (text) => expect(isConcrete(parsePoint(text))).toBe(false))

// prettier-ignore
test.each<[string, unknown, unknown]>([
  ['as asked', [{ cause: 'b', modification_points: ['b.ts:f'], affected_tests: ['b > t'] }], [{ cause: 'b', points: ['b.ts:f'], tests: ['b > t'] }]],
  ['as objects', [{ cause: { description: 'b' }, modification_points: [{ file: 'b.ts', line: 3 }], affected_tests: [{ file: 'b.test.ts', test: 't' }] }], [{ cause: 'b', points: ['b.ts:3'], tests: ['b.test.ts > t'] }]],
  ['one without its tests, and a good one', [{ cause: 'b', modification_points: ['b.ts:f'] }, { cause: 'c', modification_points: ['c.ts:f'], affected_tests: ['c > t'] }], [{ cause: 'c', points: ['c.ts:f'], tests: ['c > t'] }]],
  ['no list', 'none', undefined],
])('further causes: %s', (_, independent_causes, further) => {
  const reading = read(answer({ independent_causes }))
  expect(reading).toMatchObject({ ok: true })
  expect(reading.ok && reading.analysis.further).toEqual(further)
})

test('files of points are named once', () => {
  expect(filesOf(['a.ts:f', 'a.ts:9', 'b/c.py:g', 'nothing'])).toEqual(['a.ts', 'b/c.py'])
})
