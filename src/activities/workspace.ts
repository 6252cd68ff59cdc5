// Workspace and git steps: exactly once, however often they are attempted.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentsFor } from '../contract/config/config.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { fileName, recordName } from '../contract/ids.js'
import type {
  Accepted,
  AcceptFixInput,
  CommitFixInput,
  GoBackInput,
  PrepareInput,
  PreparedRun,
  Reloaded,
  ReloadInput,
  RollBackInput,
  TakenOut,
  TakeOutInput,
} from '../contract/test-fix/test-fix-step.js'
import type { TestsFor } from '../contract/test-fix/test-fix-input.js'
import type { CommitResult, Workspace } from '../contract/workspace.js'
import { testRequest, type TestRequest } from '../core/test-gen/test-request.js'
import { shortList } from '../core/text/short-text.js'
import { spendingOf } from '../core/agents/budget.js'
import { carriedLimits } from '../core/run/question-silence.js'
import { askedHooks } from '../core/run/hook-events.js'
import { splitByCause } from '../core/test-fix/causes/split-by-cause.js'
import { openChanges } from '../core/test-fix/test-changes.js'
import { restoreGuardedParts } from '../core/guard/test-guard.js'
import type { LoadedConfig } from '../adapters/config/config.js'
import { failpoint } from '../adapters/failpoint.js'
import { freezeConfig, frozenConfig } from '../adapters/config/frozen-config.js'
import { publishBranch } from '../adapters/git/user-repository/publish.js'
import { openWorkspace } from '../adapters/git/open-workspace.js'
import { projectFiles } from '../adapters/git/project-files.js'
import { commitStep, goBackStep } from '../adapters/git/steps.js'
import { listTree } from '../adapters/git/tree-diff.js'
import { acceptStep, rollBackStep } from '../adapters/git/verdict-steps.js'
import { notePending } from '../adapters/records/test-fix/iteration-state.js'
import { recordDir } from '../adapters/records/test-fix/session-paths.js'
import { plansTests } from '../adapters/records/test-fix/supplement-task.js'
import {
  openSession,
  readSession,
  type FoundSession,
} from '../adapters/records/test-fix/open-session.js'
import {
  readBegun,
  refuseSpent,
  resumedTasks,
  type Begun,
} from '../adapters/records/test-fix/begun-session.js'
import { restore } from '../adapters/records/test-fix/restore-session.js'
import { ROLES_OF_FIX } from '../adapters/config/run-config.js'
import { layout } from '../adapters/state-dir.js'
import { commandOf } from '../adapters/test-runners/stored-run.js'
import { readRequest } from '../adapters/test-gen/read-request.js'
import { resolveTestPlan } from '../adapters/test-runners/command.js'
import { restoreInstalled } from '../adapters/workspace/installed.js'
import { ownPath } from '../adapters/workspace/own-path.js'
import { admittedConfig } from './host/admit.js'
import { withHeartbeat } from './host/with-heartbeat.js'
import type { HostDeps } from './host/deps.js'
import { takeOutStep } from './test-fix/take-out.js'
import { fixGuard, testWriterGuard } from './test-fix/fix-guard.js'
import { reportedEnvironment } from './host/run-environment.js'
import { claimRecord } from './open-run.js'
import { enclosedBy, orProblem } from './run-settings.js'
import { prepareRunWorkspace } from './run-workspace.js'
import { withTampered } from './restore-files.js'
import { redactorOf, withoutSecrets } from './host/redact-result.js'
import { limitsFor, TEST_FIX_LIMITS } from '../contract/config/limits.js'

