import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { lockWhenFree, tryLock, type Lock } from '../../../src/dev-server/lock.js'

let dir: string
beforeEach(() => (dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-lock-'))))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function take(): Lock {
  const taken = tryLock(dir)
  if ('holder' in taken) throw new Error(`held by ${taken.holder.pid}`)
  return taken.lock
}

// The pid of this process with another start time.
const reusedPid = { ...self(), startTime: '1' }

test('a lock held by a living process is refused, and names the holder', () => {
  take()
  expect(tryLock(dir)).toEqual({ holder: self() })
})

test.each([
  { why: 'empty', text: '' },
  { why: 'of another shape', text: '{"pid":"x"}' },
])('a lock whose file a power loss left $why is free', ({ text }) => {
  writeFileSync(path.join(dir, '3'), text)
  take()
  expect(tryLock(dir)).toEqual({ holder: self() })
})

test('a released lock is free', () => {
  take().release()
  take()
})

test('the lock of a dead process is free, also when its pid is in use again', () => {
  writeFileSync(path.join(dir, '7'), JSON.stringify(reusedPid))
  take()
  expect(readdirSync(dir)).toEqual(['8'])
})

test('numbers only grow, so that a slow process cannot reuse the number of a released lock', () => {
  writeFileSync(path.join(dir, '7'), JSON.stringify(reusedPid))
  take().release()
  expect(readdirSync(dir)).toEqual(['8'])
  take()
  expect(readdirSync(dir)).toEqual(['9'])
})

test('names the holder to a waiter once, which gets the lock on release', async () => {
  const first = take()
  const told: number[] = []
  const waiting = lockWhenFree(dir, (holder) => told.push(holder.pid), 10_000)
  first.release()
  await waiting
  expect(told).toEqual([process.pid])
  expect(tryLock(dir)).toEqual({ holder: self() })
})

test('a waiter gives up at its deadline', async () => {
  take()
  await expect(lockWhenFree(dir, () => undefined, 0)).rejects.toThrow(
    `process ${process.pid} has held`,
  )
})
