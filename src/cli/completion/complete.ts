// What may stand at a place of the command line: commands, options, values, ids. Pure: `sources` are asked
// only for what is needed there.
import { COMMANDS, COMMON_OPTIONS } from '../commands.js'
import type { CommandSpec } from '../commands.js'

export type Candidate = { value: string; about?: string }

/** Names that only the machine knows. */
export type Sources = {
  /** Sessions, cycles, loops and runs. */
  runs: () => Candidate[]
  agents: () => Candidate[]
}

/** `files`: the shell completes the name of a file itself. */
export type Completed = Candidate[] | 'files'

/** What a shell may take as a word that means nothing more: results are words of the line, and an id or agent may be anybody's. */
const SAFE = /^[\w@%+:,./=-]+$/
const SHELLS = ['bash', 'zsh', 'fish']
const LOGS = ['supervisor', 'server', 'workflows', 'worker']

/** Values of options that are one of a few, or that are names; by the long option. */
const VALUES: Record<string, (sources: Sources) => Completed> = {
  '--kind': () => words(['fix', 'cycle', 'loop']),
  '--mode': () => words(['interactive', 'auto', 'parallel']),
  '--scheduling': () => words(['parallel', 'staged']),
  '--parallel': () => words(['1', '2', '3', '4']),
  '--since': () => words(['1h', '12h', '1d', '1w']),
  '--format': () => words(['html', 'md', 'json', 'ctrf', 'junit']),
  '--resume-session': ({ runs }) => runs().filter(({ value }) => value.startsWith('WFS-')),
  '--cycle-id': ({ runs }) => runs().filter(({ value }) => !value.startsWith('WFS-') && !value.startsWith('loop-')),
  '--loop-id': ({ runs }) => runs().filter(({ value }) => !value.startsWith('WFS-') && !value.startsWith('cycle-')),
  '--project': () => 'files',
  '--ci-dir': () => 'files',
  '--output': () => 'files',
}

/**
 * Candidates for the last of these words, which may be empty.
 *
 * @param line the words after `ratchet`
 */
export function complete(line: readonly string[], sources: Sources): Completed {
  const before = line.slice(0, -1)
  const typed = line.at(-1) ?? ''
  const { spec, unknown, positionals, expects } = parsed(before)
  if (before.includes('--')) return argument(spec, positionals, typed, sources)
  if (expects !== undefined) return begins(expects === '' ? 'files' : valuesOf(expects, sources), typed)
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? []
  if (flag !== undefined && value !== undefined) {
    const found = begins(valuesOf(flag, sources), value)
    return found === 'files' ? found : found.map((one) => ({ ...one, value: `${flag}=${one.value}` }))
  }
  if (typed.startsWith('-')) return begins(flagsOf(spec), typed)
  if (spec !== undefined) return argument(spec, positionals, typed, sources)
  if (unknown) return []
  return begins([...COMMANDS.map(({ name, summary }) => ({ value: name, about: summary })), { value: 'help', about: 'Help for a command' }], typed)
}

function argument(spec: CommandSpec | undefined, positionals: readonly string[], typed: string, sources: Sources): Completed {
  if (spec === undefined) return []
  const taken = spec.arguments ?? []
  const name = taken[positionals.length]?.[0] ?? (taken.at(-1)?.[0].includes('...') === true ? taken.at(-1)?.[0] : undefined)
  if (name === undefined) return []
  return begins(argumentValues(spec.name, name, positionals, sources), typed)
}

function argumentValues(command: string, name: string, positionals: readonly string[], sources: Sources): Completed {
  if (/^[<[]id[>\]]$/.test(name)) return sources.runs()
  if (command === 'agents') return name === '[action]' ? words(['try']) : positionals[0] === 'try' ? sources.agents() : []
  if (command === 'logs') return [...words(LOGS), ...(name === '[name]' ? sources.runs() : [])]
  return command === 'completion' ? words(SHELLS) : []
}

type Parsed = { spec: CommandSpec | undefined; unknown: boolean; positionals: string[]; expects: string | undefined }

/** The command, what stands behind it without options, and the option that the next word is the value of. */
function parsed(before: readonly string[]): Parsed {
  let spec: CommandSpec | undefined
  let unknown = false
  const positionals: string[] = []
  let expects: string | undefined
  for (const word of before) {
    // A shell that breaks words at "=" gives it as a word.
    if (expects !== undefined && word === '=') continue
    if (expects !== undefined) expects = undefined
    else if (word.startsWith('-') && word !== '-') expects = takesValue(spec, word) ? (longOf(spec, word) ?? word) : undefined
    else if (spec === undefined) {
      spec = COMMANDS.find(({ name }) => name === word)
      unknown = spec === undefined && word !== 'help' // which a command follows
    } else positionals.push(word)
  }
  return { spec, unknown, positionals, expects }
}

const optionsOf = (spec: CommandSpec | undefined): [string, string][] => [...(spec?.options ?? []), ...COMMON_OPTIONS]
const longIn = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags

function longOf(spec: CommandSpec | undefined, word: string): string | undefined {
  const found = optionsOf(spec).find(([flags]) => flags.split(/[ ,]+/).includes(word))
  return found === undefined ? undefined : longIn(found[0])
}

function takesValue(spec: CommandSpec | undefined, word: string): boolean {
  return optionsOf(spec).some(([flags]) => flags.split(/[ ,]+/).includes(word) && flags.includes('<'))
}

function flagsOf(spec: CommandSpec | undefined): Candidate[] {
  return [...optionsOf(spec).map(([flags, about]) => ({ value: longIn(flags), about })), { value: '--help', about: 'Help' }, ...(spec === undefined ? [{ value: '--version', about: 'Print the version' }] : [])]
}

function valuesOf(flag: string, sources: Sources): Completed {
  return VALUES[flag]?.(sources) ?? []
}

function words(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value }))
}

function begins(found: Completed, typed: string): Completed {
  if (found === 'files') return found
  const seen = new Set<string>()
  return found.filter(({ value }) => SAFE.test(value) && value.startsWith(typed) && !seen.has(value) && seen.add(value))
}
