// Recognises the test runner in a command, also behind a launcher, a package script or `sh -c`.
//
// Recognised means: flags put at the end of the command reach the runner. Whatever leaves a doubt
// about that (a pipe, a redirection, an unknown launcher) is not recognised, and the user is asked
// to configure the report.
import type { ParseEntry } from 'shell-quote'
import { parse } from 'shell-quote'

export type Runner = 'vitest' | 'pytest'

/** `before`: arguments that must come before added flags, so that they pass through `npm run`. */
export type Recognised = { runner: Runner; before: string[] }

/** How deep package scripts may call each other. */
const SCRIPT_DEPTH = 4
/** Launchers that pass the rest of their arguments on, by the words before the command. */
const LAUNCHERS: readonly (readonly string[])[] = [
  ['npx'], ['bunx'], ['pnpm', 'exec'], ['pnpm', 'dlx'], ['pnpm'], ['yarn', 'exec'], ['yarn', 'run'], ['yarn'], ['bun', 'x'],
  ['uv', 'run'], ['poetry', 'run'], ['pipenv', 'run'], ['pdm', 'run'], ['rye', 'run'], ['cross-env'], ['env'], ['time'], ['exec'],
]
const VITEST_OTHER = ['bench', 'list', 'init', 'typecheck']

/** Recognises the runner in a command of separate arguments. */
export function recognise(argv: readonly string[], scripts: Readonly<Record<string, string>>, depth = 0): Recognised | undefined {
  const words = withoutAssignments(argv)
  const [command = '', first = '', ...rest] = words
  const name = command.split('/').at(-1) ?? ''
  if (name === 'vitest') return VITEST_OTHER.includes(first) || hasOutputFile(words) ? undefined : { runner: 'vitest', before: [] }
  if (name === 'pytest' || name === 'py.test') return { runner: 'pytest', before: [] }
  if (name === 'node' || name === 'bun') {
    const script = words.findIndex((word, at) => at > 0 && !word.startsWith('-'))
    return script > 0 && /(^|\/)vitest(\.mjs)?$/.test(words[script] ?? '') ? recognise(['vitest', ...words.slice(script + 1)], scripts, depth) : fromScript(words, scripts, depth)
  }
  if (/^(python|pypy)[\d.]*$/.test(name) || name === 'coverage') {
    const module = words.indexOf('-m')
    return module > 0 && words[module + 1] === 'pytest' ? { runner: 'pytest', before: [] } : undefined
  }
  if ((name === 'sh' || name === 'bash') && first === '-c' && rest.length === 1) return inShell(rest[0] ?? '', scripts, depth)

  const script = fromScript(words, scripts, depth)
  if (script !== undefined) return script
  const launcher = LAUNCHERS.find((known) => known.every((word, at) => words[at] === word))
  if (launcher === undefined) return undefined
  let at = launcher.length
  while (/^(-y|--yes|--no-install|--no-sync|--frozen|--)$/.test(words[at] ?? '')) at++
  return at < words.length ? recognise(words.slice(at), scripts, depth) : undefined
}

/** Recognises the runner in a shell line whose last command it is. */
export function inShell(line: string, scripts: Readonly<Record<string, string>>, depth = 0): Recognised | undefined {
  if (/[\n`]/.test(line) || depth > SCRIPT_DEPTH) return undefined
  let last: ParseEntry[] = []
  for (const entry of parse(line)) {
    if (typeof entry === 'object' && 'comment' in entry) return undefined
    if (typeof entry === 'object' && ['&&', '||', ';'].includes(entry.op)) last = []
    else last.push(entry)
  }
  const words = last.map((entry) => (typeof entry === 'string' ? entry : 'op' in entry && entry.op === 'glob' ? entry.pattern : undefined))
  return words.every((word) => word !== undefined) ? recognise(words, scripts, depth) : undefined
}

// `npm test`, `npm run x`, `yarn x`: the end of the script is the end of the command.
function fromScript(words: readonly string[], scripts: Readonly<Record<string, string>>, depth: number): Recognised | undefined {
  const [manager = '', ...all] = words
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return undefined
  const args = all.filter((word) => !/^(-s|--silent|--if-present)$/.test(word))
  const runs = args[0] === 'run' || args[0] === 'run-script'
  if (manager === 'bun' && !runs) return undefined // `bun test` is a runner of its own
  const script = runs ? args[1] : args[0] === 't' ? 'test' : args[0]
  const line = script === undefined ? undefined : Object.hasOwn(scripts, script) ? scripts[script] : undefined
  if (line === undefined || (!runs && manager === 'npm' && script !== 'test')) return undefined
  const found = inShell(line, scripts, depth + 1)
  if (found === undefined) return undefined
  const separated = args.includes('--')
  return { ...found, before: manager === 'npm' && !separated ? ['--', ...found.before] : found.before }
}

function withoutAssignments(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return at === -1 ? [] : argv.slice(at)
}

// `--outputFile FILE` of the user's and ours cannot both be given.
function hasOutputFile(words: readonly string[]): boolean {
  return words.some((word) => word === '--outputFile' || word.startsWith('--outputFile='))
}
