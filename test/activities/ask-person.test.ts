// The question of an agent to a person, from the turn that waits for the answer.
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { askPerson } from '../../src/activities/ask-person.js'
import type { HostDeps } from '../../src/activities/host/deps.js'
import type { AgentTurnInput } from '../../src/contract/turn-input.js'
import { tempDir } from '../support/repositories/repos.js'

const TURN = {
  run: 'WFS-test-a.aaaaaa',
  key: 'WFS-test-a.aaaaaa/r/fix',
  role: 'test-fix-agent',
  agent: 'codex',
}

test.each([['allow'], ['deny']])(
  'while a person is asked, the turn says so and then only waits, until the answer is %s',
  async (answer) => {
    const told: unknown[] = []
    const executeUpdate = () => {
      told.push('asked')
      return Promise.resolve(answer)
    }
    const client = { workflow: { getHandle: () => ({ executeUpdate }) } } as unknown as Client
    const dir = tempDir()
    const given = await askPerson(
      { dirs: { state: dir, cache: dir }, client } as unknown as HostDeps,
      TURN as unknown as AgentTurnInput,
      { title: 'npm install', kind: 'execute', input: {}, paths: [] },
      {
        signal: new AbortController().signal,
        reason: () => 'stop',
        progress: ({ state }) => void told.push(state),
        waits: (isWaiting) => void told.push(isWaiting),
      },
    )
    expect(given).toBe(answer)
    expect(told).toEqual(['waiting for a person', true, 'asked', false])
  },
)
