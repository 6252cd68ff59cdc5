// The worker of a project, before it takes its first task.
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import { createProjectWorker } from '../../src/worker/project-worker.js'
import { Bench } from '../support/agents/bench.js'
import { driverProgram } from '../support/agents/driver-program.js'
import { sharedEnv } from '../support/servers/temporal.js'
import { waitFor } from '../support/wait.js'
import { quietRuntime } from '../support/servers/workflow-env.js'

let env: TestWorkflowEnvironment
const program = driverProgram()
let bench: Bench
beforeAll(async () => {
  quietRuntime()
  bench = new Bench(program())
  env = await sharedEnv()
})
afterEach(() => {
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await bench.end()
  await env.teardown()
})

test('ends what the previous worker left running, and sends each heartbeat within 100 ms', async () => {
  const before = bench.process(
    {
      agents: {
        a: {
          protocol: 'acp',
          command: process.execPath,
          args: ['-e', 'setInterval(() => {}, 1_000)'],
        },
      },
    },
    bench.spec(),
    { startMs: 600_000 },
  )
  await waitFor(() => bench.claim()?.process, {
    what: 'the process in the claim',
    timeoutMs: 60_000,
  })
  before.child.kill('SIGKILL')
  await before.result
  expect(findMarked(MARKERS.run, bench.run)).toHaveLength(1)
  for (const [name, dir] of [
    ['STATE', bench.dirs.state],
    ['CACHE', bench.dirs.cache],
  ] as const) {
    const home = path.join(bench.root, `xdg-${name}`)
    for (const one of [home, dir]) mkdirSync(one, { recursive: true })
    symlinkSync(dir, path.join(home, 'ratchet'))
    vi.stubEnv(`XDG_${name}_HOME`, home)
  }
  const { worker } = await createProjectWorker(env.nativeConnection, {
    namespace: env.namespace ?? 'default',
    project: bench.cwd,
  })
  expect(findMarked(MARKERS.run, bench.run)).toEqual([])
  // An agent learns of a stop from the answer to a heartbeat.
  expect(worker.options).toMatchObject({
    maxHeartbeatThrottleInterval: '100ms',
    defaultHeartbeatThrottleInterval: '100ms',
    // A hundred runs that wait leave room for a stop.
    tuner: { activityTaskSlotSupplier: { numSlots: 1_000 } },
  })
  await worker.runUntil(Promise.resolve())
})
