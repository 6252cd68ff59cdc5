// Recovers the state file of a cycle from its progress files and from the readable part of the
// damaged file.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type {
  AgentState,
  CycleRecord,
  IterationRecord,
} from '../../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import { cycleTitle, description } from '../../../core/dev-cycle/plan-tasks.js'
import { claimedResults, contextsIn } from './contexts.js'
import { readChanges } from './changes.js'
import { readDecisions } from './decisions-log.js'
import { readDocuments } from './documents.js'
import { readBlockers } from './feedback-file.js'
import { lostParts, type Lost } from '../lost-parts.js'
import { recordLog } from '../safe-files.js'
import type { CycleFiles } from './cycle-paths.js'
import { knownStatuses } from './plan-status.js'
import type { StoredCycle, StoredNotes } from './cycle-schema.js'
import { readTimeline, type Timeline } from './timeline.js'

/** Used if no file says it. */
const MAX_ITERATIONS = 5
/** More iterations than any cycle has had, so a person typed the number. */
const MOST_ITERATIONS = 1_000

/**
 * Returns the record as far as it is known; `notes` name what is lost.
 *
 * @param found what can be read of the old file
 * @param now ISO 8601
 */
export function rebuiltFromFiles(
  files: CycleFiles,
  found: Partial<StoredCycle>,
  { name, now }: { name: string; now: string },
): { record: StoredCycle; notes: string[] } {
  const parts = lostParts('cycle')
  const { notes, lost } = parts
  const timeline = readTimeline(recordLog(files.timeline))
  const { head, sections } = timeline
  const contexts = contextsIn(files.progress, found, now)
  const last = lastIteration(files, found, timeline, contexts.changes)
  const created = parts.created(
    found.created_at ?? head?.created_at,
    sections[0]?.iteration.started_at ?? now,
  )
  const iterations = iterationsOf(last, {
    found,
    timeline,
    created,
    markers: contexts.changes?.iteration_markers ?? {},
    notes,
  })
  const texts = tasksOf(found, timeline, notes)
  const standing = parts.standing(found)
  const coordination = coordinationOf(files, found, lost)
  const record: StoredCycle = {
    schema: 1,
    cycle_id: found.cycle_id ?? head?.id ?? name,
    ...texts,
    ...standing,
    created_at: created,
    updated_at: now,
    completed_at: found.completed_at,
    max_iterations: parts.maxIterations(
      found.max_iterations ?? head?.max_iterations,
      Math.max(MAX_ITERATIONS, last),
    ),
    current_iteration: last,
    agents: lost(
      found.agents,
      agentsOf(files.progress, last),
      'the states of the agents are not known',
    ),
    current_phase: found.current_phase ?? 'init',
    completed_phases: found.completed_phases ?? [],
    phase_errors: lost(found.phase_errors, [], 'errors of agents are lost'),
    ...contexts,
    ...(contexts.plan === undefined
      ? {}
      : { plan: { ...contexts.plan, tasks: knownStatuses(contexts.plan, found.plan) } }),
    ...testResultsOf(files, found, timeline, { now, notes }),
    iterations,
    coordination,
    convergence: found.convergence ?? null,
    phase_gates: found.phase_gates ?? null,
    agent_focus: found.agent_focus ?? null,
    source_refs: found.source_refs ?? null,
    ratchet: notesOf(files, found, timeline, { last: iterations.at(-1), notes }),
  }
  const prep = ['convergence', 'phase_gates', 'agent_focus', 'source_refs'] as const
  if (prep.some((key) => found[key] === undefined))
    notes.push('it is unknown whether a prep package was used: Ratchet assumes none')
  return { record, notes }
}

// A version in history was replaced by the next iteration; one with a number behind it by the same
// iteration.
function iterationBehind(name: string): number {
  const [, minor = '-1', again] = /-v1\.(\d{1,4})\.0\.(?:(\d{1,4})\.)?/.exec(name) ?? []
  return Number(minor) + (again === undefined ? 2 : 1)
}

function tasksOf(
  found: Partial<StoredCycle>,
  { head, sections }: Timeline,
  notes: string[],
): Pick<CycleRecord, 'title' | 'description' | 'task_history'> {
  const extensions = sections.flatMap(({ iteration }) =>
    iteration.extension === undefined
      ? []
      : [{ text: iteration.extension, iteration: iteration.number }],
  )
  const first = head?.task ?? found.task_history?.[0] ?? found.title
  if (first === undefined && found.description === undefined)
    notes.push('the task is lost: give it again with ratchet extend')
  const tasks = [{ text: first ?? '', iteration: 1 }, ...extensions]
  return {
    title: found.title ?? cycleTitle(first ?? found.description ?? ''),
    description: found.description ?? description(tasks),
    task_history:
      found.task_history !== undefined && found.task_history.length >= tasks.length
        ? found.task_history
        : tasks.map(({ text }) => text),
  }
}

