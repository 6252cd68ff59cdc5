// What every report reader returns, and what they share: size, names and errors are kept within
// bounds.
//
// A name must be the same in every run of the same code: file and full name identify a test, and
// two tests of one name in one file are distinguished by their order.
import { readFileSync, statSync } from 'node:fs'
import type { StoredTest } from '../../../contract/test-run.js'
import { boundedJson } from '../../../core/text/json.js'
import { ERROR_KEPT, firstChars, NAME_KEPT, plainText } from '../../../core/text/test-text.js'
import { digest } from '../../state-dir.js'

/** The largest report that is read, in bytes. */
export const REPORT_BYTES = 128 << 20

export { NO_FILE } from '../../../core/runners/junit-dialect.js'

/** The report is there and cannot be read: cut off, of another format, too large. */
export class BrokenReportError extends Error {
  override readonly name = 'BrokenReport'
  constructor(
    readonly file: string,
    problem: string,
  ) {
    super(problem)
  }
}

/**
 * A test file, or package, that the runner could not load or whose tests did not all run.
 * `holdsNoTest`: a package that did not build and has no test, so none can run once it builds.
 */
export type Unloaded = { file: string; error: string; holdsNoTest?: true }
export type Report = {
  tests: StoredTest[]
  unloaded: Unloaded[]
  /** Failures that the report lists, before those of one test are merged. */
  failures: number
  /**
   * Files of tests that the report calls passed and that took no time at all, once a test; see
   * `listsLostTests`.
   */
  untimed?: string[]
}

/** Reads the text of a report. Throws BrokenReportError. */
export function reportText(file: string): string {
  const { size } = statSync(file)
  if (size > REPORT_BYTES)
    throw new BrokenReportError(file, `it has ${size} bytes, more than ${REPORT_BYTES}`)
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new BrokenReportError(file, 'it is empty')
  return text
}

/** Parses a report of JSON. Throws BrokenReportError. */
export function reportJson(text: string, file: string): unknown {
  try {
    return boundedJson(text)
  } catch (error) {
    throw new BrokenReportError(file, `it is no whole JSON: ${(error as Error).message}`)
  }
}

/**
 * The tests of a report in its order, each name once.
 *
 * Two tests of one name in one file are distinguished by their order. A test that the report lists
 * in two parts, as for two projects or two counts, is one test with the worse result.
 */
export class Tests {
  readonly list: StoredTest[] = []
  private readonly seen = new Map<string, StoredTest>()
  private part: unknown
  private inPart = new Set<string>()

  /** The first test of that name, or `undefined`. */
  named(file: string, test: string): StoredTest | undefined {
    const cut = shortened({ file, test })
    return this.seen.get(`${cut.file}\0${cut.test}`)
  }

  /** Adds a test; `part` is the part of the report that lists it. */
  add(
    {
      file,
      test,
      status,
      error,
      durationMs,
    }: {
      file: string
      test: string
      status: StoredTest['status']
      error?: string | undefined
      durationMs?: number | null | undefined
    },
    part?: unknown,
  ): void {
    if (part !== this.part) [this.part, this.inPart] = [part, new Set<string>()]
    const { file: inFile, test: called } = shortened({
      file: plainText(file),
      test: plainText(test).trim() || '(no name)',
    })
    let name = called
    for (let n = 2; this.inPart.has(`${inFile}\0${name}`); n++) name = `${called} (${n})`
    const stored: StoredTest = {
      file: inFile,
      test: name,
      status,
      ...(error !== undefined &&
        error !== '' &&
        status !== 'passed' &&
        status !== 'skipped' && { error: errorText(error) }),
      ...(typeof durationMs === 'number' &&
        Number.isFinite(durationMs) && { durationMs: Math.round(durationMs) }),
    }
    const id = `${inFile}\0${name}`
    this.inPart.add(id)
    const earlier = this.seen.get(id)
    if (earlier !== undefined)
      return void (isWorse(stored, earlier) && Object.assign(earlier, stored))
    this.seen.set(id, stored)
    this.list.push(stored)
  }
}

const FROM_BAD: readonly StoredTest['status'][] = ['failed', 'flaky', 'passed', 'skipped']

/**
 * Whether one result of a test counts before the other; a test that was skipped once and ran once
 * has run.
 */
export function isWorse(one: StoredTest, other: StoredTest): boolean {
  return FROM_BAD.indexOf(one.status) < FROM_BAD.indexOf(other.status)
}

/** Tests of several reports, each once with its worse result. */
export function joined(tests: readonly StoredTest[]): StoredTest[] {
  const worst = new Map<string, StoredTest>()
  for (const one of tests) {
    const id = `${one.file}\0${one.test}`
    const earlier = worst.get(id)
    if (earlier === undefined || isWorse(one, earlier)) worst.set(id, one)
  }
  return [...worst.values()]
}

/** An error as it is kept: without colours, short. */
export function errorText(text: string): string {
  return firstChars(plainText(text).trim(), ERROR_KEPT)
}

// A name may hold a whole data set; what is cut off stays part of what tells it from others.
export function shortened({ file, test }: { file: string; test: string }): {
  file: string
  test: string
} {
  const cut = (text: string) =>
    text.length <= NAME_KEPT
      ? text
      : `${firstChars(text, NAME_KEPT - 11)} ${digest(text).slice(0, 10)}`
  return { file: cut(file), test: cut(test) }
}

/** `message`, then `stack` without what it repeats. */
export function withStack(message: string | undefined, stack: string | undefined): string {
  if (stack === undefined || stack === '') return message ?? ''
  if (message === undefined || message === '' || stack.includes(message)) return stack
  return `${message}\n${stack}`
}
