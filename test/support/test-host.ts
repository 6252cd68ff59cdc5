// A host of one project that runs the tests with the real activity.
import { randomBytes } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { MockActivityEnvironment } from '@temporalio/testing'
import { createHostActivities } from '../../src/activities/index.js'
import { createAgentDriver, type AgentDriver } from '../../src/adapters/agents/driver.js'
import { loadConfig } from '../../src/adapters/config/config.js'
import { freezeConfig } from '../../src/adapters/config/frozen-config.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey, type Dirs } from '../../src/adapters/state-dir.js'
import type { RunTestsInput } from '../../src/contract/step.js'
import type { TestRun } from '../../src/contract/test-run.js'
import type { Workspace } from '../../src/contract/workspace.js'
import { activityOf, ownWorkspace } from './hosts/activity-run.js'
import { makeWorkspace, type Files } from './repositories/repos.js'
import type { Confirmation, ConfirmInput } from '../../src/contract/test-fix/test-fix-step.js'

/** `onBeat` sees the details of each heartbeat. */
export type TestHost = {
  project: string
  workspace: Workspace
  run: string
  dirs: Dirs
  measure: (
    more?: Partial<RunTestsInput>,
    onBeat?: (details: Record<string, unknown>) => void,
  ) => Promise<TestRun>
  confirm: (
    input: Pick<ConfirmInput, 'head' | 'results' | 'baseline'> & Partial<ConfirmInput>,
    activity?: MockActivityEnvironment,
  ) => Promise<Confirmation>
}

/**
 * Creates such a host; `env` is added to the shell's environment, `agents` replaces its driver.
 */
export async function testHost(
  files: Files,
  env: (project: string) => NodeJS.ProcessEnv = () => ({}),
  agents?: Partial<AgentDriver>,
): Promise<TestHost> {
  const { project, workspace, dirs } = await makeWorkspace(files)
  const key = projectKey(project)
  const shell = { ...process.env, ...env(project) }
  const { runTests, confirmResults } = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env: shell,
    client: {} as Client,
    inFlight: inFlightOf(dirs, key),
    agents: {
      ...createAgentDriver({ dirs, changedFiles: () => Promise.resolve([]) }),
      ...agents,
    },
  })
  const loaded = loadConfig(project)
  await freezeConfig(dirs, loaded, project)
  // Unique: a host ends processes of earlier attempts by this name and the step, even in another
  // test file.
  const input = {
    run: `WFS-test-x.${randomBytes(3).toString('hex')}`,
    step: 'baseline',
    workspace,
    commit: workspace.base,
    timeoutMs: 60_000,
    configHash: loaded.hash,
  }
  await ownWorkspace({ dirs, workspace }, input.run)
  return {
    project,
    workspace,
    run: input.run,
    dirs,
    measure(more, onBeat) {
      const activity = activityOf(input.run)
      if (onBeat !== undefined) activity.on('heartbeat', onBeat)
      return activity.run(runTests, { ...input, ...more })
    },
    confirm: (confirmed, activity = activityOf(input.run)) =>
      activity.run(confirmResults, {
        run: input.run,
        step: 'confirm',
        workspace,
        timeoutMs: input.timeoutMs,
        configHash: input.configHash,
        ...confirmed,
      }),
  }
}
