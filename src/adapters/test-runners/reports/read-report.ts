// Reads a report in the format that it is said to have.
import type { ReportFormat } from '../../../core/runners/test-runner.js'
import { parseCtrf } from './ctrf.js'
import { goOutput, parseGo } from './go-report.js'
import { parseJest } from './jest-report.js'
import { parseJUnit } from './junit.js'
import { parseMocha } from './mocha-report.js'
import { parseNodeEvents } from './node-events.js'
import { reportText, type Report } from './report.js'
import { parseTap } from './tap.js'

export type { ReportFormat } from '../../../core/runners/test-runner.js'

type Format = {
  parse(text: string, file: string, cwd: string): Report
  /** Whether a text may be the beginning of such a report; one that is not is never removed. */
  begins(head: string): boolean
  extension: string
  /** What people read of an output that is the report; `undefined` where it holds none. */
  printed?(output: string): string | undefined
}

export const FORMATS: Readonly<Record<ReportFormat, Format>> = {
  junit: { parse: parseJUnit, begins: (head) => /<testsuites?[\s>]/.test(head), extension: 'xml' },
  ctrf: {
    parse: parseCtrf,
    begins: (head) => /^\s*\{/.test(head) && /"(reportFormat|results)"\s*:/.test(head),
    extension: 'json',
  },
  vitest: {
    parse: parseJest,
    begins: (head) => /^\s*\{\s*"(num(Total|Failed)Test|testResults|success)/.test(head),
    extension: 'json',
  },
  jest: {
    parse: parseJest,
    begins: (head) => /^\s*\{\s*"(num(Total|Failed)Test|testResults|success)/.test(head),
    extension: 'json',
  },
  mocha: {
    parse: parseMocha,
    begins: (head) => /^\s*\{\s*"stats"\s*:/.test(head),
    extension: 'json',
  },
  tap: {
    parse: parseTap,
    begins: (head) => /^(TAP version \d+|(not )?ok\b|1\.\.\d+)/m.test(head),
    extension: 'tap',
  },
  go: {
    parse: parseGo,
    begins: (head) => /^\{"(Time|Action|ImportPath)":/m.test(head),
    extension: 'jsonl',
    printed: (output) => (/^\{"/m.test(output) ? goOutput(output) : undefined),
  },
  node: { parse: parseNodeEvents, begins: () => false, extension: 'jsonl' },
}

/**
 * Reads one report.
 *
 * @param cwd where the tests ran; files are named relative to it
 * @throws BrokenReportError
 */
export function readReport(file: string, format: ReportFormat, cwd: string): Report {
  return FORMATS[format].parse(reportText(file), file, cwd)
}
