// A project without a configured agent: the host decides at the start of a run, and again after a
// pause.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import { createAgentDriver } from '../../src/adapters/agents/driver.js'
import { frozenConfig } from '../../src/adapters/config/frozen-config.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { Prepared } from '../../src/contract/test-fix/test-fix-state.js'
import { activityOf } from '../support/hosts/activity-run.js'
import { AT, makeRepo, SAMPLE, tempDirs } from '../support/repositories/repos.js'

/** The activities of a host whose PATH has this program, and whose worker has its key. */
function host(program: string, keys: NodeJS.ProcessEnv) {
  const [project, dirs] = [makeRepo(SAMPLE), tempDirs()]
  const [key, bin] = [projectKey(project), path.join(dirs.state, 'bin')]
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, program), '#!/bin/sh\n', { mode: 0o755 })
  const env = { ...process.env, HOME: dirs.state, PATH: `${bin}:/usr/bin:/bin`, ...keys }
  const client = {
    workflow: {
      getHandle: () => ({ describe: () => Promise.resolve({ status: { name: 'FAILED' } }) }),
    },
  } as unknown as Client
  const activities = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env,
    client,
    inFlight: inFlightOf(dirs, key),
    agents: createAgentDriver({ dirs, changedFiles: () => Promise.resolve([]) }),
  })
  const config = (value: unknown) =>
    writeFileSync(path.join(project, 'ratchet.config.json'), JSON.stringify(value))
  const input = {
    run: `WFS-test-login.${key.slice(0, 6)}`,
    chain: 'first',
    project,
    session: 'WFS-test-login',
    at: AT,
    open: { generateTests: false },
  }
  return {
    dirs,
    project,
    config,
    prepare: (): Promise<Prepared> => activityOf(input.run).run(activities.prepareRun, input),
    reload: (prepared: Prepared) =>
      activityOf(input.run).run(activities.reloadConfig, { workspace: prepared.workspace }),
  }
}

const ROLES = ['cli-planning-agent', 'test-fix-agent', 'code-developer']

test('history gets names only, the frozen configuration the roles; a pause does not lose them', async () => {
  const { dirs, project, prepare, reload } = host('qwen', { OPENAI_API_KEY: 'sk-not-a-real-key' })
  const prepared = await prepare()
  const agents = Object.fromEntries(ROLES.map((role) => [role, ['qwen']]))
  expect(prepared.agents).toEqual(agents)
  expect(frozenConfig(dirs, prepared.configHash, project).roles).toEqual({ default: ['qwen'] })
  expect(await reload(prepared)).toMatchObject({ agents, configHash: prepared.configHash })
  expect(JSON.stringify(prepared)).not.toContain('sk-not-a-real-key')
})

test('a budget in money that the found agent does not report is refused at the start, and is a warning after a pause', async () => {
  const { config, prepare, reload } = host('qwen', { OPENAI_API_KEY: 'sk-not-a-real-key' })
  config({ limits: { maxCostUsd: 5 } })
  await expect(prepare()).rejects.toMatchObject({
    type: 'BadConfig',
    nonRetryable: true,
    message: expect.stringContaining('qwen reports no cost') as unknown,
  })
  config({ limits: { maxCostUsd: 5, maxTurns: 3 } })
  const prepared = await prepare()
  expect(prepared.warnings).toEqual([expect.stringContaining('qwen costs is not reported')])
  config({ limits: { maxCostUsd: 5 } })
  expect(await reload(prepared)).toMatchObject({
    problem: expect.stringContaining('qwen reports no cost') as unknown,
  })
})
