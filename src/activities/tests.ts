// Test runs: on a clean checkout of the commit that is judged, one at a time per project.
import path from 'node:path'
import type { RunTestsInput } from '../contract/step.js'
import type { Measured, TestRun } from '../contract/test-run.js'
import type { Workspace } from '../contract/workspace.js'
import { isGuarded } from '../core/guard/test-guard.js'
import { shortList } from '../core/text/short-text.js'
import { firstWithin } from '../core/text/test-text.js'
import { failpoint } from '../adapters/failpoint.js'
import { frozenConfig } from '../adapters/config/frozen-config.js'
import { measuredAs } from '../adapters/git/candidates.js'
import { changesOf } from '../adapters/git/numstat.js'
import { projectFiles } from '../adapters/git/project-files.js'
import { workspaceRepo } from '../adapters/git/repo.js'
import { restoreTree } from '../adapters/git/steps.js'
import { resolveTestPlan } from '../adapters/test-runners/command.js'
import { runTests, type RunTestsOptions } from '../adapters/test-runners/run.js'
import { baselineFiles, commandOf, lastSize } from '../adapters/test-runners/stored-run.js'
import { noteTouched, touchedAtFirst, watchTests } from '../adapters/test-runners/watched.js'
import { sandboxOf } from '../adapters/sandbox/run-sandbox.js'
import { envOf } from '../adapters/workspace/environment.js'
import { noteCaches, noteMade, preparedHead } from '../adapters/workspace/installed.js'
import { ownPath } from '../adapters/workspace/own-path.js'
import { withHeartbeat } from './host/with-heartbeat.js'
import type { HostDeps } from './host/deps.js'
import { withBlocked } from './baseline-outside.js'
import { atTestPlace } from './host/test-directory.js'

/** Failures that travel through history; the whole list is in the results file. */
const FAILURES_IN_HISTORY = 5
/** Ignored files that a result names, and the bytes that their names may take. */
const LEFT_OUT_SHOWN = 5
const LEFT_OUT_BYTES = 400

export const createTestActivities = (deps: HostDeps) => ({
  /** Measures a commit. What the tests leave behind in the tree is removed afterwards. */
  runTests: withHeartbeat(deps.inFlight, async (input: RunTestsInput, beat): Promise<TestRun> => {
    const config = frozenConfig(deps.dirs, input.configHash, deps.project)
    return atTestPlace(deps, input, config, beat, async ({ outDir, step, redact, ready }) => {
      const made = await ready(input.commit, 'head')
      if ('problem' in made)
        return {
          kind: 'not_started',
          commit: input.commit,
          reason: made.problem,
          tail: '',
          durationMs: 0,
        }
      const watchAgain = (): ReturnType<typeof watchTests> =>
        watchTests(input.workspace, input.commit, watchedBy(input.workspace, config.test.guard))
      let watch = await watchAgain()
      const touchedBefore: string[] = []
      failpoint('tests:begin')
      const plan = resolveTestPlan({
        cwd: input.workspace.cwd,
        config: config.test,
        env: deps.env,
        baseline: commandOf(input.baseline, input.compare?.lastFull),
      })
      const isFirst = input.baseline === undefined && input.compare?.lastFull === undefined
      const options: RunTestsOptions = {
        plan,
        lastSize: isFirst ? lastSize(deps.dirs, deps.projectKey, plan.runner) : undefined,
        cwd: input.workspace.cwd,
        commit: input.commit,
        measuredAs: await measuredAs(await workspaceRepo(input.workspace), input.commit),
        env: envOf(input.workspace, deps.env),
        spawn: sandboxOf(deps, config)(input.workspace, 'tests'),
        run: input.run,
        step,
        outDir,
        timeoutMs: input.timeoutMs,
        flakyRetries: config.test.flakyRetries,
        signal: beat.signal,
        redact,
        baseline: input.baseline,
        replaces: input.replaces,
        founds: input.founds,
        ...(input.compare === undefined
          ? {}
          : {
              compare: input.compare,
              rules: config.test.criticality,
              ...(await changedSince(input.workspace, input.commit)),
            }),
        onCommit: async (commit, body) => {
          // What Ratchet writes itself is nothing that meddles.
          touchedBefore.push(...(await watch.changed()))
          const shown = await ready(commit, 'other')
          try {
            return 'problem' in shown ? undefined : await body()
          } finally {
            await restoreTree(input.workspace, input.commit, [commit])
            watch = await watchAgain()
          }
        },
        projectFiles: () => projectFiles(input.workspace),
        onProgress: (p) => beat.progress(p),
      }
      const inside = await runTests(options)
      const run = await withBlocked(deps, config, input, inside, options)
      const touched = [...new Set([...touchedBefore, ...(await watch.changed())])]
      await restoreTree(input.workspace, input.commit)
      if (isFirst && input.commit === (await preparedHead(input.workspace)))
        await noteCaches(input.workspace)
      await noteMade(input.workspace)
      failpoint('tests:done')
      if (input.baseline === undefined) noteTouched(outDir, touched)
      const known = touchedAtFirst(input.workspace)
      const meddled = touched.filter((file) => !known.has(file))
      if (meddled.length > 0 && run.kind === 'measured') return tampered(run, meddled)
      if (run.kind !== 'measured') return run
      return {
        ...run,
        failures: run.failures.slice(0, FAILURES_IN_HISTORY),
        ...(made.leftOut.length === 0
          ? {}
          : { leftOut: firstWithin(made.leftOut, LEFT_OUT_SHOWN, LEFT_OUT_BYTES) }),
      }
    })
  }),
})

/**
 * Lines added and removed from the base of a workspace to a commit, a binary file counts as one;
 * and the files, by their paths in the project.
 */
async function changedSince(
  workspace: Workspace,
  commit: string,
): Promise<{ size: number; changed: string[] }> {
  const files = await changesOf(workspace, workspace.base, commit)
  const own = ownPath(workspace)
  return {
    size: files.reduce((sum, { added, removed }) => sum + (added ?? 1) + (removed ?? 0), 0),
    changed: files.map(({ file }) => own(file)),
  }
}

/** Tests and their configuration; what package managers write is none of it. */
function watchedBy(workspace: Workspace, guard: readonly string[]): (file: string) => boolean {
  const prefix = path.relative(workspace.root, workspace.cwd)
  const reported = baselineFiles(workspace)
  return (file) => {
    const own = prefix === '' ? file : path.posix.relative(prefix, file)
    return isGuarded(own.startsWith('../') ? file : own, guard, reported)
  }
}

/** Discards a test run if test files changed while it ran. */
function tampered({ commit, output, durationMs }: Measured, files: readonly string[]): TestRun {
  return {
    kind: 'not_started',
    commit,
    tail: '',
    output,
    durationMs,
    reason: `${shortList(files)} changed while the tests ran, so their results were discarded. A process that an agent left running may write to it: find that process and end it.`,
  }
}
