// The runner that a command starts, by the table of runners in core/runners, and what of the
// command is its own.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ALL_RUNNERS, TEST_RUNNERS, type Runner } from '../../core/runners/known-runners.js'
import { valuesOf } from '../../core/runners/runner-words.js'
import type { TestRunner } from '../../core/runners/test-runner.js'

/** A runner in a command; `args` are the words behind its name. */
export type Started = { runner: Runner; args: string[] }

/** Programs by the runners that they start. */
const PROGRAMS = ALL_RUNNERS.map((one) => ({
  one,
  programs: [
    ...one.commands.map((command) => command.split(' ', 1)[0]),
    ...(one.alsoStartedBy ?? []),
  ],
}))

/**
 * The runner that a command's words start, themselves without a launcher.
 *
 * `unsure`: one that is known, but used for something else, or the command itself says where its
 * report goes, or added words would not reach it.
 *
 * @param set variables that the command sets itself, as `NAME=value`
 */
export function startedRunner(
  [command = '', ...args]: readonly string[],
  set: readonly string[] = [],
): Started | 'unsure' | undefined {
  if (
    ALL_RUNNERS.some(
      ({ byVariable }) =>
        byVariable !== undefined &&
        args.includes(byVariable.word) &&
        set.some((one) => one.startsWith(`${byVariable.name}=`)),
    )
  )
    return 'unsure'
  const program = command.split('/').at(-1) ?? ''
  for (const { one, programs } of PROGRAMS) {
    const own = programs.includes(program) ? one.started(args) : undefined
    if (own !== undefined) return own === 'unsure' ? own : { runner: one.name, args: [...own] }
  }
  return undefined
}

/** The known runner that a command is, as it is typed: `jest`, `go test`, `node --test`. */
export function namedRunner([command = '', ...args]: readonly string[]):
  { name: string; runsTests: boolean } | undefined {
  const program = command.split('/').at(-1) ?? ''
  for (const { commands, otherUses = [] } of ALL_RUNNERS) {
    const name = commands.find((one) => isCommand(one, program, args))
    if (name !== undefined) return { name, runsTests: !otherUses.includes(args[0] ?? '') }
  }
  return undefined
}

function isCommand(command: string, program: string, args: readonly string[]): boolean {
  const [first, word] = command.split(' ')
  return (
    first === program &&
    (word === undefined || (word.startsWith('-') ? args.includes(word) : args[0] === word))
  )
}

const IN_JAVASCRIPT = ALL_RUNNERS.flatMap(({ name, script }) =>
  script === undefined ? [] : [{ name, script }],
)
const SOME_SCRIPT = new RegExp(
  `(^|/)(${IN_JAVASCRIPT.map(({ name }) => name).join('|')})(\\.m?js)?$`,
)

/** The name of the runner whose program a JavaScript file is. */
export function runnerOfScript(file: string): string | undefined {
  return IN_JAVASCRIPT.find(({ script }) => script.test(file))?.name
}

/** Whether a file looks like that of a runner, however it is started. */
export function isRunnerScript(file: string): boolean {
  return SOME_SCRIPT.test(file)
}

/** Modules that `python -m` runs tests with. */
export const PYTHON_RUNNERS: readonly string[] = ALL_RUNNERS.flatMap(({ module }) => module ?? [])

/** The report that a command names itself. */
export function ownReport({ runner, args }: Started): string | undefined {
  return (TEST_RUNNERS[runner].report.ownOptions ?? [])
    .flatMap((option) => valuesOf(args, option))
    .at(-1)
}

/** Whether the runner of a command can run some files only. */
export function canSelect(started: Started, argv: readonly string[], cwd: string): boolean {
  const { commandFor, files, configsWithFiles = [] }: TestRunner = TEST_RUNNERS[started.runner]
  if (commandFor !== undefined) return commandFor(argv, []) !== undefined
  return (
    files !== undefined &&
    !namesFiles(started.args) &&
    !configsWithFiles.some((name) => existsSync(path.join(cwd, name)))
  )
}

// What is added then only adds to them.
function namesFiles(args: readonly string[]): boolean {
  return args.some((word, at) => !word.startsWith('-') && !takesValue(args[at - 1] ?? ''))
}

// A word behind an option may be its value, but not behind these.
const ALONE =
  /^--(test|run|ci|coverage|no-\w[\w-]*|verbose|silent|quiet|runInBand|passWithNoTests|forceExit|detectOpenHandles|recursive|exit|bail|parallel|forbid-\w+|check-leaks|full-trace|enable-source-maps|experimental-\S+)$|^-[iqvxsbl]+$|^--\w[\w-]*=/

function takesValue(option: string): boolean {
  return option.startsWith('-') && !ALONE.test(option)
}
