// Which command measures a project, and where its report will be.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parse as splitWords, quote } from 'shell-quote'
import type { Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import { RUNNER_NAMES, runnerNamed, type Runner } from '../../core/runners/known-runners.js'
import type { LaunchOverrides, ReportFormat } from '../../core/runners/test-runner.js'
import { packaged } from '../package.js'
import { detected, packageScripts } from './detect.js'
import { plainForm, type PlainForm } from './plain-form.js'
import { recognise, type Recognised } from './recognise.js'
import { canSelect, ownReport } from './runners.js'

export type TestPlan = {
  /** The command as configured or found; `argv` is what of it runs. */
  command: readonly string[]
  argv: [string, ...string[]]
  /** The command as a person would type it. */
  display: string
  runner: Runner | 'other'
  /**
   * `flags`: flags say where to write it. `output`: it is printed. `path`: the configured glob,
   * relative to the project.
   */
  report:
    | { by: 'flags' | 'output'; format: ReportFormat }
    | { by: 'path'; format: ReportFormat; path: string }
  /** Where the command itself says that its report goes. */
  ownReport?: string | undefined
  /** Other commands follow the runner's, so that its end is not that of the command. */
  followed: boolean
  /**
   * Makes the command line: with a report file where flags name it, with test files where only some
   * are to run.
   */
  commandLine(reportFile: string, files?: readonly string[]): [string, ...string[]]
  /** What the runner needs besides its command line; `env` is the environment it will get. */
  overrides(reportFile: string, env: Readonly<Record<string, string>>): LaunchOverrides
  /** Whether it can run some files only: not where the command names some itself. */
  canSelect: boolean
  /**
   * The same, but it also writes which lines run into a directory of its own that `into` is called
   * with; absent where the runner cannot say it.
   */
  covering?: ((into: (dir: string) => void) => TestPlan) | undefined
  /**
   * The runners of a command that starts several: each is run by itself, and all their tests count.
   */
  parts?: readonly TestPlan[]
  /** What of the command is not run, in words. */
  note?: string
}

/** More files than this do not fit safely in a command line. */
const FILES_IN_COMMAND = 200
const REPORTERS = packaged('reporters')

/** Whether the runner can run only these files, all of which are there. */
export function selectable(plan: TestPlan, files: readonly string[], cwd: string): boolean {
  if (!plan.canSelect || files.length === 0 || files.length > FILES_IN_COMMAND) return false
  const commandFor = runnerNamed(plan.runner)?.commandFor
  return (
    files.every((file) => existsSync(path.join(cwd, file))) &&
    (commandFor === undefined || commandFor(plan.argv, files) !== undefined)
  )
}

export type PlanInput = {
  cwd: string
  config: Config['test']
  /** Of the user's shell, or of the run. */
  env: Readonly<Record<string, string | undefined>>
  /** The command that measured the baseline. */
  baseline?: readonly string[] | undefined
  /** The first tests are about to be written. */
  starts?: boolean
}

/**
 * Finds the test command: `test.command`, else the one that measured the baseline, so that no agent
 * changes what is measured by adding files; else what the project has. And how its report is had.
 *
 * @throws RefusalError `NoTestCommand`, also where the command's report cannot be known;
 * `BadConfig`
 */
export function resolveTestPlan({
  cwd,
  config,
  env,
  baseline,
  starts = false,
}: PlanInput): TestPlan {
  const scripts = packageScripts(cwd)
  const command = config.command ?? (baseline === undefined ? undefined : [...baseline])
  const argv = command !== undefined ? configured(command) : detected(cwd, scripts, env, starts)
  const recognised = recognise(argv, scripts)
  const found = recognised === undefined || 'several' in recognised ? undefined : recognised
  if (found !== undefined || config.report !== undefined) return planOf(argv, found, config, cwd)

  const display = quote(argv)
  const plain = inPlainForm(plainForm(argv, scripts), display, { cwd, config, scripts })
  if (plain !== undefined) return { ...plain, command: argv }
  if (recognised !== undefined && 'several' in recognised)
    throw new RefusalError(
      'NoTestCommand',
      `"${display}" runs tests more than once, ${recognised.first} first: the report of the last would hide what the others found`,
      path.join(cwd, 'ratchet.config.json'),
      'set test.command to one runner, or let each write a report and set test.report, as in {"format":"junit","path":"reports/*.xml"}',
    )
  throw new RefusalError(
    'NoTestCommand',
    `the results of "${display}" cannot be read: it has no known test runner that can write a report (${RUNNER_NAMES.join(', ')})`,
    path.join(cwd, 'ratchet.config.json'),
    'let it write a report and set test.report, as in {"format":"junit","path":"reports/*.xml"}',
  )
}

function inPlainForm(
  plain: PlainForm | undefined,
  display: string,
  {
    cwd,
    config,
    scripts,
  }: { cwd: string; config: Config['test']; scripts: Readonly<Record<string, string>> },
): TestPlan | undefined {
  const parts = (plain?.runners ?? []).flatMap((line) => {
    const argv: TestPlan['argv'] = ['sh', '-c', line]
    const found = recognise(argv, scripts)
    return found === undefined || 'several' in found
      ? []
      : [{ ...withBin(planOf(argv, found, config, cwd), cwd), display: line }]
  })
  const [first] = parts
  if (plain === undefined || first === undefined || parts.length < plain.runners.length)
    return undefined
  const { leftOut } = plain
  const note =
    leftOut.length === 0
      ? undefined
      : `of "${display}" only the tests are run, without: ${leftOut.join(' && ')}`
  const whole =
    parts.length === 1
      ? first
      : {
          ...first,
          canSelect: false,
          covering: undefined,
          parts,
          runner: parts.every(({ runner }) => runner === first.runner)
            ? first.runner
            : ('other' as const),
        }
  return { ...whole, display, ...(note === undefined ? {} : { note }) }
}

// A package manager puts the programs of a project's packages on the PATH of its scripts.
function withBin(plan: TestPlan, cwd: string): TestPlan {
  const bins: string[] = []
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    bins.push(path.join(dir, 'node_modules', '.bin'))
    if (path.dirname(dir) === dir) break
  }
  const { covering } = plan
  return {
    ...plan,
    ...(covering === undefined ? {} : { covering: (into) => withBin(covering(into), cwd) }),
    overrides(reportFile, given) {
      const { env, files } = plan.overrides(reportFile, given)
      return {
        env: {
          ...env,
          PATH: [...bins, ...(given['PATH'] === undefined ? [] : [given['PATH']])].join(
            path.delimiter,
          ),
        },
        files,
      }
    },
  }
}

