// Whole runs whose model provider is unavailable: a protocol error of the scripted agent, and a
// real program with a real port. `limits.unavailable` is a few seconds here, so that its last try
// comes soon. Cycles and loops are in test/runs/spending.test.ts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ModelStub } from '../support/model-stub/stub.js'
import { ANALYSE } from '../support/runs/real-run.js'
import { AWAY, FIX, startOf, waitsForItsProvider } from '../support/runs/spending-runs.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const PROGRAM = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  '../support/agents/asks-model.mjs',
)
/** The analysis runs a program whose model is at this address. */
const asking = (url: string, seconds: number) => ({
  ...AWAY(seconds),
  agents: { model: { protocol: 'exec', command: process.execPath, args: [PROGRAM, url] } },
  roles: { default: 'playbook', 'cli-planning-agent': 'model' },
})

test('fix: waits for a provider that answers 503, continues the session and spends no iteration', () =>
  waitsForItsProvider(user, 'fix'))

test('a program whose model answers 503 ends with an error and runs again', async () => {
  const model = await ModelStub.start(/(ratchet-turn)/g)
  try {
    const say = (ANALYSE.do[0] as { say: string }).say
    model.script('ratchet-turn', [{ fail: { status: 503 }, times: 1 }, { say }])
    const run = await startOf(user, 'fix', 'away-program', FIX, asking(model.url, 4))
    expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(model.calls('ratchet-turn')).toHaveLength(2)
  } finally {
    await model.close()
  }
})

test('a program whose model never answers ends the run as blocked, with the address', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const run = await startOf(user, 'fix', 'away-refused', FIX, asking(`http://127.0.0.1:${port}`, 2))
  const result = await user.finish(run)
  expect(result).toMatchObject({
    outcome: 'blocked',
    iterations: 0,
    reason: expect.stringContaining(
      `model could not reach 127.0.0.1:${port} for 2 s (connection refused), and it has never answered on this machine`,
    ) as string,
  })
  expect(result.history).toHaveLength(1)
})
