// Recognises the test runner in a command, also behind a launcher, a package script or `sh -c`.
//
// Recognised means: flags put at the end of the command reach the runner, and no other runner has a
// part in the command. A command that leaves a doubt about the first (a pipe, a redirection, an
// unknown launcher) is not recognised. Two runners are reported as two, because the
// last one's report would hide what the others found.
import { parse } from 'shell-quote'
import { TEST_RUNNERS } from '../../core/runners/known-runners.js'
import { launched } from './launchers.js'
import {
  isRunnerScript,
  namedRunner,
  PYTHON_RUNNERS,
  runnerOfScript,
  startedRunner,
  type Started,
} from './runners.js'

/** `before`: arguments that must come before added flags, so that they pass through `npm run`. */
export type Recognised = Started & {
  before: string[]
  /** Other commands follow it, so that nothing can be added. */ followed?: true
}
/** A command that runs tests more than once; `first` is a runner before the last. */
export type Several = { several: true; first: string }

type Scripts = Readonly<Record<string, string>>

/** How deep package scripts may call each other. */
const SCRIPT_DEPTH = 4
/**
 * Runners that are not recognised, by the first words of their command: they need `test.report`.
 */
const OTHER_RUNNERS: readonly string[] = [
  'ava',
  'tap',
  'jasmine',
  'karma',
  'playwright test',
  'cypress run',
  'bun test',
  'deno test',
  'react-scripts test',
  'ng test',
  'nose2',
  'tox',
  'nox',
  'gotestsum',
  'cargo test',
  'dotnet test',
  'mvn test',
  'mvn verify',
  'mvnw test',
  'mvnw verify',
  'gradle test',
  'gradle check',
  'gradlew test',
  'gradlew check',
  'phpunit',
  'rspec',
  'mix test',
  'ctest',
  'bats',
]

/** Recognises the runner in a command of separate arguments. */
export function recognise(
  argv: readonly string[],
  scripts: Scripts,
  depth = 0,
): Recognised | Several | undefined {
  const words = withoutAssignments(argv)
  const name = words[0]?.split('/').at(-1) ?? ''
  const started = startedRunner(words, argv.slice(0, argv.length - words.length))
  if (started !== undefined) return started === 'unsure' ? undefined : { ...started, before: [] }
  const module = ofModule(name, words)
  if (module !== undefined) return recognise(module, scripts, depth)
  if (name === 'node' || name === 'bun') {
    const script = words.findIndex((word, at) => at > 0 && !word.startsWith('-'))
    const found = runnerOfScript(words[script] ?? '')
    if (script > 0 && found !== undefined)
      return recognise([found, ...words.slice(script + 1)], scripts, depth)
  }
  const line = shellLine(words)
  if (line !== undefined) return inShell(line, scripts, depth)

  const script = scriptOf(words, scripts)
  if (script !== undefined) {
    const found = inShell(script.line, scripts, depth + 1)
    return found === undefined || 'several' in found
      ? found
      : { ...found, before: [...script.before, ...found.before] }
  }
  const inner = launched(words)
  const found =
    inner === undefined || inner.rest.length === 0
      ? undefined
      : recognise(inner.rest, scripts, depth)
  return found === undefined || 'several' in found
    ? found
    : { ...found, before: [...(inner?.before ?? []), ...found.before] }
}

