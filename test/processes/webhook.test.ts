// A webhook gets every event of a run once; its token is in nothing that a run stores, including
// the server's database.
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HookEvent, type HookAsked, type HookEnded } from '../../src/contract/hook-event.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { hookServer, type HookServer } from '../support/hooks/hook-server.js'
import { makeProject, realUser, type RealUser } from '../support/runs/real-run.js'
import { filesBelow, FIX } from '../support/runs/told-hooks.js'
import { waitFor } from '../support/wait.js'

const TOKEN = 'hook-token-0123456789'
let user: RealUser
let server: HookServer
beforeAll(async () => {
  server = await hookServer()
  user = await realUser({ HOOK_TOKEN: TOKEN, HOOK_URL: server.url })
})
afterAll(async () => {
  await user.close()
  await server.close()
})

const webhook = (of: string) => ({
  url: `\${HOOK_URL}/${of}`,
  headers: { Authorization: 'Bearer ${HOOK_TOKEN}' },
  passEnv: ['HOOK_TOKEN', 'HOOK_URL'],
})
const posted = (of: string): HookEvent[] =>
  server.heard
    .filter((one) => one.path === `/hook/${of}`)
    .map(({ body }) => HookEvent.parse(JSON.parse(body)))

test('a webhook gets a budget and the end; its token comes from the environment and is in nothing that the run stores', async () => {
  const project = makeProject(user, 'budget', FIX, {
    limits: { maxTurns: 1 },
    hooks: { budget: webhook('budget'), done: webhook('done') },
  })
  const run = await user.fix(project, 'WFS-test-budget')
  const [asked] = await waitFor(
    () => {
      const events = posted('budget') as HookAsked[]
      return events.length > 0 && events
    },
    { what: 'the webhook', timeoutMs: 60_000 },
  )
  expect(asked).toMatchObject({
    event: 'budget',
    question: { id: 'budget-1', options: ['raise', 'stop'] },
    answer: {
      command: `ratchet answer ${run.id} --question budget-1 stop`,
      update: { questionId: 'budget-1', choice: 'stop' },
    },
  })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success' })
  expect([
    posted('budget').length,
    (posted('done') as HookEnded[]).map(({ result }) => result.outcome),
  ]).toEqual([1, ['success']])
  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${TOKEN}`,
    `Bearer ${TOKEN}`,
  ])

  const client = new Client({
    connection: await Connection.connect({ address: recordedServer(user.dirs)?.address ?? '' }),
    namespace: 'ratchet',
  })
  const history = historyToJSON(await client.workflow.getHandle(run.id).fetchHistory())
  expect(history).not.toContain(Buffer.from(TOKEN).toString('base64').slice(2, -4))
  expect(history).not.toContain(TOKEN)
  expect(
    [...filesBelow(user.root)]
      .filter(({ bytes }) => bytes.includes(TOKEN))
      .map(({ file }) => path.relative(user.root, file)),
  ).toEqual([])
})
