// Runs tests once and says which lines of the project's code run, as far as the runner can.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  coveragePyFiles,
  istanbulFiles,
  v8File,
  v8Scripts,
  type FileCoverage,
} from '../../core/test-gen/coverage-report.js'
import { runnerNamed } from '../../core/runners/known-runners.js'
import { firstSentence } from '../../core/text/short-text.js'
import { stopwatch } from '../stopwatch.js'
import { execute, type ExecuteInput } from '../test-runners/execute.js'
import type { Executed } from '../test-runners/judge-execution.js'

/** `files`: paths relative to the project; absent with the reason where nothing was measured. */
export type CoveredRun = {
  executed: Executed
  durationMs: number
  files?: FileCoverage[]
  reason?: string
}

/** Largest report that is read, in bytes; and processes of one run whose reports are read. */
const REPORT_BYTES = 64 << 20
const PROCESSES = 400

/** @param shared how tests run here; `files`: only these, where the runner can select */
export async function coveredRun(
  shared: Omit<ExecuteInput, 'phase'>,
  sourceOf: (file: string) => string | undefined,
): Promise<CoveredRun> {
  const passed = stopwatch()
  const { covering, runner, display } = shared.plan
  if (covering === undefined) {
    const executed = await execute({ ...shared, phase: 'tests' })
    return {
      executed,
      durationMs: passed(),
      reason: `Ratchet does not measure coverage with "${display}"`,
    }
  }
  let dir: string | undefined
  const plan = covering((into) => (dir = into))
  const executed = await execute({ ...shared, plan, phase: 'coverage' })
  const durationMs = passed()
  const files =
    dir === undefined
      ? undefined
      : readReports(dir, runnerNamed(runner)?.coverage?.format, shared.cwd, sourceOf)
  if (files !== undefined) return { executed, durationMs, files }
  // What measures coverage may be what keeps the tests from running.
  const plain =
    executed.kind === 'measured'
      ? executed
      : await execute({ ...shared, name: `${shared.name}-plain`, phase: 'tests' })
  const why =
    executed.kind === 'measured'
      ? 'the runner wrote no coverage report'
      : plain.kind === 'measured'
        ? `${runner === 'pytest' ? 'pytest-cov' : runner === 'vitest' ? '@vitest/coverage-v8' : 'coverage'} is not installed, or does not run`
        : firstSentence(plain.reason)
  return { executed: plain, durationMs, reason: why }
}

function readReports(
  dir: string,
  format: string | undefined,
  cwd: string,
  sourceOf: (file: string) => string | undefined,
): FileCoverage[] | undefined {
  const root = realpathSync(cwd)
  const own = (file: string): string | undefined => {
    const from = path.isAbsolute(file) && file.startsWith(`${root}${path.sep}`) ? root : cwd
    const relative = path.relative(from, path.resolve(from, file)).split(path.sep).join('/')
    return relative.startsWith('../') || /(^|\/)node_modules\//.test(relative)
      ? undefined
      : relative
  }
  const placed = (files: FileCoverage[] | undefined): FileCoverage[] | undefined =>
    files?.flatMap((one) => {
      const file = own(one.file)
      return file === undefined ? [] : [{ ...one, file }]
    })
  if (format === 'istanbul') return placed(reportIn(dir, 'coverage-final.json', istanbulFiles))
  if (format === 'coverage.py') return placed(reportIn(dir, 'coverage.json', coveragePyFiles))
  if (!existsSync(dir)) return undefined
  const runs = new Map<string, Parameters<typeof v8File>[2][number][]>()
  for (const name of readdirSync(dir).slice(0, PROCESSES))
    for (const { url, functions, isMapped } of reportIn(dir, name, v8Scripts) ?? []) {
      const file = url.startsWith('file://') ? own(fileURLToPath(url)) : undefined
      if (file !== undefined && !isMapped) runs.set(file, [...(runs.get(file) ?? []), functions])
    }
  return [...runs].flatMap(([file, ran]) => {
    const source = sourceOf(file)
    return source === undefined ? [] : [v8File(file, source, ran)]
  })
}

function reportIn<T>(dir: string, name: string, read: (text: string) => T): T | undefined {
  const file = path.join(dir, name)
  const seen = lstatSync(file, { throwIfNoEntry: false })
  if (seen?.isFile() !== true || seen.size > REPORT_BYTES) return undefined
  return read(readFileSync(file, 'utf8'))
}
