// Writes canaries into test files of a work tree, runs those files, and tells how each canary was
// reported.
import { randomBytes, randomInt } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { StoredTest } from '../../contract/test-run.js'
import { languageOf, withCanary } from '../../core/canary/canary.js'
import { firstSentence } from '../../core/text/short-text.js'
import { isInside } from '../workspace/environment.js'
import { replaceFile } from '../files/replace-file.js'
import { selectable } from './command.js'
import { execute, type ExecuteInput } from './execute.js'

/** A test that is sabotaged. `file` as reports name it, `source` as it lies in the project. */
export type Canary = {
  file: string
  test: string
  source: string
  before: string
  after: string
  text: string
  kind: string
}

/**
 * How the report has a canary. `reported`: a test failed with its text. `passed`: the sabotaged
 * test is reported as passing. `absent`: it is not in the report. `other`: it was skipped, or
 * failed for another reason.
 */
export type Seen = 'reported' | 'passed' | 'absent' | 'other'

/** Larger files are no tests that a person wrote. */
const LARGEST_FILE = 2 << 20
/** Tests of one file whose body is looked for. */
const MOST_TRIED = 40

export type Project = {
  /** The project directory in the workspace. */
  cwd: string
  /** Whether a file of the project is in the commit: only what is can be restored. */
  isTracked: (file: string) => boolean
}

/**
 * A canary in the first of some tests, by random order, whose body is found; `undefined` where none
 * is.
 */
export function canaryAmong(
  project: Project,
  file: string,
  tests: readonly string[],
  isWanted: (canary: Canary) => boolean = () => true,
): Canary | undefined {
  const before = sourceOf(project, file)
  if (before === undefined) return undefined
  for (const test of shuffled(tests).slice(0, MOST_TRIED)) {
    // Of random length: an interpreter's cached file is recognised by its size.
    const text = randomBytes(randomInt(12, 28)).toString('hex')
    const after = withCanary({ source: before, file, test, text })
    if (after === undefined) continue
    const canary = {
      file,
      test,
      source: path.join(project.cwd, file),
      before,
      after,
      text,
      kind: kindOf(file, before, after, text),
    }
    if (isWanted(canary)) return canary
  }
  return undefined
}

function sourceOf(project: Project, file: string): string | undefined {
  return languageOf(file) === undefined ? undefined : trackedSource(project, file)
}

/** Text of a file of the commit in a work tree; `undefined` for a link and what is too large. */
export function trackedSource({ cwd, isTracked }: Project, file: string): string | undefined {
  const source = path.join(cwd, file)
  if (path.isAbsolute(file) || !isTracked(file)) return undefined
  const seen = lstatSync(source, { throwIfNoEntry: false })
  if (
    seen?.isFile() !== true ||
    seen.size > LARGEST_FILE ||
    !isInside(realpathSync(source), realpathSync(cwd))
  )
    return undefined
  return readFileSync(source, 'utf8')
}

/** The language and the statement without its text: canaries of one kind fail in the same way. */
function kindOf(file: string, before: string, after: string, text: string): string {
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  const statement = after.slice(from, from + after.length - before.length).replaceAll(text, '')
  return `${languageOf(file)} ${statement
    .replace(/[\s;{}]+/g, ' ')
    .split(' ')
    .sort()
    .join(' ')}`
}

export function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list]
  return Array.from(list, () => left.splice(randomInt(left.length), 1)[0] as T)
}

/**
 * Runs the files with their canaries, one a file, and restores them. `problem`: the suite says
 * nothing with the canaries in it, or hangs.
 */
export async function runWithCanaries(
  shared: Omit<ExecuteInput, 'phase' | 'name' | 'files'>,
  name: string,
  canaries: readonly Canary[],
): Promise<{ seen: Map<Canary, Seen> } | { problem: string }> {
  const { plan, cwd } = shared
  try {
    for (const { source, after } of canaries) await replaceFile(source, after, { fsync: false })
    const files = [...new Set(canaries.map(({ file }) => file))]
    const run = await execute({
      ...shared,
      phase: 'canaries',
      name,
      files: selectable(plan, files, cwd) ? files : [],
    })
    const tests = run.kind === 'measured' ? run.tests : (run.reported ?? [])
    const seen = new Map(canaries.map((canary) => [canary, seenIn(tests, canary)] as const))
    // A reported canary is proof, no matter what else the run says.
    if (run.kind === 'measured' || [...seen.values()].every((how) => how === 'reported'))
      return { seen }
    return { problem: firstSentence(run.reason) }
  } finally {
    for (const { source, before } of canaries) await replaceFile(source, before, { fsync: false })
  }
}

// Python prints the exceptions that led to the last one before it.
const CHAINED =
  /During handling of the above exception, another exception occurred:|The above exception was the direct cause of the following exception:/

/** Returns how a run saw a canary. Reported is a failure whose last exception has its text. */
export function seenIn(
  tests: readonly StoredTest[],
  { file, test, text }: Pick<Canary, 'file' | 'test' | 'text'>,
): Seen {
  const isReported = ({ status, error = '' }: StoredTest): boolean =>
    status === 'failed' && error.split(CHAINED).at(-1)?.includes(text) === true
  if (tests.some(isReported)) return 'reported'
  const own = tests.find((one) => one.file === file && one.test === test)
  if (own === undefined) return 'absent'
  return own.status === 'passed' || own.status === 'flaky' ? 'passed' : 'other'
}