/** The highest number that anything speaks of. */
function lastIteration(
  { progress }: CycleFiles,
  found: Partial<StoredCycle>,
  { sections }: Timeline,
  changes: CycleRecord['changes'],
): number {
  if (
    found.current_iteration !== undefined &&
    found.current_iteration >= 0 &&
    found.current_iteration <= MOST_ITERATIONS
  )
    return found.current_iteration
  const numbers = [
    ...sections.map(({ iteration }) => iteration.number),
    ...(found.iterations ?? []).map(({ number }) => number),
    ...Object.keys(changes?.iteration_markers ?? {}).map(Number),
    ...PHASES.flatMap((phase) =>
      namesIn(path.join(progress, phase, 'history')).map(iterationBehind),
    ),
    ...PHASES.flatMap((phase) =>
      readDocuments(path.join(progress, phase), phase).files.length > 0 ? [1] : [],
    ),
  ]
  return Math.max(0, ...numbers.filter((n) => n <= MOST_ITERATIONS))
}

function iterationsOf(
  last: number,
  at: {
    found: Partial<StoredCycle>
    timeline: Timeline
    created: string
    markers: Record<string, string>
    notes: string[]
  },
): IterationRecord[] {
  const known = new Map((at.found.iterations ?? []).map((one) => [one.number, one]))
  for (const { iteration } of at.timeline.sections) known.set(iteration.number, iteration)
  const bare: number[] = []
  const all = Array.from({ length: last }, (_, n) => n + 1).map((number): IterationRecord => {
    const one = known.get(number)
    if (one !== undefined) return one
    bare.push(number)
    return {
      number,
      started_at: at.markers[String(number)] ?? at.created,
      agent_results: {},
      issues_found: [],
      resolved: false,
    }
  })
  if (bare.length > 0) at.notes.push(`of iteration ${bare.join(', ')} only the number is known`)
  return all
}

function agentsOf(progress: string, iterations: number): CycleRecord['agents'] {
  return Object.fromEntries(
    PHASES.map((phase): [Phase, AgentState] => {
      const { files } = readDocuments(path.join(progress, phase), phase)
      return [
        phase,
        {
          status: 'idle',
          output_files: files.map((name) => `${phase}/${name}`),
          iterations_completed: files.length > 0 ? iterations : 0,
        },
      ]
    }),
  ) as CycleRecord['agents']
}

function coordinationOf(
  files: CycleFiles,
  found: Partial<StoredCycle>,
  lost: Lost,
): CycleRecord['coordination'] {
  const before = found.coordination
  const decisions = new Map((before?.pending_decisions ?? []).map((one) => [one.id, one]))
  for (const decision of readDecisions(recordLog(files.decisions)))
    decisions.set(decision.id, decision)
  return {
    feedback_log: lost(before?.feedback_log, [], 'the log of feedback is lost'),
    pending_decisions: [...decisions.values()],
    blockers:
      before !== undefined && before.blockers.length > 0
        ? before.blockers
        : readBlockers(recordLog(files.feedback)),
  }
}

// What was measured counts before what was claimed; a claim is never a measured rate.
function testResultsOf(
  { progress }: CycleFiles,
  found: Partial<StoredCycle>,
  { sections }: Timeline,
  { now, notes }: { now: string; notes: string[] },
): Pick<CycleRecord, 'test_results'> {
  const measured =
    found.test_results ?? sections.findLast((one) => one.test_results !== undefined)?.test_results
  if (measured !== undefined) return { test_results: measured }
  const claimed = claimedResults(progress)
  if (claimed === undefined) return {}
  notes.push('the last measurement is lost: test results are those of the validation')
  const { version, coverage, failedTests, total, passRate } = claimed
  return {
    test_results: {
      version,
      pass_rate: null,
      coverage,
      failed_tests: failedTests,
      total_tests: total,
      last_run: now,
      claimed: passRate,
    },
  }
}

function notesOf(
  files: CycleFiles,
  found: Partial<StoredCycle>,
  { head, sections }: Timeline,
  { last, notes }: { last: IterationRecord | undefined; notes: string[] },
): StoredNotes {
  if (found.ratchet !== undefined) return found.ratchet
  if (head === undefined) notes.push('the branch of the cycle and how it was started are not known')
  const { commits } = readChanges(recordLog(path.join(files.progress, 'cd/changes.log')))
  const summaries = sections.flatMap(({ summary }) => summary ?? [])
  return {
    ...(head === undefined ? {} : { branch: head.branch, base: head.base }),
    scheduling: head?.scheduling ?? 'parallel',
    interactive: head?.interactive ?? false,
    parallel: head?.parallel ?? PHASES.length,
    commits,
    warnings: [],
    open_issues: last === undefined || last.resolved ? [] : last.issues_found,
    pending_extensions: [],
    ...(summaries.length === 0 ? {} : { history: summaries }),
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