function planOf(
  argv: TestPlan['argv'],
  found: Recognised | undefined,
  config: Config['test'],
  cwd: string,
  into?: (dir: string) => void,
): TestPlan {
  const runner = found?.runner ?? 'other'
  const facts = runnerNamed(runner)
  const own = facts?.report
  const args = found?.args ?? []
  const report: TestPlan['report'] =
    config.report !== undefined
      ? { by: 'path', ...config.report }
      : { by: own?.by ?? 'flags', format: own?.ownFormat?.(args) ?? own?.format ?? 'junit' }
  const hasFlags = facts !== undefined && report.by !== 'path'
  const covers = into === undefined ? undefined : facts?.coverage
  return {
    command: argv,
    argv,
    display: quote(argv),
    runner,
    report,
    ownReport: found === undefined ? undefined : ownReport(found),
    followed: found?.followed === true,
    canSelect: found !== undefined && found.followed !== true && canSelect(found, argv, cwd),
    ...(facts?.coverage === undefined || found?.followed === true
      ? {}
      : { covering: (dir) => planOf(argv, found, config, cwd, dir) }),
    commandLine(reportFile, files = []) {
      const flags = [
        ...(hasFlags ? facts.flags({ file: reportFile, args, reporters: REPORTERS }) : []),
        ...(covers?.words?.(coverageDir(reportFile), args) ?? []),
      ]
      const forFiles = files.length > 0 ? facts?.commandFor?.(argv, files) : undefined
      if (forFiles !== undefined) return append(forFiles as TestPlan['argv'], flags)
      const added = [...flags, ...(facts?.files?.(files) ?? [])]
      return append(argv, added.length === 0 ? [] : [...(found?.before ?? []), ...added])
    },
    overrides(reportFile, given) {
      const own = hasFlags
        ? facts.overrides?.({ file: reportFile, args, reporters: REPORTERS, env: given })
        : undefined
      into?.(coverageDir(reportFile))
      return {
        env: { ...own?.env, ...covers?.env?.(coverageDir(reportFile)) },
        files: own?.files ?? {},
      }
    },
  }
}

// Next to the report, in the directory that a sandbox lets the tests write.
function coverageDir(reportFile: string): string {
  return path.join(path.dirname(reportFile), 'coverage')
}

// `sh -c SCRIPT` gets them as positional parameters, so that nothing needs quoting.
function append(argv: TestPlan['argv'], flags: string[]): TestPlan['argv'] {
  if (flags.length === 0) return argv
  const [command, option, script] = argv
  if (option === '-c' && script !== undefined)
    return [command, '-c', `${script.trimEnd()} "$@"`, 'sh', ...flags]
  return [...argv, ...flags]
}

function configured(command: string | string[]): TestPlan['argv'] {
  const words = typeof command === 'string' ? splitCommand(command) : command
  const [first, ...rest] = words
  if (first === undefined || first === '')
    throw badCommand('test.command is empty', 'write the command, as in "npm test"')
  return [first, ...rest]
}

function splitCommand(command: string): string[] {
  const inShell = `write it as ["sh", "-c", ${JSON.stringify(command)}]`
  if (command.includes('`')) throw badCommand('test.command needs a shell for `…`', inShell)
  const entries = splitWords(command, (name) => ({ variable: name }))
  const words = entries.map((entry) => {
    if (typeof entry === 'string') return entry
    const what =
      'variable' in entry
        ? `$${String(entry.variable)}`
        : 'comment' in entry
          ? '#'
          : entry.op === 'glob'
            ? `the pattern ${entry.pattern}`
            : entry.op
    throw badCommand(`test.command needs a shell for ${what}`, inShell)
  })
  if (/^[A-Za-z_]\w*=/.test(words[0] ?? ''))
    throw badCommand(`test.command needs a shell to set ${words[0]}`, inShell)
  return words
}

function badCommand(message: string, next: string): RefusalError {
  return new RefusalError('BadConfig', message, 'test.command in the ratchet config', next)
}
