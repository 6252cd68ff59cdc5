// Waiting in src/dev-server does not depend on the system clock, which a person, a waking laptop
// or a virtual machine may set.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { lockWhenFree, tryLock } from '../../../src/dev-server/lock.js'
import { end, launch } from '../../../src/dev-server/processes.js'
import { tempDir } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

const HOUR_MS = 3_600_000
const LONG_MS = 600_000

afterEach(() => {
  vi.restoreAllMocks()
})

/** From here on each read of the clock is an hour later. */
function leapingClock(): void {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now += HOUR_MS))
}

test('a process that shuts down has its grace period, also when the clock is set forward', async () => {
  const dir = tempDir()
  const [there, done] = [path.join(dir, 'there'), path.join(dir, 'done')]
  const script = `trap 'sleep 0.3; : > "${done}"; exit 0' TERM; : > "${there}"; while :; do sleep 0.05; done`
  const { identity } = launch({
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH'] },
    cwd: dir,
    log: path.join(dir, 'log'),
  })
  await waitFor(() => existsSync(there), { what: 'the process', timeoutMs: 60_000 })
  leapingClock()
  await end(identity, LONG_MS)
  expect(existsSync(done)).toBe(true)
})

test('a process that waits for a lock gets it, also when the clock is set forward', async () => {
  const dir = tempDir()
  const taken = tryLock(dir)
  if ('holder' in taken) throw new Error('held')
  leapingClock()
  const waiting = lockWhenFree(
    dir,
    (holder) => {
      expect(holder).toEqual(self())
      setImmediate(() => taken.lock.release())
    },
    LONG_MS,
  )
  ;(await waiting).release()
})
