// What another user of this machine can do through the server's port, and that all of it is refused
// on a private server. The workers and the user's client are the real ones.
import type { Payload } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MAIN_QUEUE, UPDATES } from '../../src/contract/names.js'
import { startPurpose } from '../../src/core/signing/signed-purpose.js'
import { SIGNED_MARK } from '../../src/core/signing/signed-value.js'
import {
  asking,
  newId,
  ownRun,
  portUser,
  QUESTION,
  type PortUser,
} from '../support/hosts/port-user.js'
import { asPayload, scheduleAs, stealTask } from '../support/hosts/stranger.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { quietRuntime } from '../support/servers/workflow-env.js'
import { waitFor } from '../support/wait.js'

let server: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  server = await sharedEnv()
})
afterAll(() => server.teardown())

const REFUSED = {
  type: 'BadInput',
  message: expect.stringMatching(/not signed|copy/) as unknown,
}

/** Starts a run with payloads as they are, and returns its end, or `ran` once its tests run. */
async function startRaw(user: PortUser, workflowId: string, payloads: Payload[]): Promise<unknown> {
  const { workflowService } = server.connection
  await workflowService.startWorkflowExecution({
    namespace: server.namespace,
    workflowId,
    workflowType: { name: 'testFixCycle' },
    taskQueue: { name: MAIN_QUEUE },
    input: { payloads },
    requestId: workflowId,
  })
  const handle = server.client.workflow.getHandle(workflowId)
  const end = handle.result().then(
    () => 'ended',
    (error: unknown) => (error as { cause?: unknown }).cause,
  )
  const ran = waitFor(user.ran, { what: 'the tests', timeoutMs: 30_000 }).then(
    () => 'ran',
    () => 'nothing',
  )
  const outcome = await Promise.race([end, ran])
  if (outcome === 'ran') await handle.terminate()
  return outcome
}

/** The payloads with which a run was started. */
async function startOf(id: string): Promise<Payload[]> {
  const { events } = await server.client.workflow.getHandle(id).fetchHistory()
  return events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
}

const update = async (id: string, name: string, payload: Payload): Promise<unknown> => {
  const reply = await server.connection.workflowService.updateWorkflowExecution({
    namespace: server.namespace,
    workflowExecution: { workflowId: id },
    waitPolicy: { lifecycleStage: 3 },
    request: {
      meta: { updateId: newId(), identity: 'a stranger' },
      input: { name, args: { payloads: [payload] } },
    },
  })
  const { failure, success } = reply.outcome ?? {}
  return failure == null
    ? success && 'accepted'
    : { type: failure.applicationFailureInfo?.type, message: failure.message }
}

/** The input that prepares the workspace of a run. */
const prepared = ({ project }: PortUser, run: string): object => ({
  run,
  project,
  session: 'WFS-test-x',
  chain: 'x',
  at: 1,
  open: { generateTests: false },
})

