// What a script or a command sends to start, extend or resume a cycle or a loop.
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { runHandle } from '../../../src/client/handle.js'
import { callerOf } from '../../support/caller.js'
import { cycleStart, loopStart } from '../../../src/client/starts.js'

const NEW = /^cycle-v1-\d{8}T\d{6}-[0-9a-z]{8}$/

test.each(
  // prettier-ignore
  [
  { why: 'a new cycle gets an id of its own', input: { task: 'add\n a cart' }, id: undefined, workflowId: expect.stringMatching(NEW) as string, summary: 'add a cart' },
  { why: 'or the given one', input: { task: 'add a cart' }, id: 'nightly-1', workflowId: 'nightly-1', summary: 'add a cart' },
  { why: 'a resumed one keeps its id: workflow id = record id', input: { cycleId: 'cycle-v1-a' }, id: undefined, workflowId: 'cycle-v1-a', summary: 'continue cycle-v1-a' },
  { why: 'a long task is cut in the summary alone', input: { task: 'x'.repeat(500) }, id: 'a', workflowId: 'a', summary: expect.stringMatching(/^x{99}/) as string },
],
)('ids: $why', ({ input, id, workflowId, summary }) => {
  const started = cycleStart({ project: '/p', ...input }, id)
  expect(started).toEqual({ workflowId, summary, input: { project: '/p', ...input } })
  expect(Buffer.byteLength(started.summary)).toBeLessThanOrEqual(400)
})

test('two cycles that are started at once have different ids', () => {
  expect(cycleStart({ project: '/p', task: 't' }).workflowId).not.toBe(
    cycleStart({ project: '/p', task: 't' }).workflowId,
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'neither task nor id', input: { project: '/p' }, message: 'Missing cycleId or task' },
  { why: 'both', input: { project: '/p', task: 't', cycleId: 'c' }, message: 'give either a task or a cycleId' },
  { why: 'an extension of nothing', input: { project: '/p', task: 't', extend: 'e' }, message: 'needs the cycleId' },
  { why: 'an id that could leave its directory', input: { project: '/p', task: 't' }, id: '../x', message: 'id: must' },
  { why: 'an unknown key', input: { project: '/p', task: 't', agents: {} }, message: 'agents' },
],
)('arguments: $why is refused', ({ input, id, message }) => {
  expect(() => cycleStart(input, id)).toThrow(
    expect.objectContaining({
      type: 'BadInput',
      message: expect.stringContaining(message) as string,
    }) as Error,
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'iterations, as a number', extension: 3, sent: { iterations: 3, requestId: 'r' } },
  { why: 'a further task', extension: { task: 't' }, sent: { task: 't', requestId: 'r' } },
  { why: 'a further task with its iterations', extension: { task: 't', iterations: 2 }, sent: { task: 't', iterations: 2, requestId: 'r' } },
  { why: 'nothing in particular', extension: undefined, sent: { requestId: 'r' } },
],
)('the extend update carries $why', async ({ extension, sent }) => {
  const calls: unknown[] = []
  const client = {
    workflow: {
      getHandle: () => ({
        executeUpdate: (name: string, { args }: { args: unknown[] }) => {
          calls.push([name, args])
          return Promise.resolve({ maxIterations: 6, enters: 2 })
        },
      }),
    },
  } as unknown as Client
  expect(await runHandle(callerOf(client), 'ID').extend(extension, 'r')).toEqual({
    maxIterations: 6,
    enters: 2,
  })
  expect(calls).toEqual([['extend', [sent]]])
})

test.each(
  // prettier-ignore
  [
  { why: 'a new loop gets an id of its own', input: { task: 'add a cart' }, id: undefined, workflowId: expect.stringMatching(/^loop-b-\d{8}T\d{6}-[0-9a-z]{8}$/) as string, summary: 'add a cart' },
  { why: 'or the given one', input: { task: 'add a cart', mode: 'auto' }, id: 'nightly-1', workflowId: 'nightly-1', summary: 'add a cart' },
  { why: 'a resumed one keeps its id', input: { loopId: 'loop-b-a', mode: 'parallel' }, id: undefined, workflowId: 'loop-b-a', summary: 'continue loop-b-a' },
],
)('ids: $why', ({ input, id, workflowId, summary }) => {
  expect(loopStart({ project: '/p', ...input }, id)).toEqual({
    workflowId,
    summary,
    input: { project: '/p', ...input },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'neither task nor id', input: { project: '/p' }, message: 'Missing loopId or task' },
  { why: 'both', input: { project: '/p', task: 't', loopId: 'l' }, message: 'give either a task or a loopId' },
  { why: 'an unknown mode', input: { project: '/p', task: 't', mode: 'turbo' }, message: 'Invalid mode' },
  { why: 'an id that could leave its directory', input: { project: '/p', task: 't' }, id: '../x', message: 'id: must' },
],
)('arguments: $why is refused', ({ input, id, message }) => {
  expect(() => loopStart(input, id)).toThrow(
    expect.objectContaining({
      type: 'BadInput',
      message: expect.stringContaining(message) as string,
    }) as Error,
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'nothing', request: undefined, sent: [] },
  { why: 'the mode for a resumed loop', request: { mode: 'auto' as const }, sent: [{ mode: 'auto' }] },
],
)('the resume signal carries $why', async ({ request, sent }) => {
  const calls: unknown[] = []
  const client = {
    workflow: {
      getHandle: () => ({
        signal: (...args: unknown[]) => {
          calls.push(args)
          return Promise.resolve()
        },
      }),
    },
  } as unknown as Client
  await runHandle(callerOf(client), 'ID').resume(request)
  expect(calls).toEqual([['resume', ...sent]])
})
