// Looks up a package of Go in the measured tree: its directory and the test functions in it.
//
// The name of a package comes from the output of the tests, so it may be anything: only a real
// directory inside the module counts.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** A larger file is no source of tests, in bytes. */
const LARGEST_FILE = 16 << 20
/** Broader than what Go takes, as in a comment: a package that might hold a test holds one. */
const MAY_BE_TEST = /\bfunc\s+(?:Test(?!Main\b)|Fuzz|Example)/

export type GoModule = { name: string; root: string }

/** The module that a directory is in: its name and root. */
export function moduleOf(cwd: string): GoModule | undefined {
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const text = textOf(path.join(dir, 'go.mod'))
    if (text !== undefined) {
      const name = /^module\s+"?([^\s"]+)"?/m.exec(text)?.[1]
      return name === undefined ? undefined : { name, root: dir }
    }
    if (dir === path.dirname(dir)) return undefined
  }
}

/** The directory of a package relative to its module's root; `undefined` outside of the module. */
export function directoryIn(module: GoModule | undefined, name: string): string | undefined {
  if (module === undefined) return undefined
  if (name === module.name) return '.'
  if (!name.startsWith(`${module.name}/`)) return undefined
  const dir = name.slice(module.name.length + 1)
  return dir.split('/').some((part) => ['', '.', '..'].includes(part)) ? undefined : dir
}

/** The test functions of a package's directory, with the file of each. */
export function testFunctions(module: GoModule, dir: string): Map<string, string> {
  return new Map(
    (filesIn(module, dir) ?? [])
      .filter(isTestFile)
      .flatMap((name) =>
        [
          ...(textOf(path.join(module.root, dir, name)) ?? '').matchAll(
            /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm,
          ),
        ].map((match) => [match[1] ?? '', name] as const),
      ),
  )
}

/**
 * Whether a package is known to hold no test function. Where its directory cannot be seen, or a
 * file of it cannot be read, it may hold one.
 */
export function holdsNoTest(module: GoModule | undefined, name: string): boolean {
  const dir = directoryIn(module, name)
  if (module === undefined || dir === undefined) return false
  const files = filesIn(module, dir)?.filter((file) => file.endsWith('.go')) ?? []
  const folder = path.join(module.root, dir)
  return (
    files.length > 0 &&
    isNamed(name, folder) &&
    files
      .filter(isTestFile)
      .map((file) => textOf(path.join(folder, file)))
      .every((text) => text !== undefined && !MAY_BE_TEST.test(text))
  )
}

// A directory with a go.mod of its own may belong to a module of another name.
function isNamed(name: string, folder: string): boolean {
  const own = moduleOf(folder)
  return own !== undefined && path.join(own.name, path.relative(own.root, folder)) === name
}

// Go ignores files whose name begins with a dot or an underscore.
function isTestFile(name: string): boolean {
  return name.endsWith('_test.go') && !/^[._]/.test(name)
}

/** Names in a package's directory; `undefined` if a link leads to it or it cannot be read. */
function filesIn({ root }: GoModule, dir: string): string[] | undefined {
  return ifReadable(() =>
    realpathSync(path.join(root, dir)) === path.join(realpathSync(root), dir)
      ? readdirSync(path.join(root, dir)).sort()
      : undefined,
  )
}

/** Text of a source file; `undefined` if it cannot be read or is something else. */
function textOf(file: string): string | undefined {
  return ifReadable(() => {
    const seen = statSync(file)
    return seen.isFile() && seen.size <= LARGEST_FILE ? readFileSync(file, 'utf8') : undefined
  })
}

// A tree may hold loops of links and files without permission, and a name may be too long.
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
