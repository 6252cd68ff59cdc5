// What the tools of a turn do: tests run with the run's own command and in its sandbox for tests,
// on the agent's tree as it is, while nothing else of the project is tested.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { AgentTestRun } from '../contract/agent-tools.js'
import type { Config } from '../contract/config/config.js'
import type { TestRun } from '../contract/test-run.js'
import type { AgentTurnInput } from '../contract/turn-input.js'
import { agentTestLimit, lastRunOf, mayUseTools } from '../core/agents/agent-tools.js'
import type { TurnTools } from '../adapters/agents/tools/tool-server.js'
import { changesSince, withoutTraces } from '../adapters/git/agent-tree.js'
import { sandboxOf } from '../adapters/sandbox/run-sandbox.js'
import { resolveTestPlan, selectable } from '../adapters/test-runners/command.js'
import { execute } from '../adapters/test-runners/execute.js'
import { withFailingTests } from '../adapters/test-runners/failing-tests.js'
import { testEnv } from '../adapters/test-runners/run-env.js'
import { commandIn } from '../adapters/test-runners/stored-run.js'
import { envOf } from '../adapters/workspace/environment.js'
import { ownPath } from '../adapters/workspace/own-path.js'
import type { HostDeps } from './host/deps.js'
import { redactorOf } from './host/redact-result.js'
import { whileNothingIsTested } from './host/test-lock.js'

/** Failing tests of the last full run that can be shown. */
const FAILURES_KNOWN = 1_000

/** The tools of a turn. */
export function turnTools(deps: HostDeps, input: AgentTurnInput, config: Config): TurnTools {
  const last = lastRunOf(input.ask)
  return {
    mayUse: mayUseTools(input.role, input.ask.about),
    runTests: (files, run) =>
      whileNothingIsTested(
        deps,
        { signal: run.signal, progress: () => undefined, waits: () => undefined },
        'waiting for another test run of this project',
        () => testsInTree(deps, input, config, files, run),
      ),
    failures: () => failuresOf(last),
    async diff() {
      const { files, patch } = await changesSince(input.workspace, input.expectHead)
      return { files: files.map(ownPath(input.workspace)), patch }
    },
  }
}

async function testsInTree(
  deps: HostDeps,
  { run, workspace, configHash }: AgentTurnInput,
  config: Config,
  files: readonly string[],
  { n, step, folder, signal, graceMs, noteTree }: Parameters<TurnTools['runTests']>[1],
): Promise<AgentTestRun> {
  const { cwd } = workspace
  const baseline = commandIn(workspace)
  const plan = resolveTestPlan({ cwd, config: config.test, env: deps.env, baseline })
  if (files.length > 0 && !selectable(plan, files, cwd))
    return {
      kind: 'problem',
      reason: `${plan.display} cannot run only these files, or one of them is not there. Without files all tests run.`,
      tail: '',
      restored: [],
    }
  const outDir = path.join(folder, `tests-${n}`)
  mkdirSync(outDir, { recursive: true, mode: 0o700 })
  const { value, restored } = await withoutTraces(
    workspace,
    () =>
      execute({
        plan,
        cwd,
        env: testEnv(envOf(workspace, deps.env)),
        spawn: sandboxOf(deps, config)(workspace, 'tests'),
        run,
        step,
        outDir,
        timeoutMs: agentTestLimit(config.test.timeout),
        graceMs,
        signal,
        redact: redactorOf(deps, { configHash, workspace }),
        workedBefore: baseline !== undefined,
        phase: 'tests',
        name: 'output',
        files,
      }),
    noteTree,
  )
  const own = ownPath(workspace)
  const left = restored.map((file) => own(file))
  if (value.kind !== 'measured')
    return { kind: 'problem', reason: value.reason, tail: value.tail, restored: left }
  const of = (...kinds: string[]) => value.tests.filter(({ status }) => kinds.includes(status))
  return {
    kind: 'measured',
    passed: of('passed', 'flaky').length,
    failed: of('failed').length,
    skipped: of('skipped').length,
    failures: of('failed').map(({ file, test, error = '' }) => ({ file, test, error })),
    note: value.note,
    restored: left,
  }
}

function failuresOf(run: TestRun | undefined): ReturnType<TurnTools['failures']> {
  if (run?.kind !== 'measured') return undefined
  const { failures } = withFailingTests(run, FAILURES_KNOWN) as typeof run
  return failures.map(({ file, test, error }) => ({ file, test, error }))
}