export const createWorkspaceActivities = (deps: HostDeps) => ({
  /**
   * Opens or continues the session and prepares the workspace. Refuses what Ratchet cannot work on
   * before it changes anything.
   */
  prepareRun: withHeartbeat(
    deps.inFlight,
    async (input: PrepareInput, beat): Promise<PreparedRun> => {
      const loaded = await admittedConfig(deps, input.project, ROLES_OF_FIX, input)
      const { config } = loaded
      await freezeConfig(deps.dirs, loaded, deps.project)
      const name = recordName(input.run, input.session)
      const { generateTests, testsFor, maxIterations } = input.open
      const asksForTests = generateTests || testsFor !== undefined
      const planIn = (cwd: string, baseline?: readonly string[], starts = false) =>
        resolveTestPlan({ cwd, config: config.test, env: deps.env, baseline, starts })
      const starts = asksForTests || plansTests(recordDir(input.project, name))
      // Before anything is made. Another base may have another test command: it is looked for in
      // the workspace.
      if (input.base === undefined) planIn(input.project, undefined, starts)
      await claimRecord(deps, name, input.run, beat.signal)
      const found = readSession(input.project, name)
      const begun = readBegun(found, input.at)
      if (begun !== undefined)
        checkResumed(input, found, begun, limitsFor(config, TEST_FIX_LIMITS).maxIterations)
      const measuredBy = commandOf(begun?.restored.baseline)
      const { workspace, head, warnings, measuredWith, continued } = await prepareRunWorkspace(
        deps,
        {
          input,
          name,
          loaded,
          continueFrom: begun?.continueFrom,
          verify: ({ cwd }) => void planIn(cwd, measuredBy, starts),
        },
        beat,
      )
      const plan = planIn(workspace.cwd, measuredBy, starts)
      const settings = settingsOf(deps, loaded, plan.display, workspace)
      const opened = await openSession(found, {
        run: input.run,
        workspace,
        at: input.at,
        offset: config.timezone,
        testCommand: plan.display,
        framework: plan.runner,
        tests: asksForTests ? await requestIn(found, workspace, testsFor) : undefined,
        maxIterations: maxIterations ?? settings.limits.maxIterations,
        fixedIterations: maxIterations !== undefined,
      })
      const answer = {
        workspace,
        head,
        name,
        recordDir: opened.dir,
        ...settings,
        ...(measuredWith && { measuredWith }),
        ...(opened.unplanned ? { unplanned: true } : {}),
        ...(opened.generation === undefined
          ? {}
          : {
              generation: {
                task: opened.generation,
                ...(hasTestCommand(() => planIn(workspace.cwd, measuredBy))
                  ? {}
                  : { bare: true as const }),
              },
            }),
      }
      if (begun === undefined)
        return { ...answer, tasks: opened.tasks, warnings: [...warnings, ...opened.warnings] }
      beat.progress({ state: 'continuing where it was left' })
      const into = path.join(
        layout.workspace(deps.dirs, deps.projectKey, fileName(name)),
        'tests',
        'restored',
      )
      failpoint('restore:begin')
      const at = await restore(begun, {
        dir: opened.dir,
        workspace,
        head,
        continued: continued === true,
        into,
      })
      failpoint('restore:done')
      const { tasks, warnings: gone } = resumedTasks(opened.tasks, begun)
      return {
        ...answer,
        head: at.head,
        tasks,
        restored: at.restored,
        warnings: [...warnings, ...opened.warnings, ...gone, ...at.warnings],
      }
    },
  ),

  /**
   * Reloads the configuration after a pause, for the next steps. A broken one is reported and
   * changes nothing.
   */
  reloadConfig: withHeartbeat(
    deps.inFlight,
    ({ workspace, baseline }: ReloadInput): Promise<Reloaded> =>
      orProblem(async () => {
        const loaded = await admittedConfig(deps, deps.project, ROLES_OF_FIX, workspace)
        const plan = resolveTestPlan({
          cwd: workspace.cwd,
          config: loaded.config.test,
          env: deps.env,
          baseline: commandOf(baseline),
        })
        await freezeConfig(deps.dirs, loaded, deps.project)
        return settingsOf(deps, loaded, plan.display, workspace)
      }),
  ),

  /**
   * Commits what a turn left in the work tree; changes to tests and their configuration are
   * restored.
   */
  commitFix: withHeartbeat(deps.inFlight, async (input: CommitFixInput): Promise<CommitResult> => {
    failpoint('commit:begin')
    const { record, writesTests, causes, ...step } = input
    const { guard, isTest, added } =
      writesTests === true
        ? { ...testWriterGuard(deps, input), added: false }
        : { ...fixGuard(deps, input), added: true }
    const installed = await restoreInstalled(input.workspace, input.step, await trackedFiles(input))
    const committed = withoutSecrets(
      deps,
      input,
      withTampered(
        await commitStep(step, guard, {
          restore: restoreGuardedParts,
          ...(isTest === undefined ? {} : { isTest, added }),
          split: causes && ((files) => splitByCause(files, causes, ownPath(input.workspace))),
        }),
        installed,
      ),
    )
    failpoint('commit:done')
    if (record !== undefined) await noteCommit(deps, input, record, committed)
    failpoint('commit:noted')
    return committed
  }),

  /** A new commit of a fix without one more of its causes. */
  takeOut: withHeartbeat(deps.inFlight, async (input: TakeOutInput): Promise<TakenOut> => {
    failpoint('takeout:begin')
    const redactor = redactorOf(deps, input)
    const taken = await takeOutStep(input, (name) => redactor.text(name))
    failpoint('takeout:done')
    return { ...withoutSecrets(deps, input, taken), suspects: taken.suspects }
  }),

  /** Commits for the branch, of the tree of a candidate that is kept. */
  acceptFix: withHeartbeat(deps.inFlight, async (input: AcceptFixInput): Promise<Accepted> => {
    failpoint('accept:begin')
    const { configHash, commits, ...step } = input
    const redact = redactorOf(deps, { ...step, configHash })
    const accepted = await acceptStep({
      ...step,
      commits: commits.map((one) => ({
        ...one,
        subject: redact.text(one.subject),
        body: redact.text(one.body),
      })),
    })
    failpoint('accept:done')
    return accepted
  }),

  /** The branch at the commit before a candidate. */
  rollBack: withHeartbeat(
    deps.inFlight,
    async (input: RollBackInput): Promise<{ head: string }> => {
      failpoint('rollback:begin')
      const left = await rollBackStep(input)
      failpoint('rollback:done')
      return left
    },
  ),

  /** A new commit with the tree of an earlier one. */
  goBack: withHeartbeat(deps.inFlight, async (input: GoBackInput): Promise<CommitResult> => {
    failpoint('back:begin')
    const back = await goBackStep(input)
    failpoint('back:done')
    return withoutSecrets(deps, input, back)
  }),
})

