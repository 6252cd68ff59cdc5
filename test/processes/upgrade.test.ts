// After an upgrade, processes of another version are replaced, but never during an open run.
import { readFileSync, writeFileSync } from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { layout } from '../../src/adapters/state-dir.js'
import { localStatus } from '../../src/dev-server/index.js'
import { VERSION } from '../../src/adapters/package.js'
import { localUser, type LocalUser } from '../support/servers/local.js'

let user: LocalUser
beforeEach(() => void (user = localUser()))
afterEach(() => user.remove())

const record = (): { version?: string; identity: { pid: number } } =>
  JSON.parse(readFileSync(layout.supervisor(user.dirs), 'utf8')) as {
    version?: string
    identity: { pid: number }
  }
const pretend = (version: string | undefined): void => {
  const { version: _, ...rest } = record()
  writeFileSync(
    layout.supervisor(user.dirs),
    JSON.stringify({ ...rest, ...(version === undefined ? {} : { version }) }),
  )
}

test.each(['0.0.1', undefined])(
  'the supervisor of this version replaces one of version %s',
  async (version) => {
    await user.ensure()
    const { pid } = record().identity
    pretend(version)
    expect((await localStatus(user.dirs)).problems).toEqual([
      expect.stringContaining(
        `the running processes have version ${version ?? 'unknown'}, this is ${VERSION}`,
      ),
    ])
    await user.ensure()
    expect(record()).toMatchObject({ version: VERSION })
    expect(record().identity.pid).not.toBe(pid)
    expect((await localStatus(user.dirs)).problems).toEqual([])
    await user.ensure()
    expect(user.lives('start', 'workflows')).toHaveLength(2)
  },
)

test('while a run is open the older supervisor stays, with a message', async () => {
  const { address } = await user.ensure()
  const { pid } = record().identity
  const connection = await Connection.connect({ address })
  try {
    await new Client({ connection, namespace: 'ratchet' }).workflow.start('nothing', {
      workflowId: 'open',
      taskQueue: 'nobody-polls-this',
    })
  } finally {
    await connection.close()
  }
  pretend('0.0.1')
  await user.ensure()
  expect(record().identity.pid).toBe(pid)
  expect((await localStatus(user.dirs)).problems.join()).toContain(
    'the next command replaces them once no run is open',
  )
})
