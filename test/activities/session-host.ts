// A project's host for tests of sessions: the activities with a real repository and state
// directory.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Client } from '@temporalio/client'
import { afterAll, onTestFinished } from 'vitest'
import { createHostActivities, type HostActivities } from '../../src/activities/index.js'
import { createAgentDriver } from '../../src/adapters/agents/driver.js'
import { inFlightOf } from '../../src/adapters/activity-journal.js'
import { projectKey, type Dirs } from '../../src/adapters/state-dir.js'
import type {
  Accepted,
  AcceptFixInput,
  AppliedChanges,
  ApplyChangesInput,
  CommitFixInput,
  Proposed,
  ProposeInput,
  PreparedRun,
  PrepareInput,
  RecordAnswer,
  RecordInput,
  RollBackInput,
} from '../../src/contract/test-fix/test-fix-step.js'
import type {
  CoverageFound,
  MeasuredTests,
  MeasureTestsInput,
} from '../../src/contract/test-fix/test-quality.js'
import type { CommitResult } from '../../src/contract/workspace.js'
import { activityOf } from '../support/hosts/activity-run.js'
import { AT, makeRepo, refs, SAMPLE, tempDirs, type Files } from '../support/repositories/repos.js'

export type SessionHost = {
  project: string
  dirs: Dirs
  run: string
  activities: HostActivities
  prepare: (input?: Partial<PrepareInput>) => Promise<PreparedRun>
  commit: (input: CommitFixInput) => Promise<CommitResult>
  rollBack: (input: RollBackInput) => Promise<{ head: string }>
  accept: (input: AcceptFixInput) => Promise<Accepted>
  /** Of this host's run, as the input may say another one. */
  record: (input: RecordInput) => Promise<RecordAnswer>
  propose: (input: ProposeInput) => Promise<Proposed>
  applyChanges: (input: ApplyChangesInput) => Promise<AppliedChanges>
  measureCoverage: (input: MeasureTestsInput) => Promise<CoverageFound>
  measureTests: (input: MeasureTestsInput) => Promise<MeasuredTests>
  left: () => unknown
}

/** @param place a project that is there already, and a state directory of its own for this host */
export function sessionHost(
  files: Files = SAMPLE,
  place: { project?: string; dirs?: Dirs } = {},
): SessionHost {
  const [project, dirs] = [place.project ?? makeRepo(files), place.dirs ?? tempDirs()]
  const key = projectKey(project)
  const run = `WFS-test-login.${key.slice(0, 6)}`
  const client = {
    workflow: {
      getHandle: () => ({ describe: () => Promise.resolve({ status: { name: 'FAILED' } }) }),
    },
  } as unknown as Client
  const activities = createHostActivities({
    dirs,
    project,
    projectKey: key,
    env: process.env,
    client,
    inFlight: inFlightOf(dirs, key),
    agents: createAgentDriver({ dirs, changedFiles: () => Promise.resolve([]) }),
  })
  const workspaces = path.join(dirs.state, 'workspaces', key)
  const inActivity = <I extends { run: string }, O>(
    one: (input: I) => Promise<O>,
    input: I,
  ): Promise<O> => activityOf(input.run).run(one, input)
  return {
    project,
    dirs,
    run,
    activities,
    prepare: (input) =>
      inActivity(activities.prepareRun, {
        run,
        chain: 'first',
        project,
        session: 'WFS-test-login',
        at: AT,
        open: { generateTests: false },
        ...input,
      }),
    commit: (input) => inActivity(activities.commitFix, input),
    rollBack: (input) => inActivity(activities.rollBack, input),
    accept: (input) => inActivity(activities.acceptFix, input),
    record: ({ status, result, ...input }) =>
      inActivity(activities.recordRun, {
        ...input,
        run,
        status: { ...status, id: run },
        ...(result === undefined ? {} : { result: { ...result, id: run } }),
      }),
    propose: (input) => inActivity(activities.proposeTestChanges, input),
    applyChanges: (input) => inActivity(activities.applyTestChanges, input),
    measureCoverage: (input) => inActivity(activities.measureCoverage, input),
    measureTests: (input) => inActivity(activities.measureTests, input),
    left: () => ({
      refs: refs(project),
      workspaces: existsSync(workspaces) ? readdirSync(workspaces) : [],
    }),
  }
}

export type Place = { project: string; dirs: Dirs }

/**
 * The initial state of the tests of a file, created once and restored for each at the same paths.
 * Creating one takes dozens of git calls.
 */
export function madeOnce<T extends Place>(make: () => Promise<T>): () => Promise<T> {
  let first: { made: T; kept: string } | undefined
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const roots = ({ project, dirs }: Place): string[] => [
    path.dirname(project),
    path.dirname(dirs.state),
  ]
  afterAll(() => {
    if (first !== undefined) rmSync(first.kept, { recursive: true, force: true })
  })
  return async () => {
    if (first === undefined) {
      const made = await make()
      first = { made, kept: mkdtempSync(path.join(os.tmpdir(), 'ratchet-kept-')) }
      for (const [n, root] of roots(made).entries()) copy(root, path.join(first.kept, String(n)))
    } else {
      for (const [n, root] of roots(first.made).entries()) {
        onTestFinished(() => rmSync(root, { recursive: true, force: true }))
        copy(path.join(first.kept, String(n)), root)
      }
    }
    return structuredClone(first.made)
  }
}
