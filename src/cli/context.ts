// What every command receives: which project it is about, which server it uses, and the person who
// typed it. A helper takes only the part that it needs.
import type { Answer, Question } from '../contract/question.js'
import type { Live } from './live/live.js'
import type { Measure } from '../dev-server/index.js'
import { terminalText } from './output/terminal-text.js'

export type Context = { project: ProjectChoice; server: ServerChoice; out: Output }

/** Names the project: the directory of `--project` as typed, else the current directory. */
export type ProjectChoice = {
  named?: string
  /** `--trust`: what the repository brings may run, without a question. */
  trust?: boolean
  cwd: string
  /** Where its programs and the other projects of this user are. */
  env: NodeJS.ProcessEnv
}

/** Names the server: the local one, unless an address or a profile is given. */
export type ServerChoice = {
  address?: string
  namespace?: string
  profile?: string
  /** Of the processes that are started, and with the `TEMPORAL_*` variables. */
  env: NodeJS.ProcessEnv
}

/** The person who typed the command: what they see, what they are asked, and their Ctrl-C. */
export type Output = {
  // A line that begins with `warning: ` is in the document, too.
  /** Prints one line of progress: on stdout, or on stderr with `--json`. */
  say: (line: string) => void
  /** Prints one line on stderr. */
  warn: (line: string) => void
  /** Prints the answer of the command: lines for a person, or the one document of `--json`. */
  answer: (document: unknown, lines: readonly string[]) => void
  json: boolean
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
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  interrupted: AbortSignal
  /** Declares that the command ends by itself after Ctrl-C; otherwise it is abandoned. */
  takesInterrupt: () => void
  /** With NO_COLOR and TERM, the home directory, and the summary file of a CI. */
  env: NodeJS.ProcessEnv
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

/** The options of every command. */
export type CommonOptions = {
  json: boolean
  project?: string
  trust?: boolean
  address?: string
  namespace?: string
  profile?: string
}

/** The process and the terminal in which the command was typed. */
export type Surroundings = Pick<ProjectChoice, 'cwd' | 'env'> &
  Pick<Output, 'columns' | 'ask' | 'bar' | 'live' | 'interrupted'>

export type Streams = { stdout: (text: string) => void; stderr: (text: string) => void }

/** Creates a context that writes to these streams. */
export function createContext(
  { json, project, trust, ...server }: CommonOptions,
  {
    cwd,
    env,
    columns,
    ask,
    bar,
    live,
    interrupted,
    takesInterrupt,
  }: Surroundings & Pick<Output, 'takesInterrupt'>,
  streams: Streams,
): Context {
  const warned = new Set<string>()
  const heard = (line: string): string => {
    if (line.startsWith(WARNING)) warned.add(line.slice(WARNING.length))
    return line
  }
  return {
    project: { named: project, trust, cwd, env },
    server: { ...server, env },
    out: {
      env,
      json,
      columns,
      bar,
      ...(json ? {} : { ask, live }),
      interrupted,
      takesInterrupt,
      say: (line) => (json ? streams.stderr : streams.stdout)(`${terminalText(heard(line))}\n`),
      warn: (line) => streams.stderr(`${terminalText(heard(line))}\n`),
      answer: (document, lines) =>
        streams.stdout(
          json
            ? `${JSON.stringify(withWarnings(document, [...warned]))}\n`
            : lines.map((line) => `${terminalText(line)}\n`).join(''),
        ),
    },
  }
}

const WARNING = 'warning: '

/** Adds what the command warned about to its document, after the warnings that this has itself. */
function withWarnings(document: unknown, warned: readonly string[]): unknown {
  if (warned.length === 0 || typeof document !== 'object' || document === null) return document
  const { warnings } = document as { warnings?: unknown }
  const own = Array.isArray(warnings) ? (warnings as unknown[]) : []
  return { ...document, warnings: [...new Set([...own, ...warned])] }
}
