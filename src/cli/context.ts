// What every command receives: its common options, its environment, its output, and a way to ask.
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
 * Shows a question as a prompt. `left`: the person pressed Ctrl-C. `undefined`: the signal closed
 * it.
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Given | 'left' | undefined>

/**
 * A progress bar in the last line of a terminal; `began` is the start of the measurement in epoch
 * milliseconds.
 */
export type Bar = { draw: (measure: Measure, began: number) => void; clear: () => void }

/** Opens the live view at the bottom of the terminal. */
export type OpenLive = () => Promise<Live>

export type Context = CommonOptions & {
  env: NodeJS.ProcessEnv
  cwd: string
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  interrupted: AbortSignal
  /** Declares that the command ends by itself after Ctrl-C; otherwise it is abandoned. */
  takesInterrupt: () => void
  /** Width of the terminal; absent if stdout is none. */
  columns?: number
  /** Present if a person sits at a terminal and `--json` is not given. */
  ask?: Ask
  /** Present if stderr is a terminal. */
  bar?: () => Promise<Bar>
  /**
   * Present if progress may be redrawn in place: stdout is a terminal, without `--json` and
   * `--plain`.
   */
  live?: OpenLive
  /** Prints one line of progress: on stdout, or on stderr with `--json`. */
  say: (line: string) => void
  /** Prints one line on stderr. */
  warn: (line: string) => void
  /** Prints the answer of the command: lines for a person, or the one document of `--json`. */
  answer: (document: unknown, lines: readonly string[]) => void
}

export type Streams = { stdout: (text: string) => void; stderr: (text: string) => void }

/** Creates a context that writes to these streams. */
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
