// Reads what runners write about coverage: istanbul's coverage-final.json (vitest, jest), that of
// coverage.py (pytest-cov), and V8's own (node).
import { boundedJson } from '../text/json.js'
import { codeLanguage, codeLines } from './code-mask.js'

/** Counts of what can run, and of what ran. */
export type Count = { covered: number; total: number }

/** `file` as the report names it. Lines from 1. */
export type FileCoverage = {
  file: string
  covered: number[]
  missed: number[]
  functions?: Count
  branches?: Count
}

type Json = Record<string, unknown>

/** Files of a report; `undefined` where it cannot be read. */
export function istanbulFiles(text: string): FileCoverage[] | undefined {
  const report = parsed(text)
  if (report === undefined) return undefined
  return Object.entries(report).flatMap(([file, one]): FileCoverage[] => {
    const { statementMap, s, f, b } = object(one)
    if (statementMap === undefined) return []
    const lines = new Map<number, boolean>()
    for (const [id, place] of Object.entries(object(statementMap))) {
      const line = Number(object(object(place)['start'])['line'])
      if (line > 0) lines.set(line, lines.get(line) === true || Number(object(s)[id]) > 0)
    }
    return [
      {
        file,
        ...byLine(lines),
        functions: counted(Object.values(object(f))),
        branches: counted(Object.values(object(b)).flat()),
      },
    ]
  })
}

export function coveragePyFiles(text: string): FileCoverage[] | undefined {
  const files = parsed(text)?.['files']
  if (files === undefined) return undefined
  return Object.entries(object(files)).map(([file, one]) => {
    const { executed_lines: executed, missing_lines: missing, summary, functions } = object(one)
    const { num_branches: branches, covered_branches: taken } = object(summary)
    const own = Object.entries(object(functions)).flatMap(([name, part]) =>
      name === '' ? [] : [numbers(object(part)['executed_lines']).length],
    )
    return {
      file,
      covered: numbers(executed),
      missed: numbers(missing),
      ...(own.length === 0 ? {} : { functions: counted(own) }),
      ...(typeof branches === 'number' && typeof taken === 'number'
        ? { branches: { covered: taken, total: branches } }
        : {}),
    }
  })
}

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; functions: { functionName: string; ranges: Range[] }[] }

/** Scripts of one process. `isMapped`: its code is not that of the file. */
export function v8Scripts(text: string): (Script & { isMapped: boolean })[] {
  const report = parsed(text)
  const maps = object(report?.['source-map-cache'])
  const result = report?.['result']
  return (Array.isArray(result) ? (result as Script[]) : [])
    .filter(({ url, functions }) => typeof url === 'string' && Array.isArray(functions))
    .map((one) => ({ ...one, isMapped: Object.hasOwn(maps, one.url) }))
}

/** What several processes ran of one file. */
export function v8File(
  file: string,
  source: string,
  runs: readonly Script['functions'][],
): FileCoverage {
  const language = codeLanguage(file) ?? 'javascript'
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lines = new Map(codeLines(source, language).map((line) => [line, false]))
  const called = new Map<string, boolean>()
  for (const functions of runs) {
    const missed = new Set<number>()
    for (const { functionName, ranges } of functions)
      for (const [at, { startOffset, endOffset, count }] of ranges.entries()) {
        const place = `${startOffset}-${endOffset}`
        if (at === 0 && functionName !== '') note(called, place, count > 0)
        for (const line of lines.keys()) {
          const from = starts[line - 1] ?? 0
          const text = source.slice(from, starts[line] ?? source.length)
          const [begin, end] = [from + text.search(/\S/), from + text.trimEnd().length]
          if (startOffset > begin || endOffset < end) continue
          // Inner ranges come later, and say more.
          if (count > 0) missed.delete(line)
          else missed.add(line)
        }
      }
    for (const line of lines.keys()) note(lines, line, !missed.has(line))
  }
  // Of branches V8 lists only those that ran another number of times than the code around them.
  return { file, ...byLine(lines), functions: counted([...called.values()]) }
}

/** A file that no test loads: all of its code is missed. */
export function unloadedFile(file: string, source: string): FileCoverage {
  const language = codeLanguage(file)
  return {
    file,
    covered: [],
    missed: language === undefined ? [] : codeLines(source, language),
  }
}

export type Percentages = {
  lines: number | null
  branches: number | null
  functions: number | null
}

/** Over several files, in percent with one decimal; `null` where nothing was counted. */
export function percentages(files: readonly FileCoverage[]): Percentages {
  const sum = (of: (file: FileCoverage) => Count | undefined): number | null => {
    const counts = files.flatMap((file) => of(file) ?? [])
    const total = counts.reduce((all, one) => all + one.total, 0)
    const covered = counts.reduce((all, one) => all + one.covered, 0)
    return total === 0 ? null : Math.floor((1_000 * covered) / total) / 10
  }
  return {
    lines: sum(({ covered, missed }) => ({
      covered: covered.length,
      total: covered.length + missed.length,
    })),
    branches: sum(({ branches }) => branches),
    functions: sum(({ functions }) => functions),
  }
}

function note<K>(seen: Map<K, boolean>, key: K, ran: boolean): void {
  seen.set(key, seen.get(key) === true || ran)
}

function byLine(lines: ReadonlyMap<number, boolean>): { covered: number[]; missed: number[] } {
  const of = (ran: boolean) =>
    [...lines].flatMap(([line, one]) => (one === ran ? [line] : [])).sort((a, b) => a - b)
  return { covered: of(true), missed: of(false) }
}

function counted(hits: readonly unknown[]): Count {
  return { covered: hits.filter((one) => Number(one) > 0).length, total: hits.length }
}

function numbers(value: unknown): number[] {
  return Array.isArray(value)
    ? (value as unknown[]).filter((one): one is number => typeof one === 'number')
    : []
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = boundedJson(text)
    return typeof value === 'object' && value !== null ? (value as Json) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
