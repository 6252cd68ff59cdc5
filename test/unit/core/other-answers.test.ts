import { expect, test } from 'vitest'
import { claimsOf, readAssessment } from '../../../src/core/test-fix/answers/assessment-answer.js'
import {
  criticalPatterns,
  readGate,
  readPlan,
} from '../../../src/core/test-fix/answers/gate-answer.js'
import { ASSESSMENT_FORM, GATE_FORM, QUALITY_FORM } from '../../../src/core/prompts/prompt-forms.js'

const json = (value: unknown) => `Looked at it.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``
const failing = [
  { test: 'a > b', file: 'x.test.ts' },
  { test: 'same', file: 'x.test.ts' },
  { test: 'same', file: 'y.test.ts' },
]

test.each(
  // prettier-ignore
  [
  { why: 'by name', by: { 'a > b': 'low' }, levels: [['a > b', 'low']] },
  { why: 'by file and name', by: { 'x.test.ts > a > b': 'MEDIUM' }, levels: [['x.test.ts > a > b', 'medium']] },
  { why: 'as a pytest id', by: { 'x.test.ts::same': 'high' }, levels: [['x.test.ts::same', 'high']] },
  { why: 'without tests that do not fail', by: { 'a > b': 'low', gone: 'low' }, levels: [['a > b', 'low']] },
  { why: 'without levels that are none', by: { 'a > b': 'low', same: 'urgent' }, levels: [['a > b', 'low']] },
],
)('criticality: an assessment is read $why', ({ by, levels }) =>
  expect(readAssessment(json({ criticality: by }), failing)).toEqual({ ok: true, levels }),
)

test.each(
  // prettier-ignore
  [
  { why: 'the echoed sample', text: ASSESSMENT_FORM, says: 'must give a level' },
  { why: 'no criticality', text: json({ levels: {} }), says: 'no fenced JSON object' },
  { why: 'only tests that do not fail', text: json({ criticality: { gone: 'low' } }), says: 'names none of the failing tests' },
],
)('criticality: $why is refused', ({ text, says }) =>
  expect(readAssessment(text, failing)).toEqual({
    ok: false,
    problem: expect.stringContaining(says) as string,
  }),
)

test('a claim keeps the name that the agent gave the test, and who made it when', () => {
  const by = { source: 'assess' as const, agent: 'gemini', iteration: 2 }
  expect(
    claimsOf(
      [
        ['same', 'low'],
        ['y.test.ts > same', 'high'],
      ],
      by,
    ),
  ).toEqual([
    { test: 'same', level: 'low', ...by },
    { test: 'y.test.ts > same', level: 'high', ...by },
  ])
})

test('gate: a report is read with its numbers', () => {
  const read = readGate(
    json({
      critical: 0,
      error: 2,
      warning: 11,
      coverage: { lines: 81.5, branches: null, functions: 90 },
      anti_patterns: [
        { severity: 'Critical', what: 'no assertion' },
        { severity: 'warning', what: 'x' },
      ],
      issues: ['a', { file: 'b' }],
    }),
  )
  expect(read).toEqual({
    ok: true,
    value: {
      critical: 0,
      error: 2,
      warning: 11,
      coverage: { lines: 81.5, branches: null, functions: 90 },
      anti_patterns: [
        { severity: 'critical', what: 'no assertion' },
        { severity: 'warning', what: 'x' },
      ],
      cases: [],
      issues: ['a', '{"file":"b"}'],
    },
  })
  if (read.ok) expect(criticalPatterns(read.value)).toBe(1)
})

test('gate: cases have a layer that is known, and the test of each', () => {
  const cases = (layer: string) =>
    readGate(
      json({ critical: 0, error: 0, warning: 0, cases: [{ layer, what: 'empty', test: 'a' }] }),
    )
  expect(cases('l1.2 ')).toMatchObject({
    ok: true,
    value: { cases: [{ layer: 'L1.2', what: 'empty', test: 'a' }] },
  })
  expect(cases('L9')).toMatchObject({ ok: false })
  expect(readGate(QUALITY_FORM)).toMatchObject({ ok: false })
})

test('gate: coverage and lists may be missing, the counts may not', () => {
  expect(readGate(json({ critical: 0, error: 0, warning: 0 }))).toEqual({
    ok: true,
    value: {
      critical: 0,
      error: 0,
      warning: 0,
      coverage: null,
      anti_patterns: [],
      cases: [],
      issues: [],
    },
  })
  expect(readGate(json({ critical: 0, error: -1, warning: 0 }))).toMatchObject({ ok: false })
  expect(readGate(json({ critical: 0, error: 0 }))).toMatchObject({ ok: false })
  expect(readGate(GATE_FORM)).toMatchObject({ ok: false })
})

test.each([
  { words: 30, ok: false },
  { words: 31, ok: true },
])('a plan of $words words', ({ words, ok }) =>
  expect(readPlan(`# Plan\r\n${'w '.repeat(words - 2)}`).ok).toBe(ok),
)
