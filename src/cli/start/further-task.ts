// Checks the further task of a cycle or a loop before anything is started, and gives it to an open
// run by an update.
import { randomUUID } from 'node:crypto'
import { Task } from '../../contract/dev-cycle/cycle-input.js'
import type { FoundRun } from '../find/find-run.js'
import { badInput } from '../output/errors.js'
import { nounOf, type KeptKind } from '../find/kept-kind.js'

/**
 * Checks a further task as a user typed it.
 *
 * @throws RefusalError `BadInput` if it is not a task; a bare number is meant as iterations of a
 * test-fix run
 */
export function checkedTask(id: string, text: string, kind: KeptKind = 'dev-cycle'): string {
  const example = `use for example: ratchet extend ${id} "also write the docs"`
  if (text.trim() === '') throw badInput('no further task given', 'ratchet extend', example)
  if (/^\d+$/.test(text.trim()))
    throw badInput(
      `a ${nounOf(kind)} is extended by a task, got ${JSON.stringify(text)}`,
      'ratchet extend',
      `${example}; its iterations are --max-iterations <n>`,
    )
  const parsed = Task.safeParse(text)
  if (!parsed.success)
    throw badInput(
      `the further task ${parsed.error.issues[0]?.message ?? 'is not valid'}`,
      'ratchet extend',
      'make it shorter',
    )
  return text
}

/**
 * Gives an open cycle a further task. `iterations` are further ones; without them the cycle adds
 * one if it is in its last.
 */
export async function extendOpenCycle(
  { id, handle }: Pick<FoundRun, 'id' | 'handle'>,
  task: string,
  iterations: number | undefined,
): Promise<{ maxIterations: number; enters: number | null; said: string }> {
  const { maxIterations, enters = null } = await handle.extend({ task, iterations }, randomUUID())
  return {
    maxIterations,
    enters,
    said: `${id} starts it ${enters === null ? 'in the next iteration' : `in iteration ${enters}`} of ${maxIterations} at most`,
  }
}

/** Gives an open loop a further task. `task` is its id, `null` if the loop has no breakdown yet. */
export async function extendOpenLoop(
  { id, handle }: Pick<FoundRun, 'id' | 'handle'>,
  text: string,
  iterations: number | undefined,
): Promise<{ maxIterations: number; task: string | null; pending: number; said: string }> {
  const {
    maxIterations,
    task = null,
    pending = 0,
  } = await handle.extend({ task: text, iterations }, randomUUID())
  return {
    maxIterations,
    task,
    pending,
    said:
      task === null
        ? `${id} works on it with the rest of its task`
        : `${id} added it as ${task}, ${pending} pending`,
  }
}
