// Finds the test command of a project that names none.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import which from 'which'
import { RefusalError } from '../../contract/failures.js'
import { ALL_RUNNERS } from '../../core/runners/known-runners.js'
import type { Detection, ProjectFiles } from '../../core/runners/test-runner.js'

type Env = Readonly<Record<string, string | undefined>>

const DETECTIONS: readonly Detection[] = ALL_RUNNERS.flatMap(
  ({ detection }) => detection ?? [],
).sort((a, b) => a.rank - b.rank)

/**
 * The test command of a project: the package's `test` script, else that of the first runner that
 * the project configures, else of the first that has a test file in it.
 *
 * @param starts tests are about to be written: code in the language of a runner is enough
 *
 * @throws RefusalError `NoTestCommand`
 */
export function detected(
  cwd: string,
  scripts: Readonly<Record<string, string>>,
  env: Env,
  starts = false,
): [string, ...string[]] {
  const script = scripts['test']
  if (script !== undefined && !script.includes('no test specified')) return ['npm', 'test']
  const project = filesOf(cwd, env)
  const found =
    DETECTIONS.find((one) => one.isConfigured(project)) ??
    DETECTIONS.find(
      ({ testFile }) => testFile !== undefined && hasFile(cwd, testFile, SEARCH_DEPTH),
    ) ??
    DETECTIONS.find(
      ({ sourceFile }) =>
        starts && sourceFile !== undefined && hasFile(cwd, sourceFile, SEARCH_DEPTH),
    )
  if (found === undefined)
    throw new RefusalError(
      'NoTestCommand',
      `no test command is configured and none was found: no "test" script in package.json, ${DETECTIONS.map(({ absent }) => absent).join(', ')}`,
      cwd,
      'set test.command in ratchet.config.json, as in {"test":{"command":"npm test"}}',
    )
  const command = found.command(project)
  if (Array.isArray(command)) return command
  throw new RefusalError(
    'NoTestCommand',
    command.problem,
    cwd,
    `${command.next}, or set test.command in ratchet.config.json`,
  )
}

/** The scripts of the package.json of a directory; none where it has no such file. */
export function packageScripts(cwd: string): Record<string, string> {
  const file = path.join(cwd, 'package.json')
  if (!existsSync(file)) return {}
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as {
      scripts?: unknown
    }
    if (typeof scripts !== 'object' || scripts === null) return {}
    return Object.fromEntries(
      Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === 'string'),
    )
  } catch (error) {
    throw unreadable('package.json', file, error)
  }
}

function filesOf(cwd: string, env: Env): ProjectFiles {
  const text = (file: string) => readFileSync(path.join(cwd, file), 'utf8')
  return {
    text,
    has: (file) => existsSync(path.join(cwd, file)),
    toml(file) {
      try {
        return parseToml(text(file))
      } catch (error) {
        throw unreadable(file, path.join(cwd, file), error)
      }
    },
    isOnPath: (program) => which.sync(program, { nothrow: true, path: env['PATH'] ?? '' }) !== null,
  }
}

function unreadable(name: string, file: string, error: unknown): RefusalError {
  const [problem = ''] = String((error as Error).message).split('\n', 1)
  return new RefusalError(
    'NoTestCommand',
    `${name} cannot be read: ${problem}`,
    file,
    'correct it, or set test.command in ratchet.config.json',
  )
}

/** Directories that hold no tests of the project's own. */
const NOT_SEARCHED = new Set([
  'node_modules',
  '.git',
  '.venv',
  'venv',
  '__pycache__',
  'dist',
  'build',
])
const SEARCH_DEPTH = 4

function hasFile(dir: string, name: RegExp, depth: number): boolean {
  const entries = readdirSync(dir, { withFileTypes: true })
  if (entries.some((entry) => entry.isFile() && name.test(entry.name))) return true
  return (
    depth > 0 &&
    entries.some(
      (entry) =>
        entry.isDirectory() &&
        !NOT_SEARCHED.has(entry.name) &&
        hasFile(path.join(dir, entry.name), name, depth - 1),
    )
  )
}
