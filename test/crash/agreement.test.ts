// Compares a worker dropped in the test's process with one killed by kill -9: the same run with the
// same deaths, once with real server, supervisor and worker processes, once in this process. All
// other tests with dropped workers rely on this.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Mode } from '../matrix/plan.js'
import { endWith, type Deaths } from '../support/runs/dropped-runs.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { realUser, type RealUser } from '../support/runs/real-run.js'

// A step whose worker died is tried again after a second, then after two, four and so on; and each
// run is there twice.
const MOST_MS = 15 * 60_000

let real: RealUser
let inProcess: InProcessUser
beforeAll(async () => {
  real = await realUser()
})
afterAll(() => real.close())
beforeEach(async () => {
  inProcess = await inProcessUser()
})
afterEach(() => inProcess.close())

test.each<{ mode: Mode; deaths: Deaths }>(
  // prettier-ignore
  [
  { mode: 'fix', deaths: { 'prepare:done': 1, 'turn:done': 2, 'answer:files': 1, 'commit:published': 1, 'rollback:begin': 1, 'tests:done': 1, 'record:begin': 1, 'record:file': 9 } },
  { mode: 'cycle', deaths: { 'turn:done': 1, 'answer:read': 2, 'tests:done': 1, 'commit:done': 1, 'record:begin': 1 } },
  { mode: 'auto', deaths: { 'prepare:done': 1, 'turn:done': 1, 'commit:done': 1, 'tests:done': 1, 'record:begin': 1 } },
  { mode: 'parallel', deaths: { 'clones:done': 1, 'turn:done': 1, 'merge:commits': 1, 'merge:moved': 1, 'record:copies': 2 } },
],
)(
  '$mode: dropped or killed, the run ends the same, with the same turns bought and no process left',
  async ({ mode, deaths }) => {
    const killed = await endWith(real, mode, `agreed-${mode}`, deaths)
    expect(killed).toMatchObject({ passRate: 100 })
    expect(await endWith(inProcess, mode, `agreed-${mode}`, deaths)).toEqual(killed)
  },
  MOST_MS,
)
