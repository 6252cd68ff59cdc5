// The steps of the test-fix cycle that act on the host: prepare, commit, record.
import type { RunResult } from '../../contract/result.js'
import type { PendingFix, RolledBack, ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { FixCause } from '../../contract/test-fix/task.js'
import type { CommitResult } from '../../contract/workspace.js'
import type { TestFixRun } from './test-fix-run.js'
import { keptCommits, type KeptFix } from '../../core/test-fix/branch/kept-commits.js'
import { applyReloaded } from '../run/hold.js'
import { hostStep, moveHead } from '../run/host-step.js'
import { recordedResult } from '../run/run-end.js'
import { prepareWorkspace } from '../run/run-start.js'
import type { PrepareInput, PreparedRun } from '../../contract/test-fix/test-fix-step.js'

/** Prepares a workspace and the session's files. */
export function prepare(
  run: TestFixRun,
  open: PrepareInput['open'],
): Promise<{ facts: ServerFacts; prepared: PreparedRun }> {
  const { session, base } = run.input
  return prepareWorkspace(run, (host, about) => host.prepareRun({ ...about, session, base, open }))
}

/**
 * Commits the work of a turn as a candidate, within seconds: a stop right after it finds the work
 * committed, if git can commit it.
 */
export async function commitFix(
  run: TestFixRun,
  agent: string,
  pending: PendingFix,
): Promise<CommitResult> {
  const { causes, iteration: n } = pending
  const subject = `test fix, iteration ${n}`
  return commit(run, {
    task: `IMPL-fix-${n}`,
    step: `iteration-${n}/commit`,
    subject: causes === undefined ? `IMPL-fix-${n}: ${subject}` : subject,
    agent,
    candidate: String(n),
    ...(causes === undefined ? {} : { causes }),
    record: { dir: run.ready.prepared.recordDir, pending },
  })
}

/**
 * Replaces the candidate of a kept fix by commits on the branch, which tell what was measured.
 *
 * @param measured absent if there is nothing to compare the fix with
 * @returns the fix with its new commits; causes that are out keep theirs
 */
export async function acceptFix(
  run: TestFixRun,
  pending: PendingFix,
  measured: KeptFix['measured'],
  leftOut: readonly RolledBack[] = [],
): Promise<PendingFix & { commit: string }> {
  const state = run.ready
  const { iteration: n, parts } = pending
  run.enter('committing', `host: keeping IMPL-fix-${n}`)
  const accepted = await hostStep(run, `keep IMPL-fix-${n}`, (host) =>
    host.acceptFix({
      run: run.id,
      step: `iteration-${n}/keep`,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      at: Date.now(),
      commits: keptCommits({
        ...pending,
        measured,
        rolledBack: [...(state.rolledBack ?? []), ...leftOut],
      }),
      ...(parts === undefined ? {} : { parts }),
    }),
  )
  state.head = accepted.head
  state.commits.push(...accepted.parts.map(({ commit }) => commit))
  delete state.rolledBack
  return {
    ...pending,
    commit: accepted.head,
    ...(parts === undefined
      ? {}
      : {
          parts: parts.map((part) => accepted.parts.find(({ task }) => task === part.task) ?? part),
        }),
  }
}

export type TaskCommit = {
  task: string
  step: string
  subject: string
  agent: string
  writesTests?: boolean
  record?: { dir: string; pending: PendingFix }
  causes?: FixCause[]
  /** Name of a candidate, which is on the branch only once it is accepted. */
  candidate?: string
}

/** Commits the work of a task. */
export async function commit(
  run: TestFixRun,
  { task, step, subject, agent, ...options }: TaskCommit,
): Promise<CommitResult> {
  const state = run.ready
  await run.control.safePoint()
  run.enter('committing', `host: committing ${task}`)
  const committed = await hostStep(run, `commit ${task}`, (host) =>
    host.commitFix({
      run: run.id,
      step,
      workspace: state.prepared.workspace,
      configHash: state.prepared.configHash,
      expectHead: state.head,
      at: Date.now(),
      subject,
      body: `Made by ${agent}.`,
      ...options,
    }),
  )
  if (options.candidate === undefined) moveHead(state, committed)
  else state.head = committed.head
  return committed
}

/** Projects the state into the record and the branch into the user's repository. */
export async function record(run: TestFixRun, result?: RunResult): Promise<RunResult['failures']> {
  const state = run.ready
  const { warnings, failures, archived } = await hostStep(run, 'write the record', (host) =>
    host.recordRun({
      // History and failures are in the state: twice of them would exceed a payload.
      run: run.id,
      prepared: state.prepared,
      status: { ...run.status(), history: [] },
      state,
      at: Date.now(),
      ...recordedResult(result),
    }),
  )
  for (const warning of warnings) run.warn(warning)
  run.archived = archived
  return failures ?? []
}

/** After a resume, the current configuration applies: an agent or a limit may have changed. */
export async function reload(run: TestFixRun): Promise<void> {
  const { workspace } = run.ready.prepared
  const reloaded = await hostStep(run, 'read the configuration', (host) =>
    host.reloadConfig({ workspace, baseline: run.ready.baseline }),
  )
  // Another runner may select files.
  if (applyReloaded(run, reloaded)) delete run.ready.confirmsAtEnd
}
