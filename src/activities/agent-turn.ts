// One agent turn is one activity: look up, claim, act, report. A failed agent is a result; an
// activity failure means a dead worker or broken infrastructure.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ApplicationFailure } from '@temporalio/common'
import type { Config } from '../contract/config/config.js'
import type { Redactor } from '../core/text/redact.js'
import type { BeatInput } from '../contract/step.js'
import type { AgentTurnInput, SentTurn, SettleInput } from '../contract/turn-input.js'
import type { TurnResult, TurnSpec } from '../contract/turn.js'
import { wholeTurn } from '../core/agents/sent-turn.js'
import { readProposals } from '../core/test-fix/answers/test-change-answer.js'
import { codeShownIn, noteCodeShown } from '../adapters/agents/code-shown.js'
import { failpoint } from '../adapters/failpoint.js'
import { frozenConfig } from '../adapters/config/frozen-config.js'
import { definitionOf } from '../adapters/agents/agent-command.js'
import { MissingVariableError, TurnInterruptedError } from '../adapters/agents/errors.js'
import { removeTaskCopies, writeTaskCopy } from '../adapters/agents/turn/task-copy.js'
import { find } from '../adapters/agents/turn/turn-store.js'
import { restoreTree, snapshotUncommitted } from '../adapters/git/steps.js'
import { cycleFiles } from '../adapters/records/dev-cycle/cycle-paths.js'
import { progressPaths } from '../adapters/records/dev-cycle/cycle-progress.js'
import { loopFiles } from '../adapters/records/dev-loop/loop-paths.js'
import { loopProgressDir } from '../adapters/records/dev-loop/loop-progress.js'
import { notePending } from '../adapters/records/test-fix/iteration-state.js'
import { digest } from '../adapters/state-dir.js'
import { redactorOf } from './host/redact-result.js'
import { requireNamed } from './host/run-environment.js'
import { beatAtOnce, withHeartbeat } from './host/with-heartbeat.js'
import type { HostDeps } from './host/deps.js'
import { readAnswer } from './test-fix/answers.js'
import { notePhaseBegun } from './dev-cycle/cycle-answers.js'
import { noteTurnBegun } from './dev-loop/loop-answers.js'
import { buildPrompt } from './test-fix/prompts.js'
import { turnTools } from './agent-tools.js'
import { askPerson } from './ask-person.js'

