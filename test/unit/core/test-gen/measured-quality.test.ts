import { expect, test } from 'vitest'
import type { MeasuredTests } from '../../../../src/contract/test-fix/test-quality.js'
import { gateDecision, measuredDecision } from '../../../../src/core/test-fix/quality-gate.js'
import {
  withoutGeneration,
  withSupplement,
} from '../../../../src/core/test-gen/generation-queue.js'
import { measuredFeedback } from '../../../../src/core/test-gen/measured-quality.js'
import { layerCounts, layerProblems } from '../../../../src/core/test-gen/test-layers.js'
import { GOOD_TESTS, TEST_TASK } from '../../../support/stub-host.js'

const UNKNOWN = { lines: null, branches: null, functions: null, reason: 'no pytest-cov' }
const mutants = (killed: number, tried = 10) => ({ tried, killed, survivors: [] })
const weak = { tests: 2, total: 1, weak: ['a > b'], weakTotal: 1 }

type Row = { why: string; change: Partial<MeasuredTests>; attempt?: number; reason?: string }

test.each<Row>([
  { why: 'good tests are worth a review', change: {} },
  { why: 'half of the mutants is enough', change: { mutants: mutants(5) } },
  {
    why: 'less than half is not',
    change: { mutants: mutants(4) },
    reason: 'the tests notice 4 of 10 changes to the code under test, half of them are asked',
  },
  {
    why: 'one weak test is enough',
    change: { assertions: weak },
    reason: '1 of the tests cannot fail by what they assert: a > b',
  },
  { why: 'none ran', change: { tests: 0 }, reason: 'none of the written tests ran' },
  {
    why: 'measured coverage is too low',
    change: { coverage: { lines: 50, branches: null, functions: null } },
    reason: 'lines covered 50 %, 80 % are asked',
  },
  {
    why: 'the task asks for less',
    change: {
      coverage: { lines: 50, branches: null, functions: null },
      thresholds: { lines: 50 },
    },
  },
  { why: 'what is not measured is no problem by itself', change: { coverage: UNKNOWN } },
])('$why', ({ change, reason }) => {
  const found = measuredDecision({ ...GOOD_TESTS, ...change }, 1)
  expect(found).toEqual(reason === undefined ? undefined : { decision: 'redo', reason })
})

test('after two retries weak tests are kept, for a person to look at', () => {
  const bad = { ...GOOD_TESTS, mutants: mutants(0) }
  expect([1, 2, 3].map((attempt) => measuredDecision(bad, attempt)?.decision)).toEqual([
    'redo',
    'redo',
    'continue',
  ])
})

const READING = {
  critical: 0,
  error: 0,
  warning: 0,
  lines: 10,
  branches: 10,
  functions: 10,
  antiPatterns: 0,
}

test.each([
  { why: 'a claim of coverage does not count', measured: GOOD_TESTS, decision: 'pass' },
  {
    why: 'layers without tests are a problem',
    measured: GOOD_TESTS,
    layers: [{ layer: 'L1.1', cases: 2, tested: 1 }],
    decision: 'redo',
  },
  {
    why: 'mutants decide where coverage is unknown',
    measured: { ...GOOD_TESTS, coverage: UNKNOWN },
    decision: 'pass',
    review: false,
  },
  {
    why: 'without both a person looks',
    measured: {
      ...GOOD_TESTS,
      coverage: UNKNOWN,
      mutants: { ...mutants(0, 0), notChecked: 'in place' },
    },
    decision: 'pass',
    review: true,
  },
])('$why: $decision', ({ measured, layers, decision, review = false }) => {
  const found = gateDecision(
    'test-quality-review',
    { ...READING, ...(layers === undefined ? {} : { layers }) },
    1,
    measured,
  )
  expect([found.decision, found.review !== undefined]).toEqual([decision, review])
})

test('the writer reads which changes no test noticed', () => {
  expect(measuredFeedback({ ...GOOD_TESTS, assertions: weak })).toBe(
    'Ratchet measured: lines 95 %, branches 90 %, functions 100 %, 1 assertions in 2 tests, 9 of 10 mutants noticed.\n\n## Tests that cannot fail\n\n- a > b\n\n## Changes to the code that no test noticed\n\nEach was made alone, and all written tests passed with it:\n\n- src/a.ts:3: "<" becomes "<="',
  )
})

test('a case counts only with a test that ran, by any form of its name', () => {
  const named = (test: string | null) => ({ layer: 'L1.2' as const, what: 'w', test })
  const ran = ['tests/test_a.py > test_one[1-2]', 'a.test.ts > block > two']
  expect(
    layerCounts(
      [
        named('tests/test_a.py::test_one'),
        named('test_one[1-2]'),
        named('two'),
        named('three'),
        named(null),
      ],
      ran,
    ),
  ).toEqual([{ layer: 'L1.2', cases: 5, tested: 3 }])
})

test.each([
  ['L1.1', 10, 9, true],
  ['L1.2', 10, 8, false],
  ['L1.3', 10, 5, true],
  ['L1.4', 10, 7, true],
  ['L1.5', 10, 9, true],
  ['L2', 10, 7, false],
  ['L3', 10, 0, false],
])('%s with %i cases, %i tested', (layer, cases, tested, isProblem) =>
  expect(layerProblems([{ layer, cases, tested }]).length > 0).toBe(isProblem),
)

const task = (id: string, type: (typeof TEST_TASK)['type'], dependsOn: string[]) => ({
  ...TEST_TASK,
  id,
  type,
  dependsOn,
  status: 'completed' as const,
  attempts: 2,
})
const QUEUE = [
  task('IMPL-001', 'test-gen', []),
  task('IMPL-001.3', 'code-validation', ['IMPL-001']),
  task('IMPL-001.5', 'test-quality-review', ['IMPL-001.3']),
  task('IMPL-002', 'test-fix', ['IMPL-001.5']),
]

test('without a gap the writing task and its gates are over', () => {
  const pending = QUEUE.map((one) => ({ ...one, status: 'pending' as const }))
  expect(withoutGeneration(pending, 'IMPL-001').map(({ status }) => status)).toEqual([
    'completed',
    'completed',
    'completed',
    'pending',
  ])
})

test('a supplement comes first, and is checked and run like the tests before it', () => {
  const added = { ...TEST_TASK, id: 'IMPL-supplement-1', type: 'test-gen' as const }
  expect(
    withSupplement(QUEUE, added).map(({ id, status, attempts }) => [id, status, attempts]),
  ).toEqual([
    ['IMPL-supplement-1', 'pending', 0],
    ['IMPL-001', 'completed', 2],
    ['IMPL-001.3', 'pending', 0],
    ['IMPL-001.5', 'pending', 0],
    ['IMPL-002', 'pending', 2],
  ])
})
