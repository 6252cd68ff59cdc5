// The end of a turn or a run keeps its work on the host and ends its processes.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import { endOnHost } from '../../src/activities/run-end.js'
import { createAgentDriver } from '../../src/adapters/agents/driver.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { findMarked } from '../../src/adapters/process/find.js'
import { spawnGroup } from '../../src/adapters/process/spawn-group.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { MARKERS } from '../../src/contract/names.js'
import { activityOf, ownWorkspace } from '../support/hosts/activity-run.js'
import { gitOf, makeWorkspace, refs, runGit } from '../support/repositories/repos.js'

async function host() {
  const { project, workspace, dirs } = await makeWorkspace({ 'a.js': 'a\n' })
  const key = projectKey(project)
  const agents = createAgentDriver({
    dirs,
    changedFiles: () => Promise.resolve([]),
  })
  const deps = {
    dirs,
    project,
    projectKey: key,
    env: process.env,
    client: {} as Client,
    inFlight: inFlightOf(dirs, key),
    agents,
  }
  const run = `run-${key}`
  await ownWorkspace({ dirs, workspace }, run)
  return { workspace, run, deps }
}

test('the end of a run ends every process with its marker and resets the tree to its head', async () => {
  const { workspace, run, deps } = await host()
  const { child } = await spawnGroup({
    argv: [process.execPath, '-e', 'setInterval(() => {}, 1_000)'],
    cwd: workspace.cwd,
    env: { PATH: process.env['PATH'] },
    markers: { run, step: 'fix' },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  writeFileSync(path.join(workspace.cwd, 'left.js'), 'l\n')
  try {
    expect(await endOnHost(deps, run, workspace, workspace.base)).toContain(
      'uncommitted work was kept as',
    )
    expect(findMarked(MARKERS.run, run)).toEqual([])
    expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
  } finally {
    child.kill('SIGKILL')
  }
})

test.each([
  { why: 'keeps the work of a turn whose worker was lost', group: undefined, kept: 1 },
  { why: 'a turn in a group leaves the tree alone', group: 'iteration-1', kept: 0 },
])('settleTurn: $why', async ({ group, kept }) => {
  const { workspace, run, deps } = await host()
  writeFileSync(path.join(workspace.cwd, 'half.js'), 'h\n')
  const settled = await activityOf(run).run(createHostActivities(deps).settleTurn, {
    key: `${run}/r/fix`,
    workspace,
    agent: 'a',
    configHash: 'c'.repeat(64),
    reason: 'worker lost',
    ...(group === undefined ? {} : { group: `${run}/r/${group}` }),
  })
  expect(settled).toMatchObject({ outcome: 'stopped', attempts: 0, reason: 'worker lost' })
  expect(
    Object.keys(refs(gitOf(workspace))).filter((name) => name.includes('settled-')),
  ).toHaveLength(kept)
})
