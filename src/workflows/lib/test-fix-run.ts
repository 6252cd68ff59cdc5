// One open test-fix run: its handlers, its state, and the view that queries give of both.
import { ApplicationFailure, setDefaultSignalHandler, setHandler, defineQuery, defineSignal, defineUpdate, workflowInfo, log, patched } from '@temporalio/workflow'
import { BAD_INPUT } from '../../contract/failures.js'
import { CURRENT_RULES, MAX_ITERATIONS, TestFixInput, parseInput, workflowIdProblem } from '../../contract/input.js'
import { QUERIES, SIGNALS, UPDATES } from '../../contract/names.js'
import { Question } from '../../contract/question.js'
import type { RunStatus, StatusReply, TestFixOutcome } from '../../contract/result.js'
import { readPause, readReason } from '../../contract/signals.js'
import { TestFixState } from '../../contract/state.js'
import type { Prepared } from '../../contract/state.js'
import type { TaskEntry } from '../../contract/task.js'
import { rateOf, statusOf } from '../../core/test-fix-view.js'
import { Control } from './control.js'
import { Details } from './details.js'
import { Questions } from './questions.js'

/** Warnings that travel with a run, the newest, and how long each may be. */
const WARNINGS_KEPT = 30
const WARNING_CHARS = 500

export class TestFixRun {
  readonly id = workflowInfo().workflowId
  readonly runId = workflowInfo().runId
  readonly control: Control
  readonly questions: Questions
  readonly details = new Details()
  readonly rules: number
  phase = 'preparing'
  /** One sentence; what the step that runs waits for. */
  waitingFor = 'host: preparing the workspace'
  closing = false
  outcome: TestFixOutcome | undefined
  /** A commit on the branch that no test run has judged yet. */
  unmeasured: string | undefined
  state: TestFixState | undefined

  constructor(
    readonly input: TestFixInput,
    carried: TestFixState | undefined,
  ) {
    this.state = carried
    // A run that was started before rules 2 were there keeps its own.
    this.rules = carried?.rules ?? input.rules ?? (patched('rules-2') ? CURRENT_RULES : 1)
    this.control = new Control(carried?.pause, () => this.refresh())
    this.questions = new Questions([...(carried?.requestIds ?? [])])
    if (carried !== undefined) this.details.register(carried.facts.searchAttributes)
  }

  /** The state, which is there from the moment the workspace is ready. */
  get ready(): TestFixState {
    if (this.state === undefined) throw new Error('the run has no workspace yet')
    return this.state
  }

  /** The tasks that are left, in order. */
  get queue(): TaskEntry[] {
    return this.ready.queue ?? []
  }

  set queue(queue: TaskEntry[]) {
    this.ready.queue = queue
  }

  /** Something that a person should know at the end; said once. */
  warn(text: string): void {
    const state = this.ready
    const warning = text.length > WARNING_CHARS ? `${text.slice(0, WARNING_CHARS - 1)}…` : text
    if (!state.warnings.includes(warning)) state.warnings = [...state.warnings, warning].slice(-WARNINGS_KEPT)
  }

  /** Names the step that begins, in status, Web UI and search. */
  enter(phase: string, waitingFor: string): void {
    this.phase = phase
    this.waitingFor = waitingFor
    this.refresh()
    const rate = rateOf(this.state?.lastRun)
    this.details.upsert({
      RatchetPhase: phase,
      RatchetIteration: this.state?.iteration ?? 0,
      RatchetNeedsHuman: this.questions.open().length > 0,
      ...(rate === null ? {} : { RatchetPassRate: rate }),
    })
  }

  refresh(): void {
    this.details.show(this.status(), this.questions.open())
  }

  status(): StatusReply {
    const open = this.questions.open()
    return {
      id: this.id,
      kind: 'test-fix',
      project: this.input.project,
      status: this.#status(),
      phase: this.phase,
      iteration: this.state?.iteration ?? 0,
      maxIterations: this.state?.maxIterations ?? 0,
      passRate: rateOf(this.state?.lastRun),
      waitingFor: this.#waits(open),
      branch: this.state?.prepared.workspace.branch ?? null,
      questions: open.length,
      history: this.state?.history ?? [],
    }
  }

  #status(): RunStatus {
    if (this.outcome !== undefined) return statusOf(this.outcome)
    return this.control.holding ? 'paused' : 'running'
  }

  #waits(open: Question[]): string {
    const { pause, stop, holding } = this.control
    if (this.outcome !== undefined) return 'nothing'
    const by = pause?.reason ? ` (${pause.reason})` : ''
    if (stop !== undefined) return 'stopping: the running step ends first'
    if (holding) return `paused${by}; go on with: ratchet resume ${this.id}`
    if (open[0] !== undefined) return `person: ${open[0].text}`
    return pause === undefined ? this.waitingFor : `${this.waitingFor}; then it pauses${by}`
  }
}

/**
 * Opens a run: checks the input and sets every handler, before the first await.
 *
 * @throws ApplicationFailure `BadInput`, non-retryable, naming the field
 */
export function openRun(rawInput: unknown, rawState: unknown): TestFixRun {
  const idProblem = workflowIdProblem(workflowInfo().workflowId)
  if (idProblem !== undefined) throw ApplicationFailure.nonRetryable(`workflow id: ${idProblem}`, BAD_INPUT)
  const input = parseInput(TestFixInput, rawInput)
  if (!input.ok) throw ApplicationFailure.nonRetryable(input.problem, BAD_INPUT)
  const run = new TestFixRun(input.value, rawState === undefined ? undefined : TestFixState.parse(rawState))
  handle(run)
  return run
}