/** Recognises the runner in a shell line whose last command it is. */
export function inShell(
  line: string,
  scripts: Scripts,
  depth = 0,
): Recognised | Several | undefined {
  if (depth > SCRIPT_DEPTH) return undefined
  const commands = commandsIn(line)
  const last = commands.at(-1)
  if (last === undefined) return undefined
  const first = commands
    .slice(0, -1)
    .map(({ words }) => runnerIn(words, scripts, depth))
    .find((runner) => runner !== undefined)
  const found =
    /[\n`]/.test(line) || !last.isPlain ? undefined : recognise(last.words, scripts, depth)
  if (first === undefined) return found
  const followed = followedRunner(commands, scripts, depth)
  if (followed !== undefined) return followed
  return found !== undefined || runnerIn(last.words, scripts, depth) !== undefined
    ? { several: true, first }
    : undefined
}

// Flags in a variable reach a runner also where other commands follow: `node --test && tsd`.
function followedRunner(
  commands: readonly ShellCommand[],
  scripts: Scripts,
  depth: number,
): Recognised | undefined {
  const [tests, ...more] = commands.filter(
    ({ words }) => runnerIn(words, scripts, depth) !== undefined,
  )
  if (
    tests === undefined ||
    more.length > 0 ||
    tests === commands.at(-1) ||
    !commands.every(({ isPlain }) => isPlain)
  )
    return undefined
  const found = recognise(tests.words, scripts, depth)
  return found === undefined ||
    'several' in found ||
    TEST_RUNNERS[found.runner].byVariable === undefined
    ? undefined
    : { ...found, before: [], followed: true }
}

/** `isPlain`: nothing but words, and no pipe or `&` before it. */
export type ShellCommand = { words: string[]; isPlain: boolean }

/** The commands of a shell line, in their order. */
export function commandsIn(line: string): ShellCommand[] {
  const commands: ShellCommand[] = [{ words: [], isPlain: true }]
  for (const entry of parse(line.replaceAll('\n', ' ; '))) {
    const now = commands.at(-1)
    if (now === undefined) break
    if (typeof entry === 'string') now.words.push(entry)
    else if ('comment' in entry) now.isPlain = false
    else if (entry.op === 'glob') now.words.push(entry.pattern)
    else if (/[<>]/.test(entry.op)) now.isPlain = false
    else commands.push({ words: [], isPlain: ['&&', '||', ';'].includes(entry.op) })
  }
  return commands
}

/** The name of the runner that a command starts, at any place in it. */
export function runnerIn(
  argv: readonly string[],
  scripts: Scripts,
  depth: number,
): string | undefined {
  if (depth > SCRIPT_DEPTH) return undefined
  const words = withoutAssignments(argv)
  const [command = '', first = '', line = ''] = words
  const name = command.split('/').at(-1) ?? ''
  const known = namedRunner(words)
  if (known !== undefined) return known.runsTests ? known.name : undefined
  if (words.slice(0, -1).some((word, at) => word === '-m' && words[at + 1] === 'unittest'))
    return 'unittest'
  const other = OTHER_RUNNERS.find((one) => [name, first].join(' ') === one || name === one)
  if (other !== undefined) return other
  const module = ofModule(name, words)
  if (module !== undefined) return runnerIn(module, scripts, depth)
  if (name === 'node') return words.find(isRunnerScript)
  const script = isShell(name) && first === '-c' ? line : scriptOf(words, scripts)?.line
  if (script !== undefined)
    return commandsIn(script)
      .map((one) => runnerIn(one.words, scripts, depth + 1))
      .find((runner) => runner !== undefined)
  const inner = launched(words)
  return inner === undefined || inner.rest.length === 0
    ? undefined
    : runnerIn(inner.rest, scripts, depth)
}

// `python -X dev -m pytest`, `coverage run -m pytest`, `python -m coverage run -m pytest`: the
// module as a command.
function ofModule(name: string, words: readonly string[]): string[] | undefined {
  const isPython = /^(python|pypy)[\d.]*$/.test(name)
  if (!isPython && !(name === 'coverage' && words[1] === 'run')) return undefined
  const at = words.indexOf('-m')
  const module = words[at + 1]
  const isOption = (word: string, n: number, all: readonly string[]) =>
    word.startsWith('-') ||
    /^-[XW]$|^--(rcfile|source|include|omit|data-file|context|concurrency)$/.test(all[n - 1] ?? '')
  if (at < 0 || module === undefined || !words.slice(isPython ? 1 : 2, at).every(isOption))
    return undefined
  return [...PYTHON_RUNNERS, 'coverage', 'nose2', 'tox', 'nox'].includes(module)
    ? [module, ...words.slice(at + 2)]
    : undefined
}

/** The line of `sh -c LINE`. */
export function shellLine([command = '', option, line, ...more]: readonly string[]):
  string | undefined {
  return isShell(command.split('/').at(-1) ?? '') && option === '-c' && more.length === 0
    ? line
    : undefined
}

/**
 * The package script that `npm test`, `npm run x` or `yarn x` calls: its end is the end of the
 * command. `extra`: words behind its name.
 */
export function scriptOf(
  words: readonly string[],
  scripts: Scripts,
): { name: string; line: string; before: string[]; extra: number } | undefined {
  const [manager = '', ...all] = words
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return undefined
  const args = all.filter((word) => !/^(-s|--silent|--if-present)$/.test(word))
  const runs = args[0] === 'run' || args[0] === 'run-script'
  if (manager === 'bun' && !runs) return undefined // `bun test` is a runner of its own
  const script = runs ? args[1] : args[0] === 't' ? 'test' : args[0]
  const line = script === undefined || !Object.hasOwn(scripts, script) ? undefined : scripts[script]
  if (line === undefined || (!runs && manager === 'npm' && script !== 'test')) return undefined
  return {
    name: script ?? '',
    line,
    before: manager === 'npm' && !args.includes('--') ? ['--'] : [],
    extra: args.length - (runs ? 2 : 1),
  }
}

function isShell(name: string): boolean {
  return name === 'sh' || name === 'bash'
}

function withoutAssignments(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return at === -1 ? [] : argv.slice(at)
}