export const createAgentActivities = (deps: HostDeps) => ({
  /** Runs one turn, at most once per key, and reads its answer where it has a form. */
  agentTurn: withHeartbeat(deps.inFlight, async (sent: SentTurn, beat): Promise<TurnResult> => {
    const input = wholeTurn(sent)
    const config = frozenConfig(deps.dirs, input.configHash, deps.project)
    failpoint('turn:begin')
    const prompt = await promptFor(deps, input, config)
    // From here on a session without its run continues with the fix, as the analysis is done.
    if (input.ask.about === 'fix-task' && input.recordDir !== undefined)
      await notePending(input.recordDir, input.ask.pending, Date.now(), config.timezone)
    if (input.ask.about === 'fix-task') failpoint('turn:noted')
    if (input.read?.as === 'phase') await notePhaseBegun(input, input.read, config)
    if (input.read?.as === 'worker') await noteTurnBegun(input, input.read, config)
    let queues = false
    let asked = 0
    const waits = (): void => beat.waits(queues || asked > 0)
    try {
      requireKept(deps, input, config)
      const result = await deps.agents.runTurn(
        {
          key: input.key,
          header: {
            run: input.run,
            kind: input.kind ?? 'test-fix',
            role: input.role,
            task: input.task,
            iteration: input.iteration,
            turn: input.turn,
            paths: {
              project: input.workspace.project,
              workspace: input.workspace.cwd,
              ...recordPaths(input),
              task: prompt.task,
            },
          },
          agent: input.agent,
          workspace: input.workspace,
          prompt: prompt.text,
          ...sessionFor(input, prompt.continued),
          limitMs: input.limitMs,
          idleMs: input.idleMs,
          followUp: input.followUp,
          group: input.group,
          budget: input.budget,
          ...(input.handOver === undefined ? {} : { keepTree: true }),
          ...(input.insists === true ? { insists: true } : {}),
        },
        {
          config,
          env: deps.env,
          signal: beat.signal,
          // A cancelled turn keeps its session, as the run may continue.
          abortReason: () => (beat.reason() === 'stop' ? 'pause' : beat.reason()),
          onProgress: (p) => {
            beat.progress({ role: input.role, agent: input.agent, ...p })
            queues = p.state === 'slot' || p.state === 'other_worker'
            waits()
          },
          // A turn that resumes a task, or works in parallel with others, keeps the tree; every
          // other one starts from its commit. So what an analysis changed is gone before its fix.
          beforeStart: async () => {
            const isNewTask = input.sessionId === undefined || input.knows !== undefined
            if (isNewTask && input.group === undefined)
              await restoreTree(input.workspace, input.expectHead)
          },
          tools: turnTools(deps, input, config),
          onPermission: (request) =>
            askPerson(deps, input, request, {
              ...beat,
              waits: (is) => {
                asked += is ? 1 : -1
                waits()
              },
            }),
        },
      )
      failpoint('turn:done')
      // A convergence turn may come, and needs the task still.
      if (
        result.outcome !== 'timed_out' &&
        result.outcome !== 'stalled' &&
        input.group === undefined
      )
        removeTaskCopies(input.workspace.cwd)
      return await withReading(input, result, config)
    } catch (error) {
      if (error instanceof MissingVariableError)
        throw ApplicationFailure.create({
          type: 'MissingVariable',
          message: `${error.message}; set it in a shell, and run there: ratchet resume ${input.run}`,
          nextRetryDelay: '10s',
        })
      if (error instanceof TurnInterruptedError)
        throw ApplicationFailure.retryable(error.message, 'TurnInterrupted')
      throw error
    }
  }),

  /**
   * On a stop or pause: the run's other activities on this host beat at once, and so learn of it.
   */
  beatAtOnce: ({ run }: BeatInput): Promise<void> => {
    beatAtOnce(run)
    return Promise.resolve()
  },

  /**
   * After an activity failure of a turn: ends what still runs, keeps its work, reads what it left.
   */
  settleTurn: withHeartbeat(deps.inFlight, async (input: SettleInput): Promise<TurnResult> => {
    const { workspace, configHash, group } = input
    let redactor: Redactor | undefined
    const redact = (name: string): string =>
      (redactor ??= redactorOf(deps, { configHash, workspace })).text(name)
    const tree = group === undefined ? { workspace, redact } : undefined
    const settled = await deps.agents.settleTurn(input.key, tree)
    if (settled.result !== undefined)
      return input.turn === undefined
        ? settled.result
        : withReading(
            wholeTurn(input.turn),
            settled.result,
            frozenConfig(deps.dirs, input.turn.configHash, deps.project),
          )
    if (input.group === undefined)
      await snapshotUncommitted(input.workspace, `settled-${digest(input.key).slice(0, 12)}`)
    // Not stored: after a pause the same turn resumes its session.
    return {
      outcome: 'stopped',
      agent: input.agent,
      sessionId: settled.sessionId,
      ...(settled.used ?? {
        usage: { inputTokens: 0, outputTokens: 0, estimated: true },
        attempts: 0,
        durationMs: 0,
      }),
      answer: { path: '', sha256: '', bytes: 0 },
      tail: '',
      transcript: '',
      changedFiles: [],
      crashes: settled.crashes,
      leftovers: settled.ended,
      reason: input.reason,
    }
  }),
})

