// Finds the checks of a project besides its tests: the scripts of its package, else the tools that
// it configures and has installed. Nothing is guessed: a tool without a configuration is not run.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import which from 'which'
import { RefusalError } from '../../contract/failures.js'
import { packageScripts } from '../test-runners/detect.js'

type Env = Readonly<Record<string, string | undefined>>

/** `display`: the command as a person would type it. */
export type QualityCommand = {
  name: 'lint' | 'types' | 'build' | 'coverage'
  argv: [string, ...string[]]
  display: string
}

/** Scripts by check, the first that is there counts. */
const SCRIPTS: readonly (readonly [QualityCommand['name'], readonly string[]])[] = [
  ['lint', ['lint']],
  ['types', ['typecheck', 'type-check', 'types', 'tsc', 'check-types']],
  ['build', ['build']],
  ['coverage', ['test:coverage', 'coverage']],
]

/** Finds the checks of a project, each name at most once; none where it has none. */
export function qualityCommands(cwd: string, env: Env): QualityCommand[] {
  const scripts = scriptsIn(cwd)
  const manager = managerOf(cwd, env)
  const tools = [...typescript(cwd), ...ruff(cwd, env), ...mypy(cwd, env), ...goVet(cwd, env)]
  const scriptOf = (known: readonly string[]): string | undefined =>
    known.find((one) => Object.hasOwn(scripts, one) && !watches(scripts[one] ?? '', scripts))
  const others = [
    ...SCRIPTS.flatMap(([name, known]) => (name === 'build' ? [] : (scriptOf(known) ?? []))),
    'test',
  ]
  return SCRIPTS.flatMap(([name, known]): QualityCommand[] => {
    const script = scriptOf(known)
    if (
      name === 'build' &&
      (script === undefined || others.some((one) => runs(one, script, scripts)))
    )
      return []
    const tool = tools.find((one) => one.name === name)
    if (script !== undefined)
      return [{ name, argv: [manager, 'run', script], display: `${manager} run ${script}` }]
    return tool === undefined ? [] : [tool]
  })
}

// A package.json that cannot be read has no scripts; the tests say what is wrong with it.
function scriptsIn(cwd: string): Readonly<Record<string, string>> {
  try {
    return packageScripts(cwd)
  } catch (error) {
    if (error instanceof RefusalError) return {}
    throw error
  }
}

/** How deep package scripts may call each other. */
const SCRIPT_DEPTH = 4
const WATCHES =
  /(^|\s)--watch(All|-all)?(?!\S)|(^|\s)--watch(All|-all)?=(?!false)|\b(tsc|eslint|vue-tsc)\b[^&|;]*\s-w(?!\S)|\b(tsc-watch|nodemon|onchange)\b/
const CALLS = /\b(?:(?:npm|pnpm|yarn|bun) run|pnpm|yarn) ([\w:.-]+)/g

function watches(line: string, scripts: Readonly<Record<string, string>>, depth = 0): boolean {
  if (WATCHES.test(line)) return true
  const called = [...line.matchAll(CALLS)].flatMap(([, name = '']) =>
    Object.hasOwn(scripts, name) ? [scripts[name] ?? ''] : [],
  )
  return depth < SCRIPT_DEPTH && called.some((one) => watches(one, scripts, depth + 1))
}

/** Whether a script, or one before or behind it, calls another one. */
function runs(
  script: string,
  other: string,
  scripts: Readonly<Record<string, string>>,
  depth = 0,
): boolean {
  const called = [`pre${script}`, script, `post${script}`].flatMap((one) =>
    Object.hasOwn(scripts, one)
      ? [...(scripts[one] ?? '').matchAll(CALLS)].map(([, name = '']) => name)
      : [],
  )
  return (
    called.includes(other) ||
    (depth < SCRIPT_DEPTH && called.some((one) => runs(one, other, scripts, depth + 1)))
  )
}

const LOCK_FILES: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

// By `packageManager`, else by the nearest lock file; npm runs the scripts of all of them.
function managerOf(cwd: string, env: Env): string {
  for (const dir of upward(cwd)) {
    const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(
      contentOf(path.join(dir, 'package.json')),
    )?.[1]
    const manager = named ?? LOCK_FILES.find(([file]) => existsSync(path.join(dir, file)))?.[1]
    if (manager !== undefined) return isOnPath(manager, env) ? manager : 'npm'
  }
  return 'npm'
}

function typescript(cwd: string): QualityCommand[] {
  if (!existsSync(path.join(cwd, 'tsconfig.json'))) return []
  const dir = upward(cwd).find((one) => existsSync(path.join(one, 'node_modules', '.bin', 'tsc')))
  return dir === undefined
    ? []
    : [
        {
          name: 'types',
          argv: [path.join(dir, 'node_modules', '.bin', 'tsc'), '--noEmit'],
          display: 'tsc --noEmit',
        },
      ]
}

function ruff(cwd: string, env: Env): QualityCommand[] {
  const isConfigured =
    ['ruff.toml', '.ruff.toml'].some((name) => existsSync(path.join(cwd, name))) ||
    /^\[tool\.ruff[\].]/m.test(contentOf(path.join(cwd, 'pyproject.toml')))
  const program = isConfigured ? installed('ruff', cwd, env) : undefined
  return program === undefined
    ? []
    : [{ name: 'lint', argv: [program, 'check', '.'], display: 'ruff check .' }]
}

function mypy(cwd: string, env: Env): QualityCommand[] {
  const sections = [
    ['mypy.ini', /^\[mypy\]/m],
    ['.mypy.ini', /^\[mypy\]/m],
    ['setup.cfg', /^\[mypy\]/m],
    ['pyproject.toml', /^\[tool\.mypy\]/m],
  ] as const
  const section = sections
    .map(([name, head]) => sectionIn(contentOf(path.join(cwd, name)), head))
    .find((text) => text !== undefined)
  const program = section === undefined ? undefined : installed('mypy', cwd, env)
  if (section === undefined || program === undefined) return []
  const targets = /^\s*(files|packages|modules)\s*=/m.test(section) ? [] : ['.']
  return [{ name: 'types', argv: [program, ...targets], display: ['mypy', ...targets].join(' ') }]
}

function goVet(cwd: string, env: Env): QualityCommand[] {
  if (!existsSync(path.join(cwd, 'go.mod')) || !isOnPath('go', env)) return []
  return [{ name: 'lint', argv: ['go', 'vet', './...'], display: 'go vet ./...' }]
}

// What stands below a head, up to the next one.
function sectionIn(text: string, head: RegExp): string | undefined {
  const found = head.exec(text)
  return found === null ? undefined : text.slice(found.index + found[0].length).split(/^\[/m, 1)[0]
}

// In the project's own environment, else on PATH.
function installed(program: string, cwd: string, env: Env): string | undefined {
  const own = ['.venv', 'venv']
    .map((dir) => path.join(cwd, dir, 'bin', program))
    .find((file) => existsSync(file))
  return own ?? (isOnPath(program, env) ? program : undefined)
}

function isOnPath(program: string, env: Env): boolean {
  return which.sync(program, { nothrow: true, path: env['PATH'] ?? '' }) !== null
}

/** A directory and those above it, up to the top of its repository. */
function upward(cwd: string): string[] {
  const dirs: string[] = []
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    dirs.push(dir)
    if (existsSync(path.join(dir, '.git')) || dir === path.dirname(dir)) return dirs
  }
}

function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
