// Dev cycles of a test file, in a namespace of the shared Temporal server, one run at a time
// against a stub host.
import { afterAll, beforeAll } from 'vitest'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { RunResult } from '../../../src/contract/result.js'
import { approvePlan } from '../runs/approving.js'
import { cycleHost, type CycleHost, type CycleScript } from './cycle-host.js'
import { sharedEnv } from '../servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../servers/workflow-env.js'

export const TASK = { project: '/repo', task: 'Add OAuth2 login' }

export type CycleRuns = {
  client: () => TestWorkflowEnvironment['client']
  /**
   * Starts a cycle, runs `body` meanwhile, and ends its worker. The plan of an interactive one is
   * approved before that.
   */
  run: <T>(host: CycleHost, body: (run: Running) => Promise<T>, input?: unknown) => Promise<T>
  /** Runs a script to its end. */
  whole: (script: CycleScript, input?: unknown) => Promise<{ host: CycleHost; result: RunResult }>
}

/** Registers the hooks of the calling test file. */
export function cycleRuns(): CycleRuns {
  let env: TestWorkflowEnvironment
  let n = 0
  beforeAll(async () => {
    quietRuntime()
    env = await sharedEnv()
  })
  afterAll(() => env.teardown())
  const run: CycleRuns['run'] = (host, body, input = TASK) =>
    runCycle(
      env,
      host,
      async (started) => {
        if (isInteractive(input)) await approvePlan(started)
        return body(started)
      },
      input,
      `cycle-v1-${++n}`,
      'dev-cycle',
    )
  return {
    client: () => env.client,
    run,
    async whole(script, input) {
      const host = cycleHost(script)
      return { host, result: await run(host, (r) => r.result(), input) }
    },
  }
}

function isInteractive(input: unknown): boolean {
  return (input as { interactive?: boolean }).interactive === true
}
