// Which model a session gets: the configured one; else, where a resumed one has lost it, the one
// that the agent reports.
import { expect, test } from 'vitest'
import { chooseIn, type ChoosingAgent } from '../../../../src/adapters/agents/acp/session-choice.js'
import { AgentRefusedError } from '../../../../src/adapters/agents/errors.js'

const OFFERS = {
  configOptions: [
    { id: 'llm', category: 'model', currentValue: 'large', options: [{ value: 'large' }] },
  ],
}

/** The calls of an agent, which may refuse them. */
function agentWith(refuses = false): { agent: ChoosingAgent; calls: string[][] } {
  const calls: string[][] = []
  const answer = (...call: string[]): Promise<unknown> => {
    calls.push(call)
    return refuses
      ? Promise.reject(new AgentRefusedError({ code: -32602, message: 'no' }))
      : Promise.resolve({})
  }
  return {
    calls,
    agent: {
      setMode: (mode) => answer('mode', mode),
      setOption: (id, value) => answer('option', id, value),
      setModel: (model) => answer('model', model),
      starting: (_, given) => given,
    },
  }
}

// prettier-ignore
test.each([
  { why: 'resumed', choice: { repeatsModel: true }, resumed: true, calls: [['option', 'llm', 'large']] },
  { why: 'resumed, and its agent keeps the model', choice: { repeatsModel: false }, resumed: true, calls: [] },
  { why: 'new', choice: { repeatsModel: true }, resumed: false, calls: [] },
  { why: 'resumed, with a configured model', choice: { repeatsModel: true, model: 'small' }, resumed: true, calls: [['option', 'llm', 'small']] },
])('a session that is $why', async ({ choice, resumed, calls: expected }) => {
  const { agent, calls } = agentWith()
  await chooseIn(agent, choice, OFFERS, { resumed })
  expect(calls).toEqual(expected)
})

// prettier-ignore
test.each([
  { why: 'reports no model', session: {}, refuses: false },
  { why: 'reports a model that is no text', session: { configOptions: [{ id: 'model', currentValue: 7 }] }, refuses: false },
  { why: 'refuses its own model', session: OFFERS, refuses: true },
])('an agent that $why works with the one it has', async ({ session, refuses }) => {
  const { agent } = agentWith(refuses)
  await expect(
    chooseIn(agent, { repeatsModel: true }, session, { resumed: true }),
  ).resolves.toBeUndefined()
})
