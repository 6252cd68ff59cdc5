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

function asking(executeUpdate: () => Promise<string>, signal = new AbortController().signal) {
  const told: unknown[] = []
  const client = { workflow: { getHandle: () => ({ executeUpdate }) } } as unknown as Client
  const dir = tempDir()
  const given = askPerson(
    { dirs: { state: dir, cache: dir }, client } as unknown as HostDeps,
    TURN as unknown as AgentTurnInput,
    { title: 'npm install', kind: 'execute', input: {}, paths: [] },
    {
      signal,
      reason: () => 'stop',
      progress: ({ state }) => void told.push(state),
      waits: (isWaiting) => void told.push(isWaiting),
    },
  )
  return { told, given }
}

test.each([['allow'], ['deny']])(
  'while a person is asked, the turn says so and then only waits, until the answer is %s',
  async (answer) => {
    const { told, given } = asking(() => Promise.resolve(answer))
    expect(await given).toBe(answer)
    expect(told).toEqual(['waiting for a person', true, false])
  },
)

test('a question that is withdrawn by a stop has no answer before the turn is cancelled', async () => {
  const cancel = new AbortController()
  let withdraw = (_: string): void => undefined
  const withdrawn = new Promise<string>((resolve) => (withdraw = resolve))
  const { given } = asking(() => withdrawn, cancel.signal)
  let isAnswered = false
  void given.then(() => (isAnswered = true))
  withdraw('')
  await new Promise(setImmediate)
  expect(isAnswered).toBe(false)
  cancel.abort()
  expect(await given).toBe('deny')
})
