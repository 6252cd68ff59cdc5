// Reads CTRF, the Common Test Report Format. Source: the schema of ctrf-io/ctrf, of which only what
// is used is asked for; `suite` was one string before it was a list.
import { z } from 'zod'
import { projectFile } from './project-file.js'
import { BrokenReportError, NO_FILE, reportJson, Tests, withStack, type Report } from './report.js'

const Test = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
  duration: z.number().nullish(),
  suite: z.union([z.string(), z.array(z.string())]).nullish(),
  filePath: z.string().nullish(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
  flaky: z.boolean().nullish(),
})
const Ctrf = z.object({
  results: z.object({
    summary: z.object({ tests: z.number(), failed: z.number() }),
    tests: z.array(Test),
  }),
})

/** Parses a report. Throws BrokenReportError. */
export function parseCtrf(text: string, file: string, cwd: string): Report {
  const read = Ctrf.safeParse(reportJson(text, file))
  if (!read.success)
    throw new BrokenReportError(
      file,
      `it is no CTRF: ${z.prettifyError(read.error).split('\n', 1)[0]}`,
    )
  const { summary, tests: found } = read.data.results
  const failed = found.filter((one) => one.status === 'failed').length
  if (failed < summary.failed || found.length < summary.tests)
    throw new BrokenReportError(
      file,
      `its summary counts ${summary.tests} tests, ${summary.failed} failed, but it lists ${found.length}, ${failed} failed`,
    )
  const tests = new Tests()
  for (const one of found) {
    const inFile =
      one.filePath == null || one.filePath === '' ? NO_FILE : projectFile(one.filePath, cwd)
    const suites = (
      typeof one.suite === 'string' ? one.suite.split(' > ') : (one.suite ?? [])
    ).filter((suite) => suite !== '')
    // Some writers name the file as the outermost suite, or repeat the suites in the name.
    const inside =
      suites[0] !== undefined && projectFile(suites[0], cwd) === inFile ? suites.slice(1) : suites
    const prefix = inside.join(' > ')
    const repeated =
      inside.length > 0 &&
      [prefix, inside.join(' ')].some((start) => one.name.startsWith(`${start} `))
    const status =
      one.status === 'passed'
        ? one.flaky === true
          ? 'flaky'
          : 'passed'
        : one.status === 'failed'
          ? 'failed'
          : 'skipped'
    tests.add({
      file: inFile,
      test: repeated || prefix === '' ? one.name : `${prefix} > ${one.name}`,
      status,
      error: withStack(one.message ?? undefined, one.trace ?? undefined),
      durationMs: one.duration,
    })
  }
  return { tests: tests.list, unloaded: [], failures: failed }
}
