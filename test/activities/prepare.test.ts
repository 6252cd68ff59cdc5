// The activity that prepares a run: a refusal leaves nothing behind, so the same command works once
// the cause is fixed.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import { createAgentDriver } from '../../src/adapters/agents/driver.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { Prepared } from '../../src/contract/test-fix/test-fix-state.js'
import type { PrepareInput } from '../../src/contract/test-fix/test-fix-step.js'
import { activityOf } from '../support/hosts/activity-run.js'
import {
  AT,
  makeRepo,
  refs,
  runGit,
  SAMPLE,
  tempDirs,
  writeFiles,
  type Files,
} from '../support/repositories/repos.js'

type Host = {
  project: string
  prepare: (input?: Partial<PrepareInput>) => Promise<Prepared>
  left: () => unknown
}

function host(files: Files): Host {
  const [project, dirs] = [makeRepo(files), tempDirs()]
  const key = projectKey(project)
  const client = {
    workflow: {
      getHandle: () => ({ describe: () => Promise.resolve({ status: { name: 'FAILED' } }) }),
    },
  } as unknown as Client
  const { prepareRun } = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env: process.env,
    client,
    inFlight: inFlightOf(dirs, key),
    agents: createAgentDriver({ dirs, changedFiles: () => Promise.resolve([]) }),
  })
  const run = `WFS-test-login.${key.slice(0, 6)}`
  const workspaces = path.join(dirs.state, 'workspaces', key)
  return {
    project,
    prepare: (input) =>
      activityOf(run).run(prepareRun, {
        run,
        chain: 'first',
        project,
        session: 'WFS-test-login',
        at: AT,
        open: { generateTests: false },
        ...input,
      }),
    left: () => ({
      refs: refs(project),
      record: existsSync(path.join(project, '.workflow')),
      workspaces: existsSync(workspaces) ? readdirSync(workspaces) : [],
    }),
  }
}

const config = (project: string, value: unknown) =>
  writeFileSync(path.join(project, 'ratchet.config.json'), JSON.stringify(value))

test.each(
  // prettier-ignore
  [
  { why: 'a set-up command that fails', config: { workspace: { setup: ['false'] } }, type: 'SetupFailed' },
  { why: 'a test command that is not recognised', config: { test: { command: 'make test' } }, type: 'NoTestCommand' },
  { why: 'a test command that exists only in the working tree, not in git', config: {}, type: 'NoTestCommand', ignored: true },
],
)(
  '$why: leaves nothing behind, and the same start works once it is fixed',
  async ({ config: bad, type, ignored }) => {
    const { project, prepare, left } = host(
      ignored === true ? { 'a.txt': 'a', '.gitignore': 'package.json\n' } : SAMPLE,
    )
    if (ignored === true)
      writeFiles(project, { 'package.json': '{ "scripts": { "test": "vitest run" } }' })
    config(project, bad)
    const before = left()
    await expect(prepare()).rejects.toMatchObject({ type, nonRetryable: true })
    expect(left()).toEqual(before)
    config(project, { test: { command: 'npx vitest run' } })
    expect(await prepare({ chain: 'second' })).toMatchObject({
      workspace: { branch: 'ratchet/WFS-test-login' },
      warnings: [],
      testCommand: 'npx vitest run',
    })
  },
)

test('a test command that exists only in the chosen base is found', async () => {
  const { project, prepare } = host(SAMPLE)
  const base = runGit(project, 'rev-parse', 'HEAD')
  writeFiles(project, { 'package.json': '{}' })
  expect(await prepare({ base })).toMatchObject({ testCommand: 'npm test' })
})

test('a second start of an id measures the current files', async () => {
  const { project, prepare } = host(SAMPLE)
  const first = await prepare()
  expect(await prepare()).toEqual(first)
  writeFiles(project, { 'src/add.js': 'changed since\n' })
  const second = await prepare({ chain: 'second', at: AT + 1_000 })
  expect(second.head).not.toBe(first.head)
  expect(runGit(second.workspace.root, 'show', 'HEAD:src/add.js')).toBe('changed since')
})
