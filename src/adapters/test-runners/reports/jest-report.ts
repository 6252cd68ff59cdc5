// Reads the JSON of jest, which vitest's JSON reporter writes too.
//
// A file without results is one that could not be loaded. A hook at the end of a file that threw
// stands nowhere but in the message of the file: it is a failure of the file's name, like vitest's
// in JUnit. Source: jest's `FormattedTestResults`; vitest's "JSON Reporter".
import { z } from 'zod'
import { plainText } from '../../../core/text/test-text.js'
import { projectFile } from './project-file.js'
import { BrokenReportError, errorText, reportJson, Tests, type Report } from './report.js'

const Assertion = z.object({
  ancestorTitles: z.array(z.string()).default([]),
  title: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'pending', 'todo', 'disabled', 'focused']),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).nullish(),
  /** How often a test ran that was retried. */
  invocations: z.number().nullish(),
})
const JestReport = z.object({
  wasInterrupted: z.boolean().optional(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(Assertion),
    }),
  ),
})

/** Parses a report. Throws BrokenReportError. */
export function parseJest(text: string, file: string, cwd: string): Report {
  const read = JestReport.safeParse(reportJson(text, file))
  if (!read.success)
    throw new BrokenReportError(
      file,
      `it is no report of jest or vitest in JSON: ${z.prettifyError(read.error).split('\n', 1)[0]}`,
    )
  if (read.data.wasInterrupted === true)
    throw new BrokenReportError(file, 'the run was interrupted, the report is not whole')
  const tests = new Tests()
  const unloaded: Report['unloaded'] = []
  for (const suite of read.data.testResults) {
    const inFile = projectFile(suite.name, cwd)
    const message = plainText(suite.message ?? '')
    if (suite.status === 'failed' && suite.assertionResults.length === 0) {
      unloaded.push({ file: inFile, error: errorText(withoutHeading(message)) })
      continue
    }
    for (const one of suite.assertionResults) {
      const retried = one.status === 'passed' && (one.invocations ?? 1) > 1
      const status = retried
        ? 'flaky'
        : one.status === 'passed' || one.status === 'failed'
          ? one.status
          : 'skipped'
      tests.add(
        {
          file: inFile,
          test: [...one.ancestorTitles, one.title].join(' > '),
          status,
          error: (one.failureMessages ?? []).join('\n'),
          durationMs: one.duration,
        },
        suite,
      )
    }
    const ofFile =
      suite.status === 'failed' &&
      (HEADING.test(message) || suite.assertionResults.every((one) => one.status !== 'failed'))
    if (ofFile)
      tests.add(
        {
          file: inFile,
          test: inFile,
          status: 'failed',
          error: withoutHeading(message.slice(Math.max(message.search(HEADING), 0))),
        },
        suite,
      )
  }
  return {
    tests: tests.list,
    unloaded,
    failures: read.data.testResults
      .flatMap((suite) => suite.assertionResults)
      .filter((one) => one.status === 'failed').length,
  }
}

const HEADING = /● Test suite failed to run/

// "● Test suite failed to run" says nothing; the first line of an error is what a reason shows.
function withoutHeading(message: string): string {
  return message.replace(HEADING, '').trim()
}
