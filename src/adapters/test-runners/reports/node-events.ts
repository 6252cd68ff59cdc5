// Reads what reporters/node-test.mjs writes: the events of node:test, a line of JSON each.
//
// Tests come after what is in them. One with subtests, or a suite, is the sum of them and counts
// itself only where it failed and none of them did. A file that ended badly, or has no test of its
// own, is a test called by its path.
import { z } from 'zod'
import { projectFile } from './project-file.js'
import { BrokenReportError, errorText, NO_FILE, reportJson, Tests, type Report } from './report.js'

const Line = z.object({
  type: z.string(),
  name: z.string().default(''),
  nesting: z.number().default(0),
  file: z.string().nullish(),
  skip: z.union([z.boolean(), z.string()]).nullish(),
  todo: z.union([z.boolean(), z.string()]).nullish(),
  suite: z.boolean().default(false),
  durationMs: z.number().nullish(),
  error: z.string().nullish(),
  failure: z.string().nullish(),
  message: z.string().default(''),
})
type Line = z.infer<typeof Line>
/** `kept`: a failed set-up of the suite around it kept it from running. */
type Ended = Line & { path: string[]; children: Ended[]; kept: boolean }

/** What a file says that could not be loaded, in the words of node. */
const NOT_LOADED =
  /\b(SyntaxError|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_UNKNOWN_FILE_EXTENSION|ERR_PACKAGE_PATH_NOT_EXPORTED|ERR_REQUIRE_ESM)\b/

/** How node tells of an error after the end of a test. */
const STRAY = /asynchronous activity/

/** Parses a report. Throws BrokenReportError. */
export function parseNodeEvents(text: string, file: string, cwd: string): Report {
  const read = z.array(Line).safeParse(
    text
      .trimEnd()
      .split('\n')
      .map((line) => reportJson(line, file)),
  )
  if (!read.success)
    throw new BrokenReportError(
      file,
      `it holds no events of node:test: ${z.prettifyError(read.error).split('\n', 1)[0]}`,
    )
  if (read.data.at(-1)?.type !== 'end')
    throw new BrokenReportError(file, 'it ends in the middle of the run')
  const stderr = new Map<string, string>()
  for (const one of read.data)
    if (one.type === 'test:stderr' || (one.type === 'test:diagnostic' && one.file != null))
      stderr.set(
        one.file ?? '',
        `${stderr.get(one.file ?? '') ?? ''}${one.message}${one.message.endsWith('\n') ? '' : '\n'}`,
      )
  // Before version 22 the file of the test is unknown.
  const stray = read.data
    .filter((one) => one.type === 'test:diagnostic' && one.file == null && STRAY.test(one.message))
    .map((one) => one.message)
    .join('\n')

  const ended = finished(read.data)
  const ofFile = (one: Ended) => one.nesting === 0 && wholeFile(one)
  const areScripts = ended.some((one) => one.type === 'test:pass' && ofFile(one))
  const withTests = new Set(ended.filter((one) => !ofFile(one)).map((one) => one.file))
  const tests = new Tests()
  const unloaded: Report['unloaded'] = []
  for (const one of ended) {
    const failed = one.type === 'test:fail'
    const inFile = one.file == null ? NO_FILE : projectFile(one.file, cwd)
    const said = stderr.get(one.file ?? '') ?? stray
    if (
      failed &&
      ofFile(one) &&
      (!areScripts || withTests.has(one.file) || NOT_LOADED.test(said))
    ) {
      unloaded.push({ file: inFile, error: errorText(withReason(said, one.error ?? '')) })
      continue
    }
    const isSum = one.children.length > 0 || one.suite
    if (
      isSum &&
      (!failed || one.kept || one.failure === 'subtestsFailed' || one.children.some(holdsFailure))
    )
      continue
    const skipped = isSet(one.skip) || isSet(one.todo) || one.kept
    tests.add({
      file: inFile,
      test: ofFile(one) ? inFile : [...one.path, one.name].join(' > '),
      status: skipped ? 'skipped' : failed ? 'failed' : 'passed',
      error: ofFile(one) ? said : (one.error ?? ''),
      durationMs: one.durationMs,
    })
  }
  return {
    tests: tests.list,
    unloaded,
    failures: read.data.filter((one) => one.type === 'test:fail').length,
  }
}

// Starts come in order and name what is around; an end belongs to the last start of its level.
function finished(lines: readonly Line[]): Ended[] {
  const ended: Ended[] = []
  const started: string[] = []
  let waiting: Ended[] = []
  for (const one of lines) {
    if (one.type === 'test:start') started.splice(one.nesting, started.length, one.name)
    if (one.type !== 'test:pass' && one.type !== 'test:fail') continue
    const children = waiting.filter((other) => other.nesting > one.nesting)
    waiting = waiting.filter((other) => other.nesting <= one.nesting)
    if (one.failure === 'hookFailed') children.forEach(keep)
    const test: Ended = { ...one, path: started.slice(0, one.nesting), children, kept: false }
    waiting.push(test)
    ended.push(test)
  }
  return ended
}

function keep(one: Ended): void {
  if (one.failure === 'cancelledByParent') one.kept = true
  one.children.forEach(keep)
}

function holdsFailure(one: Ended): boolean {
  return (
    (one.type === 'test:fail' &&
      !isSet(one.todo) &&
      !one.kept &&
      one.failure !== 'subtestsFailed') ||
    one.children.some(holdsFailure)
  )
}

function wholeFile({ name, file }: Line): boolean {
  if (file == null) return false
  return (
    name === file ||
    (/\.[cm]?[jt]sx?$/.test(name) && file.endsWith(`/${name.replace(/^\.\//, '')}`))
  )
}

// The line of the error is in the middle of what node prints.
function withReason(stderr: string, error: string): string {
  const line = stderr.split('\n').find((one) => /^\w*Error\b.*:/.test(one))
  return [line ?? error, stderr].join('\n')
}

function isSet(value: boolean | string | null | undefined): boolean {
  return value === true || typeof value === 'string'
}
