// The runners that are recognised: how each is started, told where to write its report, and which files to run.
//
// Sources: jest "CLI options", mocha "Command-line usage", node "Test runner" and "NODE_OPTIONS",
// `go help test` and `go help testflag`, nextest "JUnit support" and "Tool-specific configuration".
import { existsSync } from 'node:fs'
import path from 'node:path'
import { packaged } from '../package.js'
import type { ReportFormat } from './read-report.js'

export const RUNNERS = ['vitest', 'pytest', 'jest', 'mocha', 'node', 'go', 'nextest'] as const
export type Runner = (typeof RUNNERS)[number]

/** A runner in a command; `args` are the words behind its name. */
export type Started = { runner: Runner; args: string[] }

/** What a runner needs beside its command line: variables, and files by path that are written before it starts. */
export type Beside = { env: Record<string, string>; files: Record<string, string> }

type Manners = {
  format: ReportFormat
  /** `output`: its standard output is the report. */
  by: 'flags' | 'output'
  flags(file: string, args: readonly string[]): string[]
  /** Format of a report that the command names itself, where it may be another. */
  ownFormat?(args: readonly string[]): ReportFormat
  /** Options of the command that name a report of its own. */
  ownReport?: readonly string[]
  beside?(file: string, env: Readonly<Record<string, string>>, args: readonly string[]): Partial<Beside>
  /** Words that make it run these files only; `undefined` where it cannot be told at the end of its command. */
  files: ((files: readonly string[]) => string[]) | undefined
}

const REPORTERS = packaged('reporters')
/** Where reporters/mocha.cjs writes to; a reporter option could not hold every path. */
const MOCHA_REPORT = 'RATCHET_TEST_REPORT'
/** Reporters of vitest whose output ends in its summary. */
const VITEST_SUMMARY = ['default', 'verbose', 'dot', 'tree', 'basic']
const PYTEST_REPORT = ['--junitxml', '--junit-xml']

// A run that stops at its first failure says nothing of the tests behind it: all are told to go on, where the last of
// two such words counts. A word that the command has is not added: vitest ends with an error where one stands twice.
// A report that the command names itself is read where the runner writes it: see report-files.ts.
export const MANNERS: Readonly<Record<Runner, Manners>> = {
  vitest: { format: 'junit', by: 'flags', flags: vitestFlags, ownReport: ['--outputFile', '--outputFile.junit'], ownFormat: (args) => (writesJunit(args) || !has(args, '--outputFile') ? 'junit' : 'vitest'), files: (files) => [...files] },
  pytest: {
    format: 'junit', by: 'flags', ownReport: PYTEST_REPORT, files: (files) => [...files],
    // What cannot be loaded is one entry, the other files run all the same.
    flags: (file, args) => ['--maxfail=0', ...unless(args, '--continue-on-collection-errors'), '-o', 'junit_family=xunit1', ...(has(args, ...PYTEST_REPORT) ? [] : [`--junitxml=${file}`])],
  },
  jest: { format: 'jest', by: 'flags', ownReport: ['--outputFile'], flags: (file, args) => ['--bail=0', ...unless(args, '--json'), ...(has(args, '--outputFile') ? [] : [`--outputFile=${file}`])], files: (files) => (files.length === 0 ? [] : ['--runTestsByPath', ...files]) },
  // The last reporter named is the one that mocha takes. It makes the suites go on, but not those in other processes.
  mocha: { format: 'mocha', by: 'flags', flags: (_file, args) => [...(has(args, '--parallel', '-p') ? unless(args, '--no-bail') : []), '--require', path.join(REPORTERS, 'mocha-load.cjs'), '--reporter', path.join(REPORTERS, 'mocha.cjs')], beside: (file) => ({ env: { [MOCHA_REPORT]: file } }), files: (files) => [...files] },
  // Its options must stand before the first file, where nothing can be added behind `npm test`: hence the variable.
  node: { format: 'node', by: 'flags', flags: () => [], beside: (file, env, args) => ({ env: { NODE_OPTIONS: nodeOptions(file, env, args) } }), files: (files) => [...files] },
  // A result that go kept from an earlier run is no measurement of this one.
  go: { format: 'go', by: 'output', flags: (_file, args) => [...unless(args, '-json'), '-failfast=false', ...(has(args, '-count') ? [] : ['-count=1'])], files: undefined },
  nextest: {
    format: 'junit', by: 'flags', files: undefined,
    flags: (file, args) => [`--tool-config-file=ratchet:${file}.toml`, ...(has(args, '--no-fail-fast', '--fail-fast', '--max-fail') ? [] : ['--no-fail-fast'])],
    beside: (file) => ({ files: { [`${file}.toml`]: `[profile.default.junit]\npath = ${JSON.stringify(file)}\n` } }),
  },
}


