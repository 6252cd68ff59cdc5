// What every command is given: its common options, its surroundings, its two ways of speaking, and
// of asking.
import type { Answer, Question } from '../contract/question.js'
import type { Live } from './live/live.js'
import type { Measure } from '../dev-server/index.js'

export type CommonOptions = {
  json: boolean
  project?: string
  address?: string
  namespace?: string
  profile?: string
}

/** What a person gave as an answer. */
export type Given = Pick<Answer, 'choice' | 'text'>

/**
 * Shows a question as a prompt. `left`: the person pressed Ctrl-C; `undefined`: the signal closed
 * it.
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Given | 'left' | undefined>

/**
 * A progress bar in the last line of a terminal; `began` is when what is measured began, epoch
 * milliseconds.
 */
export type Bar = { draw: (measure: Measure, began: number) => void; clear: () => void }

/** Opens the live view at the foot of the terminal. */
export type OpenLive = () => Promise<Live>

export type Context = CommonOptions & {
  env: NodeJS.ProcessEnv
  cwd: string
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  interrupted: AbortSignal
  /**
   * Says that the command ends by itself after Ctrl-C; without it the command is left where it is.
   */
  takesInterrupt: () => void
  /** Width of the terminal that stdout is; absent where it is none. */
  columns?: number
  /** There where a person sits at a terminal and no document is wanted. */
  ask?: Ask
  /** There where stderr is a terminal. */
  bar?: () => Promise<Bar>
  /**
   * There where progress may be drawn in place: stdout is a terminal, and no document and no plain
   * lines are wanted.
   */
  live?: OpenLive
  /** One line of progress: on stdout, or on stderr where stdout is kept for the document. */
  say: (line: string) => void
  /** One line on stderr. */
  warn: (line: string) => void
  /** The answer of the command: lines for a person, or with `--json` the one document. */
  answer: (document: unknown, lines: readonly string[]) => void
}

export type Streams = { stdout: (text: string) => void; stderr: (text: string) => void }

/** A context that speaks on these streams. */
export function createContext(
  common: CommonOptions,
  {
    ask,
    live,
    ...surroundings
  }: Pick<
    Context,
    'env' | 'cwd' | 'interrupted' | 'takesInterrupt' | 'ask' | 'columns' | 'bar' | 'live'
  >,
  streams: Streams,
): Context {
  return {
    ...common,
    ...surroundings,
    ...(ask === undefined || common.json ? {} : { ask }),
    ...(live === undefined || common.json ? {} : { live }),
    say: (line) => (common.json ? streams.stderr : streams.stdout)(`${line}\n`),
    warn: (line) => streams.stderr(`${line}\n`),
    answer: (document, lines) =>
      streams.stdout(
        common.json ? `${JSON.stringify(document)}\n` : lines.map((line) => `${line}\n`).join(''),
      ),
  }
}
