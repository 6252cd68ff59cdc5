// The last lines of CI: what ran, what the slice was, how to run the rest, and the sum of all tests.
// Usage: node scripts/ci/summary.mjs TESTS.json SLICE.json
import { readFileSync } from 'node:fs'
import { readReport, sumOf } from './counts.mjs'

const [, , tests, slice] = process.argv
const { lines, counts } = JSON.parse(readFileSync(slice, 'utf8'))
console.log(
  'npm test, lint, types, build and demo ran whole, of the verdicts the core and a slice (all of them: npm run verdicts)',
)
for (const line of lines) console.log(line)
console.log(sumOf([readReport(tests), counts]))
