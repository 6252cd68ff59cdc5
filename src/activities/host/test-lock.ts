// One test run at a time per project: two at once clash on ports, which reads as a regression.
// Checks of a project run what its tests run.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { acquireLock } from '../../adapters/process/lock.js'
import { layout } from '../../adapters/state-dir.js'
import type { HostDeps } from './deps.js'
import type { Beat } from './with-heartbeat.js'

/** Runs `run` while nothing else of the project is tested. `waits` is shown until then. */
export async function whileNothingIsTested<T>(
  { dirs, projectKey }: HostDeps,
  beat: Pick<Beat, 'signal' | 'progress' | 'waits'>,
  waits: string,
  run: () => Promise<T>,
): Promise<T> {
  mkdirSync(layout.locks(dirs), { recursive: true, mode: 0o700 })
  const release = await acquireLock(path.join(layout.locks(dirs), `tests-${projectKey}`), {
    signal: beat.signal,
    onWait: () => {
      beat.progress({ state: waits })
      beat.waits(true)
    },
  })
  beat.waits(false)
  try {
    return await run()
  } finally {
    await release()
  }
}
