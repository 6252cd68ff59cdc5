// Values that look secret and that the repository itself holds stay readable in what a run stores.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { redactorOf } from '../../../src/activities/host/redact-result.js'
import { reportedEnvironment } from '../../../src/activities/host/run-environment.js'
import type { HostDeps } from '../../../src/activities/host/deps.js'
import { loadConfig } from '../../../src/adapters/config/config.js'
import { freezeConfig } from '../../../src/adapters/config/frozen-config.js'
import { prepareWorkspace } from '../../../src/adapters/workspace/prepare.js'
import { AT, makeRepo, RUN, runGit, tempDirs } from '../../support/repositories/repos.js'

const SHOWN = 'Tr0ub4dor&3x-in-compose'
const OWN = 'Tr0ub4dor&3x-of-the-user'
const FILES = {
  'compose.yml': `POSTGRES_PASSWORD: ${SHOWN}\n`,
  'ratchet.config.json': JSON.stringify({
    agents: { mine: { protocol: 'acp', command: 'mine', passEnv: ['AGENT_KEY'] } },
  }),
  'test_a.py': 'def test_a(): pass\n',
}

async function prepared(
  env: NodeJS.ProcessEnv,
  { uncommitted, partial }: { uncommitted?: string; partial?: true } = {},
): Promise<{
  redacted: (text: string, now?: NodeJS.ProcessEnv) => string
  named: () => string[] | undefined
}> {
  const [project, dirs] = [makeRepo(FILES), tempDirs()]
  if (uncommitted !== undefined) writeFileSync(path.join(project, 'local.env'), uncommitted)
  if (partial) runGit(project, 'config', 'remote.origin.promisor', 'true')
  const loaded = loadConfig(project)
  await freezeConfig(dirs, loaded, project)
  const { workspace } = await prepareWorkspace(
    { dirs },
    { project, name: 'a', run: RUN, chain: 'first', at: AT, config: loaded.config, env },
  )
  const redacted = (text: string, now = env): string =>
    redactorOf({ dirs, project, env: now }, { configHash: loaded.hash, workspace }).text(text)
  const named = (): string[] | undefined => {
    const given = { from: 'command', lost: { missing: [], changed: [] } } as const
    const deps = { dirs, project, env, given } as unknown as HostDeps
    return reportedEnvironment(deps, loaded.config, workspace).env?.redacted
  }
  return { redacted, named }
}

test('a value of a tracked file is no secret; the run names the variables that are', async () => {
  const { redacted, named } = await prepared({ DB_PASSWORD: SHOWN, API_TOKEN: OWN })
  expect(redacted(`logs in with ${SHOWN}`)).toBe(`logs in with ${SHOWN}`)
  expect(redacted(`logs in with ${OWN}`)).toBe('logs in with [redacted:API_TOKEN]')
  expect(named()).toEqual(['API_TOKEN'])
})

test('another value of the same variable is one', async () => {
  const { redacted } = await prepared({ DB_PASSWORD: SHOWN })
  expect(redacted(OWN, { DB_PASSWORD: OWN })).toBe('[redacted:DB_PASSWORD]')
})

test('a file that the user has not committed makes nothing public', async () => {
  const { redacted } = await prepared({ API_TOKEN: OWN }, { uncommitted: `API_TOKEN=${OWN}\n` })
  expect(redacted(OWN)).toBe('[redacted:API_TOKEN]')
})

test('what an agent gets stays secret', async () => {
  const { redacted, named } = await prepared({ AGENT_KEY: SHOWN })
  expect(redacted(SHOWN)).toBe('[redacted:AGENT_KEY]')
  expect(named()).toEqual(['AGENT_KEY'])
})

test('a partial clone is not searched, as that would fetch the rest of it', async () => {
  const { redacted } = await prepared({ DB_PASSWORD: SHOWN }, { partial: true })
  expect(redacted(SHOWN)).toBe('[redacted:DB_PASSWORD]')
})
