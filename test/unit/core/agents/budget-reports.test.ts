import { expect, test } from 'vitest'
import { Config, agentDefinition } from '../../../../src/contract/config/config.js'
import {
  budgetProblem,
  reportsCost,
  usageReport,
} from '../../../../src/core/agents/budget-reports.js'

const LIMITS = { maxTurns: 0, maxTokens: 0, maxCostUsd: 0, maxMinutes: 0 }
const [tells, silent, other, foreign] = [
  { agent: 'claude', cost: true },
  { agent: 'codex', cost: false },
  { agent: 'gemini', cost: false },
  { agent: 'mine', cost: undefined },
]
const some = { agent: 'opencode', cost: true, tokensOfLastCall: true }
const TOKENS_ALONE = {
  refused: false,
  next: 'set limits.maxCostUsd, limits.maxTurns or limits.maxMinutes too',
}
const ALONE = 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too'

test.each([
  { why: 'no budget', limits: {}, agents: [silent], problem: undefined },
  { why: 'a budget in tokens', limits: { maxTokens: 1 }, agents: [silent], problem: undefined },
  {
    why: 'tokens alone, and one tells those of the last call',
    limits: { maxTokens: 1 },
    agents: [tells, some],
    problem: {
      ...TOKENS_ALONE,
      message:
        "limits.maxTokens is the only budget, and opencode reports the tokens of a turn's last model call only: more is spent than is counted",
    },
  },
  {
    why: 'tokens alone, and two do',
    limits: { maxTokens: 1 },
    agents: [some, { ...some, agent: 'fast' }],
    problem: {
      ...TOKENS_ALONE,
      message:
        "limits.maxTokens is the only budget, and opencode and fast report the tokens of a turn's last model call only: more is spent than is counted",
    },
  },
  ...(['maxTurns', 'maxMinutes', 'maxCostUsd'] as const).map((name) => ({
    why: `tokens and ${name}, and one tells those of the last call`,
    limits: { maxTokens: 1, [name]: 1 },
    agents: [some],
    problem: undefined,
  })),
  { why: 'money, and all tell', limits: { maxCostUsd: 5 }, agents: [tells], problem: undefined },
  {
    why: 'money alone, and one does not tell',
    limits: { maxCostUsd: 5 },
    agents: [tells, silent],
    problem: {
      refused: true,
      next: ALONE,
      message:
        'limits.maxCostUsd is the only budget, and codex reports no cost: it would never be reached',
    },
  },
  {
    why: 'money alone, and two do not tell',
    limits: { maxCostUsd: 5 },
    agents: [silent, other],
    problem: {
      refused: true,
      next: ALONE,
      message:
        'limits.maxCostUsd is the only budget, and codex and gemini report no cost: it would never be reached',
    },
  },
  ...(['maxTurns', 'maxTokens', 'maxMinutes'] as const).map((name) => ({
    why: `money and ${name}, and one does not tell`,
    limits: { maxCostUsd: 5, [name]: 1 },
    agents: [silent],
    problem: {
      refused: false,
      next: '',
      message:
        'what codex costs is not reported and does not count towards limits.maxCostUsd; the other limits count it',
    },
  })),
  {
    why: 'money alone, of an agent whose cost report is unknown',
    limits: { maxCostUsd: 5 },
    agents: [foreign],
    problem: {
      refused: false,
      next: ALONE,
      message:
        'whether mine reports its cost is not known; what is not reported does not count towards limits.maxCostUsd',
    },
  },
  {
    why: 'money and turns, of an agent whose cost report is unknown',
    limits: { maxCostUsd: 5, maxTurns: 9 },
    agents: [foreign],
    problem: { refused: false, next: '' },
  },
])('$why', ({ limits, agents, problem }) => {
  const found = budgetProblem({ ...LIMITS, ...limits }, agents)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(problem)
})

test.each([
  { agent: 'claude', cost: true },
  { agent: 'codex', cost: false },
  { agent: 'fast', cost: false },
  { agent: 'opencode', cost: true },
  { agent: 'playbook', cost: true },
  { agent: 'mine', cost: undefined },
  { agent: 'one-shot', cost: false },
  { agent: 'one-shot-json', cost: undefined },
])('$agent reports its cost: $cost', ({ agent, cost }) => {
  const config = Config.parse({
    agents: {
      fast: { extends: 'codex', model: 'small' },
      mine: { protocol: 'acp', command: 'mine' },
      'one-shot': { protocol: 'exec', command: 'tool' },
      'one-shot-json': { protocol: 'exec', command: 'tool', output: 'stream-json' },
    },
  })
  const definition = agentDefinition(config, agent)
  if (definition === undefined) throw new Error(`no definition of ${agent}`)
  expect(reportsCost(definition)).toBe(cost)
})

test.each([
  { agent: 'opencode', some: true },
  { agent: 'quick', some: true },
  { agent: 'claude', some: false },
  { agent: 'one-shot', some: false },
])(
  'docs/agents-measured.md 5: $agent reports the tokens of a last call only: $some',
  ({ agent, some }) => {
    const config = Config.parse({
      agents: {
        quick: { extends: 'opencode', model: 'small' },
        'one-shot': { protocol: 'exec', command: 'opencode' },
      },
    })
    const definition = agentDefinition(config, agent)
    if (definition === undefined) throw new Error(`no definition of ${agent}`)
    expect(usageReport(agent, definition)).toMatchObject({ agent, tokensOfLastCall: some })
  },
)
