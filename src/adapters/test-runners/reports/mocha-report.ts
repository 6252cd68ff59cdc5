// Reads the JSON of mocha's own `json` reporter, and of ours (reporters/mocha.cjs), which says
// more.
//
// A hook is no test. Where it fails, mocha runs no more tests of its suite and says nothing of
// them: ours lists them as not run. A suite of which nothing ran was not measured, unless those are
// known.
import path from 'node:path'
import { z } from 'zod'
import { projectFile } from './project-file.js'
import {
  BrokenReportError,
  errorText,
  NO_FILE,
  reportJson,
  Tests,
  withStack,
  type Report,
} from './report.js'

const Entry = z.object({
  title: z.string(),
  fullTitle: z.string(),
  /** Ours: suites and title. */
  titlePath: z.array(z.string()).optional(),
  file: z.string().nullish(),
  duration: z.number().nullish(),
  currentRetry: z.number().nullish(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).nullish(),
})
type Entry = z.infer<typeof Entry>
const MochaReport = z.object({
  stats: z.object({ tests: z.number() }),
  tests: z.array(Entry),
  pending: z.array(Entry),
  failures: z.array(Entry),
  passes: z.array(Entry),
  /** Ours: tests that a failed hook kept from running. */
  notRun: z.array(Entry).default([]),
  /** Ours: files that could not be loaded. */
  notLoaded: z.array(z.object({ file: z.string(), error: z.string() })).default([]),
})

const HOOK = /^"(before|after) (all|each)" hook/

/** Parses a report. Throws BrokenReportError. */
export function parseMocha(text: string, file: string, cwd: string): Report {
  const read = MochaReport.safeParse(reportJson(text, file))
  if (!read.success)
    throw new BrokenReportError(
      file,
      `it is no report of mocha in JSON: ${z.prettifyError(read.error).split('\n', 1)[0]}`,
    )
  const { failures, pending, passes, notRun } = read.data
  const key = (one: Entry) => JSON.stringify([one.file, one.fullTitle, one.title])
  const tests = new Tests()
  const unloaded: Report['unloaded'] = read.data.notLoaded.map((one) => ({
    file: projectFile(one.file, cwd),
    error: errorText(one.error),
  }))

  // `tests` has the order of the run, the other lists say how each ended; of two of one name the
  // error tells.
  const left = {
    failed: counted(
      failures.filter((one) => !HOOK.test(one.title)),
      key,
    ),
    skipped: counted(pending, key),
  }
  for (const one of read.data.tests) {
    const named = {
      file: fileOf(one, cwd),
      test: [...suiteOf(one), one.title].join(' > '),
      durationMs: one.duration,
      error: errorOf(one),
    }
    if (hasError(one) && take(left.failed, key(one))) tests.add({ ...named, status: 'failed' })
    else if (!hasError(one) && take(left.skipped, key(one)))
      tests.add({ ...named, status: 'skipped' })
    else
      tests.add({
        ...named,
        status: (one.currentRetry ?? 0) > 0 ? 'flaky' : 'passed',
        error: undefined,
      })
  }
  // `done()` called twice: the test has passed and ended, then it failed.
  for (const one of failures) {
    if (HOOK.test(one.title) || !take(left.failed, key(one))) continue
    const passed = tests.named(fileOf(one, cwd), [...suiteOf(one), one.title].join(' > '))
    if (passed === undefined || !hasError(one))
      throw new BrokenReportError(file, 'it lists failures that are no tests of its')
    Object.assign(passed, { status: 'failed', error: errorText(errorOf(one)) })
  }
  for (const one of notRun)
    tests.add({
      file: fileOf(one, cwd),
      test: [...suiteOf(one), one.title].join(' > '),
      status: 'skipped',
    })

  for (const hook of failures.filter((one) => HOOK.test(one.title))) {
    const inFile = fileOf(hook, cwd)
    const suite = suiteOf(hook).join(' > ')
    const near = [...passes, ...failures, ...pending].filter(
      (one) => !HOOK.test(one.title) && fileOf(one, cwd) === inFile,
    )
    const ran =
      suite === '' ? near.length > 0 : near.some((one) => one.fullTitle.startsWith(fullSuite(hook)))
    const known = suite !== '' && notRun.some((one) => one.fullTitle.startsWith(fullSuite(hook)))
    if (ran || known)
      tests.add({
        file: inFile,
        test: suite === '' ? inFile : suite,
        status: 'failed',
        error: `${hook.title}: ${errorOf(hook)}`,
      })
    else unloaded.push({ file: inFile, error: errorText(`${hook.title}: ${errorOf(hook)}`) })
  }
  return { tests: tests.list, unloaded, failures: failures.length }
}

function fileOf(one: Entry, cwd: string): string {
  if (typeof one.file !== 'string' || one.file === '') return NO_FILE
  return projectFile(
    one.file.startsWith('file:') ? path.normalize(new URL(one.file).pathname) : one.file,
    cwd,
  )
}

// mocha's own reporter joins the suites with blanks, and they cannot be told apart again.
function suiteOf(one: Entry): string[] {
  if (one.titlePath !== undefined) return one.titlePath.slice(0, -1)
  const suite = fullSuite(one).trim()
  return suite === '' ? [] : [suite]
}

function fullSuite(one: Entry): string {
  return one.fullTitle.endsWith(one.title) ? one.fullTitle.slice(0, -one.title.length) : ''
}

function hasError(one: Entry): boolean {
  return Object.keys(one.err ?? {}).length > 0
}

function errorOf(one: Entry): string {
  return withStack(one.err?.message, one.err?.stack)
}

function counted(entries: readonly Entry[], key: (one: Entry) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of entries) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return counts
}

function take(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0
  if (left > 0) counts.set(key, left - 1)
  return left > 0
}
