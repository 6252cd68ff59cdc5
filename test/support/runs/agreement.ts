// Compares a worker dropped in the test's process with one killed by kill -9: the same run with the
// same deaths, once with real server, supervisor and worker processes, once in this process. All
// other tests with dropped workers rely on this.
import { expect } from 'vitest'
import type { Mode } from '../../matrix/plan.js'
import { inProcessUser } from '../in-process/user.js'
import { endWith, type Deaths } from './dropped-runs.js'
import { realUser } from './real-run.js'

/**
 * A step whose worker died is tried again after a second, then after two, four and so on; and each
 * run is there twice.
 */
export const MOST_MS = 15 * 60_000

/** Expects the same end, with the same turns bought and no process left. */
export async function droppedAsKilled(mode: Mode, deaths: Deaths): Promise<void> {
  const real = await realUser()
  const inProcess = await inProcessUser()
  try {
    const killed = await endWith(real, mode, `agreed-${mode}`, deaths)
    expect(killed).toMatchObject({ passRate: 100 })
    expect(await endWith(inProcess, mode, `agreed-${mode}`, deaths)).toEqual(killed)
  } finally {
    await Promise.all([real.close(), inProcess.close()])
  }
}
