// Reads TAP with the parser of node-tap.
//
// A test point that closes a subtest repeats what is in it: it counts only where it failed and
// nothing in it did; if it is called by the path of a file, the file was not loaded, or did not
// come to its end. A stream without its plan, or with another number of points, was cut off.
// Source: TAP 14.
import path from 'node:path'
import { existsSync } from 'node:fs'
import { Parser, type FinalResults, type Result } from 'tap-parser'
import { projectFile } from './project-file.js'
import { BrokenReportError, errorText, NO_FILE, Tests, type Report } from './report.js'
import { DEPTH } from '../../../core/text/json.js'

type Point = {
  ok: boolean
  name: string
  path: string[]
  todo: boolean
  skip: boolean
  closes: boolean
  error: string
  durationMs: number | null
}

/**
 * What the parser calls a stream that was cut off; a number that comes twice, as in node's, is no
 * harm.
 */
const CUT = /no plan|incorrect number|Plan of 1\.\.0/

/** Parses a stream. Throws BrokenReportError. */
export function parseTap(text: string, file: string, cwd: string): Report {
  const points: Point[] = []
  let bail: string | undefined
  const parser = new Parser()
  listen(parser, [])
  let problem: string | undefined
  parser.on(
    'complete',
    (results: FinalResults) =>
      (problem =
        results.failures
          .map((one) => ('tapError' in one ? one.tapError : null))
          .find((one) => typeof one === 'string' && CUT.test(one)) ?? undefined),
  )
  parser.end(text)
  if (bail !== undefined) throw new BrokenReportError(file, `the run bailed out: ${bail}`)
  if (points.length === 0 && !/^\s*\d+\.\.\d+/m.test(text))
    throw new BrokenReportError(file, 'it holds no TAP')
  if (problem !== undefined) throw new BrokenReportError(file, `it is no whole TAP: ${problem}`)

  const tests = new Tests()
  const unloaded: Report['unloaded'] = []
  // Where whole files pass without a test point of their own they are scripts, and each is a test.
  const areScripts = points.some((one) => isFile(one) && one.ok && !one.closes)
  points.forEach((one, at) => {
    if (
      one.closes &&
      (one.ok || points.slice(0, at).some((inner) => !inner.ok && isInside(inner, one)))
    )
      return
    const [outer = '', ...inner] = [...one.path, one.name]
    const ofFile = isFile({ name: outer, path: [] }) && existsSync(path.resolve(cwd, outer))
    const inFile = ofFile ? projectFile(outer, cwd) : NO_FILE
    if (isFile(one) && !one.ok && !one.todo && (one.closes || !areScripts)) {
      unloaded.push({ file: projectFile(one.name, cwd), error: errorText(one.error) })
      return
    }
    const test = ofFile
      ? inner.length === 0
        ? inFile
        : inner.join(' > ')
      : [outer, ...inner].join(' > ')
    tests.add({
      file: inFile,
      test,
      status: one.skip || one.todo ? 'skipped' : one.ok ? 'passed' : 'failed',
      error: one.error,
      durationMs: one.durationMs,
    })
  })
  return { tests: tests.list, unloaded, failures: points.filter((one) => !one.ok).length }

  function listen(level: Parser, names: string[]): void {
    level.on('bailout', (reason: string) => (bail ??= reason))
    level.on('child', (child: Parser) => {
      if (names.length >= DEPTH)
        throw new BrokenReportError(file, `it is nested deeper than ${DEPTH} levels`)
      listen(child, [...names, child.name])
    })
    level.on('assert', (result: Result) => {
      points.push({
        ok: result.ok,
        name: result.name,
        path: names,
        todo: result.todo !== false,
        skip: result.skip !== false,
        closes: result.closingTestPoint,
        error: result.ok ? '' : diagnosis(result.diag),
        durationMs: result.time,
      })
    })
  }
}

// node-tap, node and prove name a test file as a whole by its path.
function isFile({ name, path: around }: Pick<Point, 'name' | 'path'>): boolean {
  return around.length === 0 && /^\S+\.([cm]?[jt]sx?|t|pl|py|rb|php|sh|lua)$/.test(name)
}

function isInside(inner: Point, closing: Point): boolean {
  const around = [...closing.path, closing.name]
  return inner.path.length >= around.length && around.every((name, at) => inner.path[at] === name)
}

// Writers differ in what they put there: a message first, what was expected, the rest as it is.
function diagnosis(diag: unknown): string {
  if (typeof diag !== 'object' || diag === null) return 'not ok'
  const { message, error, stack, ...rest } = diag as Record<string, unknown>
  const texts = [message ?? error, stack].filter((one) => typeof one === 'string')
  const others = Object.entries(rest).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [...texts, ...others].join('\n') || 'not ok'
}
