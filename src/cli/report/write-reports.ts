// Writes the reports of `ratchet fix --ci`: JUnit XML, CTRF and a Markdown summary of the final
// run.
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { ZodError } from 'zod'
import type { RunResult } from '../../contract/result.js'
import type { StoredRun } from '../../contract/test-run.js'
import { storedRunIn } from '../../adapters/test-runners/stored-run.js'
import { writeJson, writeWhole } from '../../adapters/records/write-file.js'
import { exitCodeOf } from '../output/ending.js'
import { ctrf } from './ctrf.js'
import { finalRun } from './final-run.js'
import { junitXml } from './junit-xml.js'
import { summaryMarkdown } from './summary.js'

export type WrittenReports = { junit: string; ctrf: string; summary: string }

/** Returns the default directory for the reports of a run. */
export function defaultReportsDir(recordDir: string): string {
  return path.join(recordDir, 'ci')
}

/**
 * Writes the three files; the same result gives the same files, except for the time in the CTRF
 * report.
 */
export async function writeReports(
  dir: string,
  result: RunResult,
  stored: StoredRun | undefined,
  at: number,
): Promise<WrittenReports> {
  const run = finalRun(result, stored)
  const files = {
    junit: path.join(dir, 'junit.xml'),
    ctrf: path.join(dir, 'ctrf.json'),
    summary: path.join(dir, 'summary.md'),
  }
  await writeWhole(files.junit, junitXml(run, result.id))
  await writeJson(
    files.ctrf,
    ctrf(run, {
      run: result.id,
      outcome: result.outcome,
      reviewNeeded: result.reviewNeeded,
      branch: result.branch,
      healthy: exitCodeOf(result) === 0,
      at,
    }),
  )
  await writeWhole(files.summary, summaryMarkdown(result, run))
  return files
}

/** Returns the final run in the record; `undefined` if none can be read. */
export function recordedRun(recordDir: string): StoredRun | undefined {
  try {
    return storedRunIn(path.join(recordDir, '.process', 'results', 'last-run.json'))
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      error instanceof SyntaxError ||
      error instanceof ZodError
    )
      return undefined
    throw error
  }
}

/**
 * Appends the summary to the job page of the CI, if there is one.
 *
 * @returns the file, or why it could not be written, which does not fail a run
 */
export async function appendJobSummary(
  env: NodeJS.ProcessEnv,
  summary: string,
): Promise<{ file: string } | { problem: string } | undefined> {
  const file = env['GITHUB_STEP_SUMMARY']
  if (file === undefined || file === '') return undefined
  try {
    await appendFile(file, summary)
    return { file }
  } catch (error) {
    return { problem: `the summary was not added to ${file}: ${(error as Error).message}` }
  }
}
