// Confirms the results of a commit by canaries, under the lock of the test runs.
import path from 'node:path'
import type { Confirmation, ConfirmInput } from '../../contract/test-fix/test-fix-step.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import { workspaceRepo } from '../../adapters/git/repo.js'
import { restoreTree } from '../../adapters/git/steps.js'
import { listTree } from '../../adapters/git/tree-diff.js'
import { resolveTestPlan } from '../../adapters/test-runners/command.js'
import { confirmResults } from '../../adapters/test-runners/confirm.js'
import { testEnv } from '../../adapters/test-runners/run-env.js'
import { commandOf, readStoredRun } from '../../adapters/test-runners/stored-run.js'
import { sandboxOf } from '../../adapters/sandbox/run-sandbox.js'
import { envOf } from '../../adapters/workspace/environment.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { atTestPlace } from '../host/test-directory.js'

class NotSetUpError extends Error {}

export const createConfirmActivities = (deps: HostDeps) => ({
  /**
   * Confirms a measured commit. The tree is left at `head`; a killed attempt leaves it to the next
   * measuring tree.
   */
  confirmResults: withHeartbeat(
    deps.inFlight,
    async (input: ConfirmInput, beat): Promise<Confirmation> => {
      const { workspace, head, results, baseline, since } = input
      // The user's own files: no canary is written into them.
      if (workspace.isolation === 'in-place')
        return { verdict: 'unconfirmed', reason: 'in place, no canary is written into your files' }
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      const plan = resolveTestPlan({
        cwd: workspace.cwd,
        config: config.test,
        env: deps.env,
        baseline: commandOf(baseline, results),
      })
      if (input.early === true && !plan.canSelect) return { verdict: 'later' }
      return atTestPlace(deps, input, config, beat, async ({ outDir, step, redact, ready }) => {
        const prefix = path.relative(workspace.root, workspace.cwd).split(path.sep).join('/')
        const confirmed = confirmResults({
          plan,
          cwd: workspace.cwd,
          env: testEnv(envOf(workspace, deps.env)),
          spawn: sandboxOf(deps, config)(workspace, 'tests'),
          run: input.run,
          step,
          outDir,
          timeoutMs: input.timeoutMs,
          signal: beat.signal,
          redact,
          onProgress: (p) => beat.progress(p),
          now: readStoredRun(results),
          baseline: baseline === undefined ? undefined : readStoredRun(baseline),
          since: since === undefined ? undefined : readStoredRun(since),
          onCommit: async (commit, body) => {
            const tracked = await listTree(await workspaceRepo(workspace), commit)
            await restoreTree(workspace, head)
            const made = await ready(commit, 'other')
            try {
              if ('problem' in made) throw new NotSetUpError(made.problem)
              return await body(
                (file) =>
                  tracked.get(path.posix.join(prefix, file))?.mode.startsWith('100') === true,
              )
            } finally {
              await restoreTree(workspace, head, [commit])
            }
          },
        })
        return await confirmed.catch((error: unknown): Confirmation => {
          if (error instanceof NotSetUpError)
            return { verdict: 'unconfirmed', reason: error.message }
          throw error
        })
      })
    },
  ),
})
