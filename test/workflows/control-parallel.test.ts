// Pause, resume and stop with four parallel steps, like the turns of a cycle's agents.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import type { WorkflowHandle } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import {
  DefaultLogger,
  Worker,
  bundleWorkflowCode,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker'
import type { Seen } from '../support/loop/parallel-steps.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { waitFor } from '../support/wait.js'
import { quietRuntime } from '../support/servers/workflow-env.js'

let env: TestWorkflowEnvironment
let workflowBundle: WorkflowBundleWithSourceMap
beforeAll(async () => {
  quietRuntime()
  env = await sharedEnv()
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../support/loop/parallel-steps.ts', import.meta.url)),
    logger: new DefaultLogger('WARN'),
  })
})
afterAll(() => env.teardown())

const NAMES = ['ra', 'ep', 'cd', 'vas']
const begun = ({ notes }: Seen) => notes.filter((note) => note.endsWith(' begins')).length
const has =
  (note: string) =>
  ({ notes }: Seen) =>
    notes.includes(note)

type Steps = {
  send: (signal: string, ...args: unknown[]) => Promise<void>
  endAll: () => Promise<void>
  until: (what: string, is: (seen: Seen) => boolean) => Promise<Seen>
  notes: () => Promise<string[]>
}

/** Four running steps and their controls. */
async function withSteps(body: (steps: Steps) => Promise<void>): Promise<void> {
  const taskQueue = `steps-${Math.random().toString(36).slice(2)}`
  const worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue,
    workflowBundle,
  })
  await worker.runUntil(async () => {
    const handle: WorkflowHandle = await env.client.workflow.start('parallelSteps', {
      workflowId: taskQueue,
      taskQueue,
      args: [NAMES],
    })
    const steps: Steps = {
      send: (signal, ...args) => handle.signal(signal, ...args),
      endAll: async () => {
        for (const name of NAMES) await handle.signal('end', name)
      },
      until: (what, is) =>
        waitFor(
          async () => {
            const seen = await handle.query<Seen>('seen')
            return is(seen) ? seen : undefined
          },
          { what, timeoutMs: 20_000 },
        ),
      notes: async () => (await handle.result()) as string[],
    }
    try {
      await steps.until('four steps', (seen) => begun(seen) === 4)
      await body(steps)
    } finally {
      await handle.terminate().catch(() => undefined) // it has ended, but for a test that failed
    }
  })
}

test('pause: mode now interrupts all four; after one reload each resumes on its own', () =>
  withSteps(async ({ send, endAll, until, notes }) => {
    await send('pause', { mode: 'now' })
    expect(
      await until('the hold', ({ holding, running }) => holding && running === 0),
    ).toMatchObject({ notes: NAMES.map((name) => `${name} begins`) })
    await send('resume')
    const reloading = await until('the reload', has('reload'))
    // No step resumes before the reload has ended
    expect([reloading.holding, begun(reloading)]).toEqual([false, 4])
    await send('end', 'reload')
    await until('eight steps', (seen) => begun(seen) === 8)
    await endAll()
    const all = await notes()
    expect(all.filter((note) => note === 'reload')).toHaveLength(1)
    expect(all.slice(4, 6)).toEqual(['reload', 'reloaded'])
    expect(all.filter((note) => note.endsWith(' continues'))).toHaveLength(4)
  }))

test('pause: mode turn lets each step end and holds it until resume; the configuration is reloaded once', () =>
  withSteps(async ({ send, until, notes }) => {
    await send('pause')
    await send('end', 'ra')
    await until('one held', ({ holding, running }) => holding && running === 3)
    await send('end', 'ep')
    const held = await until('two held', ({ running }) => running === 2)
    expect([held.holding, held.notes.some((note) => note.endsWith(' continues'))]).toEqual([
      true,
      false,
    ])
    await send('resume')
    await until('the reload', has('reload'))
    await send('end', 'cd') // comes to its safe point while the configuration is read again
    await until('three ended', ({ running }) => running === 1)
    expect(
      (await until('the reload', has('reload'))).notes.some((note) => note.endsWith(' continues')),
    ).toBe(false)
    await send('end', 'reload')
    await send('end', 'vas')
    const all = await notes()
    expect(all.filter((note) => note === 'reload')).toHaveLength(1)
    expect(all.filter((note) => note.endsWith(' continues')).sort()).toEqual([
      'cd continues',
      'ep continues',
      'ra continues',
      'vas continues',
    ])
  }))

test('stop: ends all four', () =>
  withSteps(async ({ send, notes }) => {
    await send('stop')
    expect((await notes()).slice(4).sort()).toEqual([
      'cd stops',
      'ep stops',
      'ra stops',
      'vas stops',
    ])
  }))

test('stop: ends held and running steps', () =>
  withSteps(async ({ send, until, notes }) => {
    await send('pause')
    await send('end', 'ra')
    await until('one held', ({ holding }) => holding)
    await send('stop')
    expect((await notes()).slice(4).sort()).toEqual([
      'cd stops',
      'ep stops',
      'ra stops',
      'vas stops',
    ])
  }))

test('a step cancelled by its own scope is not restarted, and the others continue', () =>
  withSteps(async ({ send, until, endAll, notes }) => {
    await send('giveUp', 'cd')
    const seen = await until('its end', has('cd is cancelled'))
    expect([seen.running, begun(seen)]).toEqual([3, 4])
    await endAll()
    expect((await notes()).filter((note) => note.endsWith(' continues')).sort()).toEqual([
      'ep continues',
      'ra continues',
      'vas continues',
    ])
  }))
