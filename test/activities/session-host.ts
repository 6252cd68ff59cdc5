// A project's host for tests of sessions: the activities with a real repository and state directory.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { MockActivityEnvironment } from '@temporalio/testing'
import { createHostActivities } from '../../src/activities/index.js'
import { createAgentDriver } from '../../src/adapters/agents/driver.js'
import { inFlightOf } from '../../src/adapters/in-flight.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { Dirs } from '../../src/adapters/state-dir.js'
import type { CommitFixInput, PreparedRun, PrepareInput, RecordAnswer, RecordInput, RollBackInput } from '../../src/contract/step.js'
import type { CommitResult } from '../../src/contract/workspace.js'
import type { Files } from '../support/repos.js'
import { AT, makeRepo, refs, SAMPLE, tempDirs } from '../support/repos.js'

export type SessionHost = {
  project: string
  dirs: Dirs
  run: string
  prepare: (input?: Partial<PrepareInput>) => Promise<PreparedRun>
  commit: (input: CommitFixInput) => Promise<CommitResult>
  rollBack: (input: RollBackInput) => Promise<CommitResult>
  record: (input: RecordInput) => Promise<RecordAnswer>
  left: () => unknown
}

/** @param place a project that is there already, and a state directory of its own for this host */
export function sessionHost(files: Files = SAMPLE, place: { project?: string; dirs?: Dirs } = {}): SessionHost {
  const [project, dirs] = [place.project ?? makeRepo(files), place.dirs ?? tempDirs()]
  const key = projectKey(project)
  const run = `WFS-test-login.${key.slice(0, 6)}`
  const client = { workflow: { getHandle: () => ({ describe: () => Promise.resolve({ status: { name: 'FAILED' } }) }) } } as unknown as Client
  const activities = createHostActivities({
    dirs, project, projectKey: key, env: process.env, client, inFlight: inFlightOf(dirs, key),
    agents: createAgentDriver({ dirs, env: process.env, changedFiles: () => Promise.resolve([]) }),
  })
  const workspaces = path.join(dirs.state, 'workspaces', key)
  const inActivity = <I, O>(one: (input: I) => Promise<O>, input: I): Promise<O> => new MockActivityEnvironment().run(one, input)
  return {
    project, dirs, run,
    prepare: (input) => inActivity(activities.prepareRun, { run, chain: 'first', project, session: 'WFS-test-login', at: AT, ...input }),
    commit: (input) => inActivity(activities.commitFix, input),
    rollBack: (input) => inActivity(activities.rollBack, input),
    record: (input) => inActivity(activities.recordRun, input),
    left: () => ({ refs: refs(project), workspaces: existsSync(workspaces) ? readdirSync(workspaces) : [] }),
  }
}
