// Files that a test command runs: they decide what the run reports, like the configuration of a
// runner, so no fix changes them.

/** What a program reads its targets from. */
const READS: Readonly<Record<string, readonly string[]>> = {
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  gmake: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
}
const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** Scripts that call scripts are followed so far. */
const DEPTH = 3
/** A relative path without anything that is special in a shell or a glob. */
const PLAIN_PATH = /^(?:\.\/)?\w[\w@+.-]*(?:\/\w[\w@+.-]*)*$/
const SHELL = /^(?:ba|z|da|k|fi)?sh$/
const SHELL_SCRIPT = /\.(?:ba|z|k|fi)?sh$/
/** A program of another language may be the code under test, unless its name says otherwise. */
const TEST_SCRIPT = /(?:^|[-_./])(?:tests?|specs?|checks?|ci)(?:[-_.][\w.-]*)?$/i

/**
 * Returns the paths that a command names as scripts, and the files of targets that it reads.
 *
 * @param command as configured, or found
 * @param scripts those of the package.json
 */
export function filesOfCommand(
  command: string | readonly string[],
  scripts: Readonly<Record<string, string>>,
): string[] {
  return [...new Set(filesIn(command, scripts, DEPTH))]
}

function filesIn(
  command: string | readonly string[],
  scripts: Readonly<Record<string, string>>,
  depth: number,
): string[] {
  const words = (typeof command === 'string' ? [command] : command).flatMap((part) =>
    part.split(/[\s;&|()<>"'`]+/).filter((word) => word !== ''),
  )
  const own = words.flatMap((word, n) => [
    ...(READS[nameOf(word)] ?? []),
    ...(isScript(word, n === 0, words[n - 1]) ? [word.replace(/^\.\//, '')] : []),
  ])
  if (depth === 0 || !words.some((word) => PACKAGE_MANAGERS.has(nameOf(word)))) return own
  const called = words.flatMap((word) => [`pre${word}`, word, `post${word}`])
  return [
    ...own,
    ...called.flatMap((name) =>
      Object.hasOwn(scripts, name) ? filesIn(scripts[name] ?? '', scripts, depth - 1) : [],
    ),
  ]
}

function isScript(word: string, isFirst: boolean, before: string | undefined): boolean {
  if (!PLAIN_PATH.test(word)) return false
  if (SHELL_SCRIPT.test(word)) return true
  if (before !== undefined && SHELL.test(nameOf(before))) return true
  if (isFirst) return word.includes('/')
  return /\.\w+$/.test(word) && TEST_SCRIPT.test(word)
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}
