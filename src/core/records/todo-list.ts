// TODO_LIST.md: the tasks of a session, each iteration nested below the test task it belongs to.
import type { IterationSummary } from '../../contract/result.js'
import type { PendingFix } from '../../contract/test-fix/test-fix-state.js'
import type { TaskEntry, TaskStatus } from '../../contract/test-fix/task.js'
import { oneLine } from '../text/one-line.js'
import { isFixOrRetest } from '../test-fix/queue.js'

export type Todo = {
  name: string
  tasks: readonly TaskEntry[]
  history: readonly IterationSummary[]
  pending?: PendingFix | undefined
  /** The task that is worked on. */
  current?: string | null
}

/** Characters of a title or summary in the list. */
const TITLE_SHOWN = 120

const BOX: Record<TaskStatus, string> = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  rolled_back: '[-]',
  blocked: '[!]',
}

export function todoList({ name, tasks, history, pending, current }: Todo): string {
  const own = tasks.filter((task) => !isFixOrRetest(task))
  const testTask = own.find((task) => task.type === 'test-fix')?.id
  const below = (id: string): string[] => [
    ...history.filter((one) => (one.parent ?? testTask) === id).flatMap(iterationLines),
    ...(pending?.parent === id
      ? [
          pendingLine(
            pending,
            own.some((task) => task.id === id && task.status === 'blocked'),
          ),
        ]
      : []),
  ]
  return [
    `# Tasks: ${name}`,
    '',
    ...own.flatMap((task) => [
      taskLine(task, isUnderWay(task, current, pending)),
      ...below(task.id),
    ]),
    '',
    '`[ ]` pending, `[~]` in progress, `[x]` completed, `[-]` rolled back, `[!]` blocked',
    '',
  ].join('\n')
}

function isUnderWay(
  task: TaskEntry,
  current: string | null | undefined,
  pending: PendingFix | undefined,
): boolean {
  return task.status === 'pending' && (task.id === current || task.id === pending?.parent)
}

function taskLine(task: TaskEntry, underWay: boolean): string {
  const verb = task.type === 'test-fix' ? ' [ITERATION]' : ''
  return `- ${BOX[underWay ? 'in_progress' : task.status]} Execute ${task.id}: ${oneLine(task.title, TITLE_SHOWN)} [${task.role}]${verb}`
}

const RESULT: Record<IterationSummary['result'], TaskStatus> = {
  baseline: 'completed',
  kept: 'completed',
  no_change: 'completed',
  not_started: 'completed',
  rolled_back: 'rolled_back',
  failed: 'blocked',
}

/** Status of the fix task of an iteration that is over. */
export function fixStatus(result: IterationSummary['result']): TaskStatus {
  return RESULT[result]
}

function iterationLines(one: IterationSummary): string[] {
  const rate = one.passRate === null ? 'not measured' : `${one.passRate} %`
  if (one.iteration === 0) return [`  - ${BOX.completed} → Iteration 0: Initial test run (${rate})`]
  const what = [
    one.task ?? `IMPL-fix-${one.iteration}`,
    ...(one.strategy === undefined ? [] : [one.strategy]),
  ].join(', ')
  const parts = (one.parts ?? []).map(
    ({ task, result }) => `    - ${BOX[RESULT[result]]} ${task}: ${result.replaceAll('_', ' ')}`,
  )
  return [
    `  - ${BOX[RESULT[one.result]]} → Iteration ${one.iteration}: ${what}: ${one.result.replaceAll('_', ' ')} (${rate})`,
    ...parts,
  ]
}

function pendingLine(pending: PendingFix, blocked: boolean): string {
  const next = pending.commit === undefined ? '' : ', waits for its retest'
  return `  - ${BOX[blocked ? 'blocked' : 'in_progress']} → Iteration ${pending.iteration}: ${pending.task}, ${pending.strategy}: ${oneLine(pending.summary, TITLE_SHOWN)}${next}`
}
