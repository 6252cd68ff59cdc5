// One agent turn is one activity: look up, claim, act, report. A failed agent is a result; an activity
// failure means a dead worker or broken infrastructure. Source: architecture §3.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { UPDATES } from '../contract/names.js'
import type { Question } from '../contract/question.js'
import type { AgentTurnInput, SettleInput } from '../contract/step.js'
import { FAILURES_SHOWN } from '../contract/test-run.js'
import type { TestRun } from '../contract/test-run.js'
import type { TurnResult } from '../contract/turn.js'
import { analysisPrompt, convergePrompt, fixPrompt } from '../core/prompt-test-fix.js'
import type { PromptRun } from '../core/prompt-test-fix.js'
import { passRate } from '../core/pass-rate.js'
import { reach } from '../adapters/fault-point.js'
import { frozenConfig } from '../adapters/frozen-config.js'
import { MissingVariable, TurnInterrupted } from '../adapters/agents/errors.js'
import { restoreTree, snapshotUncommitted } from '../adapters/git/steps.js'
import { failedTests } from '../adapters/records/test-fix-record.js'
import { roleText } from '../adapters/agents/roles.js'
import { digest } from '../adapters/state-dir.js'
import { hosted } from './hosted.js'
import type { Beat } from './hosted.js'
import type { HostDeps } from './deps.js'

/** Between two tries to reach a server that is away with a question. */
const RECONNECT_MS = 1_000

export const createAgentActivities = (deps: HostDeps) => ({
  /** Runs one turn, at most once per key. */
  agentTurn: hosted(deps.inFlight, async (input: AgentTurnInput, beat): Promise<TurnResult> => {
    const config = frozenConfig(deps.dirs, input.configHash, deps.project)
    reach('turn:begin')
    try {
      const result = await deps.agents.runTurn(
        {
          key: input.key,
          header: {
            run: input.run, kind: 'test-fix', role: input.role, ...(input.task === undefined ? {} : { task: input.task }),
            iteration: input.iteration, turn: input.turn, paths: { project: input.workspace.project, workspace: input.workspace.cwd },
          },
          agent: input.agent,
          workspace: input.workspace,
          prompt: prompt(input),
          ...(input.sessionId === undefined ? {} : { sessionId: input.sessionId }),
          limitMs: input.limitMs,
          idleMs: input.idleMs,
          followUp: input.followUp,
        },
        {
          config,
          signal: beat.signal,
          // A cancelled turn keeps its session: whether the run goes on is not known here.
          abortReason: () => (beat.reason() === 'stop' ? 'pause' : beat.reason()),
          onProgress: (p) => beat.progress({ role: input.role, agent: input.agent, ...p }),
          // A turn that goes on with a session keeps the tree; every other one starts from its commit.
          beforeStart: async () => {
            if (input.sessionId === undefined) await restoreTree(input.workspace, input.expectHead)
          },
          onPermission: (request) => askPerson(deps, input, request, beat),
        },
      )
      reach('turn:done')
      return result
    } catch (error) {
      if (error instanceof MissingVariable)
        throw ApplicationFailure.create({ type: 'MissingVariable', message: `${error.message}; set it in the shell and run there: ratchet watch ${input.run}`, nextRetryDelay: '10s' })
      if (error instanceof TurnInterrupted) throw ApplicationFailure.retryable(error.message, 'TurnInterrupted')
      throw error
    }
  }),

  /** After an activity failure of a turn: ends what still runs, keeps its work, reads what it left. */
  settleTurn: hosted(deps.inFlight, async (input: SettleInput): Promise<TurnResult> => {
    const settled = await deps.agents.settleTurn(input.key)
    if (settled.result !== undefined) return settled.result
    await snapshotUncommitted(input.workspace, `settled-${digest(input.key).slice(0, 12)}`)
    // Not written down: after a pause the same turn goes on in its session.
    return {
      outcome: 'stopped', agent: input.agent, ...(settled.sessionId === undefined ? {} : { sessionId: settled.sessionId }),
      usage: { inputTokens: 0, outputTokens: 0, estimated: true }, answer: { path: '', sha256: '', bytes: 0 }, tail: '', transcript: '',
      changedFiles: [], attempts: 0, crashes: settled.crashes, leftovers: settled.ended, durationMs: 0, reason: input.reason,
    }
  }),
})

function prompt(input: AgentTurnInput): string {
  const { ask } = input
  if (ask.about === 'converge') return convergePrompt({ role: input.role, task: input.task, limitMs: input.limitMs })
  const common = {
    roleText: roleText(input.role), iteration: input.iteration, maxIterations: input.maxIterations, testCommand: input.testCommand,
    run: promptRun(ask.lastRun), previousAttempts: ask.simplified ? [] : input.history.filter((h) => h.iteration > 0), simplified: ask.simplified,
  }
  if (ask.about === 'analysis') return analysisPrompt({ ...common, ...(ask.rollbackReason === undefined ? {} : { rollbackReason: ask.rollbackReason }) })
  return fixPrompt({ ...common, task: input.task ?? `IMPL-fix-${input.iteration}`, analysis: readFileSync(ask.analysis.path, 'utf8') })
}

/** The last run as prompts show it, with the failures from its results file. */
function promptRun(run: TestRun): PromptRun {
  if (run.kind !== 'measured')
    return { kind: 'not_measured', reason: run.reason, tail: run.tail, ...(run.output === undefined ? {} : { outputPath: run.output.path }) }
  const failures = failedTests(run).slice(0, FAILURES_SHOWN)
  return {
    kind: 'measured', passRate: passRate(run.passed, run.total), passed: run.passed, total: run.total, failuresTotal: run.failuresTotal,
    failures: failures.map((f) => ({ test: f.test, file: f.file, error: f.error ?? '' })), outputPath: run.output.path,
  }
}

/**
 * Policy `ask`: the question waits in the workflow, for days if need be; no answer means no.
 *
 * The id says what is asked, not which call asks it: after a crash the resumed turn joins its question.
 */
async function askPerson(deps: HostDeps, input: AgentTurnInput, request: { title: string }, beat: Beat): Promise<'allow' | 'deny'> {
  const question: Question = {
    id: `permission-${digest(`${input.key}/${request.title}`).slice(0, 8)}`,
    kind: 'permission',
    text: `${input.agent} (${input.role}) asks: ${request.title}`,
    options: ['allow', 'deny'],
    recommended: 'deny',
    askedAt: Date.now(),
  }
  beat.progress({ role: input.role, agent: input.agent, state: 'waiting for a person', question: question.id })
  const aborted = new Promise<''>((resolve) => beat.signal.addEventListener('abort', () => resolve(''), { once: true }))
  const updateId = `${question.id}-${randomUUID()}`
  while (!beat.signal.aborted) {
    try {
      const handle = deps.client.workflow.getHandle(input.run)
      const answer = await Promise.race([handle.executeUpdate<string, [Question]>(UPDATES.ask, { args: [question], updateId }), aborted])
      return answer === 'allow' ? 'allow' : 'deny'
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) return 'deny'
      await setTimeout(RECONNECT_MS, undefined, { signal: beat.signal }).catch(() => undefined) // the server is away
    }
  }
  return 'deny'
}
