// The agent worker dropped at every named point that a run of each mode passes, all of them in one
// run: once early and once at the last pass of each. It ends as the undisturbed run does: same
// tree, same commits, same record, no turn bought twice, no process left. The modes run side by
// side: each waits most of its time for the next attempt.
import { expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import { MODES, POINTS, type Mode } from '../matrix/plan.js'
import { idOf } from '../matrix/runs.js'
import { endWith, type Deaths } from '../support/runs/dropped-runs.js'
import { inProcessUser } from '../support/in-process/user.js'

// A step whose worker died is tried again after a second, then after two, four and so on.
const MOST_MS = 15 * 60_000

test.concurrent.each(MODES)(
  '%s: dropped at each point, early and at its last pass, the run ends as usual',
  async (mode) => {
    const user = await inProcessUser()
    try {
      const still = await endWith(user, mode, 'still', {})
      expect(await endWith(user, mode, 'dropped', everyPoint(mode))).toEqual(still)
      expect(await endWith(user, mode, 'dropped-late', POINTS[mode])).toEqual(still)
    } finally {
      await user.close()
    }
  },
  MOST_MS,
)

test.each(MODES.filter((mode) => mode !== 'fix'))(
  '%s: runs of two users with the same name have different ids',
  (mode) => {
    expect(idOf({ root: '/tmp/ratchet-user-a' }, mode, 'dropped')).not.toBe(
      idOf({ root: '/tmp/ratchet-user-b' }, mode, 'dropped'),
    )
  },
)

/** Points of one step at different times: each further attempt of a step comes later. */
function everyPoint(mode: Mode): Deaths {
  const points = Object.keys(POINTS[mode]) as FaultPoint[]
  const step = (point: FaultPoint): string => point.slice(0, point.indexOf(':'))
  return Object.fromEntries(
    points.map((point) => {
      const nth = points.filter((one) => step(one) === step(point)).indexOf(point) + 1
      return [point, Math.min(POINTS[mode][point] ?? 1, nth)]
    }),
  )
}