const pauseSignal = defineSignal<[unknown]>(SIGNALS.pause)
const resumeSignal = defineSignal<[unknown]>(SIGNALS.resume)
const stopSignal = defineSignal<[unknown]>(SIGNALS.stop)
const answerUpdate = defineUpdate<unknown, [unknown]>(UPDATES.answer)
const extendUpdate = defineUpdate<unknown, [unknown]>(UPDATES.extend)
const askUpdate = defineUpdate<string, [unknown]>(UPDATES.ask)
const statusQuery = defineQuery<StatusReply>(QUERIES.status)
const stateQuery = defineQuery<unknown>(QUERIES.state)
const questionsQuery = defineQuery<Question[]>(QUERIES.questions)

function handle(run: TestFixRun): void {
  const { control, questions } = run
  setHandler(pauseSignal, (raw) => { control.onPause(readPause(raw)); run.refresh() },
    { description: 'Pauses the run. {"mode":"turn"} lets the running step end first (default), {"mode":"now"} interrupts it; "reason" is shown.' })
  setHandler(resumeSignal, () => { control.onResume(); run.refresh() }, { description: 'Goes on after a pause. No argument needed.' })
  setHandler(stopSignal, (raw) => { control.onStop(readReason(raw)); questions.withdrawAll(); run.refresh() },
    { description: 'Stops the run for good and keeps what is there: branch, record, snapshots. {"reason"} is recorded.' })
  setHandler(answerUpdate, (raw) => { const answered = questions.answer(raw); run.refresh(); return answered },
    { validator: (raw) => questions.check(raw), description: 'Answers an open question: {"questionId","choice"} or {"text"}; a bare string will do where one question is open.' })
  setHandler(extendUpdate, (raw) => extend(run, raw),
    { validator: (raw) => checkExtend(run, raw), description: 'Allows more iterations: {"iterations": 3}.' })
  setHandler(askUpdate, async (raw) => {
    const question = Question.parse(raw)
    if (run.closing || control.stop !== undefined) return ''
    const answer = questions.ask(question)
    run.details.upsert({ RatchetNeedsHuman: true })
    run.refresh()
    const given = await answer
    run.details.upsert({ RatchetNeedsHuman: questions.open().length > 0 })
    run.refresh()
    return given ?? ''
  }, { validator: checkQuestion, description: 'Used by Ratchet itself: a step asks a person and waits for the answer.' })
  setHandler(statusQuery, () => run.status(), { description: 'Where the run is, what it waits for, pass rates so far.' })
  setHandler(stateQuery, () => ({ status: run.status(), state: run.state ?? null }), { description: 'Everything the run carries; large texts as digests with their path.' })
  setHandler(questionsQuery, () => questions.open(), { description: 'Open questions, with the options that answer them.' })
  setDefaultSignalHandler((name) => log.warn(`unknown signal ${name}; known: ${Object.values(SIGNALS).join(', ')}`))
}

function checkQuestion(raw: unknown): void {
  const parsed = Question.safeParse(raw)
  if (!parsed.success) throw ApplicationFailure.nonRetryable('not a question: id, kind, text, options and askedAt are needed', BAD_INPUT)
}

type ExtendRequest = { iterations: number; requestId: string | undefined }

function readExtend(run: TestFixRun, raw: unknown): ExtendRequest | string {
  const bare = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw
  if (typeof bare === 'string') return `iterations: must be a whole number of at least 1, got ${JSON.stringify(raw)}`
  const value = typeof bare === 'number' ? { iterations: bare } : typeof bare === 'object' && bare !== null ? (bare as Record<string, unknown>) : {}
  const iterations = value['iterations'] ?? run.state?.prepared.limits.maxIterations ?? 5
  if (typeof iterations !== 'number' || !Number.isInteger(iterations) || iterations < 1 || iterations > MAX_ITERATIONS) return `iterations: must be a whole number from 1 to ${MAX_ITERATIONS}, got ${JSON.stringify(iterations)}`
  return { iterations, requestId: typeof value['requestId'] === 'string' ? value['requestId'] : undefined }
}

function checkExtend(run: TestFixRun, raw: unknown): void {
  const read = readExtend(run, raw)
  if (typeof read === 'string') throw ApplicationFailure.nonRetryable(read, BAD_INPUT)
  if (run.state === undefined) throw ApplicationFailure.nonRetryable('the run is still preparing its workspace; try again in a moment', BAD_INPUT)
  if (run.closing) throw ApplicationFailure.nonRetryable('the run is ending', BAD_INPUT)
}

function extend(run: TestFixRun, raw: unknown): { maxIterations: number } {
  const { iterations, requestId } = readExtend(run, raw) as ExtendRequest
  const state = run.ready
  if (requestId === undefined || !run.questions.requestIds.includes(requestId)) {
    state.maxIterations += iterations
    state.extended = (state.extended ?? 0) + iterations
  }
  run.questions.remember(requestId)
  run.refresh()
  return { maxIterations: state.maxIterations }
}

/** Why a run cannot go on without an agent for one of these roles, and what to write; `undefined` where all have one. */
export function noAgentReason(prepared: Prepared, roles: readonly (keyof Prepared['agents'])[]): string | undefined {
  const missing = roles.filter((role) => (prepared.agents[role] ?? []).length === 0)
  if (missing.length === 0) return undefined
  return `no agent is configured for ${missing.join(' and ')}; name one in ratchet.config.json: { "roles": { "default": "<agent>" }, "agents": { "<agent>": { "protocol": "acp", "command": "…" } } }`
}
