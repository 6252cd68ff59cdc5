// Completes a word of the command line: commands, options, values, ids. Loads only the file of the
// typed command, and asks `sources` only if needed.
import { COMMANDS } from '../commands.js'
import { COMMON_OPTIONS, type Definition, type Values } from '../definition.js'

export type Candidate = { value: string; about?: string }

/** Names that depend on the machine. */
export type Sources = {
  /** Sessions, cycles, loops and runs. */
  runs: () => Candidate[]
  agents: () => Candidate[]
}

/** `files`: the shell completes file names itself. */
export type Completed = Candidate[] | 'files'

/**
 * Words without a special meaning in a shell: candidates become words of the line, and an id or
 * agent may have any name.
 */
const SAFE = /^[\w@%+:,./=-]+$/

/**
 * Returns candidates for the last of these words, which may be empty.
 *
 * @param line the words after `ratchet`
 */
export async function complete(line: readonly string[], sources: Sources): Promise<Completed> {
  const before = line.slice(0, -1)
  const typed = line.at(-1) ?? ''
  const { spec, unknown, positionals, expects } = await parsed(before)
  if (before.includes('--')) return argument(spec, positionals, typed, sources)
  if (expects !== undefined)
    return begins(expects === '' ? 'files' : optionValues(spec, expects, sources), typed)
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? []
  if (flag !== undefined && value !== undefined) {
    const found = begins(optionValues(spec, flag, sources), value)
    return found === 'files'
      ? found
      : found.map((one) => ({ ...one, value: `${flag}=${one.value}` }))
  }
  if (typed.startsWith('-')) return begins(flagsOf(spec), typed)
  if (spec !== undefined) return argument(spec, positionals, typed, sources)
  if (unknown) return []
  return begins(
    [
      ...COMMANDS.map(({ name, summary }) => ({ value: name, about: summary })),
      { value: 'help', about: 'Help for a command' },
    ],
    typed,
  )
}

function argument(
  spec: Definition | undefined,
  positionals: readonly string[],
  typed: string,
  sources: Sources,
): Completed {
  if (spec === undefined) return []
  const taken = spec.arguments ?? []
  const name =
    taken[positionals.length]?.[0] ??
    (taken.at(-1)?.[0].includes('...') === true ? taken.at(-1)?.[0] : undefined)
  if (name === undefined) return []
  const runs: Values | undefined = /^[<[]id[>\]]$/.test(name) ? (known) => known.runs() : undefined
  return begins(candidates(spec.values?.[name] ?? runs, sources, positionals), typed)
}

type Parsed = {
  spec: Definition | undefined
  unknown: boolean
  positionals: string[]
  expects: string | undefined
}

/** Returns the command, its words without options, and the option whose value the next word is. */
async function parsed(before: readonly string[]): Promise<Parsed> {
  let spec: Definition | undefined
  let unknown = false
  const positionals: string[] = []
  let expects: string | undefined
  for (const word of before) {
    // Shells that break words at "=" pass it as a word.
    if (expects !== undefined && word === '=') continue
    if (expects !== undefined) expects = undefined
    else if (word.startsWith('-') && word !== '-')
      expects = takesValue(spec, word) ? (longOf(spec, word) ?? word) : undefined
    else if (spec === undefined) {
      spec = (await COMMANDS.find(({ name }) => name === word)?.load())?.command
      unknown = spec === undefined && word !== 'help' // a command follows
    } else positionals.push(word)
  }
  return { spec, unknown, positionals, expects }
}

const optionsOf = (spec: Definition | undefined): [string, string][] => [
  ...(spec?.options ?? []),
  ...COMMON_OPTIONS,
]
const longIn = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags

function longOf(spec: Definition | undefined, word: string): string | undefined {
  const found = optionsOf(spec).find(([flags]) => flags.split(/[ ,]+/).includes(word))
  return found === undefined ? undefined : longIn(found[0])
}

function takesValue(spec: Definition | undefined, word: string): boolean {
  return optionsOf(spec).some(
    ([flags]) => flags.split(/[ ,]+/).includes(word) && flags.includes('<'),
  )
}

function flagsOf(spec: Definition | undefined): Candidate[] {
  return [
    ...optionsOf(spec).map(([flags, about]) => ({ value: longIn(flags), about })),
    { value: '--help', about: 'Help' },
    ...(spec === undefined ? [{ value: '--version', about: 'Print the version' }] : []),
  ]
}

function optionValues(spec: Definition | undefined, flag: string, sources: Sources): Completed {
  return candidates(flag === '--project' ? 'files' : spec?.values?.[flag], sources, [])
}

function candidates(
  values: Values | undefined,
  sources: Sources,
  before: readonly string[],
): Completed {
  if (typeof values === 'function') return values(sources, before)
  return values === 'files' ? 'files' : (values ?? []).map((value) => ({ value }))
}

function begins(found: Completed, typed: string): Completed {
  if (found === 'files') return found
  const seen = new Set<string>()
  return found.filter(
    ({ value }) =>
      SAFE.test(value) && value.startsWith(typed) && !seen.has(value) && seen.add(value),
  )
}
