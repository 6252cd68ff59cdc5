// Runs cancelled or terminated in the Web UI, in a turn and in a test run: their processes end, the
// user's repository is unchanged, and the next run of the project ends as usual.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import { outsideOfRecord } from '../support/repositories/repos.js'
import { realUser, type RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'
import { MODES } from './plan.js'
import { Reach } from './reach.js'
import { ANSWERS, projectOf } from './runs.js'

const PATIENCE_MS = 240_000

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

// A preparation runs no test, and a planned fix has one turn.
const CASES = MODES.filter((mode) => mode !== 'planned').flatMap((mode) =>
  (mode === 'prep' ? (['turn'] as const) : (['turn', 'tests'] as const)).flatMap((where) =>
    (['cancel', 'terminate'] as const).map((how) => ({ mode, where, how })),
  ),
)

describe.concurrent('ended from outside', () => {
  test.each(CASES)('$mode: $how in a $where', async ({ mode, where, how }) => {
    const struck = projectOf(
      user,
      mode,
      `${mode}-${how}-${where}`,
      where === 'turn' ? 2 : undefined,
    )
    const { project } = struck
    const place = user.pointsOf(project)
    const file = (name: string): string => path.join(place, name)
    mkdirSync(place, { recursive: true })
    if (where === 'tests') writeFileSync(file('hold-tests-1'), '')
    const before = outsideOfRecord(project)

    const run = await struck.start()
    const handle = user.ratchet.client.workflow.getHandle(run.id)
    const reach = new Reach(user, run.id, Date.now() + PATIENCE_MS)
    const end = reach
      .end(ANSWERS[mode], () => undefined)
      .then(
        (result) => result.outcome,
        (error: unknown) => (error as Error).message,
      )
    const there = () =>
      where === 'turn'
        ? existsSync(file('turn.reached'))
        : existsSync(file('tests.log')) && readFileSync(file('tests.log'), 'utf8').includes('begin')
    await waitFor(there, { what: `the ${where}`, timeoutMs: PATIENCE_MS })
    await handle[how]()

    expect(await end).toMatch(how === 'cancel' ? /cancel|stopped/ : /terminated/)
    await waitFor(() => findMarked(MARKERS.run, run.id).length === 0, {
      what: 'the end of its processes',
      timeoutMs: PATIENCE_MS,
      everyMs: 250,
    })
    expect(outsideOfRecord(project)).toEqual(before)
    await reach.close()

    for (const go of ['turn.go', 'tests.go']) writeFileSync(file(go), '')
    const next = await struck.next()
    const again = new Reach(user, next.id, Date.now() + PATIENCE_MS)
    expect(await again.end(ANSWERS[mode], () => undefined)).toMatchObject({
      passRate: mode === 'prep' ? null : 100,
    })
    expect(outsideOfRecord(project)).toEqual(before)
    await again.close()
  })
})
