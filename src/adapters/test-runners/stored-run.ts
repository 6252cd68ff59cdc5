// The whole list of a measured run's tests, in a file: results and history hold a reference to it.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { RefusalError } from '../../contract/failures.js'
import type { FileRef } from '../../contract/files.js'
import { StoredRun, type TestListing } from '../../contract/test-run.js'
import type { Workspace } from '../../contract/workspace.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import { runWithStableNames } from '../../core/test-results/stable-names.js'
import { countTests } from '../../core/test-results/test-merge.js'
import { sizeOf, type SuiteSize } from '../../core/test-progress/counted.js'
import { refTo } from '../files/file-ref.js'
import { replaceFile } from '../files/replace-file.js'
import { digest, layout, type Dirs } from '../state-dir.js'

/** Name of the file of a run that was compared with a baseline, and of one that is a baseline. */
const RESULTS = 'results.json'
const BASELINE = 'baseline.json'
/** And of the files that did not load where nothing was measured yet. */
const NOT_LOADED = 'not-loaded.json'

/** Where the test runs of a workspace are kept, one directory each. */
export function testRunsDir(workspace: Workspace): string {
  return path.join(workspace.keep ?? path.dirname(workspace.root), 'tests')
}

/** Writes a run; `isBaseline` where it was compared with nothing. */
export async function writeStoredRun(
  outDir: string,
  run: StoredRun,
  isBaseline: boolean,
): Promise<FileRef> {
  const file = path.join(outDir, isBaseline ? BASELINE : RESULTS)
  const text = `${JSON.stringify(run)}\n`
  await replaceFile(file, text, { mode: 0o600 })
  return refTo(file, text)
}

/** Writes the entries of files that did not load: what the first measured run is compared with. */
export async function writeNotLoaded(outDir: string, run: StoredRun): Promise<FileRef> {
  const file = path.join(outDir, NOT_LOADED)
  const text = `${JSON.stringify(run)}\n`
  await replaceFile(file, text, { mode: 0o600 })
  return refTo(file, text)
}

/**
 * Reads a run back.
 *
 * @throws RefusalError where the file is not the one that was written: no further attempt finds
 * another one
 */
export function readStoredRun(ref: FileRef): StoredRun {
  const text = existsSync(ref.path) ? readFileSync(ref.path) : undefined
  if (text === undefined || digest(text) !== ref.sha256)
    throw new RefusalError(
      'ResultsChanged',
      `the results of a test run were ${text === undefined ? 'removed' : 'changed'}`,
      ref.path,
      'ratchet resume, with its id: it uses the copies in the record and measures the rest again',
    )
  return StoredRun.parse(JSON.parse(text.toString('utf8')))
}

/**
 * Reads runs once they are needed, with the names that a later run has; one that is gone is left
 * out.
 */
export function storedRuns(
  refs: readonly FileRef[],
  listings: readonly TestListing[],
): () => StoredRun[] {
  return () =>
    refs.flatMap((ref) => {
      try {
        return [runWithStableNames(readStoredRun(ref), listings)]
      } catch (error) {
        if (error instanceof RefusalError) return []
        throw error
      }
    })
}

/** The command of the first of some runs; `undefined` if its results cannot be read. */
export function commandOf(...refs: (FileRef | undefined)[]): readonly string[] | undefined {
  const ref = refs.find((one) => one !== undefined)
  if (ref === undefined) return undefined
  try {
    return readStoredRun(ref).command
  } catch (error) {
    if (error instanceof RefusalError) return undefined
    throw error
  }
}

/** The command that measured a workspace last; `undefined` before its first measured run. */
export function commandIn(workspace: Workspace): readonly string[] | undefined {
  const dir = testRunsDir(workspace)
  for (const file of newestFirst(path.dirname(dir), path.basename(dir))) {
    const read = StoredRun.safeParse(jsonIn(file))
    if (read.data?.command !== undefined) return read.data.command
  }
  return undefined
}

/** Reads a run as its file is now. */
export function storedRunIn(file: string): StoredRun {
  return StoredRun.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/**
 * Files that the baseline of a workspace's run named as tests, relative to its project directory;
 * where its suite did not start, files that did not load.
 *
 * Empty before the first run. With several (a run that was started again) those of all.
 */
export function baselineFiles(workspace: Workspace): string[] {
  const files = globSync(`*/{${BASELINE},${NOT_LOADED}}`, {
    cwd: testRunsDir(workspace),
    absolute: true,
  })
  return [
    ...new Set(files.map(storedRunIn).flatMap((run) => run.tests.map((one) => one.file))),
  ].sort()
}

/**
 * The newest run in a workspace that measured one of these commits with this pass rate; `undefined`
 * where there is none that can be read.
 *
 * @param dir of the workspace, not of its tree
 */
export function measuredIn(
  dir: string,
  commits: readonly string[],
  rate: number,
): StoredRun | undefined {
  for (const file of newestFirst(dir, 'tests')) {
    const read = StoredRun.safeParse(jsonIn(file))
    if (!read.success || !commits.includes(read.data.commit)) continue
    const { passed, total } = countTests(read.data.tests, read.data.missing)
    if (total > 0 && passRate(passed, total) === rate) return read.data
  }
  return undefined
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined // cut short, or removed meanwhile
  }
}

/**
 * How large the suite of a project was when any of its runs measured it last, with the same runner.
 *
 * A guess for who watches a first run; nothing depends on it, so what cannot be read is no answer.
 */
export function lastSize(dirs: Dirs, projectKey: string, runner: string): SuiteSize | undefined {
  const run = lastRun(dirs, projectKey)
  return run?.runner === runner ? sizeOf(run.tests) : undefined
}

/**
 * The run that measured a project last, in whichever workspace; `undefined` where there is none
 * that can be read.
 */
export function lastRun(dirs: Dirs, projectKey: string): StoredRun | undefined {
  try {
    const [newest] = newestFirst(layout.workspace(dirs, projectKey, ''), '*/tests')
    return newest === undefined ? undefined : storedRunIn(newest)
  } catch {
    return undefined // a workspace that is being removed, a file of another version
  }
}

function newestFirst(cwd: string, places: string): string[] {
  const files = globSync(`${places}/*/{${BASELINE},${RESULTS}}`, {
    cwd,
    absolute: true,
    followSymbolicLinks: false,
  })
  return files
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ file }) => file)
}
