// A fault of git that lasts, in a real repository: no object can be written, or the branch of the
// user is locked.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, test } from 'vitest'
import { createHostActivities } from '../../src/activities/index.js'
import type { AgentDriver } from '../../src/adapters/agents/driver.js'
import { loadConfig } from '../../src/adapters/config/config.js'
import { freezeConfig } from '../../src/adapters/config/frozen-config.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { CommitFixInput } from '../../src/contract/test-fix/test-fix-step.js'
import type { CommitResult } from '../../src/contract/workspace.js'
import { publish } from '../../src/activities/run-end.js'
import { activityOf } from '../support/hosts/activity-run.js'
import { AT, gitOf, makeWorkspace, RUN, runGit, writeFiles } from '../support/repositories/repos.js'

async function host() {
  const { project, workspace, dirs } = await makeWorkspace()
  const key = projectKey(project)
  const loaded = loadConfig(project)
  await freezeConfig(dirs, loaded, project)
  const activities = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env: process.env,
    client: {} as Client,
    inFlight: inFlightOf(dirs, key),
    agents: {} as AgentDriver,
  })
  writeFiles(workspace.root, { 'src/add.js': 'fixed\n' })
  const input: CommitFixInput = {
    run: RUN,
    step: 'iteration-1/commit',
    workspace,
    configHash: loaded.hash,
    expectHead: workspace.base,
    at: AT,
    subject: 'IMPL-fix-1',
    body: '',
  }
  return {
    project,
    workspace,
    commit: () => activityOf(RUN).run(activities.commitFix, input),
  }
}

/** Files where git makes the folders of its objects: a permission would not bar root. */
function barObjects(gitDir: string): () => void {
  const folders = Array.from({ length: 256 }, (_, n) =>
    path.join(gitDir, 'objects', n.toString(16).padStart(2, '0')),
  )
  const barred = folders.filter((folder) => !existsSync(folder))
  for (const file of barred) writeFileSync(file, '')
  return () => barred.forEach((file) => rmSync(file))
}

test('a commit whose objects cannot be written fails in words after ten attempts, and succeeds once they can', async () => {
  const { workspace, commit } = await host()
  const repair = barObjects(gitOf(workspace))
  const errors: unknown[] = []
  for (let n = 0; n < 10; n++) errors.push(await commit().catch((error: unknown) => error))
  expect(errors.map((error) => error instanceof ApplicationFailure && error.nonRetryable)).toEqual([
    ...Array<boolean>(9).fill(false),
    true,
  ])
  expect((errors.at(-1) as Error).message).toMatch(
    /^git failed 10 times in a row: git update-index .*failed to insert into database.*Next: repair the repository/s,
  )
  repair()
  const { head } = (await commit()) as CommitResult
  expect(runGit(gitOf(workspace), 'show', `${head}:src/add.js`)).toBe('fixed')
})

test('a branch that cannot be published is a warning from the fifth attempt of a record on', async () => {
  const { project, workspace, commit } = await host()
  await commit()
  writeFileSync(path.join(project, '.git', 'refs', 'heads', `${workspace.branch}.lock`), '')
  const attempt = (n: number) => new MockActivityEnvironment({ attempt: n }).run(publish, workspace)
  await expect(attempt(4)).rejects.toThrow('File exists')
  expect(await attempt(5)).toEqual([
    expect.stringMatching(/^the branch is at its last published commit: git .*File exists/s),
  ])
})
