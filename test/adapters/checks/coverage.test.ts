import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  coverageIn,
  summaryOf,
  uncoveredIn,
  watchCoverage,
} from '../../../src/adapters/checks/coverage.js'
import { tempDir, writeFiles } from '../../support/repositories/repos.js'

test.each<{ why: string; output: string; coverage: number | null }>(
  // prettier-ignore
  [
  { why: 'istanbul', output: 'File      | % Stmts | % Branch |\n----------|---------|\nAll files |   85.71 |    50 |\n a.ts     |   100 |  50 |', coverage: 85.71 },
  { why: 'istanbul, lines before statements', output: 'All files |   85.71 |    50 |     100 |   90.5 |                   ', coverage: 90.5 },
  { why: 'the last of two tables', output: 'All files | 10 | 1 |\nAll files | 20 | 1 |', coverage: 20 },
  { why: 'pytest-cov', output: 'Name    Stmts   Miss  Cover   Missing\n-----\na.py    10   1   90%   7\nTOTAL     120     12    90%\n', coverage: 90 },
  { why: 'pytest-cov with branches and decimals', output: 'TOTAL     120     12     8      2   88.41%', coverage: 88.41 },
  { why: 'go, one package', output: 'ok  \texample.com/x\t0.01s\tcoverage: 75.0% of statements', coverage: 75 },
  { why: 'go, several packages with different numbers', output: 'coverage: 75.0% of statements\ncoverage: 25.0% of statements', coverage: null },
  { why: 'istanbul without a number', output: 'All files | Unknown | 0 |', coverage: null },
  { why: 'more than all', output: 'TOTAL 1 1 900%', coverage: null },
  { why: 'nothing', output: 'all tests passed', coverage: null },
],
)('coverage of $why is $coverage', ({ output, coverage }) =>
  expect(coverageIn(output)).toBe(coverage),
)

test.each<{ why: string; text: string; coverage: number | undefined }>(
  // prettier-ignore
  [
  { why: 'lines and statements', text: '{"total":{"lines":{"pct":70},"statements":{"pct":71.5}}}', coverage: 70 },
  { why: 'statements where there are no lines', text: '{"total":{"lines":{"pct":"Unknown"},"statements":{"pct":71.5}}}', coverage: 71.5 },
  { why: 'another shape', text: '{"a.ts":{}}', coverage: undefined },
  { why: 'null', text: 'null', coverage: undefined },
  { why: 'half a file', text: '{"total":', coverage: undefined },
],
)('a coverage summary with $why gives $coverage', ({ text, coverage }) =>
  expect(summaryOf(text)).toBe(coverage),
)

test('a summary of an earlier run is not the result of this one', () => {
  const dir = tempDir()
  const write = (pct: number) =>
    writeFiles(dir, {
      [path.join('coverage', 'coverage-summary.json')]: JSON.stringify({
        total: { statements: { pct } },
      }),
    })
  write(99)
  const stale = watchCoverage(dir)
  expect(stale.read('no table')).toEqual({ percent: null, uncovered: [] })
  const fresh = watchCoverage(path.join(dir))
  write(12)
  expect(fresh.read('All files | 50 |').percent).toBe(12)
})

test('lists files without a covered line, but not the total or files without code', () => {
  const lines = (total: number, covered: number) => ({ lines: { total, covered, pct: 0 } })
  expect(
    uncoveredIn(
      JSON.stringify({
        total: lines(9, 0),
        '/p/a.ts': lines(3, 0),
        '/p/b.ts': lines(3, 1),
        '/p/types.ts': lines(0, 0),
      }),
    ),
  ).toEqual(['/p/a.ts'])
  expect(['null', '{"a":', '{"a.ts":null}', '[]'].flatMap(uncoveredIn)).toEqual([])
})

test.each(['coverage', 'coverage/coverage-summary.json'])('a link at %s is not read', (link) => {
  const [dir, outside] = [tempDir(), tempDir()]
  const summary = watchCoverage(dir)
  writeFiles(outside, { 'coverage/coverage-summary.json': '{"total":{"lines":{"pct":70}}}' })
  if (link !== 'coverage') mkdirSync(path.join(dir, 'coverage'))
  symlinkSync(path.join(outside, link), path.join(dir, link))
  expect(summary.read('')).toEqual({ percent: null, uncovered: [] })
})
