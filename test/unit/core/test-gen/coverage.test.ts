import { expect, test } from 'vitest'
import { coverageGap } from '../../../../src/core/test-gen/coverage-gap.js'
import {
  coveragePyFiles,
  istanbulFiles,
  percentages,
  unloadedFile,
  v8File,
  v8Scripts,
} from '../../../../src/core/test-gen/coverage-report.js'
import { ranges } from '../../../../src/core/test-gen/line-ranges.js'

test('istanbul: lines, functions and branches of each file', () => {
  const at = (line: number) => ({ start: { line }, end: { line } })
  const report = {
    '/p/a.js': {
      path: '/p/a.js',
      statementMap: { 0: at(1), 1: at(2), 2: at(2), 3: at(4) },
      s: { 0: 1, 1: 0, 2: 3, 3: 0 },
      f: { 0: 2, 1: 0 },
      b: { 0: [1, 0], 1: [4, 4] },
    },
  }
  expect(istanbulFiles(JSON.stringify(report))).toEqual([
    {
      file: '/p/a.js',
      covered: [1, 2],
      missed: [4],
      functions: { covered: 1, total: 2 },
      branches: { covered: 3, total: 4 },
    },
  ])
  expect(istanbulFiles('nothing')).toBeUndefined()
})

test('coverage.py: lines, branches, and functions where it names them', () => {
  const report = {
    files: {
      'a.py': {
        executed_lines: [1, 2],
        missing_lines: [4],
        summary: { num_branches: 4, covered_branches: 3 },
        functions: {
          f: { executed_lines: [2] },
          g: { executed_lines: [] },
          '': { executed_lines: [1] },
        },
      },
      'b.py': { executed_lines: [], missing_lines: [1] },
    },
  }
  expect(coveragePyFiles(JSON.stringify(report))).toEqual([
    {
      file: 'a.py',
      covered: [1, 2],
      missed: [4],
      functions: { covered: 1, total: 2 },
      branches: { covered: 3, total: 4 },
    },
    { file: 'b.py', covered: [], missed: [1] },
  ])
})

// As node 20 writes it.
const SOURCE =
  "export function parse(text) {\n  if (text === '') {\n    return []\n  }\n  return text.split(',').map((part) => Number(part))\n}\nexport function never(x) {\n  return x + 1\n}\n"
const RUN = [
  { functionName: '', ranges: [{ startOffset: 0, endOffset: 168, count: 1 }] },
  {
    functionName: 'parse',
    ranges: [
      { startOffset: 7, endOffset: 123, count: 1 },
      { startOffset: 49, endOffset: 68, count: 0 },
    ],
  },
  { functionName: '', ranges: [{ startOffset: 98, endOffset: 120, count: 2 }] },
  { functionName: 'never', ranges: [{ startOffset: 131, endOffset: 167, count: 0 }] },
]

test('v8: lines that no process has run', () => {
  const one = v8File('parser.js', SOURCE, [RUN])
  expect([one.covered, one.missed]).toEqual([
    [1, 2, 5, 7],
    [3, 8],
  ])
  expect([one.functions, one.branches]).toEqual([{ covered: 1, total: 2 }, undefined])
  const other = RUN.map((part) => ({
    ...part,
    ranges: part.ranges.map((range) => ({ ...range, count: 1 })),
  }))
  expect(v8File('parser.js', SOURCE, [RUN, other]).missed).toEqual([])
})

test('v8: a script whose code is made from another one is marked', () => {
  const report = {
    result: [{ scriptId: '1', url: 'file:///p/a.ts', functions: [] }],
    'source-map-cache': { 'file:///p/a.ts': {} },
  }
  expect(v8Scripts(JSON.stringify(report))).toMatchObject([{ isMapped: true }])
  expect(v8Scripts('{')).toEqual([])
})

test('a file that no test loads counts with all of its code', () => {
  const none = unloadedFile('a.py', '# nothing\n\nx = 1\ny = 2\n')
  expect(none).toEqual({ file: 'a.py', covered: [], missed: [3, 4] })
  expect(percentages([none, { file: 'b', covered: [1, 2, 3, 4], missed: [] }])).toEqual({
    lines: 66.6,
    branches: null,
    functions: null,
  })
})

test.each([
  [[], ''],
  [[1, 2, 3, 7], '1-3, 7'],
])('lines %j are %s', (lines, text) => expect(ranges(lines)).toBe(text))

const ALL = { lines: 95, branches: 90, functions: 100 }
const UNKNOWN = { lines: null, branches: null, functions: null }

test.each([
  { hasTests: false, coverage: UNKNOWN, missing: true, reason: 'no test runs yet' },
  {
    hasTests: true,
    coverage: { ...UNKNOWN, reason: 'pytest-cov is not installed' },
    missing: true,
    reason: 'coverage could not be measured: pytest-cov is not installed',
  },
  {
    hasTests: true,
    coverage: ALL,
    missing: false,
    reason: 'the tests cover enough: lines 95 %, branches 90 %, functions 100 %',
  },
  {
    hasTests: true,
    coverage: { ...ALL, lines: 79.9 },
    missing: true,
    reason: 'the tests cover lines 79.9 %, asked 80 %',
  },
  {
    hasTests: true,
    coverage: { ...ALL, branches: null, functions: 89 },
    missing: true,
    reason: 'the tests cover functions 89 %, asked 90 %',
  },
  {
    hasTests: true,
    coverage: ALL,
    untested: ['a.py', 'b.py'],
    missing: true,
    reason: 'no test runs a line of a.py and 1 more (lines 95 %, branches 90 %, functions 100 %)',
  },
  {
    hasTests: true,
    coverage: { ...ALL, lines: 60 },
    thresholds: { lines: 50 },
    missing: false,
    reason: 'the tests cover enough: lines 60 %, branches 90 %, functions 100 %',
  },
])('$reason', ({ missing, reason, untested = [], ...facts }) =>
  expect(coverageGap({ untested, ...facts })).toEqual({ missing, reason }),
)
