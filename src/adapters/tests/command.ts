// Which command measures a project, and where its report will be.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as splitWords, quote } from 'shell-quote'
import { parse as parseToml } from 'smol-toml'
import which from 'which'
import type { Config } from '../../contract/config.js'
import { RefusalError } from '../../contract/failures.js'
import type { Runner } from './recognise.js'
import { recognise } from './recognise.js'

export type TestPlan = {
  argv: [string, ...string[]]
  /** The command as a person would type it. */
  display: string
  runner: Runner | 'other'
  /** `flags`: the runner is told where to write. `path`: the configured glob, relative to the project. */
  report: { by: 'flags' } | { by: 'path'; path: string }
  /** Makes the command line: with a report file where the runner is told, with test files where only some are to run. */
  commandLine(reportFile: string, files?: readonly string[]): [string, ...string[]]
}

export type PlanInput = { cwd: string; config: Config['test']; env?: Readonly<Record<string, string | undefined>> }

/**
 * Finds the test command: `test.command`, else the package's `test` script, else pytest where the
 * project has something of it.
 *
 * @throws RefusalError `NoTestCommand`, also where the command's report cannot be known; `BadConfig`
 */
export function resolveTestPlan({ cwd, config, env = process.env }: PlanInput): TestPlan {
  const scripts = packageScripts(cwd)
  const argv = config.command !== undefined ? configured(config.command) : detected(cwd, scripts, env)
  const recognised = recognise(argv, scripts)
  const found = recognised === undefined || 'several' in recognised ? undefined : recognised
  const runner = found?.runner ?? 'other'
  const display = quote(argv)
  if (recognised !== undefined && 'several' in recognised && config.report === undefined)
    throw new RefusalError('NoTestCommand', `"${display}" runs tests more than once, ${recognised.first} first: the report of the last would hide what the others found`, path.join(cwd, 'ratchet.config.json'),
      'set test.command to one runner, or let each write JUnit XML and set test.report to {"format":"junit","path":"reports/*.xml"}')
  if (found === undefined && config.report === undefined)
    throw new RefusalError('NoTestCommand', `the results of "${display}" cannot be read: neither vitest nor pytest is recognised in it`, path.join(cwd, 'ratchet.config.json'),
      'let it write JUnit XML and set test.report to {"format":"junit","path":"reports/*.xml"}')

  const report: TestPlan['report'] = config.report === undefined ? { by: 'flags' } : { by: 'path', path: config.report.path }
  return {
    argv, display, runner, report,
    commandLine(reportFile, files = []) {
      const flags = runner === 'other' ? [] : [...(report.by === 'flags' ? reportFlags(runner, reportFile) : []), ...files]
      return append(argv, flags.length === 0 ? [] : [...(found?.before ?? []), ...flags])
    },
  }
}

function reportFlags(runner: Runner, file: string): string[] {
  if (runner === 'pytest') return ['-o', 'junit_family=xunit1', `--junitxml=${file}`]
  return ['--run', '--reporter=default', '--reporter=junit', `--outputFile.junit=${file}`]
}

// `sh -c SCRIPT` gets them as positional parameters, so that nothing needs quoting.
function append(argv: TestPlan['argv'], flags: string[]): TestPlan['argv'] {
  if (flags.length === 0) return argv
  const [command, option, script] = argv
  if (option === '-c' && script !== undefined) return [command, '-c', `${script.trimEnd()} "$@"`, 'sh', ...flags]
  return [...argv, ...flags]
}

function configured(command: string | string[]): TestPlan['argv'] {
  const words = typeof command === 'string' ? splitCommand(command) : command
  const [first, ...rest] = words
  if (first === undefined || first === '') throw badCommand('test.command is empty', 'write the command, as in "npm test"')
  return [first, ...rest]
}

