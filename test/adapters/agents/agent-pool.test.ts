// Processes of agents that are kept for a follow-up, without an agent.
import { expect, test, vi, type Mock } from 'vitest'
import { AgentPool, type Kept } from '../../../src/adapters/agents/agent-pool.js'
import { PlaybookAgent } from '../../../src/contract/config/agent-config.js'
import type { OpenAgent } from '../../../src/adapters/agents/agent-port.js'
import { self } from '../../../src/adapters/process/identity.js'

const AGENT = {
  name: 'a',
  definition: PlaybookAgent.parse({ protocol: 'playbook' }),
  env: { KEY: 'of the run' },
}

function kept(cwd: string, sessionId: string): Kept & { close: Mock } {
  const close = vi.fn(() => Promise.resolve())
  const exited = new Promise<never>(() => undefined)
  const agent = { sessionId, identity: self(), exited, close } as unknown as OpenAgent
  return {
    agent,
    close,
    ...AGENT,
    cwd,
    run: cwd,
    release: vi.fn(() => Promise.resolve()),
    onLeft: vi.fn(),
  }
}

test('agents that count their sessions from 1: a run gets the process of its own directory', async () => {
  const pool = new AgentPool()
  const [one, two] = [kept('/w/one', 'session-1'), kept('/w/two', 'session-1')]
  pool.put(one, 60_000)
  pool.put(two, 60_000)
  expect(pool.take('/w/three', 'session-1', AGENT)).toBeUndefined()
  expect(pool.take('/w/one', 'session-1', { ...AGENT, name: 'another' })).toBeUndefined()
  expect(pool.take('/w/one', 'session-1', { ...AGENT, env: { KEY: 'other' } })).toBeUndefined()
  expect(pool.take('/w/one', 'session-1', AGENT)?.agent).toBe(one.agent)
  expect(pool.take('/w/one', 'session-1', AGENT)).toBeUndefined()
  await pool.free('/w/two', 'session-1')
  expect(two.close).toHaveBeenCalledOnce()
  expect(two.release).toHaveBeenCalledOnce()
  expect(one.close).not.toHaveBeenCalled()
})
