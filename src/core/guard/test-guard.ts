// The tamper guard: which files decide what a test run measures, and how a shared one is restored.
//
// An agent that is asked to make tests pass may change the tests instead. Test files and test
// config are restored around a turn; files that also hold other things lose only their guarded
// parts. What an agent that writes tests may change is in test-files.ts. It does not protect from
// an agent that patches installed packages.
import picomatch from 'picomatch/posix.js'
import { parse as parseToml, TomlError } from 'smol-toml'
import { ALL_RUNNERS } from '../runners/known-runners.js'
import { CONFIG_GLOBS, fileKind, TEST_GLOBS } from './test-files.js'

const isGuardedByDefault = picomatch([...TEST_GLOBS, ...CONFIG_GLOBS], { dot: true })

/**
 * Whether agents may not change a file.
 *
 * @param path relative to the project, forward slashes
 * @param extraGlobs `test.guard` of the config; a glob without a slash matches in any folder, one
 * that begins with `!` takes files out
 * @param reportFiles files that a report named as tests, by path: they may be called anything
 */
export function isGuarded(
  path: string,
  extraGlobs: readonly string[] = [],
  reportFiles: readonly string[] = [],
): boolean {
  if (isReleased(path, extraGlobs)) return false
  if (isGuardedByDefault(path) || reportFiles.includes(path)) return true
  return extraGlobs.some((glob) => !glob.startsWith('!') && matches(path, glob))
}

/**
 * Whether `test.guard` of the config takes a file out of the guard, by a glob that begins with `!`.
 */
export function isReleased(path: string, extraGlobs: readonly string[]): boolean {
  return extraGlobs.some((glob) => glob.startsWith('!') && matches(path, glob.slice(1)))
}

/**
 * Whether `test.mayChange` of the config lets a fix change a guarded file. Configuration of the
 * tests stays guarded.
 */
export function isMayChange(path: string, globs: readonly string[]): boolean {
  return fileKind(path) !== 'configuration' && globs.some((glob) => matches(path, glob))
}

function matches(path: string, glob: string): boolean {
  const own = glob.replace(/^\.\//, '').replace(/\/$/, '/**')
  return picomatch(own.includes('/') ? own : `**/${own}`, { dot: true })(path)
}

/** Keys of a package.json that decide how tests run. */
export const GUARDED_PACKAGE_KEYS: readonly string[] = [
  'scripts',
  ...ALL_RUNNERS.flatMap(({ guard }) => guard.packageKeys ?? []),
  'ava',
  'tap',
  'nyc',
  'c8',
  'babel',
  'postcss',
  'ratchet',
]
/**
 * Tables below `[tool]` of a pyproject.toml, and the heads of setup.cfg sections, that decide how
 * tests run.
 */
const GUARDED_TOOLS: readonly string[] = [
  ...ALL_RUNNERS.flatMap(({ guard }) => guard.tools ?? []),
  'coverage',
  'tox',
  'nox',
  'hatch',
  'pdm',
  'poe',
  'taskipy',
  'ratchet',
]
const GUARDED_SECTIONS: readonly string[] = [
  ...ALL_RUNNERS.flatMap(({ guard }) => guard.sections ?? []),
  'tox',
  'coverage',
]

/**
 * Returns the text a shared file must get, or `undefined` where nothing guarded changed.
 *
 * In package.json only the guarded keys go back to what they were; pyproject.toml, Cargo.toml and
 * setup.cfg go back whole, as TOML and INI cannot be written back without losing comments. A file
 * that can no longer be read goes back whole too: what a runner would make of it is not known.
 *
 * @param before text before the turn, empty for a new file
 * @param after text now; an empty result for a new file means that it must go
 */
export function restoreGuardedParts(
  path: string,
  before: string,
  after: string,
): string | undefined {
  if (before === after) return undefined
  switch (baseName(path)) {
    case 'package.json':
      return restorePackage(before, after)
    case 'pyproject.toml':
      return sameParts(guardedToml(before, ofPython), guardedToml(after, ofPython))
        ? undefined
        : before
    case 'Cargo.toml':
      return sameParts(guardedToml(before, ofCargo), guardedToml(after, ofCargo))
        ? undefined
        : before
    case 'setup.cfg':
      return guardedIni(before) === guardedIni(after) ? undefined : before
    default:
      return undefined
  }
}

type Json = Record<string, unknown>

function restorePackage(before: string, after: string): string | undefined {
  const was = readObject(before)
  if (was === undefined) return undefined // new, or broken before: nothing to go back to
  const now = readObject(after)
  if (now === undefined) return before
  if (stable(pick(was, true)) === stable(pick(now, true))) return undefined
  // Byte by byte, where only guarded keys changed
  if (stable(pick(was, false)) === stable(pick(now, false))) return before

  const kept = Object.entries(now).flatMap(([key, value]) =>
    !GUARDED_PACKAGE_KEYS.includes(key) ? [[key, value]] : key in was ? [[key, was[key]]] : [],
  )
  const removed = Object.entries(was).filter(
    ([key]) => GUARDED_PACKAGE_KEYS.includes(key) && !(key in now),
  )
  const indent = /^[ \t]+/m.exec(after)?.[0] ?? '  '
  return (
    JSON.stringify(Object.fromEntries([...kept, ...removed] as [string, unknown][]), null, indent) +
    (after.endsWith('\n') ? '\n' : '')
  )
}

function pick(source: Json, guarded: boolean): Json {
  return Object.fromEntries(
    Object.entries(source).filter(([key]) => GUARDED_PACKAGE_KEYS.includes(key) === guarded),
  )
}

function readObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const BROKEN = Symbol('broken')

function guardedToml(text: string, guarded: (file: Json) => Json): Json | typeof BROKEN {
  try {
    return guarded(parseToml(text))
  } catch (error) {
    if (error instanceof TomlError) return BROKEN
    throw error
  }
}

function ofPython(file: Json): Json {
  return Object.fromEntries(
    Object.entries((file['tool'] ?? {}) as Json).filter(([name]) => GUARDED_TOOLS.includes(name)),
  )
}

// Which tests a crate has: its [[test]] targets, whether it looks for others, and whether those of
// its sources count.
function ofCargo(file: Json): Json {
  const part = (table: string, key: string) => ((file[table] ?? {}) as Json)[key]
  return {
    targets: file['test'],
    found: part('package', 'autotests'),
    ofLibrary: part('lib', 'test'),
    profile: part('profile', 'test'),
  }
}

function sameParts(was: Json | typeof BROKEN, now: Json | typeof BROKEN): boolean {
  if (was === BROKEN) return true // broken before: nothing to go back to
  return now !== BROKEN && stable(was) === stable(now)
}

// Guarded sections with their lines; comments and blank lines do not count.
function guardedIni(text: string): string {
  let guarded = false
  const kept: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const section = /^\[([^\]]+)\]/.exec(line)?.[1]
    if (section !== undefined) guarded = isGuardedSection(section.trim())
    if (guarded && line.trim() !== '' && !/^\s*[#;]/.test(line)) kept.push(line.trimEnd())
  }
  return kept.join('\n')
}

function isGuardedSection(name: string): boolean {
  return GUARDED_SECTIONS.some((one) => name === one || name.startsWith(`${one}:`))
}

/** JSON with sorted keys, so that two equal values have equal texts. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !(inner instanceof Date)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
