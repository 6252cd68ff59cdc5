// The definition of a command, and the options that several commands share. Plain data, as `ratchet
// --version` loads it.
import type { Candidate, Sources } from './completion/complete.js'
import type { Context } from './context.js'

/** Runs a command and returns its exit code. */
export type Run = (
  context: Context,
  args: string[],
  options: Record<string, unknown>,
) => Promise<number>

/** What Tab offers: file names, these words, or candidates for the words typed so far. */
export type Values =
  'files' | readonly string[] | ((sources: Sources, before: readonly string[]) => Candidate[])

/**
 * A command without its name and summary, which are in the list of commands. Help and completion
 * load its file, and only a call loads what it does.
 */
export type Definition = {
  /** Paragraphs for `--help`, wrapped. */
  text?: string[]
  /** Commander's notation, `<needed>` or `[optional]`, and a description. */
  arguments?: [string, string][]
  options?: [string, string][]
  /** Keyed by the long option or by the argument as written above; an id needs no entry. */
  values?: Record<string, Values>
  examples: string[]
  load: () => Promise<{ run: Run }>
}

export const EXIT_CODES =
  '0 done, 1 ended without success, 2 bad usage or input, 3 no server or worker, 130 interrupted'

/** Options of every command. */
export const COMMON_OPTIONS: [string, string][] = [
  ['--json', 'Print one JSON document on stdout, everything else on stderr'],
  ['--project <dir>', 'The project (default: the current directory)'],
  ['--trust', 'Trust what the repository makes Ratchet run, as RATCHET_TRUST=1 does'],
  [
    '--address <host:port>',
    'Use this Temporal server instead of the local one, and read the TEMPORAL_* variables',
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
  'Plain lines instead of a redrawn view; the default in CI and if stdout is no terminal',
]
export const AUTO: [string, string] = ['--auto', 'Never ask if there is a recommended answer']
export const INTERACTIVE: [string, string] = [
  '--interactive',
  'Wait for your approval of each plan before it is carried out (docs/approvals.md)',
]
export const SANDBOX: [string, string] = [
  '--sandbox <what>',
  'Enclose this run in auto, bwrap, srt, podman or docker, or in none (default: sandbox.use)',
]
export const SANDBOX_VALUES = ['auto', 'bwrap', 'srt', 'podman', 'docker', 'none']
export const REASON: [string, string] = ['--reason <text>', 'Reason that `ratchet status` shows']