/**
 * A run whose environment was lost waits for what its configuration names, and for a key that its
 * agent had.
 *
 * @throws MissingVariableError, and what `requireNamed` throws
 */
function requireKept(deps: HostDeps, { run, agent, key }: AgentTurnInput, config: Config): void {
  if (deps.given === undefined || find(deps.dirs, key).state === 'done') return
  requireNamed(deps, config, run)
  const { mayPassEnv = [] } = definitionOf(config, agent)
  const missing = deps.given.lost.missing.filter((name) => mayPassEnv.includes(name))
  if (missing.length > 0) throw new MissingVariableError(agent, missing)
}

/** Where the agent finds its folder, the board and the state of its run. */
function recordPaths({ read, workspace, recordDir }: AgentTurnInput): {
  progress?: string
  board?: string
  state?: string
} {
  if (read?.as === 'phase') {
    const { dir, board } = progressPaths(workspace.cwd, read.name)
    return {
      progress: path.join(dir, read.phase),
      board,
      state: cycleFiles(workspace.project, read.name).master,
    }
  }
  if (read?.as === 'worker')
    return {
      progress: loopProgressDir(workspace.cwd, read.name),
      state: loopFiles(workspace.project, read.name).master,
    }
  return recordDir === undefined
    ? {}
    : { state: path.join(recordDir, '.process', 'iteration-state.json') }
}

/**
 * Reads the answer of a turn, also of one that finished earlier. Documents of a dev cycle count for
 * every outcome of the turn.
 */
async function withReading(
  input: AgentTurnInput,
  result: TurnResult,
  config: Config,
): Promise<TurnResult> {
  const told = withProposals(input, result)
  const readable =
    input.read?.as === 'phase' || input.read?.as === 'worker'
      ? result.outcome !== 'stopped'
      : result.outcome === 'completed'
  if (input.read === undefined || !readable) return told
  const read = await readAnswer(input, result, config)
  failpoint('answer:done')
  return { ...told, read }
}

/** Adds how many test changes an analysis or a fix of a test-fix run proposes. */
function withProposals(
  { kind = 'test-fix', role }: AgentTurnInput,
  result: TurnResult,
): TurnResult {
  if (
    kind !== 'test-fix' ||
    (role !== 'cli-planning-agent' && role !== 'test-fix-agent') ||
    result.outcome !== 'completed' ||
    !existsSync(result.answer.path)
  )
    return result
  const { proposals, refused } = readProposals(readFileSync(result.answer.path, 'utf8'))
  const proposes = proposals.length + refused.length
  return proposes === 0 ? result : { ...result, proposes }
}

/** The prompt, with the task it names laid out for the agent. A turn that is done needs none. */
async function promptFor(
  deps: HostDeps,
  input: AgentTurnInput,
  config: Config,
): Promise<{ text: string; continued?: string | undefined; task?: string }> {
  if (find(deps.dirs, input.key).state === 'done') return { text: '' }
  const { run, key, sessionId, knows } = input
  const seen =
    knows === undefined || sessionId === undefined
      ? []
      : codeShownIn(deps.dirs, { run, key, sessionId })
  const { task, code, ...prompt } = await buildPrompt(input, config, seen)
  if (code !== undefined)
    noteCodeShown(deps.dirs, key, {
      session: prompt.continued === undefined ? undefined : sessionId,
      ...code,
    })
  if (task === undefined) return prompt
  writeTaskCopy(input.workspace.cwd, task.id, task.json)
  return { ...prompt, task: task.path }
}

/** The session of a turn. A new task needs its own prompt in the session of an earlier turn. */
function sessionFor(
  { sessionId, knows }: AgentTurnInput,
  continued: string | undefined,
): Pick<TurnSpec, 'sessionId' | 'continued'> {
  if (sessionId === undefined) return {}
  if (knows === undefined) return { sessionId }
  return continued === undefined
    ? {}
    : { sessionId, continued: { prompt: continued, turns: knows.turns } }
}
