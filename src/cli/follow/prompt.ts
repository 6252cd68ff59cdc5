// Shows questions as prompts in a terminal: a menu to choose from, or a line to type. Keys typed
// before a prompt are discarded, as a stray Enter would choose the recommended option.
import { setTimeout as delay } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { namedAmount } from '../../core/agents/budget.js'
import { CHANGE } from '../../core/run/approval.js'
import { deadlineText } from '../../core/run/question-silence.js'
import { oneLine } from '../../core/text/one-line.js'
import type { Question } from '../../contract/question.js'
import type { Ask, Given } from '../context.js'

/** The choice of free text in a clarification or a decision. */
const OWN_WORDS = Symbol('own words')
/** Long enough for buffered keys to arrive, short enough not to be noticed. */
const SWALLOW_MS = 30
const CTRL_C = 3

export type Terminal = {
  input: Readable & { setRawMode?: (raw: boolean) => unknown }
  output: NodeJS.WritableStream & { columns?: number; rows?: number }
}

/** One line of a menu. */
export type MenuLine = {
  value: string | typeof OWN_WORDS
  name: string
  short: string
  description?: string
}

/** Asks a person; see `Ask`. */
export const askInTerminal: Ask = (question, signal) =>
  askIn({ input: process.stdin, output: process.stdout }, question, signal)

/** The same in any terminal. */
export async function askIn(
  terminal: Terminal,
  question: Question,
  signal: AbortSignal,
): Promise<Given | 'left' | undefined> {
  const [{ default: select }, { default: input }] = await Promise.all([
    import('@inquirer/select'),
    import('@inquirer/input'),
  ])
  const isLeft = await swallow(terminal.input)
  // A prompt that starts after its end would leave the terminal in raw mode.
  if (isLeft || signal.aborted) {
    terminal.input.setRawMode?.(false)
    return isLeft ? 'left' : undefined
  }
  const context = { ...terminal, signal } as {
    input: NodeJS.ReadableStream
    output: NodeJS.WritableStream
    signal: AbortSignal
  }
  const line = (
    message: string,
    byDefault?: string,
    validate: (text: string) => true | string = isText,
  ): Promise<string> => input({ message, validate, default: byDefault }, context)
  try {
    if (question.options.length === 0)
      return { text: (await line(messageOf(question), question.recommended)).trim() }
    const choice = await select(
      {
        message: messageOf(question),
        choices: menuLines(question, terminal.output.columns),
        pageSize: question.options.length + 1,
        loop: false,
        default: question.recommended,
      },
      context,
    )
    if (choice === OWN_WORDS) return { text: (await line('Your answer')).trim() }
    const { amount } = question
    if (amount?.option === choice)
      return {
        choice,
        text: (await line(`How many more ${amount.unit}`, amount.usual, isAmount)).trim(),
      }
    if (question.kind === 'approval' && choice === CHANGE)
      return { text: (await line('What to change')).trim() }
    return takesText(question, choice)
      ? { choice, text: (await line('Further task')).trim() }
      : { choice }
  } catch (error) {
    const { name } = error as Error
    if (name === 'ExitPromptError') return 'left'
    if (name === 'AbortPromptError') return undefined
    throw error
  }
}

/**
 * Returns every option with its meaning, as far as it fits on the line; for a clarification or a
 * decision also the option of free text.
 */
export function menuLines(
  { kind, options, descriptions = {}, recommended }: Question,
  columns = 80,
): MenuLine[] {
  const width = Math.max(...options.map((option) => option.length))
  const lines = options.map((option): MenuLine => {
    const [short, meaning] = [oneLine(option), oneLine(descriptions[option] ?? '')]
    const mark = option === recommended ? '(recommended)' : ''
    const line = [short.padEnd(width), meaning, mark]
      .filter((part) => part !== '')
      .join('  ')
      .trimEnd()
    // The pointer takes two columns.
    if (line.length + 2 < columns || meaning === '') return { value: option, name: line, short }
    return { value: option, name: [short, mark].join('  ').trimEnd(), short, description: meaning }
  })
  return kind === 'clarification' || kind === 'decision'
    ? [...lines, { value: OWN_WORDS, name: 'other: in your own words', short: 'other' }]
    : lines
}

const isText = (text: string): true | string => text.trim() !== '' || 'An answer is needed'
const isAmount = (text: string): true | string =>
  namedAmount(text) !== undefined || 'A number above 0 is needed'

function messageOf(question: Question): string {
  return [...question.text.split('\n'), deadlineText(question, Date.now()) ?? '']
    .map((part) => oneLine(part))
    .filter((part) => part !== '')
    .join('\n')
}

// The only option of a menu that takes a text: the further task between two iterations.
function takesText({ kind }: Question, choice: string): boolean {
  return kind === 'menu' && choice === 'extend'
}

// Leaves the terminal in raw mode, as the prompt needs it. Returns whether Ctrl-C was pressed.
async function swallow(input: Terminal['input']): Promise<boolean> {
  let left = false
  const take = (chunk: Buffer | string): void => void (left ||= Buffer.from(chunk).includes(CTRL_C))
  input.setRawMode?.(true)
  input.on('data', take)
  input.resume()
  await delay(SWALLOW_MS)
  input.off('data', take)
  input.pause()
  return left
}
