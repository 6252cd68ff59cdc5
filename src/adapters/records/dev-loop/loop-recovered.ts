// Recovers the state file of a loop from its output and progress files and from the readable part
// of the damaged file.
import { LOOP_ACTIONS, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import type {
  Finding,
  LoopNotes,
  LoopRecord,
  SkillState,
  WorkerSummary,
} from '../../../contract/dev-loop/loop-record.js'
import type { LoopTask } from '../../../contract/dev-loop/action-reading.js'
import { titleOf } from '../../../core/dev-loop/prompts/brief.js'
import { loopDescription } from '../../../core/dev-loop/loop-tasks.js'
import { byKey } from '../kept-lists.js'
import { lostParts, type Lost } from '../lost-parts.js'
import { recordLog } from '../safe-files.js'
import { readOutputs } from './outputs.js'
import type { LoopFiles } from './loop-paths.js'
import { readProgress, type ProgressHead, type ProgressSection } from './progress-file.js'
import type { Salvaged } from '../salvaged.js'

/** Used if no file says it. */
const MAX_ITERATIONS = 10
/** More iterations than any loop has had, so a person typed the number. */
const MOST_ITERATIONS = 10_000

type Known = {
  found: Partial<LoopRecord>
  /** The old file is complete. */
  whole: boolean
  head: ProgressHead | undefined
  sections: ProgressSection[]
  workers: WorkerSummary[]
}

/**
 * Returns the record as far as it is known; `notes` name what is lost.
 *
 * @param read what can be read of the old file
 * @param now ISO 8601
 */
export function rebuiltFromFiles(
  files: LoopFiles,
  { found, whole }: Pick<Salvaged<LoopRecord>, 'found' | 'whole'>,
  { name, now }: { name: string; now: string },
): { record: LoopRecord; notes: string[] } {
  const parts = lostParts('loop')
  const { notes, lost } = parts
  const read = LOOP_ACTIONS.map((action) => readProgress(recordLog(files.note(action))))
  const head = read.findLast((one) => one.head !== undefined)?.head
  const sections = read.flatMap((one) => one.sections).sort((a, b) => a.iteration - b.iteration)
  const known: Known = { found, whole, head, sections, workers: workersOf(files, found, sections) }
  const last = lastIteration(known)
  const texts = textsOf(known, notes)
  const standing = parts.standing(found)
  const record: LoopRecord = {
    schema: 1,
    loop_id: found.loop_id ?? head?.loop ?? name,
    title: found.title ?? titleOf(texts[0] ?? ''),
    description: found.description ?? loopDescription(texts),
    mode: lost(found.mode ?? head?.mode, 'interactive', 'the mode is not known: interactive'),
    ...standing,
    current_iteration: last,
    max_iterations: parts.maxIterations(
      found.max_iterations ?? head?.max_iterations,
      Math.max(MAX_ITERATIONS, last),
    ),
    created_at: parts.created(found.created_at ?? head?.created_at, sections[0]?.at ?? now),
    updated_at: now,
    completed_at: found.completed_at,
    skill_state: skillState(known, lost),
    ratchet: notesOf(known, { name, texts, notes }),
  }
  return { record, notes }
}

/** The last of each action: what the file says, or the worker's own files where they are newer. */
function workersOf(
  files: LoopFiles,
  found: Partial<LoopRecord>,
  sections: readonly ProgressSection[],
): WorkerSummary[] {
  const before = found.ratchet?.workers ?? []
  const outputs = readOutputs(files, before)
  return LOOP_ACTIONS.flatMap((action): WorkerSummary[] => {
    const section = sections.findLast((one) => one.worker.action === action)
    const output = outputs[action]
    const known = [
      ...before.filter((one) => one.action === action),
      ...(output === undefined
        ? []
        : [
            {
              action,
              status: output.status,
              summary: output.summary,
              iteration: output.iteration,
              files: output.files_changed,
              filesTotal: output.files_changed.length,
            },
          ]),
      ...(section === undefined
        ? []
        : [
            {
              action,
              status: section.worker.status,
              summary: section.worker.summary,
              iteration: section.iteration,
              files: [],
              filesTotal: 0,
            },
          ]),
    ]
    return known.sort((a, b) => b.iteration - a.iteration).slice(0, 1)
  })
}

function textsOf({ found, head }: Known, notes: string[]): string[] {
  const said = [
    found.ratchet?.task_history,
    head?.texts,
    found.description === undefined ? undefined : [found.description],
    found.title === undefined ? undefined : [found.title],
  ]
  const texts = said.find((list) => list !== undefined && list.length > 0)
  if (texts === undefined) notes.push('the task is lost: give it again with ratchet extend')
  return texts ?? ['']
}

/** The highest number that anything speaks of. */
function lastIteration({ found, sections, workers }: Known): number {
  const said = found.current_iteration
  if (said !== undefined && said >= 0 && said <= MOST_ITERATIONS) return said
  const numbers = [...sections, ...workers, ...(found.ratchet?.history ?? [])].map(
    ({ iteration }) => iteration,
  )
  return Math.max(0, ...numbers.filter((n) => n <= MOST_ITERATIONS))
}

function skillState(known: Known, lost: Lost): SkillState {
  const {
    found: { skill_state: said },
    whole,
    workers,
    sections,
  } = known
  const done = workers
    .filter(({ status }) => status !== 'unknown' && status !== 'needs_input')
    .map(({ action }) => action)
  const latest = workers.reduce<WorkerSummary | undefined>(
    (one, other) =>
      one === undefined ||
      other.iteration > one.iteration ||
      (other.iteration === one.iteration && placeOf(other.action) > placeOf(one.action))
        ? other
        : one,
    undefined,
  )
  const phase = said?.phase ?? latest?.action ?? 'init'
  const tasks = byKey(
    said === undefined || !whole ? planned(sections) : [],
    [...(said?.completed_tasks ?? []), ...(said?.pending_tasks ?? [])],
    ({ id }) => id,
  )
  if (said === undefined)
    lost(
      tasks.length > 0 ? true : undefined,
      false,
      done.includes('init') ? 'the tasks are lost: they are planned again' : 'no tasks are known',
    )
  return {
    phase,
    action_index: said?.action_index ?? placeOf(phase),
    // Without its tasks the first worker has done nothing.
    workers_completed:
      said?.workers_completed ?? done.filter((action) => action !== 'init' || tasks.length > 0),
    parallel_results: said?.parallel_results ?? null,
    pending_tasks: tasks.filter(({ status }) => status !== 'completed'),
    completed_tasks: tasks.filter(({ status }) => status === 'completed'),
    findings: said?.findings ?? findingsIn(sections),
  }
}

/** The last breakdown, and what has become of its tasks as far as workers named them. */
function planned(sections: readonly ProgressSection[]): LoopTask[] {
  const from = sections.findLastIndex(
    ({ worker }) =>
      worker.action === 'init' && worker.tasks !== undefined && worker.tasks.length > 0,
  )
  const done = new Set(
    sections
      .slice(from + 1)
      .flatMap(({ worker }) => (worker.action === 'develop' ? (worker.tasksCompleted ?? []) : [])),
  )
  return (sections[from]?.worker.tasks ?? []).map((task) =>
    done.has(task.id) ? { ...task, status: 'completed' } : task,
  )
}

/** Those of the workers since the last develop. */
function findingsIn(sections: readonly ProgressSection[]): Finding[] {
  const from = sections.findLastIndex(({ worker }) => worker.action === 'develop')
  return sections
    .slice(from + 1)
    .flatMap(({ iteration, worker }) =>
      (worker.findings ?? []).map((description) => ({
        description,
        source: worker.action,
        iteration,
      })),
    )
    .map((one, n): Finding => ({ id: `F${n + 1}`, ...one, status: 'open' }))
}

function notesOf(
  { found, head, workers }: Known,
  { name, texts, notes }: { name: string; texts: string[]; notes: string[] },
): LoopNotes {
  if (found.ratchet !== undefined) return { ...found.ratchet, workers }
  if (head === undefined) notes.push('the branch of the loop is not known')
  else notes.push('the list of commits is lost: they are on the branch')
  notes.push('the measurements and the history of the workers are lost')
  return {
    run: head?.run ?? name,
    ...(head === undefined ? {} : { branch: head.branch, base: head.base }),
    commits: [],
    warnings: [],
    task_history: texts,
    workers: tasksKnown(workers, notes),
    history: [],
  }
}

// A loop whose tasks are lost plans again; init counts as not done.
function tasksKnown(workers: WorkerSummary[], notes: readonly string[]): WorkerSummary[] {
  return notes.includes('the tasks are lost: they are planned again')
    ? workers.filter(({ action }) => action !== 'init')
    : workers
}

function placeOf(action: LoopAction): number {
  return LOOP_ACTIONS.indexOf(action)
}
