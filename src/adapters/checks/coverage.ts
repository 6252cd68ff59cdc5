// How much of the code its tests run, in percent of lines (of statements where a tool gives no
// lines), from what coverage tools leave behind. A number that is not there, or that no single tool
// gives, is none. Code of an agent may have made a link or a pipe of it, which is not read.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isOwnDir, readOwn } from '../records/safe-files.js'

/** Written by istanbul's `json-summary` reporter, also by that of vitest and c8. */
const SUMMARY = path.join('coverage', 'coverage-summary.json')
/** Largest summary that is read, in bytes: some 200,000 files. */
const SUMMARY_BYTES = 64 << 20

/** Remembers what an earlier run has left, so that it is not taken for the result of the next. */
export function watchCoverage(cwd: string): {
  read: (output: string) => { percent: number | null; uncovered: string[] }
} {
  const file = path.join(cwd, SUMMARY)
  const before = writtenAt(file)
  return {
    read(output) {
      const fresh = writtenAt(file) === before ? undefined : textOf(file)
      const percent = fresh === undefined ? undefined : summaryOf(fresh)
      return {
        percent: percent ?? coverageIn(output),
        uncovered: fresh === undefined ? [] : uncoveredIn(fresh),
      }
    },
  }
}

function writtenAt(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
}

function textOf(file: string): string | undefined {
  const read = isOwnDir(path.dirname(file), 1) ? readOwn(file, SUMMARY_BYTES) : undefined
  return read !== undefined && 'text' in read ? read.text : undefined
}

/** Reads the total of a coverage-summary.json; `undefined` where there is none in it. */
export function summaryOf(text: string): number | undefined {
  try {
    const { total } = JSON.parse(text) as { total?: Record<string, { pct?: unknown } | undefined> }
    return [total?.['lines']?.pct, total?.['statements']?.pct].find((pct) => isPercent(pct))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Files of a coverage-summary.json that have code of which no test runs a line, as it names them.
 */
export function uncoveredIn(text: string): string[] {
  try {
    const files = Object.entries(
      JSON.parse(text) as Record<
        string,
        { lines?: { total?: unknown; covered?: unknown } } | undefined
      >,
    )
    return files
      .filter(
        ([file, one]) =>
          file !== 'total' && Number(one?.lines?.total) > 0 && one?.lines?.covered === 0,
      )
      .map(([file]) => file)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return []
    throw error
  }
}

/**
 * Reads the total that a tool printed, without escape sequences: istanbul's table, pytest-cov's,
 * Go's line.
 */
export function coverageIn(output: string): number | null {
  const table = istanbulTable(output) ?? lastMatch(output, /^TOTAL\s.*?([\d.]+)%\s*$/gm)
  if (table !== undefined) return table
  const packages = [...output.matchAll(/\bcoverage: ([\d.]+)% of statements/g)].map(([, pct]) =>
    Number(pct),
  )
  // The weights of several packages are unknown.
  const [only, ...others] = [...new Set(packages)]
  return only !== undefined && others.length === 0 && isPercent(only) ? only : null
}

/** Of the columns statements, branches, functions and lines. */
function istanbulTable(output: string): number | undefined {
  const [, row] = [...output.matchAll(/^\s*All files\s*\|(.*)$/gm)].at(-1) ?? []
  const [statements, , , lines] = (row ?? '')
    .split('|')
    .map((cell) => (cell.trim() === '' ? Number.NaN : Number(cell)))
  return [lines, statements].find(isPercent)
}

function lastMatch(text: string, pattern: RegExp): number | undefined {
  const found = Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 'none')
  return isPercent(found) ? found : undefined
}

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100
}
