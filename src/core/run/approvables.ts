// What each kind of run has approved, in words: a fix's plan, tests, a cycle's plan, a breakdown.
import type { LoopTask } from '../../contract/dev-loop/action-reading.js'
import type { CyclePromise } from '../../contract/dev-cycle/cycle-state.js'
import type { PendingFix } from '../../contract/test-fix/test-fix-state.js'
import { TEST_PLAN, type TaskEntry } from '../../contract/test-fix/task.js'
import { oneLine } from '../text/one-line.js'
import { shortList } from '../text/short-text.js'
import { textDigest } from '../text/text-digest.js'
import type { Approvable } from './approval.js'

const FILES_NAMED = 10
const TASKS_NAMED = 10
const TASK_CHARS = 120

type Place = { workspace: { project: string }; recordDir: string }

/** Path of a file of the record, from the project. */
function inRecord({ workspace: { project }, recordDir }: Place, file: string): string {
  const dir = recordDir.startsWith(`${project}/`) ? recordDir.slice(project.length + 1) : recordDir
  return `${dir}/${file}`
}

/** The plan of a fix, before a strategy is carried out. */
export function fixPlan(
  pending: Pick<PendingFix, 'task' | 'strategy' | 'quality' | 'summary' | 'points' | 'files'>,
  file: string,
  place: Place,
): Approvable {
  const { task, strategy, quality, summary, points, files = [] } = pending
  const how = `${strategy}${quality === 'degraded' ? ', without a usable analysis' : ''}`
  const changes =
    files.length > 0
      ? `It changes ${shortList(files, files.length, FILES_NAMED)}.`
      : `It names ${points === 0 ? 'no place' : `${points} place${points === 1 ? '' : 's'}`} to change.`
  return {
    id: `approve-${task}`,
    what: `the plan of ${task}`,
    text: `${oneLine(summary).replace(/\.$/, '')} (${how}). ${changes} The plan: ${inRecord(place, `.task/${file}`)}.`,
    then: 'an agent carries out the plan, and Ratchet measures the result',
  }
}

/** Tests, before an agent writes them. */
export function testsToWrite(
  { id, title }: Pick<TaskEntry, 'id' | 'title'>,
  hasPlan: boolean,
  place: Place,
): Approvable {
  return {
    id: `approve-${id}`,
    what: `the tests that ${id} is to write`,
    text: `${oneLine(title, TASK_CHARS)}. ${hasPlan ? `The plan: ${inRecord(place, TEST_PLAN)}.` : 'There is no plan: they are written from the code alone.'}`,
    then: 'an agent writes the tests',
  }
}

/** Tests that are written, before anything is checked or fixed by them. */
export function testsWritten(id: string, branch: string): Approvable {
  return {
    id: `approve-${id}-written`,
    what: `the tests that ${id} has written`,
    text: `They are on the branch ${branch}.`,
    then: 'the tests are checked, and then decide about every fix',
  }
}

/** The plan of a cycle, before its developer begins. */
export function cyclePlan(
  iteration: number,
  promised: readonly Pick<CyclePromise, 'id' | 'text'>[],
  why: string | undefined,
  place: Place,
): Approvable {
  return {
    id: `approve-plan-${iteration}`,
    what: `the plan of iteration ${iteration}`,
    text:
      promised.length === 0
        ? `The planner gave no tasks${why === undefined ? '' : ` (${oneLine(why, TASK_CHARS)})`}: the developer works from the task alone.`
        : `${tasksText(promised.map(({ id, text }) => `${id} ${text}`))} The plan: ${inRecord(place, 'ep/plan.json')}.`,
    then: 'development of the plan begins',
  }
}

/** Digest of the plan that a person approved: the same plan is not asked about again. */
export function planDigest(promised: readonly Pick<CyclePromise, 'id' | 'text'>[]): string {
  return textDigest(promised.map(({ id, text }) => `${id} ${text}`).join('\n'))
}

/** The breakdown of a loop, before its first action. */
export function breakdown(
  tasks: readonly Pick<LoopTask, 'id' | 'description' | 'priority'>[],
): Approvable {
  return {
    id: 'approve-breakdown',
    what: 'the breakdown into tasks',
    text: tasksText(
      tasks.map(({ id, description, priority }) => `${id} (${priority}) ${description}`),
    ),
    then: 'the menu of actions follows',
  }
}

function tasksText(tasks: readonly string[]): string {
  const named = tasks.map((task) => oneLine(task, TASK_CHARS))
  return `${tasks.length} task${tasks.length === 1 ? '' : 's'}: ${shortList(named, named.length, TASKS_NAMED).replace(/\.$/, '')}.`
}
