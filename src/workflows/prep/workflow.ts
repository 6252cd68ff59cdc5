// Prepares a task for a dev cycle or a dev loop: an agent explores the project and drafts the
// package, a person answers its questions, and Ratchet writes what the command reads.
import type { PrepAnswer, PrepReading } from '../../contract/prep/prep-draft.js'
import { PREP_ROLES, type PrepInput } from '../../contract/prep/prep-input.js'
import type { PrepState } from '../../contract/prep/prep-step.js'
import type { RunResult } from '../../contract/result.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import { settledScores, unready } from '../../core/prep/prep-quality.js'
import {
  prepQuestion,
  prepResult,
  settledAnswer,
  type PrepOutcome,
} from '../../core/prep/prep-result.js'
import { refinedRoom } from '../../core/prep/refined-task.js'
import { NO_USAGE } from '../../core/run/run-usage.js'
import { deniedNote } from '../../core/run/turn-notes.js'
import { all } from '../run/all.js'
import { hostStep } from '../run/host-step.js'
import { roleTurn } from '../run/role-turn.js'
import type { TurnSession } from '../run/one-turn.js'
import { closeRun, ended } from '../run/run-end.js'
import { prepareWorkspace } from '../run/run-start.js'
import { openPrep, type PrepRun } from './prep-run.js'

type PrepEnd = { outcome: PrepOutcome; reason?: string | undefined }
type Drafted =
  { ok: true; reading: PrepReading; session?: TurnSession } | { ok: false; reason: string }

/** Makes the prep package of a task. See `PrepInput`. */
export async function prepare(input: PrepInput): Promise<RunResult> {
  const run = openPrep(input)
  return ended(
    run,
    async () => close(run, await prepared(run)),
    (end) => close(run, end),
    'failed',
  )
}

async function prepared(run: PrepRun): Promise<PrepEnd> {
  run.state = await begin(run)
  const reason = noAgentReason(run.ready.prepared.agents)
  if (reason !== undefined) return { outcome: 'failed', reason }
  const first = await draft(run, 'draft')
  if (!first.ok) return { outcome: 'failed', reason: `no draft could be used: ${first.reason}` }
  const { questions } = first.reading
  if (questions.length === 0) return judged(run)
  run.ready.answers = await settled(run, questions)
  if (!run.ready.answers.some(({ by }) => by === 'user')) return judged(run)
  const second = await draft(run, 'draft-answered', first.session)
  // What a person said is in the package, and in no part of the task.
  return second.ok
    ? judged(run)
    : { outcome: 'needs_refinement', reason: `the answers are not worked in: ${second.reason}` }
}

async function begin(run: PrepRun): Promise<PrepState> {
  const { facts, prepared } = await prepareWorkspace(run, (host, about) =>
    host.preparePrep({ ...about, for: run.input.for }),
  )
  return {
    facts,
    prepared,
    head: prepared.head,
    iteration: 0,
    maxIterations: 0,
    answers: [],
    usage: NO_USAGE,
    history: [],
    warnings: prepared.warnings,
    requestIds: [],
  }
}

/** Has the agent draft the package, with the answers that there are. */
async function draft(run: PrepRun, step: string, session?: TurnSession): Promise<Drafted> {
  const { for: command, task, auto } = run.input
  const state = run.ready
  const ask = {
    about: 'prep' as const,
    for: command,
    task,
    asks: auto !== true,
    answers: state.answers,
  }
  const end = await roleTurn(run, {
    role: PREP_ROLES[command],
    phase: 'exploring',
    step,
    limitMs: state.prepared.limits.agentTurnMs,
    judgedByTree: false,
    ...(session === undefined ? {} : { session, kind: 'clarify' as const }),
    ask: () => ask,
    converge: { ...ask, converge: true },
    read: { as: 'prep', for: command, room: refinedRoom(task) },
  })
  if (!end.ok) return end
  const { read, answer, agent, sessionId } = end.result
  if (read?.kind !== 'prep') return { ok: false, reason: 'its answer could not be read' }
  const denied = deniedNote(end.result)
  if (denied !== undefined) run.warn(denied)
  state.draft = { answer, reading: read }
  return {
    ok: true,
    reading: read,
    ...(sessionId === undefined ? {} : { session: { agent, sessionId } }),
  }
}

/** Asks a person, for days if need be; in auto mode the recommended answers are assumptions. */
async function settled(run: PrepRun, questions: PrepReading['questions']): Promise<PrepAnswer[]> {
  if (run.input.auto === true) return questions.map((one) => settledAnswer(one, undefined))
  run.enter('asking', 'person: the questions of the agent')
  const answers: PrepAnswer[] = []
  await all(
    questions.map((question, n) => async () => {
      const given = await run.ask(prepQuestion(question, Date.now()))
      const isSilent = run.questions.isSilent(question.id)
      answers[n] = settledAnswer(question, isSilent || given === '' ? undefined : given)
    }),
  )
  await run.control.safePoint() // after a stop there is no answer
  return answers
}

/** Whether the task is ready, as far as its draft and the answers show. */
function judged({ ready: { draft: made, answers } }: PrepRun): PrepEnd {
  if (made === undefined) throw new Error('there is no draft to judge')
  const reason = unready(settledScores(made.reading.scores, answers))
  return reason === undefined ? { outcome: 'ready' } : { outcome: 'needs_refinement', reason }
}

/** Ends the preparation, and writes the package unless it was stopped or failed. */
function close(run: PrepRun, { outcome, reason }: PrepEnd): Promise<RunResult> {
  const isMade = outcome === 'ready' || outcome === 'needs_refinement'
  const at = Date.now()
  return closeRun(run, outcome, {
    settle: () => {
      if (!isMade && run.state !== undefined) delete run.state.draft
      return prepResult(run.id, outcome, reason, run.state)
    },
    record: async (result) => {
      const { prepared: of, draft: made, answers } = run.ready
      const written = await hostStep(run, 'write the package', (host) =>
        host.recordPrep({
          run: run.id,
          workspace: of.workspace,
          name: of.name,
          recordDir: of.recordDir,
          configHash: of.configHash,
          at,
          for: run.input.for,
          task: run.input.task,
          draft: made?.answer,
          answers,
          environment: of.environment,
          status: run.status(),
          result,
        }),
      )
      for (const warning of written.warnings) run.warn(warning)
      return { package: written.package }
    },
  })
}
