// Runs of each mode whose agent worker dies on the way, as a process or dropped in the test's
// process.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { FaultPoint } from '../../../src/adapters/failpoint.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import type { RunHandle, RunResult } from '../../../src/client/index.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { Mode } from '../../matrix/plan.js'
import { ANSWERS, elsewhere, endOf, projectOf } from '../../matrix/runs.js'
import type { RunUser } from './real-run.js'
import { outsideOfRecord } from '../repositories/repos.js'
import { waitFor } from '../wait.js'

/** Before a question come all deaths of the steps before it, each with a pause that doubles. */
const MOST_MS = 10 * 60_000

/** The points at which the worker dies, and at which pass, from 1. */
export type Deaths = Partial<Record<FaultPoint, number>>

/**
 * Runs a mode to its end and answers its questions. Checks that each death happened, no turn was
 * paid twice, no process is left, and no byte of the user's repository changed.
 *
 * @returns what must be the same after every death
 */
export async function endWith(
  user: RunUser,
  mode: Mode,
  name: string,
  deaths: Deaths,
): Promise<Record<string, unknown>> {
  const struck = projectOf(user, mode, name)
  const { project } = struck
  const before = outsideOfRecord(project)
  const points = Object.entries(deaths) as [FaultPoint, number][]
  mkdirSync(user.pointsOf(project), { recursive: true })
  for (const [point, time] of points)
    writeFileSync(path.join(user.pointsOf(project), point.replace(':', '-')), `${time} die`)
  const run = await struck.start()
  const result = await answered(user, mode, run)
  expect(points.filter(([point]) => !user.hasDiedAt(point, project))).toEqual([])
  expect(elsewhere(user, project)).toEqual([])
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(outsideOfRecord(project)).toEqual(before)
  return endOf(user, struck, result)
}

async function answered(user: RunUser, mode: Mode, run: RunHandle): Promise<RunResult> {
  const end = user.finish(run)
  for (const [id, choice] of Object.entries(ANSWERS[mode])) {
    const asked = waitFor(
      async () => (await run.questions().catch(() => [])).some((one) => one.id === id),
      { what: `question ${id}`, timeoutMs: MOST_MS },
    )
    await Promise.race([
      asked,
      end.then(({ outcome }) => {
        throw new Error(`the run ended as ${outcome} and had not asked ${id}`)
      }),
    ])
    await run.answer({ questionId: id, choice })
  }
  return end
}