/** What a new session is to test; nothing where the session has tasks of its own. */
async function requestIn(
  found: FoundSession,
  workspace: Workspace,
  testsFor: TestsFor | undefined,
): Promise<TestRequest | undefined> {
  if (found.fields !== undefined && found.tasks.length > 0) return undefined
  const source = await readRequest(workspace.project, testsFor)
  const files = await projectFiles(workspace)
  if (source.from === 'run' && source.changed.length > 0)
    refuseWithoutFiles(source.name, source.changed, files)
  return testRequest(source, files)
}

function refuseWithoutFiles(name: string, changed: string[], files: readonly string[]): void {
  if (changed.some((file) => files.includes(file))) return
  throw new RefusalError(
    BAD_INPUT,
    `none of the files that ${name} changed is here: ${shortList(changed)}`,
    `ratchet/${name}`,
    `apply its branch first with: ratchet apply ${name}, or start from it with: --base ratchet/${name}`,
  )
}

function hasTestCommand(look: () => unknown): boolean {
  try {
    look()
    return true
  } catch (error) {
    if (error instanceof RefusalError && error.type === 'NoTestCommand') return false
    throw error
  }
}

// What only a session that was begun before can be refused for.
function checkResumed(
  input: PrepareInput,
  found: FoundSession,
  begun: Begun,
  config: number,
): void {
  if (input.base !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `base cannot be set for ${found.name}, which continues from its last state`,
      found.dir,
      'remove --base, or start a new session with: ratchet fix',
    )
  if (input.open.acceptTestChanges === true) {
    if (openChanges(begun.restored).length > 0) return // measured first in any case
    throw new RefusalError(
      BAD_INPUT,
      `${found.name} has no proposed test change`,
      found.dir,
      `continue without one: ratchet resume ${found.name}`,
    )
  }
  refuseSpent(found, resumedTasks(found.tasks, begun).tasks, begun, {
    flag: input.open.maxIterations,
    extend: input.open.extend,
    config,
  })
}

// A session without its workflow, and maybe without this workspace, retests the fix instead of
// repeating it.
async function noteCommit(
  deps: HostDeps,
  { workspace, configHash, at }: CommitFixInput,
  { dir, pending }: NonNullable<CommitFixInput['record']>,
  { commit, parts }: CommitResult,
): Promise<void> {
  if (!existsSync(workspace.project)) return // it is reported at the end of the iteration
  await publishBranch(workspace)
  failpoint('commit:published')
  await notePending(
    dir,
    { ...pending, commit, ...(parts === undefined ? {} : { parts }) },
    at,
    frozenConfig(deps.dirs, configHash, deps.project).timezone,
  )
}

function settingsOf(
  deps: HostDeps,
  { config, hash }: LoadedConfig,
  testCommand: string,
  workspace: Workspace,
): Exclude<Reloaded, { problem: string }> {
  return {
    configHash: hash,
    testCommand,
    agents: {
      'cli-planning-agent': agentsFor(config, 'cli-planning-agent'),
      'test-fix-agent': agentsFor(config, 'test-fix-agent'),
      'code-developer': agentsFor(config, 'code-developer'),
    },
    limits: limitsFor(config, TEST_FIX_LIMITS),
    testTimeoutMs: config.test.timeout,
    spending: spendingOf(config.limits),
    hooks: askedHooks(config.hooks),
    questionLimits: carriedLimits(config.limits.question),
    sandbox: enclosedBy(config),
    ...reportedEnvironment(deps, config, workspace),
  }
}

async function trackedFiles({ workspace, expectHead }: CommitFixInput): Promise<string[]> {
  const repo = await openWorkspace(workspace) // says where it is gone; nothing else here would
  return workspace.isolation === 'in-place' ? [] : [...(await listTree(repo, expectHead)).keys()]
}
