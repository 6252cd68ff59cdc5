import { expect, test } from 'vitest'
import { agentsAtWork } from '../../../../src/core/run/at-work.js'

test.each(
  // prettier-ignore
  [
  { why: 'one',                        turns: ['code-developer (codex), iteration 2'], says: 'agent: code-developer (codex), iteration 2' },
  { why: 'several of one agent',       turns: ['requirements-analyst (codex), iteration 2, feedback', 'code-developer (codex), iteration 2, feedback'], says: 'agents: requirements-analyst, code-developer (codex), iteration 2, feedback' },
  { why: 'several agents',             turns: ['requirements-analyst (codex), iteration 2', 'code-developer (gemini), iteration 2'], says: 'agents: requirements-analyst (codex), code-developer (gemini), iteration 2' },
  { why: 'turns of different kinds',   turns: ['requirements-analyst (codex), iteration 2, converge', 'code-developer (codex), iteration 2'], says: 'agents: requirements-analyst (codex), iteration 2, converge; code-developer (codex), iteration 2' },
  { why: 'what is no summary',         turns: ['a', 'b'], says: 'agents: a; b' },
],
)('waitingFor: $why', ({ turns, says }) => expect(agentsAtWork(turns)).toBe(says))
