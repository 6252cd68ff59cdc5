// Finds the test command of a project that names none.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import which from 'which'
import { RefusalError } from '../../contract/failures.js'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The test command of a project: the package's `test` script, else pytest by its configuration, Go by its
 * go.mod, nextest by Cargo.toml, else pytest where there is a file of its kind.
 *
 * @throws RefusalError `NoTestCommand`
 */
export function detected(cwd: string, scripts: Readonly<Record<string, string>>, env: Env): [string, ...string[]] {
  const script = scripts['test']
  if (script !== undefined && !script.includes('no test specified')) return ['npm', 'test']
  if (configuresPytest(cwd)) return pytest(cwd, env)
  if (existsSync(path.join(cwd, 'go.mod'))) return needs('go', 'the project is a Go module, but there is no go on PATH', 'install Go', cwd, env, ['go', 'test', './...'])
  if (existsSync(path.join(cwd, 'Cargo.toml')))
    return needs('cargo-nextest', 'the project is a Rust crate, and the results of "cargo test" cannot be read: there is no cargo-nextest on PATH', 'install cargo-nextest', cwd, env, ['cargo', 'nextest', 'run'])
  if (hasTestFile(cwd, SEARCH_DEPTH)) return pytest(cwd, env)
  throw new RefusalError('NoTestCommand', 'no test command is configured and none was found: no "test" script in package.json, nothing of pytest, no go.mod, no Cargo.toml', cwd,
    'set test.command in ratchet.config.json, as in {"test":{"command":"npm test"}}')
}

/** The scripts of the package.json of a directory; none where it has no such file. */
export function packageScripts(cwd: string): Record<string, string> {
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

function isOnPath(program: string, env: Env): boolean {
  return which.sync(program, { nothrow: true, path: env['PATH'] ?? '' }) !== null
}

function needs(program: string, problem: string, next: string, cwd: string, env: Env, argv: [string, ...string[]]): [string, ...string[]] {
  if (isOnPath(program, env)) return argv
  throw new RefusalError('NoTestCommand', problem, cwd, `${next}, or set test.command in ratchet.config.json`)
}

function pytest(cwd: string, env: Env): [string, ...string[]] {
  const venv = ['.venv', 'venv'].map((dir) => `./${dir}/bin/python`).find((python) => existsSync(path.join(cwd, python)))
  const python = venv ?? ['python3', 'python'].find((name) => isOnPath(name, env))
  if (python === undefined)
    throw new RefusalError('NoTestCommand', 'the project has pytest tests, but there is no python3 on PATH', cwd, 'install Python, or set test.command in ratchet.config.json')
  return [python, '-m', 'pytest']
}

/** Directories that hold no tests of the project's own. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__', 'dist', 'build'])
const SEARCH_DEPTH = 4

function configuresPytest(cwd: string): boolean {
  const has = (name: string, text: RegExp) => existsSync(path.join(cwd, name)) && text.test(readFileSync(path.join(cwd, name), 'utf8'))
  if (['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py'].some((name) => existsSync(path.join(cwd, name)))) return true
  return has('setup.cfg', /^\[tool:pytest\]/m) || has('tox.ini', /^\[pytest\]/m) || pyprojectHasPytest(cwd)
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

function firstLine(error: unknown): string {
  return String((error as Error).message).split('\n', 1)[0] ?? ''
}
