// The configuration of a run without roles, and with a budget that cannot be kept.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Config, agentsFor } from '../../../src/contract/config/config.js'
import { loadConfig } from '../../../src/adapters/config/config.js'
import {
  ROLES_OF_FIX,
  configBudgetProblem,
  runConfig,
} from '../../../src/adapters/config/run-config.js'

/** A project, and a PATH with these programs and nothing else. */
function host(programs: string[], env: NodeJS.ProcessEnv = {}, config?: unknown) {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-found-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [project, bin] = [path.join(root, 'project'), path.join(root, 'bin')]
  for (const dir of [project, bin]) mkdirSync(dir)
  for (const name of programs) writeFileSync(path.join(bin, name), '#!/bin/sh\n', { mode: 0o755 })
  if (config !== undefined)
    writeFileSync(path.join(project, 'ratchet.config.json'), JSON.stringify(config))
  return { project, env: { PATH: bin, HOME: root, ...env } }
}

const [GEMINI, BOTH] = [['gemini'], ['gemini', 'codex-acp']]
const KEYS = { GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o' }

test.each(
  // prettier-ignore
  [
  { why: 'no configuration', programs: BOTH, env: KEYS, config: undefined, planner: ['gemini', 'codex'], fixer: ['codex'] },
  { why: 'one that names no role', programs: BOTH, env: KEYS, config: { timezone: '+01:00' }, planner: ['gemini', 'codex'], fixer: ['codex'] },
  { why: 'one that names a role', programs: BOTH, env: KEYS, config: { roles: { 'test-fix-agent': 'qwen' } }, planner: [], fixer: ['qwen'] },
  { why: 'an agent that is not logged in', programs: BOTH, env: { GEMINI_API_KEY: 'g' }, config: undefined, planner: ['gemini'], fixer: ['gemini'] },
  { why: 'no agent', programs: [], env: KEYS, config: undefined, planner: [], fixer: [] },
  { why: 'an entry that names another program', programs: GEMINI, env: KEYS, config: { agents: { gemini: { command: 'not-here' } } }, planner: [], fixer: [] },
  { why: 'an entry that sets the key', programs: GEMINI, env: {}, config: { agents: { gemini: { env: { GEMINI_API_KEY: 'in-config' } } } }, planner: ['gemini'], fixer: ['gemini'] },
  { why: 'another agent of a known name', programs: ['mine'], env: {}, config: { agents: { qwen: { protocol: 'acp', command: 'mine' } } }, planner: ['qwen'], fixer: ['qwen'] },
],
)(
  'issue "Detection": $why: the agent for fixes is $fixer',
  ({ programs, env, config, planner, fixer }) => {
    const place = host(programs, env, config)
    const { config: used } = runConfig(place.project, place.env, ROLES_OF_FIX)
    expect(agentsFor(used, 'cli-planning-agent')).toEqual(planner)
    expect(agentsFor(used, 'test-fix-agent')).toEqual(fixer)
  },
)

test('detected agents change the hash, so that a run keeps them', () => {
  const none = host([])
  const one = host(GEMINI, KEYS)
  expect(runConfig(none.project, none.env, ROLES_OF_FIX).hash).toBe(loadConfig(none.project).hash)
  expect(runConfig(one.project, one.env, ROLES_OF_FIX).hash).not.toBe(loadConfig(one.project).hash)
})

test.each(
  // prettier-ignore
  [
  { why: 'the only budget, and an agent of the run reports no cost', limits: { maxCostUsd: 5 }, roles: { default: 'codex' }, refused: true },
  { why: 'the second of a chain counts too', limits: { maxCostUsd: 5 }, roles: { default: ['claude', 'gemini'] }, refused: true },
  { why: 'agents of other kinds of run do not', limits: { maxCostUsd: 5 }, roles: { default: 'claude', 'loop-debug': 'codex' }, refused: undefined },
  { why: 'with turns', limits: { maxCostUsd: 5, maxTurns: 9 }, roles: { default: 'codex' }, refused: false },
  { why: 'all agents report costs', limits: { maxCostUsd: 5 }, roles: { default: 'claude' }, refused: undefined },
],
)('money: $why', ({ limits, roles, refused }) => {
  expect(configBudgetProblem(Config.parse({ limits, roles }), ROLES_OF_FIX)?.refused).toBe(refused)
})

test('a run with a budget that would never be reached is refused, and one that is kept in part says so', () => {
  const refused = host(['codex-acp'], KEYS, { limits: { maxCostUsd: 5 } })
  expect(() => runConfig(refused.project, refused.env, ROLES_OF_FIX)).toThrow(
    expect.objectContaining({
      name: 'RefusalError',
      type: 'BadConfig',
      next: 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too',
      where: expect.stringContaining('ratchet.config.json') as unknown,
    }) as Error,
  )
  const partly = host(['codex-acp'], KEYS, { limits: { maxCostUsd: 5, maxTurns: 9 } })
  expect(runConfig(partly.project, partly.env, ROLES_OF_FIX).warnings).toEqual([
    'what codex costs is not reported and does not count towards limits.maxCostUsd; the other limits count it',
  ])
})
