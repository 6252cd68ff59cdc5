// Records one history per path through the test-fix cycle, every link of its chain, against the stub
// host. A history that is kept already stays as it is: a changed workflow needs `patched` and a new name.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, test } from 'vitest'
import { stubHost } from '../support/stub-host.js'
import type { Script } from '../support/stub-host.js'
import { localEnv } from '../support/temporal.js'
import { measured, notStarted } from '../support/test-runs.js'
import { quietRuntime, runCycle } from '../support/workflow-env.js'
import type { Running } from '../support/workflow-env.js'

const DIRECTORY = fileURLToPath(new URL('histories', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const GREEN = [measured(3, 5), measured(5, 5), measured(5, 5)]

let env: TestWorkflowEnvironment
beforeAll(async () => { quietRuntime(); env = await localEnv() })
afterAll(() => env.teardown())

type Path = { name: string; script: Script; input?: unknown; act?: (run: Running, turns: () => number) => Promise<unknown> }
const firstTurn = (run: Running, turns: () => number) => run.until('the first turn', () => turns() === 1)

const PATHS: Path[] = [
  { name: 'happy', script: { runs: [measured(3, 5), measured(4, 5), measured(5, 5), measured(5, 5)] } },
  { name: 'green-at-once', script: { runs: [measured(5, 5)] } },
  { name: 'budget-spent', script: { runs: [measured(3, 5)] }, input: { project: '/repo', maxIterations: 2 } },
  { name: 'rolled-back', script: { runs: [measured(8, 10), measured(5, 10), measured(10, 10), measured(10, 10)] } },
  { name: 'suite-not-started', script: { runs: [notStarted(), measured(5, 5), measured(5, 5)] } },
  { name: 'no-change', script: { runs: GREEN, emptyFixes: [1] } },
  { name: 'no-agent', script: { runs: [measured(3, 5)], prepared: { agents: { 'cli-planning-agent': [], 'test-fix-agent': [] } } } },
  { name: 'agent-crashed', script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { outcome: 'failed', reason: 'exited with code 1', crashes: 3 } : {}) } },
  { name: 'worker-lost', script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { fail: 'broken' } : {}) } },
  { name: 'agent-failed', script: { runs: [measured(3, 5)], turn: () => ({ outcome: 'failed', reason: 'no credentials' }) } },
  { name: 'converged', script: { runs: GREEN, turn: (t) => (t.turn === 'work' ? { outcome: 'timed_out' } : {}) } },
  { name: 'flaky', script: { runs: [measured(5, 5, { flaky: 1, flakyTests: ['a'] })] } },
  { name: 'bad-input', script: { runs: [] }, input: { project: 'relative' } },
  {
    name: 'paused', script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { waitForCancel: true } : {}) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.signal('pause', { mode: 'now', reason: 'night' })
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
  {
    name: 'stopped', script: { runs: GREEN, turn: () => ({ waitForCancel: true }) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.signal('stop', { reason: 'enough' })
    },
  },
  {
    name: 'cancelled', script: { runs: GREEN, turn: () => ({ waitForCancel: true }) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      await run.handle.cancel()
    },
  },
  {
    name: 'asked-and-extended', script: { runs: GREEN, turn: (_t, call) => (call === 1 ? { waitForCancel: true } : {}) },
    act: async (run, turns) => {
      await firstTurn(run, turns)
      const question = { id: 'q-1', kind: 'permission', text: 'run it?', options: ['allow', 'deny'], recommended: 'deny', askedAt: 0 }
      const asked = await run.handle.startUpdate('ratchetAsk', { args: [question], waitForStage: 'ACCEPTED' })
      await run.handle.executeUpdate('answer', { args: [{ questionId: 'q-1', choice: 'allow', requestId: 'r-1' }] })
      await asked.result()
      await run.handle.executeUpdate('extend', { args: [{ iterations: 1 }] })
      await run.handle.signal('pause', 'now')
      await run.until('the pause', (s) => s.status === 'paused')
      await run.handle.signal('resume')
    },
  },
]

test.each(PATHS)('$name', async ({ name, script, input, act }) => {
  if (existsSync(file(name, 1))) return
  const host = stubHost(script)
  await runCycle(env, host, async (run) => {
    await act?.(run, () => host.turns.length)
    await run.result().catch(() => undefined)
    let runId: string | undefined = run.handle.firstExecutionRunId
    for (let link = 1; runId !== undefined; link++) {
      const history = await env.client.workflow.getHandle(run.handle.workflowId, runId).fetchHistory()
      // Names of this machine have no place in a kept file.
      const json = historyToJSON(history).replaceAll(ROOT, '/ratchet').replaceAll(`@${os.hostname()}`, '@host')
      mkdirSync(DIRECTORY, { recursive: true })
      writeFileSync(file(name, link), `${json}\n`, { flag: 'wx' })
      runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined
    }
  }, input ?? { project: '/repo' }, `WFS-test-${name}.abc123`)
})

function file(name: string, link: number): string {
  return path.join(DIRECTORY, `test-fix.${name}.${link}.json`)
}
