// The logic of a preparation on a real Temporal server with a scripted host.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { Question } from '../../../src/contract/question.js'
import { sharedEnv } from '../../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../../support/servers/workflow-env.js'
import {
  prepHost,
  prepReading,
  SCOPE_QUESTION,
  type PrepHost,
} from '../../support/prep/prep-host.js'
import { waitFor } from '../../support/wait.js'

let env: TestWorkflowEnvironment
let n = 0
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
})
afterAll(() => env.teardown())

const INPUT = { project: '/repo', for: 'cycle', task: 'add a cart' }
const AUTO = { ...INPUT, auto: true }
const run = <T>(host: PrepHost, body: (run: Running) => Promise<T>, input: unknown = INPUT) =>
  runCycle(env, host, body, input, `prep-${++n}`, 'prep')
const result = (host: PrepHost, input: unknown) => run(host, (one) => one.result(), input)
const asked = (one: Running) =>
  waitFor(async () => (await one.handle.query<Question[]>('questions'))[0], {
    what: 'a question',
    timeoutMs: 20_000,
  })
const asking = () =>
  prepHost({
    turn: (_turn, call) => (call === 1 ? { read: prepReading({}, [SCOPE_QUESTION]) } : {}),
  })

test('a draft without questions is one turn, and the package is that of its answer', async () => {
  const host = prepHost({ prepared: { sandbox: 'bwrap' } })
  expect(await result(host, INPUT)).toMatchObject({
    kind: 'prep',
    outcome: 'ready',
    status: 'completed',
    branch: null,
    sandbox: 'bwrap',
    package: { for: 'cycle', prep_status: 'ready' },
  })
  expect(host.turns).toMatchObject([
    {
      role: 'requirements-analyst',
      turn: 'work',
      ask: { about: 'prep', asks: true, answers: [] },
      read: { as: 'prep', for: 'cycle' },
    },
  ])
  expect(host.records).toMatchObject([{ draft: { path: '/state/turns/1' }, answers: [] }])
})

test('in auto mode a question is an assumption, which no second turn is bought for', async () => {
  const host = asking()
  expect(await result(host, AUTO)).toMatchObject({ outcome: 'ready', usage: { turns: 1 } })
  expect(host.turns[0]).toMatchObject({ ask: { asks: false } })
  expect(host.records[0]?.answers).toEqual([
    { question: 'Which files?', answer: 'one', by: 'ratchet', about: 'scope' },
  ])
})

test('the answer of a person goes into a second turn of the session', async () => {
  const host = asking()
  await run(host, async (one) => {
    expect(await asked(one)).toMatchObject({ id: 'Q1', kind: 'decision', recommended: 'one' })
    expect(await one.status()).toMatchObject({ phase: 'asking', branch: null })
    await one.handle.executeUpdate('answer', {
      args: [{ questionId: 'Q1', text: 'only the cart' }],
    })
    expect(await one.result()).toMatchObject({ outcome: 'ready' })
  })
  const answers = [
    { question: 'Which files?', answer: 'only the cart', by: 'user', about: 'scope' },
  ]
  expect(host.turns[1]).toMatchObject({ turn: 'clarify', sessionId: 's-1', ask: { answers } })
  expect(host.records).toMatchObject([{ draft: { path: '/state/turns/2' }, answers }])
})

test('an answer that no turn works in leaves the first draft, which is not ready', async () => {
  const host = prepHost({
    turn: (_turn, call) =>
      call === 1
        ? { read: prepReading({}, [SCOPE_QUESTION]) }
        : { outcome: 'failed', reason: 'it broke' },
  })
  await run(host, async (one) => {
    await asked(one)
    await one.handle.executeUpdate('answer', { args: ['all'] })
    expect(await one.result()).toMatchObject({
      outcome: 'needs_refinement',
      reason: expect.stringContaining('the answers are not worked in: one: it broke') as string,
      package: { prep_status: 'needs_refinement' },
    })
  })
  expect(host.records).toMatchObject([{ draft: { path: '/state/turns/1' } }])
})

test('an unclear draft is not ready', async () => {
  const vague = { objective: 0, scope: 1, context: 1, constraints: 1 }
  const host = prepHost({ turn: () => ({ read: prepReading(vague) }) })
  expect(await result(host, AUTO)).toMatchObject({
    outcome: 'needs_refinement',
    reason: expect.stringContaining('the quality is 5 of 10') as string,
  })
})

test('no agent, and an answer without a draft: it fails, and no package is written', async () => {
  const none = prepHost({ prepared: { agents: { 'requirements-analyst': [] } } })
  expect(await result(none, AUTO)).toMatchObject({ outcome: 'failed', recordDir: null })
  const unusable = prepHost({
    turn: () => ({ read: { kind: 'unusable', problem: 'no JSON', form: 'the form' } }),
  })
  expect(await result(unusable, AUTO)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('no JSON') as string,
  })
  expect(unusable.turns.map(({ turn }) => turn)).toEqual(['work', 'retry'])
  expect([...none.records, ...unusable.records].map(({ draft }) => draft)).toEqual([
    undefined,
    undefined,
  ])
})

test.each(['stop', 'cancel'] as const)('%s at a question writes no package', async (how) => {
  const host = asking()
  await run(host, async (one) => {
    await asked(one)
    if (how === 'stop') await one.handle.signal('stop', 'enough')
    else await one.handle.cancel()
    const end = await one.result().catch((error: unknown) => error)
    if (how === 'stop') expect(end).toMatchObject({ outcome: 'stopped', status: 'failed' })
    else expect(end).toBeInstanceOf(Error)
  })
  expect(host.records).toMatchObject([{ result: { outcome: 'stopped' } }])
  expect(host.records[0]?.draft).toBeUndefined()
})

test('a pause holds a turn, which continues in its session; an extension is refused', async () => {
  const host = prepHost({ turn: (_turn, call) => ({ waitForCancel: call === 1 }) })
  await run(host, async (one) => {
    await waitFor(() => host.turns.length === 1 || undefined, {
      what: 'the turn',
      timeoutMs: 20_000,
    })
    await one.handle.signal('pause', { mode: 'now' })
    await one.until('the pause', ({ status }) => status === 'paused')
    await expect(
      one.handle.executeUpdate('extend', { args: [{ task: 'more' }] }),
    ).rejects.toMatchObject({
      cause: { message: expect.stringContaining('takes no further task') as string },
    })
    await one.handle.signal('resume')
    expect(await one.result()).toMatchObject({ outcome: 'ready' })
  })
  expect(new Set(host.turns.map(({ key }) => key)).size).toBe(1)
})

test('a pause at a question says that the run pauses after the answer', async () => {
  await run(asking(), async (one) => {
    await asked(one)
    await one.handle.signal('pause', { mode: 'turn', reason: 'lunch' })
    const { status } = await one.until('the pause', ({ waitingFor }) =>
      /^person: .*; then it pauses \(lunch\)$/.test(waitingFor),
    )
    expect(status).toBe('running')
    await one.handle.signal('stop')
    await one.result()
  })
})

test('a package that cannot be written is tried again', async () => {
  const host = prepHost({ record: (call) => (call === 1 ? 'disk full' : undefined) })
  expect(await result(host, AUTO)).toMatchObject({ outcome: 'ready', package: { for: 'cycle' } })
  expect(host.records).toHaveLength(2)
  expect(host.records[0]).toEqual(host.records[1])
})
