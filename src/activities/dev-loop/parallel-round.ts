// The clones of a parallel round: each worker gets one, and what they did is merged.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type {
  CloneWorkersAnswer,
  CloneWorkersInput,
  MergeWorkersAnswer,
  MergeWorkersInput,
  RecordLoopInput,
} from '../../contract/dev-loop/loop-step.js'
import { leftBranchesText } from '../../core/agents/left-branches.js'
import { restoreGuardedParts } from '../../core/guard/test-guard.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import { failpoint } from '../../adapters/failpoint.js'
import { mergeWorkers } from '../../adapters/git/merge/merge-workers.js'
import { findRepo } from '../../adapters/git/repo.js'
import { takenBack } from '../../adapters/git/taken-back.js'
import { digest, layout } from '../../adapters/state-dir.js'
import { keepWork } from '../../adapters/workspace/keep-work.js'
import { cloneForWorker, removeWorkerClones } from '../../adapters/workspace/worker-clones.js'
import type { HostDeps } from '../host/deps.js'
import { sandboxOf } from '../../adapters/sandbox/run-sandbox.js'
import { withoutSecrets } from '../host/redact-result.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import { changedInRun } from '../changed-in-run.js'
import { publish } from '../run-end.js'
import { guardOf, isTestIn } from './worker-guard.js'

export const createRoundActivities = (deps: HostDeps) => ({
  /** Creates a clone of the workspace for each parallel worker. */
  cloneWorkers: withHeartbeat(
    deps.inFlight,
    async (input: CloneWorkersInput, beat): Promise<CloneWorkersAnswer> => {
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      const answer: CloneWorkersAnswer = { workspaces: [], warnings: [] }
      const round = digest(input.step).slice(0, 12)
      // Those of the round before were merged
      await removeWorkerClones(clonesOf(deps, input.name), round)
      for (const action of input.workers) {
        const into = path.join(clonesOf(deps, input.name), round, action)
        const { workspace, warnings } = await cloneForWorker({
          workspace: input.workspace,
          head: input.head,
          into,
          run: input.run,
          config,
          env: deps.env,
          sandbox: sandboxOf(deps, config),
          signal: beat.signal,
          onProgress: (state) => beat.progress({ state: `${action}: ${state}` }),
        })
        answer.workspaces.push({ action, workspace })
        answer.warnings = [...new Set([...answer.warnings, ...warnings])]
      }
      failpoint('clones:done')
      return answer
    },
  ),

  /** Merges what the workers did in their clones, or names what no merge can join. */
  mergeWorkers: withHeartbeat(
    deps.inFlight,
    async (input: MergeWorkersInput): Promise<MergeWorkersAnswer> => {
      const { configHash: _, suite, workers, ...step } = input
      const isTest = isTestIn(input.workspace)
      for (const { workspace } of workers) await deps.agents.endWorkspace(workspace)
      const done = await mergeWorkers({
        ...step,
        workers: workers.map(({ action, workspace }) => ({
          action,
          workspace,
          guard: guardOf(deps, input, action, workspace),
          ...(suite ? { isTest } : {}),
        })),
        ...(suite ? { restore: restoreGuardedParts } : {}),
      })
      const merged = {
        ...withoutSecrets(deps, input, done),
        workers: done.workers.map((worker) => withoutSecrets(deps, input, worker)),
      }
      if (merged.conflicts.length > 0) return { ...merged, warnings: [] }
      const warnings = merged.commits.length === 0 ? [] : await publish(input.workspace)
      const head = merged.commits.length === 0 ? null : merged.head
      const { existed, ...left } = await changedInRun(deps, input, head, isTest)
      for (const { action, changedTests = [], leftBranches } of merged.workers) {
        if (leftBranches !== undefined)
          warnings.push(`${action}: ${leftBranchesText(leftBranches)}`)
        const changed = changedTests.filter(existed)
        if (changed.length > 0)
          warnings.push(`existing tests were changed by ${action}: ${changed.join(', ')}`)
      }
      failpoint('merge:done')
      // The clones stay: a killed attempt is made again, and reads them.
      return {
        ...merged,
        ...left,
        ...(merged.commits.length === 0
          ? {}
          : await takenBack(input, merged.head, developedIn(merged.workers))),
        workers: merged.workers.map(
          ({ changedTests: _, leftBranches: _left, ...worker }) => worker,
        ),
        warnings,
      }
    },
  ),
})

/** The commit of develop, whose work the tasks are. */
function developedIn(workers: MergeWorkersAnswer['workers']): string[] {
  return workers.flatMap(({ action, commit }) =>
    action === 'develop' && commit !== null ? [commit] : [],
  )
}

/**
 * Directory of the clones of a loop's workers: below the state directory, also if the loop works in
 * the user's own tree.
 */
function clonesOf({ dirs, projectKey }: HostDeps, name: string): string {
  return path.join(layout.workspace(dirs, projectKey, name), 'workers')
}

/** Keeps the work in clones that were not merged in the user's repository, and names it. */
export async function keptClones(
  deps: HostDeps,
  { clones, state }: RecordLoopInput,
): Promise<string[]> {
  const { workspace, name } = state.prepared
  if (!existsSync(workspace.project)) return []
  const user = await findRepo(workspace.project)
  const warnings: string[] = []
  for (const { action, workspace: clone } of clones) {
    const [ref] = await keepWork(user, name, clone)
    if (ref !== undefined)
      warnings.push(
        `the work of ${action} was not merged; it is kept as ${ref}, show it with: git diff ${clone.base.slice(0, 10)} ${ref}`,
      )
  }
  // A killed attempt is made again, and must find what it has to name.
  if (warnings.length === 0) await removeWorkerClones(clonesOf(deps, name))
  return warnings
}
