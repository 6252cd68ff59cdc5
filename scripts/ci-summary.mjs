// Prints which tests of a vitest log were green only when played once more, and its closing line as
// "N passed, N failed, N skipped". Usage: node scripts/ci-summary.mjs LOG
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const log = stripVTControlCharacters(readFileSync(process.argv[2], 'utf8'))
const line = log.split('\n').findLast((l) => /^\s*Tests\s/.test(l)) ?? ''
const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0)
for (const l of log.split('\n')) if (l.startsWith('green only when played once more: ')) console.log(l)
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
if (count('passed') === 0 || count('failed') > 0) process.exit(1)
