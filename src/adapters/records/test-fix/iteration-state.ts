// `.process/iteration-state.json`, read and changed between two full records.
import path from 'node:path'
import type { PendingFix } from '../../../contract/test-fix/test-fix-state.js'
import { IterationState, withPending } from '../../../core/records/iteration-record.js'
import { todoList } from '../../../core/records/todo-list.js'
import { timestamp } from '../../timestamp.js'
import { beginTask } from './task-status.js'
import { jsonText } from '../write-file.js'
import { changeProjected, textIn } from '../write-if-unchanged.js'

export const ITERATION_STATE = '.process/iteration-state.json'

/**
 * Content of the file; its text where it cannot be read as one; `undefined` where there is none.
 */
export function readIterationState(
  dir: string,
): { content: IterationState } | { damaged: string; raw: unknown } | undefined {
  const text = textIn(path.join(dir, ITERATION_STATE))
  if (text === undefined) return undefined
  const raw = parsed(text)
  const content = IterationState.safeParse(raw)
  return content.success && isCounted(content.data)
    ? { content: content.data }
    : { damaged: text, raw }
}

/**
 * Notes an iteration that has begun, so that a session resumed from its record alone continues
 * there: at its fix, or, with a `commit`, at the retest. The list of tasks and the status of the
 * fix task say the same. Can be repeated.
 *
 * A file that is damaged or not there yet is left to the next full record.
 *
 * @param at epoch milliseconds
 * @param offset of times in the record, like "+08:00"
 */
export async function notePending(
  dir: string,
  pending: PendingFix,
  at: number,
  offset: string,
): Promise<void> {
  const read = readIterationState(dir)
  if (read === undefined || !('content' in read)) return
  // An older note of the same iteration must not undo a newer one.
  const noted = read.content.state.pending
  const known =
    noted?.iteration === pending.iteration &&
    noted.task === pending.task &&
    noted.commit !== undefined &&
    pending.commit === undefined
  if (known || read.content.state.history.some((one) => one.iteration === pending.iteration)) return
  const content = withPending(read.content, pending)
  const { queue, history } = content.state
  const time = timestamp(at, offset)
  await changeProjected(dir, [
    ...[pending, ...(pending.causes ?? [])].flatMap(({ task }) => beginTask(dir, task, time)),
    ...(queue === undefined
      ? []
      : [
          {
            name: 'TODO_LIST.md',
            text: todoList({
              name: content.session_id,
              tasks: queue,
              history,
              pending,
              current: content.current_task,
            }),
            yields: true as const,
          },
        ]),
    // Last: it is what a resumed session goes by.
    { name: ITERATION_STATE, text: jsonText({ ...content, updated_at: time }) },
  ])
}

/** More iterations than any session has had: a number that a person typed. */
const MOST = 100_000

// Numbers from which ids of tasks and limits are made.
function isCounted({ state }: IterationState): boolean {
  const numbers = [
    state.iteration,
    state.maxIterations,
    state.extended ?? 0,
    state.pending?.iteration ?? 0,
    ...state.history.map((one) => one.iteration),
    ...(state.queue ?? []).map((task) => task.attempts),
  ]
  return numbers.every((n) => n >= 0 && n <= MOST)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
