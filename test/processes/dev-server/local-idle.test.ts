// The local processes end when they are no longer needed.
import { spawn } from 'node:child_process'
import type { Client } from '@temporalio/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../../../src/adapters/process/identity.js'
import {
  ensureRunning,
  localStatus,
  stopLocal,
  type LocalServer,
} from '../../../src/dev-server/index.js'
import { BUILT, localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'
import { withClient } from '../../support/with-client.js'

const IDLE = { RATCHET_IDLE_STOP: '2s' }

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

/**
 * Runs `before` on a server with a long idle time, then restarts everything with a short one.
 */
async function ensureIdle(before?: (address: string) => Promise<unknown>): Promise<LocalServer> {
  if (before !== undefined) {
    await before((await user.ensure()).address)
    await stopLocal(user.dirs, { force: true })
  }
  return user.ensure({ env: { ...user.env, ...IDLE } })
}

const stopped = (): Promise<boolean> =>
  waitFor(
    async () =>
      (await localStatus(user.dirs)).supervisor === undefined &&
      (await localStatus(user.dirs)).server === undefined,
    { timeoutMs: 40_000, what: 'everything to stop' },
  )

/** Waits until the supervisor has logged why it stays. */
const staysUpFor = (reason: string): Promise<true> =>
  waitFor(() => user.log('supervisor').includes(`stays up for ${reason}`), {
    timeoutMs: 20_000,
    what: `staying up for ${reason}`,
  })

test('idle processes end, and the next command starts them again', async () => {
  const { pid } = await ensureIdle()
  await stopped()
  expect(identify(pid)).toBeUndefined()
  expect(user.lives('end')).toHaveLength(1)
  expect((await user.ensure()).pid).not.toBe(pid)
})

test('an open run keeps everything up until it has ended', async () => {
  const start = (client: Client) =>
    client.workflow.start('nothing', { workflowId: 'open', taskQueue: 'nobody-polls-this' })
  const { address } = await ensureIdle((before) => withClient(before, start))
  await staysUpFor('open runs')
  await withClient(address, (client) => client.workflow.getHandle('open').terminate())
  await stopped()
})

test('a schedule keeps everything up until it is paused', async () => {
  const create = (client: Client) =>
    client.schedule.create({
      scheduleId: 'yearly',
      spec: { calendars: [{ month: 'FEBRUARY', dayOfMonth: 29 }] },
      action: { type: 'startWorkflow', workflowType: 'nothing', taskQueue: 'nobody-polls-this' },
    })
  const { address } = await ensureIdle((before) => withClient(before, create))
  await staysUpFor('a schedule that is not paused')
  await withClient(address, (client) => client.schedule.getHandle('yearly').pause())
  await stopped()
})

test('a foreground process keeps everything up until it exits or dies', async () => {
  const script = `
    const { ensureRunning } = await import(${JSON.stringify(`${BUILT}/dev-server/index.js`)})
    const [dirs, env, entries] = ${JSON.stringify([user.dirs, { ...user.env, ...IDLE }, user.entries])}
    await ensureRunning(dirs, { env, entries, foreground: true })
    setInterval(() => undefined, 60_000)`
  const dev = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  await staysUpFor('a process in the foreground')
  dev.kill('SIGKILL')
  await stopped()
})

test.each(['0s', '5'])('an idle time of %s is refused', async (text) => {
  const { dirs, entries, env } = user
  const error = await ensureRunning(dirs, {
    env: { ...env, RATCHET_IDLE_STOP: text },
    entries,
  }).catch((e: unknown) => e)
  expect(error).toMatchObject({
    name: 'LocalStartFailed',
    message: 'the supervisor did not start (code 1)',
  })
  expect((error as { where: string }).where).toContain('RATCHET_IDLE_STOP')
})
