// npm run verdicts: movers on their repositories, and the table of what came of them.
//
// RATCHET_VERDICTS=right,go only rows whose repository and mover, as in "go right", hold one of
// these SLICE=<hash> the core, and the part of the others that CI takes for this commit
// RATCHET_VERDICTS_WRITE=1 the table replaces the one in docs/verdicts.md
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InProcessUser } from '../support/in-process/user.js'
import { sessionName, type Verdict } from './judge.js'
import { ALL, BENDS, chosen, nameOf, verdicts, verdictUser, WRONG_TODAY } from './rows.js'
import { docsTable, table } from './table.js'

const AT_ONCE = 4
const rows = chosen(process.env)
const done: Verdict[] = []

test('at least 40 rows bend at least seven runners, and each row has a name of its own', () => {
  expect(BENDS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(BENDS.map(({ repository }) => repository.name)).size).toBeGreaterThanOrEqual(7)
  expect(new Set(ALL.map(sessionName)).size).toBe(ALL.length)
  expect(
    Object.keys(WRONG_TODAY).filter((name) => !ALL.some((row) => nameOf(row) === name)),
  ).toEqual([])
})

test('docs/verdicts.md has each row, and their number', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '../../docs/verdicts.md'), 'utf8')
  const missing = ALL.filter(
    ({ repository, mover }) => !docs.includes(`\n| ${repository.name} | ${mover.name} | `),
  )
  expect(missing.map(nameOf)).toEqual([])
  expect(docs).toContain(`\n${ALL.length} verdicts, `)
})

// A user a repository: the workers of a hundred projects at once are more than a small machine
// holds.
describe.each(
  [...new Set(rows.map(({ repository }) => repository.name))].map((name) => ({ name })),
)('$name', ({ name }) => {
  const own = rows.filter(({ repository }) => repository.name === name)
  let user: InProcessUser
  let running: Promise<Verdict>[]
  beforeAll(async () => {
    user = await verdictUser()
    running = verdicts(user, own, AT_ONCE)
  })
  afterAll(() => user.close())

  test.each(own.map((row, n) => ({ name: row.mover.name, n })))('$name', async ({ n }) => {
    const verdict = await (running[n] as Promise<Verdict>)
    done.push(verdict)
    if (nameOf(verdict.row) in WRONG_TODAY) expect(verdict.problems).not.toEqual([])
    else expect(verdict.problems).toEqual([])
  })
})

afterAll(() => {
  const seconds = done.map((one) => one.seconds)
  const mean = seconds.reduce((sum, one) => sum + one, 0) / Math.max(1, seconds.length)
  process.stdout.write(
    `\n${table(done)}${mean.toFixed(1)} s a row, ${Math.max(0, ...seconds).toFixed(1)} s the longest, ${AT_ONCE} at a time\n`,
  )
  if (process.env['RATCHET_VERDICTS_WRITE'] !== undefined) writeDocs()
})

function writeDocs(): void {
  const root = path.resolve(import.meta.dirname, '../..')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const docs = path.join(root, 'docs/verdicts.md')
  const text = readFileSync(docs, 'utf8')
  const heading = '\n## The table'
  writeFileSync(
    docs,
    `${text.slice(0, text.indexOf(heading))}${heading}\n\nVersion ${version}.\n\n${docsTable(done)}`,
  )
}
