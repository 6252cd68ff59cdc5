import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { initialConfig } from '../../../src/core/initial-config.js'

const NPM = { argv: ['npm', 'test'], display: 'npm test' }
const VENV = {
  argv: ['./.venv/bin/python', '-m', 'pytest'],
  display: './.venv/bin/python -m pytest',
}

test.each(
  // prettier-ignore
  [
  { why: 'nothing found', roles: {}, tests: undefined, config: undefined },
  { why: 'one agent, tests', roles: { default: ['codex'] }, tests: NPM, config: { roles: { default: 'codex' }, test: { command: 'npm test' } } },
  { why: 'a chain stays a list', roles: { default: ['claude'], 'cli-planning-agent': ['gemini', 'claude'] }, tests: undefined, config: { roles: { default: 'claude', 'cli-planning-agent': ['gemini', 'claude'] } } },
  { why: 'tests without an agent', roles: {}, tests: NPM, config: { test: { command: 'npm test' } } },
  { why: 'a program of this machine stays out, as it is detected elsewhere', roles: { default: ['codex'] }, tests: VENV, config: { roles: { default: 'codex' } } },
],
)('issue "Detection": init: $why', ({ roles, tests, config }) => {
  const written = initialConfig(roles, tests)
  expect(written).toEqual(config)
  if (written !== undefined) expect(Config.safeParse(written).success).toBe(true)
})
