// Runs the slice of the nightly tests that the commit's hash chooses, within a time limit;
// exceeding it is a failure. Usage: node scripts/ci/slice.mjs MINUTES [REPORT]. Prints the plain
// closing line of its tests last; REPORT gets its last lines and counts as JSON.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readReport, sumOf } from './counts.mjs'

const minutes = Number(process.argv[2])
if (!(minutes > 0)) throw new Error('usage: node scripts/ci/slice.mjs MINUTES [REPORT]')
const hash =
  process.env.SLICE || execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
const folder = mkdtempSync(path.join(os.tmpdir(), 'ratchet-slice-'))
const until = performance.now() + minutes * 60_000

const done = []
for (const part of ['matrix', 'mutation', 'nightly', 'agents']) {
  console.log(`\n== slice of ${part}`)
  const report = path.join(folder, `${part}.json`)
  const began = performance.now()
  const ended = await run([
    'npx',
    'vitest',
    'run',
    '--config',
    `vitest.${part}.config.ts`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  done.push({
    part,
    ended,
    minutes: (performance.now() - began) / 60_000,
    counts: readReport(report),
  })
}

const lines = [
  `the slice of ${hash}:`,
  ...done.map(
    ({ part, ended, minutes: took, counts }) =>
      `  ${part.padEnd(8)}  ${took.toFixed(1).padStart(5)} min  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped${ended === 'late' ? `  did not fit into ${minutes} minutes` : ''}`,
  ),
  `to run this slice again: SLICE=${hash} node scripts/ci/slice.mjs ${minutes}`,
  'to run everything: npm run nightly; one part of it: npm run nightly -- <part>',
]
const counts = done.reduce(
  (all, { counts: { passed, failed, skipped } }) => ({
    passed: all.passed + passed,
    failed: all.failed + failed,
    skipped: all.skipped + skipped,
  }),
  { passed: 0, failed: 0, skipped: 0 },
)
console.log(['', ...lines, sumOf([counts])].join('\n'))
if (process.argv[3] !== undefined) writeFileSync(process.argv[3], JSON.stringify({ lines, counts }))
process.exitCode = done.every(({ ended, counts }) => ended === 0 && counts.failed === 0) ? 0 : 1

/** Resolves with the exit code, or with `late` after the time limit. */
function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: { ...process.env, SLICE: hash, AGAIN: '1' },
    })
    let late = false
    const over = setTimeout(
      () => {
        late = true
        process.kill(-child.pid, 'SIGKILL')
      },
      Math.max(0, until - performance.now()),
    )
    child.once('exit', (code) => {
      clearTimeout(over)
      resolve(late ? 'late' : (code ?? 1))
    })
  })
}
