// What a command says of itself, and what several commands share. Loaded for `ratchet --version`:
// plain data.
import type { Candidate, Sources } from './completion/complete.js'
import type { Context } from './context.js'

/** Runs a command and returns its exit code. */
export type Run = (
  context: Context,
  args: string[],
  options: Record<string, unknown>,
) => Promise<number>

/**
 * What Tab offers: names of files, these words, or what is found for the words that stand before.
 */
export type Values =
  'files' | readonly string[] | ((sources: Sources, before: readonly string[]) => Candidate[])

/**
 * A command without its name and summary, which are in the list of commands. A file with one is
 * loaded for help and completion, too: what is slow to load is imported by `run`.
 */
export type Definition = {
  /** Paragraphs for `--help`, wrapped. */
  text?: string[]
  /** Commander's notation, `<needed>`, `[optional]`, and what it is. */
  arguments?: [string, string][]
  options?: [string, string][]
  /** By the long option or by the argument as it is written above; an id needs none. */
  values?: Record<string, Values>
  examples: string[]
  run: Run
}

export const EXIT_CODES =
  '0 done, 1 finished otherwise, 2 bad usage or input, 3 no server or worker, 130 interrupted'

/** Options of every command. */
export const COMMON_OPTIONS: [string, string][] = [
  ['--json', 'Print one JSON document on stdout, everything else on stderr'],
  ['--project <dir>', 'The project (default: the current directory)'],
  [
    '--address <host:port>',
    'Use this Temporal server instead of the local one; TEMPORAL_* variables then count',
  ],
  ['--namespace <name>', 'Namespace on that server (default: ratchet)'],
  ['--profile <name>', 'Use the server of this profile in the Temporal configuration file'],
]

export const ID: [string, string] = [
  '<id>',
  'Id of a run, or the name of a session, cycle or loop of this project',
]
export const DETACH: [string, string] = [
  '--detach',
  'Print the id and return; follow with `ratchet watch <id>`',
]
export const PLAIN: [string, string] = [
  '--plain',
  'Plain lines instead of a view that is redrawn; always so in CI and where stdout is no terminal',
]
export const AUTO: [string, string] = ['--auto', 'Never ask where a recommended answer exists']
export const INTERACTIVE: [string, string] = [
  '--interactive',
  'Ask between the iterations of a cycle, and what a loop does next (no effect on fix)',
]
export const REASON: [string, string] = ['--reason <text>', 'Shown to whoever looks at the run']