function vitestFlags(file: string, args: readonly string[]): string[] {
  const reporters = valuesOf(args, '--reporter')
  const own = has(args, '--outputFile', '--outputFile.junit')
  return [
    ...unless(args, '--run'),
    ...(has(args, '--bail') ? [] : ['--bail=0']),
    ...(reporters.some((one) => VITEST_SUMMARY.includes(one)) ? [] : ['--reporter=default']),
    ...(reporters.includes('junit') || has(args, '--outputFile') ? [] : ['--reporter=junit']),
    ...(own ? [] : [`--outputFile.junit=${file}`]),
  ]
}

/** Whether a command of vitest that says `--outputFile=FILE` writes JUnit there. */
function writesJunit(args: readonly string[]): boolean {
  return valuesOf(args, '--reporter').includes('junit')
}

/** One file is for one reporter, and it is one whose format is read. */
function knowsOutput(args: readonly string[]): boolean {
  return !has(args, '--outputFile') || (valuesOf(args, '--reporter').filter((one) => one === 'junit' || one === 'json').length === 1 && !has(args, '--outputFile.junit'))
}

/** This word, where the command does not have it. */
function unless(args: readonly string[], word: string): string[] {
  return has(args, word) ? [] : [word]
}

/** The report that a command names itself. */
export function ownReport({ runner, args }: Started): string | undefined {
  return (MANNERS[runner].ownReport ?? []).flatMap((option) => valuesOf(args, option)).at(-1)
}

/** Values of an option, which may be given more than once. */
function valuesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((word, at) => (word === option ? (args[at + 1] ?? []) : word.startsWith(`${option}=`) ? word.slice(option.length + 1) : []))
}

// In the order of the command line the variable comes first: its destinations pair with its reporters.
function nodeOptions(file: string, env: Readonly<Record<string, string>>, args: readonly string[]): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
  const ours = [`--test-reporter=${quoted(path.join(REPORTERS, 'node-test.mjs'))}`, `--test-reporter-destination=${quoted(file)}`]
  // One reporter of the command's own needs no destination when it is alone, but with ours it does.
  const shown = !has(args, '--test-reporter') ? ['--test-reporter=spec', '--test-reporter-destination=stdout'] : !has(args, '--test-reporter-destination') ? ['--test-reporter-destination=stdout'] : []
  return [env['NODE_OPTIONS'], ...ours, ...shown].filter((one) => one !== undefined && one !== '').join(' ')
}

/** Uses of a runner that are no run of tests, by its first argument; the last three of vitest's would not end. */
const VITEST_OTHER = ['bench', 'list', 'init', 'typecheck', 'watch', 'dev']

/**
 * The runner that a command's words start, themselves without a launcher.
 *
 * `unsure`: one that is known, but used for something else, or told by the command itself where its
 * report goes, or where added words would not reach it.
 */
