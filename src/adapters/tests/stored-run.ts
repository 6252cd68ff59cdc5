// The whole list of a measured run's tests, in a file: results and history hold a reference to it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import writeFileAtomic from 'write-file-atomic'
import type { FileRef } from '../../contract/files.js'
import { StoredRun } from '../../contract/test-run.js'
import type { Workspace } from '../../contract/workspace.js'
import { refTo } from '../file-ref.js'
import { digest } from '../state-dir.js'

/** Name of the file of a run that was compared with a baseline, and of one that is a baseline. */
const RESULTS = 'results.json'
const BASELINE = 'baseline.json'

/** Where the test runs of a workspace are kept, one directory each. */
export function testRunsDir(workspace: Workspace): string {
  return path.join(path.dirname(workspace.root), 'tests')
}

/** Writes a run; `isBaseline` where it was compared with nothing. */
export async function writeStoredRun(outDir: string, run: StoredRun, isBaseline: boolean): Promise<FileRef> {
  const file = path.join(outDir, isBaseline ? BASELINE : RESULTS)
  const text = `${JSON.stringify(run)}\n`
  await writeFileAtomic(file, text, { mode: 0o600, fsync: true })
  return refTo(file, text)
}

/** Reads a run back. Throws where the file is not the one that was written. */
export function readStoredRun(ref: FileRef): StoredRun {
  const text = readFileSync(ref.path)
  if (digest(text) !== ref.sha256) throw new Error(`the results of a test run were changed: ${ref.path}`)
  return StoredRun.parse(JSON.parse(text.toString('utf8')))
}

/** Reads a run as its file is now. */
export function storedRunIn(file: string): StoredRun {
  return StoredRun.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/**
 * Files that the baseline of a workspace's run named as tests, relative to its project directory.
 *
 * Empty before the baseline. With several (a run that was started again) those of all.
 */
export function baselineFiles(workspace: Workspace): string[] {
  const files = globSync(`*/${BASELINE}`, { cwd: testRunsDir(workspace), absolute: true })
  return [...new Set(files.map(storedRunIn).flatMap((run) => run.tests.map((one) => one.file)))].sort()
}
