// Measures small projects as a run does. Where Ratchet's own rules are the subject, a line of shell
// is the test command and writes a report: a real runner takes a hundred times as long to start.
import { chmodSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { endMarked } from '../../../src/adapters/process/end.js'
import { findMarked } from '../../../src/adapters/process/find.js'
import { resolveTestPlan } from '../../../src/adapters/test-runners/command.js'
import { runTests, type RunTestsOptions } from '../../../src/adapters/test-runners/run.js'
import { readStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import { Config } from '../../../src/contract/config/config.js'
import {
  TestRun as TestRunSchema,
  type Measured,
  type NotMeasured,
  type TestRun,
} from '../../../src/contract/test-run.js'
import {
  makeProject,
  makePytestProject,
  makeVitestProject,
  removeProject,
} from '../repositories/test-projects.js'

type Test = Config['test']
export type More = Partial<RunTestsOptions> & { test?: Partial<Test> }

/**
 * Where the runs of one test write; their marker is its name. A path with a blank in it is a path.
 */
export const at = { outDir: '', run: '' }
let steps = 0
let dirs: string[] = []

/** To be called in each file of tests. */
export function apartRuns(): void {
  beforeEach(() => {
    at.outDir = kept(mkdtempSync(path.join(os.tmpdir(), 'ratchet run, ')))
    at.run = path.basename(at.outDir)
    steps = 0
  })
  afterEach(async () => {
    await endMarked('RATCHET_RUN', at.run, { graceMs: 0 })
    for (const dir of dirs) removeProject(dir)
    dirs = []
  })
}

/** A directory that goes when the test ends. */
export function kept(dir: string): string {
  dirs.push(dir)
  return dir
}
export const project = (files: Record<string, string> = {}): string => kept(makeProject(files))
export const vitest = (files: Record<string, string>): string => kept(makeVitestProject(files))
export const pytest = (files: Record<string, string>): string => kept(makePytestProject(files))

/** Programs by name, in a directory of their own. */
export function programs(files: Record<string, string>): string {
  const dir = project(files)
  for (const name of Object.keys(files)) chmodSync(path.join(dir, name), 0o755)
  return dir
}

/** The directory of the last run. */
export const lastOut = (): string => path.join(at.outDir, String(steps))

/** One run, after which nothing of it lives. */
export async function measure(cwd: string, { test: own, ...more }: More = {}): Promise<TestRun> {
  const config: Test = { ...Config.parse({}).test, flakyRetries: 0, ...own }
  const result = await runTests({
    plan: resolveTestPlan({ cwd, config, env: process.env }),
    cwd,
    commit: `commit-${++steps}`,
    env: process.env,
    run: at.run,
    step: `step-${steps}`,
    outDir: lastOut(),
    timeoutMs: 60_000,
    flakyRetries: 0,
    signal: new AbortController().signal,
    ...more,
  })
  expect(TestRunSchema.parse(result)).toEqual(result)
  expect(findMarked('RATCHET_RUN', at.run)).toEqual([])
  return result
}

export async function measured(cwd: string, more?: More): Promise<Measured> {
  const result = await measure(cwd, more)
  if (result.kind !== 'measured')
    throw new Error(`${result.kind}: ${result.reason}\n${result.tail}`)
  return result
}

export async function refused(cwd: string, more?: More): Promise<NotMeasured> {
  const result = await measure(cwd, more)
  if (result.kind === 'measured') throw new Error(`measured ${result.passed} of ${result.total}`)
  return result
}

/** Each test with its file and how it ended. */
export const names = (result: Measured): string[] =>
  readStoredRun(result.results)
    .tests.map((t) => `${t.file} | ${t.test} | ${t.status}`)
    .sort()

/** A line of shell as the test command. */
export const sh = (line: string): { command: string[] } => ({ command: ['sh', '-c', line] })
export const REPORT = { format: 'junit' as const, path: 'report.xml' }
export const junit = (cases: string): string =>
  `<testsuites><testsuite name="s.x">${cases}</testsuite></testsuites>`
/** A line that writes this text; it has no single quotes. */
export const put = (text: string, file = 'report.xml'): string => `printf %s '${text}' > ${file}`
/** A test command that writes a report with these cases and ends. */
export const writes = (
  cases: string,
  exit = 0,
  file = 'report.xml',
): { command: string[]; report: typeof REPORT } => ({
  ...sh(`${put(junit(cases), file)}; exit ${exit}`),
  report: REPORT,
})
/** A test command that hands over a report of the project, which may be large. */
export const hands = (file: string, exit = 0): { command: string[]; report: typeof REPORT } => ({
  ...sh(`cp ${file} report.xml; exit ${exit}`),
  report: REPORT,
})
export const PASSED = '<testcase classname="s.x" name="a"/>'
export const FAILED = '<testcase classname="s.x" name="b"><failure message="no"/></testcase>'

export type Results = Record<string, Record<string, 'passed' | 'failed' | 'skipped'>>

/** The report of pytest on files with tests that end so. */
export function pytestReport(results: Results, error = 'AssertionError: no'): string {
  const inner = {
    passed: '',
    failed: `<failure message="${error}"/>`,
    skipped: '<skipped type="pytest.skip" message="later"/>',
  }
  const cases = Object.entries(results).flatMap(([file, tests]) =>
    Object.entries(tests).map(
      ([name, status]) =>
        `<testcase classname="${file.replace(/\.py$/, '')}" name="${name}" file="${file}">${inner[status]}</testcase>`,
    ),
  )
  return `<testsuites name="pytest tests"><testsuite name="pytest">${cases.join('')}</testsuite></testsuites>`
}

/** A test command with this report of pytest, and the exit code that goes with it. */
export function reports(results: Results): { command: string[]; report: typeof REPORT } {
  const failed = Object.values(results).some((tests) => Object.values(tests).includes('failed'))
  return { ...sh(`${put(pytestReport(results))}; exit ${failed ? 1 : 0}`), report: REPORT }
}