export function startedRunner(words: readonly string[]): Started | 'unsure' | undefined {
  const [command = '', first = '', ...rest] = words
  const name = command.split('/').at(-1) ?? ''
  const args = words.slice(1)
  const unlessIn = (doubt: boolean, runner: Runner, behind = args): Started | 'unsure' => (doubt ? 'unsure' : { runner, args: [...behind] })
  switch (name) {
    case 'vitest': return unlessIn(VITEST_OTHER.includes(first) || has(words, '--') || !knowsOutput(args), 'vitest', first === 'run' ? rest : args)
    case 'pytest': case 'py.test': return unlessIn(has(words, '--'), 'pytest')
    case 'jest': return unlessIn(has(words, '--', '--watch', '--watchAll', '--listTests', '--showConfig', '--init'), 'jest')
    case 'mocha': case '_mocha': return unlessIn(has(words, '--', '--watch', '-w', '--dry-run', '--list-files'), 'mocha')
    case 'tsx': case 'node': return words.includes('--test') ? unlessIn(has(words, '--watch', '--'), 'node') : undefined
    case 'go': return first === 'test' ? unlessIn(has(rest, '-args', '--args', '-c', '-list', '-n', '-exec', '-o'), 'go', rest) : undefined
    case 'cargo': return words[1]?.startsWith('+') === true ? startedRunner(['cargo', ...words.slice(2)]) : nextest(first, rest)
    default: return undefined
  }
}

function nextest(first: string, rest: string[]): Started | 'unsure' | undefined {
  if (first !== 'nextest') return undefined
  return (rest[0] === 'run' || rest[0] === 'r') && !has(rest, '--', '--no-run') ? { runner: 'nextest', args: rest.slice(1) } : 'unsure'
}

function has(words: readonly string[], ...options: string[]): boolean {
  return words.some((word) => options.some((option) => word === option || (option.startsWith('-') && option !== '--' && word.startsWith(`${option}=`))))
}

/** Whether the command names the files itself: what is added then only adds to them. */
export function namesFiles({ runner, args }: Started, cwd: string): boolean {
  const own = args.some((word, at) => !word.startsWith('-') && !takesValue(args[at - 1] ?? ''))
  return own || (runner === 'mocha' && MOCHA_CONFIGS.some((name) => existsSync(path.join(cwd, name))))
}

// A word behind an option may be its value, but not behind these.
const ALONE = /^--(test|run|ci|coverage|no-\w[\w-]*|verbose|silent|quiet|runInBand|passWithNoTests|forceExit|detectOpenHandles|recursive|exit|bail|parallel|forbid-\w+|check-leaks|full-trace|enable-source-maps|experimental-\S+)$|^-[iqvxsbl]+$|^--\w[\w-]*=/

function takesValue(option: string): boolean {
  return option.startsWith('-') && !ALONE.test(option)
}

// `spec` of a configuration is run beside the files of the command line.
const MOCHA_CONFIGS = ['.mocharc.js', '.mocharc.cjs', '.mocharc.mjs', '.mocharc.yaml', '.mocharc.yml', '.mocharc.jsonc', '.mocharc.json']

/** The packages of test files, as `go test` takes them; `undefined` where one is no test file of the project's. */
export function goPackages(files: readonly string[]): string[] | undefined {
  if (!files.every((file) => file.endsWith('_test.go') && !path.isAbsolute(file) && !file.startsWith('..'))) return undefined
  return [...new Set(files.map((file) => (path.posix.dirname(file) === '.' ? '.' : `./${path.posix.dirname(file)}`)))]
}

/** A `go test` command for other packages; `undefined` where it is not one by itself, or names them in another way. */
export function goCommand(argv: readonly string[], packages: readonly string[]): string[] | undefined {
  if (argv[0]?.split('/').at(-1) !== 'go' || argv[1] !== 'test') return undefined
  const isPattern = (word: string) => /^\.{1,2}(\/|$)|(^|\/)\.\.\.$/.test(word)
  const others = argv.slice(2).filter((word) => !isPattern(word))
  const unknown = others.some((word, at) => !word.startsWith('-') && !(others[at - 1] ?? '').startsWith('-'))
  return unknown ? undefined : [...argv.slice(0, 2), ...others, ...packages]
}
