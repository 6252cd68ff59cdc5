// Reads the task of a new cycle or loop, as a user typed it or piped it in.
import { text } from 'node:stream/consumers'
import { badInput } from '../output/errors.js'
import { nounOf, type KeptKind } from '../find/kept-kind.js'

/** As the task: read it from standard input. */
const STDIN = '-'

/**
 * Returns the words of the command line, or standard input.
 *
 * @throws RefusalError `BadInput` without a task, or for `--extend` without an id
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
      `run: ${command} --${noun}-id <id> --extend ${JSON.stringify(extend)}`,
    )
  const task = await wordsOrInput(words)
  if (task.trim() === '')
    throw badInput(
      `Missing ${noun}Id or task`,
      command,
      `start a ${noun} with: ${command} "<task>", or continue one with: ${command} --${noun}-id <id>`,
    )
  return task
}

/** Returns the words of the command line, or standard input for `-`. */
export async function wordsOrInput(words: readonly string[]): Promise<string> {
  return words.length === 1 && words[0] === STDIN ? text(process.stdin) : words.join(' ')
}

/**
 * Refuses a task, a base or a package together with `--cycle-id` or `--loop-id`.
 *
 * @throws RefusalError `BadInput`
 */
export function refuseWithId(
  id: string,
  words: readonly string[],
  given: { base: string | undefined; prep: string | undefined },
  kind: KeptKind,
): void {
  const noun = nounOf(kind)
  const command = `ratchet ${noun}`
  if (words.length > 0)
    throw badInput(
      `a task and --${noun}-id cannot be used together`,
      command,
      `use one of them, or run: ${command} --${noun}-id ${id} --extend "<task>"`,
    )
  for (const [option, value] of Object.entries(given))
    if (value !== undefined)
      throw badInput(
        `--${option} is for a new ${noun}, --${noun}-id continues an existing one`,
        command,
        'use one of them',
      )
}