describe.each([
  { kind: 'open to every user', isPrivate: false },
  { kind: 'private', isPrivate: true },
])('on a server that is $kind', ({ isPrivate }) => {
  const works = isPrivate ? 'is refused' : 'works'
  const expected = (outcome: unknown): unknown =>
    isPrivate ? (expect.objectContaining(REFUSED) as unknown) : outcome

  const says: unknown = isPrivate
    ? expect.stringMatching(/^BadInput: the input of prepareRun is not signed/)
    : ': '
  const scheduled = { completed: !isPrivate, says }

  test(`a run started by a client of another user ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    await user.workflows()
    const input = asPayload({ project: user.project })
    expect(await startRaw(user, newId(), [input])).toEqual(expected('ran'))
    expect(user.ran()).toBe(!isPrivate)
  })

  test(`a copy of the user's start under another workflow id ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    const own = newId()
    await user.ratchet.startTestFix({ project: user.project }, undefined, own)
    const copied = await startOf(own)
    await server.client.workflow.getHandle(own).terminate()
    await user.workflows()
    expect(await startRaw(user, newId(), copied)).toEqual(expected('ran'))
    expect(user.ran()).toBe(!isPrivate)
  })

  test(`an activity of another user's workflow ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    const as = newId()
    const wanted = { name: 'prepareRun', queue: user.queue, input: asPayload(prepared(user, as)) }
    expect(await scheduleAs(server, as, wanted)).toEqual(scheduled)
  })

  test(`an activity scheduled by a stolen task of the user's run ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    const id = newId()
    const taskQueue = `stolen-${id}`
    const start = { taskQueue, workflowId: id, args: [{ project: user.project }] }
    const handle = await user.ratchet.client.workflow.start('testFixCycle', start)
    onTestFinished(async () => void (await handle.terminate()))
    const wanted = { name: 'prepareRun', queue: user.queue, input: asPayload(prepared(user, id)) }
    expect(await stealTask(server, taskQueue, wanted)).toEqual(scheduled)
  })

  test(`an extension by another user ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    const id = await ownRun(user)
    expect(await update(id, 'extend', asPayload({ iterations: 2 }))).toEqual(expected('accepted'))
    expect((await user.ratchet.attach(id).status()).maxIterations).toBe(isPrivate ? 5 : 7)
  })

  test(`an answer by another user ${works}`, async () => {
    const user = await portUser(server, isPrivate)
    const id = await asking(user)
    expect(await update(id, 'answer', asPayload({ choice: 'allow' }))).toEqual(expected('accepted'))
    expect(await user.ratchet.attach(id).questions()).toHaveLength(isPrivate ? 1 : 0)
  })
})

describe('on a private server', () => {
  test('a copy of an answer of the user answers no other question', async () => {
    const user = await portUser(server, true)
    const id = await asking(user)
    await user.ratchet.attach(id).answer('allow')
    const { events } = await server.client.workflow.getHandle(id).fetchHistory()
    const requests = (events ?? []).map(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest,
    )
    const copied = requests.find((one) => one?.input?.name === 'answer')?.input?.args?.payloads?.[0]
    const handle = user.ratchet.client.workflow.getHandle(id)
    const next = { ...QUESTION, id: 'permission-2' }
    await handle.startUpdate(UPDATES.ask, { args: [next], waitForStage: 'ACCEPTED' })
    expect(await update(id, 'answer', copied ?? {})).toMatchObject(REFUSED)
    expect(await user.ratchet.attach(id).questions()).toHaveLength(1)
  })

  test('the mark of a checked signature, written by hand, counts as none', async () => {
    const user = await portUser(server, true)
    await user.workflows()
    const value = { project: user.project }
    const forged = asPayload({ [SIGNED_MARK]: startPurpose(Date.now()), value })
    expect(await startRaw(user, newId(), [forged])).toMatchObject({ type: 'BadInput' })
    const id = await ownRun(user)
    const extend = { [SIGNED_MARK]: `update extend ${Date.now()} x`, value: { iterations: 2 } }
    expect(await update(id, 'extend', asPayload(extend))).toMatchObject({ type: 'BadInput' })
  })

  test('a signed input of an activity is good for that activity only', async () => {
    const user = await portUser(server, true)
    const id = await ownRun(user)
    const { events } = await server.client.workflow.getHandle(id).fetchHistory()
    const prepared = (events ?? [])
      .map((event) => event.activityTaskScheduledEventAttributes)
      .find((one) => one?.activityType?.name === 'prepareRun')
    const input = prepared?.input?.payloads?.[0] ?? {}
    expect(Object.keys(input.metadata ?? {})).toContain('ratchet-signature')
    const wanted = { name: 'prepareRun', queue: user.queue, input, activityId: 'another' }
    expect(await scheduleAs(server, newId(), wanted)).toMatchObject({
      completed: false,
      says: expect.stringMatching(/^BadInput: the input of prepareRun is not signed/) as unknown,
    })
  })
})
