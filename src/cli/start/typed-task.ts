// The task of a new cycle or loop, as a user typed it or piped it in.
import { text } from 'node:stream/consumers'
import { badInput } from '../output/errors.js'
import { nounOf, type KeptKind } from '../find/run-record.js'

/** As the task: it is read from standard input. */
const STDIN = '-'

/**
 * The words of the command line, or standard input.
 *
 * @throws RefusalError `BadInput` where there is no task, or `--extend` without what it extends.
 */
export async function typedTask(
  words: readonly string[],
  extend: string | undefined,
  kind: KeptKind,
): Promise<string> {
  const noun = nounOf(kind)
  const command = `ratchet ${noun}`
  if (extend !== undefined)
    throw badInput(
      `--extend needs the ${noun} to extend`,
      command,
      `name it: ${command} --${noun}-id <id> --extend ${JSON.stringify(extend)}`,
    )
  const task =
    words.length === 1 && words[0] === STDIN ? await text(process.stdin) : words.join(' ')
  if (task.trim() === '')
    throw badInput(
      `Missing ${noun}Id or task`,
      command,
      `begin a ${noun} with: ${command} "<task>", or go on with one: ${command} --${noun}-id <id>`,
    )
  return task
}

/**
 * The id behind `--cycle-id` or `--loop-id` has neither a task nor a base beside it. Throws a
 * RefusalError `BadInput` where it has.
 */
export function refuseBesideId(
  id: string,
  words: readonly string[],
  base: string | undefined,
  kind: KeptKind,
): void {
  const noun = nounOf(kind)
  const command = `ratchet ${noun}`
  if (words.length > 0)
    throw badInput(
      `a task and --${noun}-id exclude each other`,
      command,
      `leave one of them out, or write: ${command} --${noun}-id ${id} --extend "<task>"`,
    )
  if (base !== undefined)
    throw badInput(
      `--base is for a new ${noun}, --${noun}-id goes on where one was left`,
      command,
      'leave one of them out',
    )
}
