// npm run nightly: every test there is, part by part. `npm run nightly -- crash matrix` runs these parts.
// Ends with one line per part and the sum of all tests; exit code 1 if a part failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readReport, sumOf } from '../ci/counts.mjs'
import { PARTS } from './parts.mjs'

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !PARTS.some((part) => part.name === name))
if (unknown !== undefined) {
  console.error(
    `error: nightly has no part ${JSON.stringify(unknown)}; its parts are ${PARTS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'ratchet-nightly-'))
const done = []
for (const part of PARTS.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  console.log(`\n== ${part.name}: ${part.what}`)
  const report = path.join(folder, `${part.name}.json`)
  const began = performance.now()
  const code = await run(
    [...part.argv, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    part.env,
  )
  done.push({
    name: part.name,
    code,
    minutes: (performance.now() - began) / 60_000,
    counts: readReport(report),
  })
}

console.log('\n== nightly')
for (const { name, code, minutes, counts } of done)
  console.log(
    `${code === 0 ? 'green' : 'red  '}  ${name.padEnd(10)}  ${minutes.toFixed(1).padStart(6)} min  ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  )
console.log(sumOf(done.map(({ counts }) => counts)))
process.exitCode = done.every(({ code }) => code === 0) ? 0 : 1

function run([command, ...args], env = {}) {
  return new Promise((resolve) =>
    spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    }).once('exit', (code) => resolve(code ?? 1)),
  )
}
