// Notes in the master file between two full records: what each agent does is seen at once, also
// while the others are at work.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AgentState } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import { addedTasks } from '../../../core/dev-cycle/plan-tasks.js'
import type { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import { jsonText } from '../write-file.js'
import { changeProjected } from '../write-if-unchanged.js'
import { contextsIn, type Contexts } from './contexts.js'
import { oneWriter } from '../mutex.js'
import { clear } from '../safe-files.js'
import { editsAfter } from '../edits/edits-log.js'
import { takeEdits, type EditsAt } from '../edits/person-edits.js'
import { cycleFiles, openCycleRecord } from './cycle-paths.js'
import { knownStatuses, withStatuses } from './plan-status.js'
import { notesOf } from './write-cycle-record.js'
import { progressPaths } from './cycle-progress.js'
import { salvage } from './salvage-cycle.js'
import type { StoredCycle } from './cycle-schema.js'
import { shareBoard } from './shared-board.js'
import { takeDocuments, type Take } from './take-documents.js'

/**
 * Takes the agent's documents first, from the workspace's `cwd`, and what is on the board: the
 * others are still at work and may remove it.
 */
export type TakeFrom = Omit<Take, 'phase'> & { cwd: string }

/** The iteration that a work turn belongs to: the first of them opens it in the master file. */
export type Begins = {
  iteration: number
  maxIterations: number
  description: string
  extension?: string | undefined
}

/** What an agent's documents are the content of. */
const CONTEXTS: Readonly<Record<Phase, readonly (keyof Contexts)[]>> = {
  ra: ['requirements'],
  ep: ['exploration', 'plan'],
  cd: ['changes', 'plan'],
  vas: [],
}

/**
 * Changes the state of one agent in the master file, and the context that its documents are.
 *
 * One that is missing or cannot be read is left to the next full record; an edit by hand stays for
 * that to tell.
 *
 * @param change a `running` agent has no end and no error any more, unless they are given
 * @param at ISO 8601
 */
export async function noteAgent(
  project: string,
  name: string,
  phase: Phase,
  change: Partial<AgentState>,
  at: string,
  { take, begins }: { take?: TakeFrom; begins?: Begins } = {},
): Promise<void> {
  const files = cycleFiles(project, name)
  await oneWriter(files.master, async () => {
    if (salvage(files.master).record === undefined) return
    const warnings = take === undefined ? [] : await taken(take, name, phase, files.progress)
    // Read only now: an edit by hand may have come while documents were copied.
    const { record: stored, json: known } = salvage(files.master)
    if (stored === undefined || known === undefined) return
    const opened = begins === undefined ? {} : opening(stored, begins, at)
    const record = { ...stored, ...opened }
    const found = contextsIn(files.progress, record, at)
    const agents = { ...record.agents, [phase]: changed(record.agents[phase], change) }
    if (found.plan !== undefined)
      found.plan = {
        ...found.plan,
        tasks: withStatuses(knownStatuses(found.plan, record.plan), {
          status: agents.cd.status,
          result: undefined,
          promised: [],
        }),
      }
    const contexts = Object.fromEntries(
      CONTEXTS[phase].flatMap((key) => (found[key] === undefined ? [] : [[key, found[key]]])),
    )
    const told =
      warnings.length === 0
        ? {}
        : {
            ratchet: {
              ...(known['ratchet'] as object),
              warnings: [...new Set([...record.ratchet.warnings, ...warnings])],
            },
          }
    // Starts from the file as it is, so that text typed by a person is kept until it is reported.
    const content = {
      ...known,
      ...opened,
      updated_at: at,
      agents,
      current_phase: PHASES.find((one) => agents[one].status === 'running') ?? record.current_phase,
      ...contexts,
      ...told,
    }
    clear(files.master)
    await changeProjected(
      files.dir,
      [{ name: path.basename(files.master), text: jsonText(content) }],
      notesOf(files),
    )
  })
}

/** `phases`: agents that have no turn; `seen`: edits that the cycle knows. */
export type EditsOf = {
  workspace: { project: string; cwd: string }
  name: string
  phases: readonly Phase[]
  seen: number
}

/** Takes what a person edited in the record, and returns the edits that the cycle does not know. */
export async function takeCycleEdits(
  { workspace, name, phases, seen }: EditsOf,
  at: EditsAt,
): Promise<PersonEdit[]> {
  const files = cycleFiles(workspace.project, name)
  if (!existsSync(files.progress)) return []
  return oneWriter(files.master, async () => {
    openCycleRecord(workspace.project, name)
    await takeEdits(files.progress, progressPaths(workspace.cwd, name).dir, phases, at)
    return editsAfter(files.edits, seen)
  })
}

/** Agents that have no turn, as the master file says. */
export function idlePhases(project: string, name: string): Phase[] {
  const { record } = salvage(cycleFiles(project, name).master)
  return PHASES.filter((phase) => record !== undefined && record.agents[phase].status !== 'running')
}

/** Marks the cycle as running in the master file after a pause. `at`: ISO 8601. */
export async function noteResumed(project: string, name: string, at: string): Promise<void> {
  const files = cycleFiles(project, name)
  await oneWriter(files.master, async () => {
    const { record, json } = salvage(files.master)
    if (record?.status !== 'paused') return
    const content = { ...json, status: 'running', updated_at: at }
    clear(files.master)
    await changeProjected(
      files.dir,
      [{ name: path.basename(files.master), text: jsonText(content) }],
      notesOf(files),
    )
  })
}

// Until the first full record of the iteration, so that agents that read it find the cycle running.
function opening(
  record: StoredCycle,
  { iteration, maxIterations, description, extension }: Begins,
  at: string,
): Partial<StoredCycle> {
  if (record.current_iteration === iteration) return { status: 'running' }
  const tasks = [...record.task_history, ...addedTasks(record.description, description)]
  return {
    status: 'running',
    current_iteration: iteration,
    max_iterations: maxIterations,
    description,
    task_history: tasks,
    completed_phases: [],
    completed_at: undefined,
    failure_reason: undefined,
    agents: Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        {
          status: 'idle',
          output_files: record.agents[phase].output_files,
          iterations_completed: record.agents[phase].iterations_completed,
        },
      ]),
    ) as StoredCycle['agents'],
    // One that was cut off and is done again has been told of.
    iterations: [
      ...record.iterations.filter(({ number }) => number !== iteration),
      {
        number: iteration,
        extension,
        started_at: at,
        agent_results: {},
        issues_found: [],
        resolved: false,
      },
    ],
  }
}

async function taken(
  take: TakeFrom,
  name: string,
  phase: Phase,
  progress: string,
): Promise<string[]> {
  const { dir, progress: own } = progressPaths(take.cwd, name)
  await takeDocuments(own[phase], path.join(progress, phase), { ...take, phase })
  return (await shareBoard(dir, progress)).warnings
}

function changed(before: AgentState, change: Partial<AgentState>): AgentState {
  const { completed_at: _end, error: _error, ...rest } = before
  return { ...(change.status === 'running' ? rest : before), ...change }
}
