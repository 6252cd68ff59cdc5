// Reads the answer of a worker of a dev loop. Updates the record at once.
import { readFileSync } from 'node:fs'
import type { Config } from '../../contract/config/config.js'
import type { AgentTurnInput, TurnRead } from '../../contract/turn-input.js'
import type { TurnResult } from '../../contract/turn.js'
import type { WorkerReading } from '../../contract/dev-loop/action-reading.js'
import { detailedOutput, readWorker } from '../../core/dev-loop/answers/action-block.js'
import { namingProblem } from '../../core/dev-loop/answers/task-claims.js'
import { workerForm } from '../../core/dev-loop/prompts/action-form.js'
import { failpoint } from '../../adapters/failpoint.js'
import { readLoop } from '../../adapters/records/dev-loop/load-loop-record.js'
import { noteWorker, noteWorkerBegun } from '../../adapters/records/dev-loop/patch-loop-record.js'

type WorkerRead = Extract<TurnRead, { as: 'worker' }>

/** Reads a turn that has ended, however it ended. */
export async function readWorkerTurn(
  input: AgentTurnInput,
  { action, name, iteration, tasks = [] }: WorkerRead,
  result: TurnResult,
  config: Config,
): Promise<WorkerReading> {
  const text = result.answer.path === '' ? '' : readFileSync(result.answer.path, 'utf8')
  const {
    problem: unread,
    form = workerForm(action),
    ...read
  } = readWorker(
    text,
    action,
    action === 'develop' ? titlesOf(input.workspace.project, name) : undefined,
  )
  const problem = unread ?? namingProblem(read, tasks)
  failpoint('answer:read')
  // Who did not finish is asked to converge, not to answer again.
  const reading: WorkerReading = {
    kind: 'worker',
    ...read,
    ...(problem === undefined || result.outcome !== 'completed' ? {} : { problem, form }),
  }
  await noteWorker(input.workspace.project, name, {
    reading,
    detail: detailedOutput(text, action),
    agent: input.agent,
    iteration,
    at: Date.now(),
    offset: config.timezone,
    cwd: input.workspace.cwd,
  })
  return reading
}

/** Titles of the tasks, by id, as the record has them. */
function titlesOf(project: string, name: string): ReadonlyMap<string, string> {
  const read = readLoop(project, name)
  if (read.state !== 'ok') return new Map()
  const { pending_tasks: pending, completed_tasks: completed } = read.record.skill_state
  return new Map([...pending, ...completed].map(({ id, description }) => [id, description]))
}

/** The record says that a worker is at work. */
export async function noteTurnBegun(
  input: AgentTurnInput,
  { action, name, iteration }: WorkerRead,
  config: Config,
): Promise<void> {
  await noteWorkerBegun(input.workspace.project, name, {
    action,
    iteration,
    at: Date.now(),
    offset: config.timezone,
  })
}
