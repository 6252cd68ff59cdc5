import { expect, test } from 'vitest'
import { choiceText, chooseRoles } from '../../../../src/core/agents/agent-choice.js'
import type { KnownName } from '../../../../src/contract/known-agents.js'

type Row = { why: string; usable: KnownName[]; roles: unknown; text: string }

test.each<Row>(
  // prettier-ignore
  [
  { why: 'none', usable: [], roles: {}, text: '' },
  { why: 'one agent has every role', usable: ['qwen'], roles: { default: ['qwen'] }, text: 'qwen' },
  { why: 'the order does not depend on detection', usable: ['opencode', 'codex', 'claude'], roles: { default: ['claude'], 'cli-planning-agent': ['codex', 'claude'] }, text: 'claude; codex, then claude for cli-planning-agent' },
  { why: 'all five', usable: ['claude', 'codex', 'gemini', 'qwen', 'opencode'], roles: { default: ['claude'], 'cli-planning-agent': ['gemini', 'qwen', 'codex', 'claude'] }, text: 'claude; gemini, then qwen, then codex, then claude for cli-planning-agent' },
  { why: 'the first is among the planners', usable: ['codex', 'gemini'], roles: { default: ['codex'], 'cli-planning-agent': ['gemini', 'codex'] }, text: 'codex; gemini, then codex for cli-planning-agent' },
  { why: 'no planner besides the first', usable: ['claude', 'opencode'], roles: { default: ['claude'] }, text: 'claude' },
],
)('cli-planning-agent: $why', ({ usable, roles, text }) => {
  expect(chooseRoles(usable)).toEqual(roles)
  expect(choiceText(chooseRoles(usable))).toBe(text)
})
