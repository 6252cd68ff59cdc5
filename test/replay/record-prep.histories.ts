// Records one history per path through a preparation against the stub host; see
// record.histories.ts.
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import type { Question } from '../../src/contract/question.js'
import {
  prepHost,
  prepReading,
  SCOPE_QUESTION,
  type PrepHost,
  type PrepScript,
} from '../support/prep/prep-host.js'
import { localEnv } from '../support/servers/temporal.js'
import { quietRuntime, runCycle, type Running } from '../support/servers/workflow-env.js'
import { waitFor } from '../support/wait.js'
import { historyId, isKept, keepHistory } from './keep-history.js'

let env: TestWorkflowEnvironment
beforeAll(async () => {
  quietRuntime()
  env = await localEnv()
})
afterAll(() => env.teardown())

const ASKS: PrepScript = {
  turn: (_turn, call) => (call === 1 ? { read: prepReading({}, [SCOPE_QUESTION]) } : {}),
}
const asked = (run: Running): Promise<Question> =>
  waitFor(async () => (await run.handle.query<Question[]>('questions'))[0], {
    what: 'the question',
    timeoutMs: 20_000,
  })
const atWork = (host: PrepHost): Promise<unknown> =>
  waitFor(() => host.turns.length > 0 || undefined, { what: 'a turn', timeoutMs: 20_000 })

type Path = {
  name: string
  script: PrepScript
  auto?: true
  act?: (run: Running, host: PrepHost) => Promise<unknown>
}

const PATHS: Path[] = [
  { name: 'auto', script: ASKS, auto: true },
  {
    name: 'answered',
    script: ASKS,
    act: async (run) => {
      await asked(run)
      await run.handle.executeUpdate('answer', { args: ['all'] })
    },
  },
  {
    name: 'no-draft',
    script: { turn: () => ({ read: { kind: 'unusable', problem: 'no JSON', form: 'the form' } }) },
  },
  {
    name: 'paused',
    script: { turn: (_turn, call) => ({ waitForCancel: call === 1 }) },
    act: async (run, host) => {
      await atWork(host)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'stopped',
    script: ASKS,
    act: async (run) => {
      await asked(run)
      await run.handle.signal('stop', { reason: 'enough' })
    },
  },
]

for (const { name, script, auto, act } of PATHS) {
  test.skipIf(isKept('prep', name))(`prep ${name}`, async () => {
    const host = prepHost(script)
    const handle = await runCycle(
      env,
      host,
      async (run) => {
        await act?.(run, host)
        await run.result().catch(() => undefined)
        return run.handle
      },
      { project: '/repo', for: 'cycle', task: 'add a cart', auto },
      historyId('prep', name),
      'prep',
    )
    await keepHistory(env, handle, 'prep', name)
  })
}
