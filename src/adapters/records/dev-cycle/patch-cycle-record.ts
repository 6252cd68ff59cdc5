// Notes what each agent does in the state file between two full records, at once, also while the
// others work.
import path from 'node:path'
import type { AgentState } from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import { addedTasks } from '../../../core/dev-cycle/plan-tasks.js'
import type { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import { contextsIn, type Contexts } from './contexts.js'
import { oneWriter } from '../mutex.js'
import { changeState, takeRecordEdits, withWarnings } from '../patch-record.js'
import { salvage } from '../read-record.js'
import { takeEdits, type EditsAt } from '../edits/person-edits.js'
import { cycleFiles } from './cycle-paths.js'
import { knownStatuses, withStatuses } from './plan-status.js'
import { progressPaths } from './cycle-progress.js'
import { CYCLE } from './cycle-state-file.js'
import type { StoredCycle } from './cycle-schema.js'
import { shareBoard } from './shared-board.js'
import { takeDocuments, type Take } from './take-documents.js'

/**
 * Takes the agent's documents from the workspace's `cwd` first, and what is on the board: the
 * others still work and may remove it.
 */
export type TakeFrom = Omit<Take, 'phase'> & { cwd: string }

/** The iteration of a work turn; its first turn opens it in the state file. */
export type Begins = {
  iteration: number
  maxIterations: number
  description: string
  extension?: string | undefined
}

/** Contexts that the documents of an agent hold. */
const CONTEXTS: Readonly<Record<Phase, readonly (keyof Contexts)[]>> = {
  ra: ['requirements'],
  ep: ['exploration', 'plan'],
  cd: ['changes', 'plan'],
  vas: [],
}

/**
 * Changes the state of one agent in the state file, and the contexts that its documents hold.
 *
 * The next full record replaces a missing or damaged file, and reports an edit by hand.
 *
 * @param change a `running` agent has no end and no error, unless they are given
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
    if (salvage(CYCLE, files).record === undefined) return
    const warnings = take === undefined ? [] : await taken(take, name, phase, files.progress)
    // Read only now: an edit by hand may have come while documents were copied.
    await changeState(CYCLE, files, salvage(CYCLE, files), (stored, known) => {
      const opened = begins === undefined ? {} : opening(stored, begins, at)
      const record = { ...stored, ...opened }
      const agents = { ...record.agents, [phase]: changed(record.agents[phase], change) }
      return {
        ...opened,
        updated_at: at,
        agents,
        current_phase:
          PHASES.find((one) => agents[one].status === 'running') ?? record.current_phase,
        ...ownContexts(files.progress, phase, { ...record, agents }, at),
        ...withWarnings(record, known, warnings),
      }
    })
  })
}

/** The content of an agent's documents. */
function ownContexts(
  progress: string,
  phase: Phase,
  { agents, ...record }: StoredCycle,
  at: string,
): Partial<Contexts> {
  const found = contextsIn(progress, record, at)
  if (found.plan !== undefined)
    found.plan = {
      ...found.plan,
      tasks: withStatuses(knownStatuses(found.plan, record.plan), {
        status: agents.cd.status,
        result: undefined,
        promised: [],
      }),
    }
  return Object.fromEntries(
    CONTEXTS[phase].flatMap((key) => (found[key] === undefined ? [] : [[key, found[key]]])),
  )
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
  const own = progressPaths(workspace.cwd, name).dir
  return takeRecordEdits(CYCLE, { project: workspace.project, name, seen }, ({ progress }) =>
    takeEdits(progress, own, phases, at),
  )
}

/** Agents that have no turn, as the state file says. */
export function idlePhases(project: string, name: string): Phase[] {
  const { record } = salvage(CYCLE, cycleFiles(project, name))
  return PHASES.filter((phase) => record !== undefined && record.agents[phase].status !== 'running')
}

// Holds until the first full record of the iteration: agents that read it find the cycle running.
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
    // One that was interrupted and runs again has an entry.
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
