// The next attempt finds what a dead worker leaves behind: uncommitted work, the clones of a merge.
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import type { AgentDriver } from '../../src/adapters/agents/driver.js'
import { loadConfig } from '../../src/adapters/config/config.js'
import { freezeConfig } from '../../src/adapters/config/frozen-config.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { activityOf, ownRecord } from '../support/hosts/activity-run.js'
import {
  AT,
  filesIn,
  gitOf,
  makeWorkspace,
  refs,
  RUN,
  runGit,
  writeFiles,
} from '../support/repositories/repos.js'

const inActivity = <I, O>(one: (input: I) => Promise<O>, input: I): Promise<O> =>
  activityOf(RUN).run(one, input)

async function host(agents: Partial<AgentDriver>) {
  const { project, workspace, dirs } = await makeWorkspace()
  const key = projectKey(project)
  const loaded = loadConfig(project)
  await freezeConfig(dirs, loaded, project)
  ownRecord({ dirs, project }, RUN, 'WFS-test-login')
  const activities = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env: process.env,
    client: {} as Client,
    inFlight: inFlightOf(dirs, key),
    agents: agents as AgentDriver,
  })
  return { project, workspace, configHash: loaded.hash, activities }
}

test('uncommitted work of a turn whose worker died is kept before its workspace is used again', async () => {
  const { workspace, activities } = await host({
    settleTurn: () => Promise.resolve({ ended: 1, crashes: 1 }),
  })
  writeFiles(workspace.root, { 'src/add.js': 'half done\n' })
  expect(
    await inActivity(activities.settleTurn, {
      key: `${RUN}/r/fix`,
      workspace,
      agent: 'a',
      configHash: 'c'.repeat(64),
      reason: 'its worker died',
    }),
  ).toMatchObject({ outcome: 'stopped', leftovers: 1 })
  const kept = Object.entries(refs(gitOf(workspace))).filter(([ref]) =>
    ref.startsWith('refs/ratchet/snapshots/settled-'),
  )
  expect(kept.map(([, commit]) => filesIn(gitOf(workspace), commit)['src/add.js'])).toEqual([
    'half done\n',
  ])
})

test('a merge whose answer was lost is made again from the clones of its round', async () => {
  const { project, workspace, configHash, activities } = await host({
    endWorkspace: () => Promise.resolve(),
  })
  const round = { run: RUN, workspace, configHash }
  const cloned = () =>
    inActivity(activities.cloneWorkers, {
      ...round,
      step: 'iteration-1/clones',
      name: 'WFS-test-login',
      head: workspace.base,
      workers: ['develop', 'debug'],
    })
  const { workspaces } = await cloned()
  for (const { action, workspace: clone } of workspaces)
    writeFiles(clone.root, { [`src/${action}.js`]: 'new\n' })
  expect(await cloned()).toEqual({ workspaces, warnings: [] })
  const merge = () =>
    inActivity(activities.mergeWorkers, {
      ...round,
      step: 'iteration-1/merge',
      expectHead: workspace.base,
      at: AT,
      subject: 'Round 1',
      suite: false,
      workers: workspaces,
      choices: {},
    })
  const merged = await merge()
  expect(merged).toMatchObject({
    files: ['src/debug.js', 'src/develop.js'],
    conflicts: [],
    warnings: [],
  })
  expect(await merge()).toEqual(merged)
  expect(runGit(project, 'rev-parse', workspace.branch)).toBe(merged.head)
  expect(workspaces.map(({ workspace: clone }) => path.basename(path.dirname(clone.root)))).toEqual(
    ['develop', 'debug'],
  )
})
