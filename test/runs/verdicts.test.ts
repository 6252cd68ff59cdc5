// One mover of each kind, spread over the three repositories. All of them on all: npm run verdicts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RealUser } from '../support/real-run.js'
import type { Verdict } from '../verdicts/judge.js'
import { ALL, verdicts, verdictUser } from '../verdicts/rows.js'

const CHOSEN = [
  { on: 'go', mover: 'right' },
  { on: 'vitest', mover: 'partial: one of two bugs' },
  { on: 'pytest', mover: 'wrong: changes that help nothing' },
  { on: 'go', mover: 'regressing, then right' },
  { on: 'pytest', mover: 'tampering, with a fix beside it' },
  { on: 'vitest', mover: 'lying: what it broke is of low criticality' },
  { on: 'pytest', mover: 'silent until it is cancelled' },
  { on: 'vitest', mover: 'flooding, then right' },
  { on: 'go', mover: 'crashing in every fix' },
  { on: 'vitest', mover: 'forking children that write after the commit' },
  { on: 'pytest', mover: 'rubbish for answers' },
].map(({ on, mover }) => {
  const row = ALL.find((one) => one.repository.name === on && one.mover.name === mover)
  if (row === undefined) throw new Error(`there is no row "${mover}" on ${on}`)
  return row
})

let user: RealUser
let running: Promise<Verdict>[]
beforeAll(async () => {
  user = await verdictUser()
  running = verdicts(user, CHOSEN, 4)
})
afterAll(() => user.close())

test.each(CHOSEN.map((row, n) => ({ on: row.repository.name, mover: row.mover.name, n })))('the verdict on $mover, $on, is right', async ({ n }) => {
  expect((await (running[n] as Promise<Verdict>)).problems).toEqual([])
})
