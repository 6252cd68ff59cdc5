import { expect, test } from 'vitest'
import { errorCount } from '../../../src/adapters/checks/error-count.js'

test.each<{ why: string; output: string; errors: number | undefined }>(
  // prettier-ignore
  [
  { why: 'tsc', output: "src/a.ts(1,7): error TS2322: Type 'string'.\nsrc/b.ts(9,1): error TS2304: Cannot find name.\n", errors: 2 },
  { why: 'tsc with its sum', output: 'src/a.ts:1:7 - error TS2322: no\n\nFound 1 error in src/a.ts:1\n', errors: 1 },
  { why: 'eslint, without its warnings', output: '✖ 5 problems (3 errors, 2 warnings)\n  1 error and 0 warnings potentially fixable\n', errors: 3 },
  { why: 'eslint in two packages', output: '✖ 1 problem (1 error, 0 warnings)\n✖ 2 problems (2 errors, 0 warnings)\n', errors: 3 },
  { why: 'ruff', output: 'a.py:1:8: F401 unused\nFound 12 errors.\n', errors: 12 },
  { why: 'mypy', output: 'a.py:1: error: no\nFound 1 error in 1 file (checked 3 source files)\n', errors: 1 },
  { why: 'go vet', output: '# example.com/x\nvet: ./a.go:3:2: undefined: b\n./b.go:9:1: unreachable code\n', errors: 2 },
  { why: 'eslint and tsc in one script', output: '✖ 1 problem (1 error, 0 warnings)\na.ts(1,1): error TS1005: no\n', errors: 2 },
  { why: 'warnings alone', output: '✖ 2 problems (0 errors, 2 warnings)\n', errors: undefined },
  { why: 'another tool', output: 'it is wrong\n', errors: undefined },
],
)('errors of $why: $errors', ({ output, errors }) => expect(errorCount(output)).toBe(errors))
