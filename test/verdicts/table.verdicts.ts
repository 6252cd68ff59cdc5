// npm run verdicts: every mover on every repository, and the table of what came of it.
//
//   RATCHET_VERDICTS=right,go    only rows whose repository and mover, as in "go right", hold one of these
//   RATCHET_VERDICTS_WRITE=1     the table replaces the one in docs/verdicts.md
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RealUser } from '../support/real-run.js'
import type { Verdict } from './judge.js'
import { ALL, REPOSITORIES, verdicts, verdictUser } from './rows.js'
import { table } from './table.js'

const AT_ONCE = 5
const asked = process.env['RATCHET_VERDICTS']?.split(',') ?? []
const rows = ALL.filter(({ repository, mover }) => asked.length === 0 || asked.some((part) => `${repository.name} ${mover.name}`.includes(part)))
const done: Verdict[] = []

// A user a repository: the workers of fifty projects at once are more than a small machine holds.
describe.each(REPOSITORIES.filter((repository) => rows.some((row) => row.repository === repository)))('$name', (repository) => {
  const own = rows.filter((row) => row.repository === repository)
  let user: RealUser
  let running: Promise<Verdict>[]
  beforeAll(async () => {
    user = await verdictUser()
    running = verdicts(user, own, AT_ONCE)
  })
  afterAll(() => user.close())

  test.each(own.map((row, n) => ({ name: row.mover.name, n })))('$name', async ({ n }) => {
    const verdict = await (running[n] as Promise<Verdict>)
    done.push(verdict)
    expect(verdict.problems).toEqual([])
  })
})

afterAll(() => {
  process.stdout.write(`\n${table(done)}`)
  if (process.env['RATCHET_VERDICTS_WRITE'] !== undefined) writeDocs()
})

function writeDocs(): void {
  const root = path.resolve(import.meta.dirname, '../..')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const docs = path.join(root, 'docs/verdicts.md')
  const text = readFileSync(docs, 'utf8')
  const heading = '\n## The table'
  writeFileSync(docs, `${text.slice(0, text.indexOf(heading))}${heading}\n\nVersion ${version}.\n\n${table(done)}`)
}