function splitCommand(command: string): string[] {
  const inShell = `write it as ["sh", "-c", ${JSON.stringify(command)}]`
  if (command.includes('`')) throw badCommand('test.command needs a shell for `…`', inShell)
  const entries = splitWords(command, (name) => ({ variable: name }))
  const words = entries.map((entry) => {
    if (typeof entry === 'string') return entry
    const what = 'variable' in entry ? `$${String(entry.variable)}` : 'comment' in entry ? '#' : entry.op === 'glob' ? `the pattern ${entry.pattern}` : entry.op
    throw badCommand(`test.command needs a shell for ${what}`, inShell)
  })
  if (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) throw badCommand(`test.command needs a shell to set ${words[0]}`, inShell)
  return words
}

function badCommand(message: string, next: string): RefusalError {
  return new RefusalError('BadConfig', message, 'test.command in the ratchet config', next)
}

function detected(cwd: string, scripts: Readonly<Record<string, string>>, env: PlanInput['env']): TestPlan['argv'] {
  const script = scripts['test']
  if (script !== undefined && !script.includes('no test specified')) return ['npm', 'test']
  if (!usesPytest(cwd))
    throw new RefusalError('NoTestCommand', 'no test command is configured and none was found: no "test" script in package.json, nothing of pytest', cwd,
      'set test.command in ratchet.config.json, as in {"test":{"command":"npm test"}}')
  const venv = ['.venv', 'venv'].map((dir) => `./${dir}/bin/python`).find((python) => existsSync(path.join(cwd, python)))
  const PATH = env?.['PATH'] ?? ''
  const python = venv ?? ['python3', 'python'].find((name) => which.sync(name, { nothrow: true, path: PATH }) !== null)
  if (python === undefined)
    throw new RefusalError('NoTestCommand', 'the project has pytest tests, but there is no python3 on PATH', cwd, 'install Python, or set test.command in ratchet.config.json')
  return [python, '-m', 'pytest']
}

/** Directories that hold no tests of the project's own. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__', 'dist', 'build'])
const SEARCH_DEPTH = 4

function usesPytest(cwd: string): boolean {
  const has = (name: string, text: RegExp) => existsSync(path.join(cwd, name)) && text.test(readFileSync(path.join(cwd, name), 'utf8'))
  if (['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py'].some((name) => existsSync(path.join(cwd, name)))) return true
  if (has('setup.cfg', /^\[tool:pytest\]/m) || has('tox.ini', /^\[pytest\]/m) || pyprojectHasPytest(cwd)) return true
  return hasTestFile(cwd, SEARCH_DEPTH)
}

function pyprojectHasPytest(cwd: string): boolean {
  const file = path.join(cwd, 'pyproject.toml')
  if (!existsSync(file)) return false
  try {
    const { tool } = parseToml(readFileSync(file, 'utf8'))
    return typeof tool === 'object' && 'pytest' in tool
  } catch (error) {
    throw new RefusalError('NoTestCommand', `pyproject.toml cannot be read: ${firstLine(error)}`, file, 'mend it, or set test.command in ratchet.config.json')
  }
}

function hasTestFile(dir: string, depth: number): boolean {
  const entries = readdirSync(dir, { withFileTypes: true })
  if (entries.some((entry) => entry.isFile() && /^(test_.*|.*_test|conftest)\.py$/.test(entry.name))) return true
  return depth > 0 && entries.some((entry) => entry.isDirectory() && !NOT_SEARCHED.has(entry.name) && hasTestFile(path.join(dir, entry.name), depth - 1))
}

function packageScripts(cwd: string): Record<string, string> {
  const file = path.join(cwd, 'package.json')
  if (!existsSync(file)) return {}
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as { scripts?: unknown }
    if (typeof scripts !== 'object' || scripts === null) return {}
    return Object.fromEntries(Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === 'string'))
  } catch (error) {
    throw new RefusalError('NoTestCommand', `package.json cannot be read: ${firstLine(error)}`, file, 'mend it, or set test.command in ratchet.config.json')
  }
}

function firstLine(error: unknown): string {
  return String((error as Error).message).split('\n', 1)[0] ?? ''
}
