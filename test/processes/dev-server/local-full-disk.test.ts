// A full disk under the state directory: running processes continue, failed starts name the reason,
// and everything recovers when there is room again.
import { statfsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identify } from '../../../src/adapters/process/identity.js'
import { localStatus } from '../../../src/dev-server/index.js'
import { fill, mayMount, removeDisk, stateDisk } from '../../support/disk.js'
import { localUser, type LocalUser } from '../../support/servers/local.js'
import { waitFor } from '../../support/wait.js'
import { withClient } from '../../support/with-client.js'

const LONG = { timeoutMs: 60_000 }

const disk = mayMount() ? stateDisk() : undefined
let user: LocalUser
beforeAll(() => {
  if (disk !== undefined) user = localUser({}, disk)
})
afterAll(async () => {
  if (disk === undefined) return
  await user.remove()
  removeDisk(disk)
})

const start = (address: string, workflowId: string) =>
  withClient(address, (client) =>
    client.workflow.start('nothing', { workflowId, taskQueue: 'nobody-polls-this' }),
  )

// A full disk without harm to others needs the right to mount one.
test.skipIf(disk === undefined)(
  'a full disk ends no running process, and processes that died restart when there is room',
  async () => {
    const first = await user.ensure()
    await user.ensureProject(user.project('a'))
    const before = await localStatus(user.dirs)

    const free = fill(user.root)
    expect(statfsSync(user.root).bavail).toBe(0)
    // Either may happen: the database may have spare room
    await start(first.address, 'on-a-full-disk').catch(() => undefined)
    for (const { pid } of before.workers) process.kill(pid, 'SIGKILL')
    const between = await waitFor(
      async () => {
        const now = await localStatus(user.dirs)
        return (
          now.problems.length === 0 &&
          now.workers.length === 2 &&
          now.workers.every(({ pid }) => !before.workers.some((old) => old.pid === pid)) &&
          now
        )
      },
      { ...LONG, what: 'other workers, though no file can name them' },
    )
    expect(between.server).toEqual(before.server)

    process.kill(first.pid, 'SIGKILL')
    await waitFor(
      async () =>
        (await localStatus(user.dirs)).problems.some((problem) =>
          /^the server is waiting: the disk is full; free some space/.test(problem),
        ),
      { ...LONG, what: 'the reason to be told' },
    )
    await expect(user.ensure()).rejects.toMatchObject({
      name: 'LocalStartFailed',
      message: 'nothing can be started: the disk is full',
      next: 'free some space, then try again',
    })
    expect(identify(before.supervisor?.pid ?? 0)).toBeDefined()

    free()
    const after = await waitFor(
      async () => {
        const now = await localStatus(user.dirs)
        return now.problems.length === 0 && now
      },
      { ...LONG, what: 'the server to come back by itself' },
    )
    expect(after.supervisor).toEqual(before.supervisor)
    expect(after.workers.map(({ pid }) => pid)).toEqual(between.workers.map(({ pid }) => pid))
    await start(after.server?.address ?? '', 'with-room-again')
  },
)
