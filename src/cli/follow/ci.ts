// `ratchet fix --ci`: an unattended run. Prints progress as plain lines on stderr, gives the
// recommended answers, and writes reports for a CI.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { BAD_INPUT } from '../../contract/failures.js'
import type { Question } from '../../contract/question.js'
import type { RunHandle } from '../../client/handle.js'
import { perGainedTest } from '../../core/report/per-gained-test.js'
import type { Output, ProjectChoice } from '../context.js'
import { endLines } from '../output/ending.js'
import { badInput, describeError, isUnanswered } from '../output/errors.js'
import { follow, resultOf, type Followed } from './follow.js'
import {
  appendJobSummary,
  defaultReportsDir,
  recordedRun,
  writeReports,
  type WrittenReports,
} from '../report/write-reports.js'

export type CiOptions = { ci?: boolean; ciDir?: string; detach?: boolean; interactive?: boolean }

/** Checks `--ci` and `--ci-dir`; `undefined` without them. */
export function ciMode(
  project: Pick<ProjectChoice, 'cwd'>,
  { ci, ciDir, detach, interactive }: CiOptions,
): { dir: string | undefined } | undefined {
  if (ci !== true) {
    if (ciDir !== undefined)
      throw badInput(
        '--ci-dir has an effect only with --ci',
        '--ci-dir',
        'use: ratchet fix --ci --ci-dir <dir>',
      )
    return undefined
  }
  if (detach === true)
    throw badInput('--ci and --detach cannot be used together', 'ratchet fix', 'use one of them')
  if (interactive === true)
    throw badInput(
      '--ci and --interactive cannot be used together: nothing waits for a person in --ci',
      'ratchet fix',
      'use one of them',
    )
  return { dir: ciDir === undefined ? undefined : path.resolve(project.cwd, ciDir) }
}

/** Creates the directory of the reports before anything is started. */
export function needReportsDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!['EEXIST', 'ENOTDIR', 'EACCES', 'EROFS', 'EPERM'].includes(code ?? '')) throw error
    throw badInput(
      `the reports cannot be written (${code ?? ''})`,
      dir,
      'use another directory with --ci-dir',
    )
  }
}

/** Keeps stdout for the final document. */
export function quiet(out: Output): Output {
  return { ...out, say: out.warn }
}

/** Follows a run to its end, writes its reports, and returns the exit code of its outcome. */
export async function followInCi(
  out: Output,
  run: Followed,
  dir: string | undefined,
): Promise<number> {
  const end = await follow(quiet(out), run, recommendedAnswers(out, run.handle))
  const { result, exitCode } = resultOf(run, end)
  if (result.sandbox === undefined)
    out.warn(
      'warning: no sandbox enclosed this run, so its agents and tests could do all that you can; ratchet doctor --sandbox tries one',
    )
  const reports = await report(out, result, dir)
  const row = (name: string, file: string): string => `  ${name.padEnd(9)}${file}`
  const document = { ...result, perGainedTest: perGainedTest(result), uiUrl: run.uiUrl }
  out.answer({ ...document, reports: reports ?? null }, [
    ...endLines(result, run.uiUrl),
    ...(reports === undefined
      ? []
      : [row('junit', reports.junit), row('ctrf', reports.ctrf), row('summary', reports.summary)]),
  ])
  return exitCode
}

async function report(
  out: Output,
  result: ReturnType<typeof resultOf>['result'],
  dir: string | undefined,
): Promise<WrittenReports | undefined> {
  const { recordDir } = result
  // Does not recreate a project directory that its user has removed.
  const recorded = recordDir !== null && existsSync(recordDir)
  if (dir === undefined && !recorded) {
    out.warn(
      'warning: no reports were written: the run has no record here; set a directory with --ci-dir',
    )
    return undefined
  }
  const reports = await writeReports(
    dir ?? defaultReportsDir(recordDir ?? ''),
    result,
    recorded ? recordedRun(recordDir) : undefined,
    Date.now(),
  )
  const added = await appendJobSummary(out.env, await readFile(reports.summary, 'utf8'))
  if (added !== undefined && 'problem' in added) out.warn(`warning: ${added.problem}`)
  return reports
}

/**
 * Gives the recommended answer to each open question. A question without one stops the run, as no
 * person would answer it; its session can continue later.
 */
export function recommendedAnswers(
  out: Pick<Output, 'warn'>,
  handle: Pick<RunHandle, 'answer' | 'stop'>,
): (question: Question) => Promise<void> {
  const say = (text: string): void => out.warn(`${''.padEnd(13)}${text}`)
  const refused = new Set<string>()
  let stopped = false
  return async ({ id, text, options, recommended }) => {
    if (stopped) return
    if (recommended === undefined || refused.has(id)) {
      stopped = true
      say(
        `stopping the run: ${recommended === undefined ? 'the question has no recommended answer' : 'the run refused the recommended answer'}, and --ci asks no one`,
      )
      return handle.stop(`no one to answer: ${text}`)
    }
    try {
      await handle.answer({
        questionId: id,
        requestId: randomUUID(),
        ...(options.length > 0 ? { choice: recommended } : { text: recommended }),
      })
      say(`gave the recommended answer: ${recommended}`)
    } catch (error) {
      if (isUnanswered(error)) return // it is still open at the next look
      const { problem } = describeError(error)
      if (problem.type !== BAD_INPUT) throw error
      refused.add(id) // or it was answered elsewhere, and does not come back
      say(`not answered: ${problem.message}`)
    }
  }
}
