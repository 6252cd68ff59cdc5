// Mutants: small changes of the code under test, each of which a good test notices.
//
// The operators replace text in code, never in texts, comments and imports. What they make may not
// run at all; such a mutant says nothing, and another one takes its place.
import { codeLanguage, maskedCode, type CodeLanguage } from './code-mask.js'

/** Mutants of one check, and how long all of them may take, in milliseconds. */
export const MUTANTS = 10
export const MUTANTS_MS = 5 * 60_000

/** `line` from 1; `start` is the position in the source. */
export type Mutant = { file: string; line: number; start: number; before: string; after: string }

type Operator = [pattern: RegExp, after: string | ((found: string) => string)]

const swap = (pattern: RegExp, pairs: Readonly<Record<string, string>>): Operator => [
  pattern,
  (found) => pairs[found] ?? found,
]
/** Between blanks, so that no type, arrow or tag is one of them. */
const BINARY = /(?<=[\w)\]'"`] )(?:<=|>=|<|>|\+|-|\*|\/\/|\/|%)(?= [\w([{'"`+-])/g
const BINARY_PAIRS = {
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '+': '-',
  '-': '+',
  '*': '+',
  '//': '*',
  '/': '*',
  '%': '*',
}
const NUMBER: Operator = [/(?<![\w.$])\d+(?![\w.])/g, (found) => String(Number(found) + 1)]

const OPERATORS: Readonly<Record<CodeLanguage, readonly Operator[]>> = {
  python: [
    swap(/==|!=/g, { '==': '!=', '!=': '==' }),
    swap(BINARY, BINARY_PAIRS),
    swap(/\b(?:and|or)\b/g, { and: 'or', or: 'and' }),
    swap(/\b(?:True|False)\b/g, { True: 'False', False: 'True' }),
    swap(/\bnot in\b|\bis not\b/g, { 'not in': 'in', 'is not': 'is' }),
    [/(?<!\bis )\bnot (?!in\b)/g, ''],
    swap(/(?<= )[+-]=/g, { '+=': '-=', '-=': '+=' }),
    [/(?<=^[ \t]*return )(?!None[ \t]*$)[^\n]*[\w)\]}'"]/gm, 'None'],
    NUMBER,
  ],
  javascript: [
    swap(/[!=]==?(?!=)/g, { '===': '!==', '!==': '===', '==': '!=', '!=': '==' }),
    swap(BINARY, BINARY_PAIRS),
    swap(/&&|\|\|/g, { '&&': '||', '||': '&&' }),
    swap(/(?<![.\w$])(?:true|false)(?![\w$])/g, { true: 'false', false: 'true' }),
    [/(?<![\w)\]$!])!(?=[\w($!])/g, ''],
    swap(/(?<= )[+-]=|\+\+|--/g, { '+=': '-=', '-=': '+=', '++': '--', '--': '++' }),
    [/(?<=^[ \t]*return )(?!undefined\b)[^\n;{]*[\w)\]'"`](?=;?[ \t]*$)/gm, 'undefined'],
    NUMBER,
  ],
}

/** Lines that no test can be about: imports, types, what runs only as a program. */
const NOT_CHANGED: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /^\s*(?:import\s|from\s[\w.]+\simport\b|if __name__\b|@)/,
  javascript:
    /^\s*(?:import\b|export\s+(?:\*|\{|type\b|interface\b)|(?:type|interface|declare)\s)|\brequire\(/,
}

/**
 * Every mutant of a file.
 *
 * @param lines the lines that count, from 1; all of them without it
 */
export function mutantsOf(file: string, source: string, lines?: ReadonlySet<number>): Mutant[] {
  const language = codeLanguage(file)
  if (language === undefined) return []
  const code = maskedCode(source, language)
  const starts = lineStarts(code)
  const all = code.split('\n')
  return OPERATORS[language]
    .flatMap(([pattern, after]) =>
      [...code.matchAll(pattern)].map(({ 0: found, index }) => ({
        file,
        line: lineAt(starts, index),
        start: index,
        before: source.slice(index, index + found.length),
        after: typeof after === 'string' ? after : after(found),
      })),
    )
    .filter(
      ({ line, before, after }) =>
        before !== after &&
        lines?.has(line) !== false &&
        !NOT_CHANGED[language].test(all[line - 1] ?? ''),
    )
    .sort((a, b) => a.start - b.start)
}

/** The source with a mutant in it. */
export function withMutant(source: string, { start, before, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(start + before.length)
}

/**
 * Mutants in an order that is the same for the same seed: one of each line first, so that they
 * spread over the code.
 */
export function inTurn(mutants: readonly Mutant[], seed: string): Mutant[] {
  const rank = new Map(mutants.map((one) => [one, hash(`${seed} ${keyOf(one)}`)]))
  const sorted = [...mutants].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
  const seen = new Map<string, number>()
  const round = new Map(
    sorted.map((one) => {
      const place = `${one.file}:${one.line}`
      const before = seen.get(place) ?? 0
      seen.set(place, before + 1)
      return [one, before]
    }),
  )
  return sorted.sort((a, b) => (round.get(a) ?? 0) - (round.get(b) ?? 0))
}

/** As a person reads it: `parser.py:12: "a < b" becomes "a <= b"`. */
export function mutantText({ file, line, before, after }: Omit<Mutant, 'start'>): string {
  return `${file}:${line}: ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`
}

function keyOf({ file, start, before, after }: Mutant): string {
  return [file, start, before, after].join(' ')
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
}

function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] as number) <= at) low = middle
    else high = middle - 1
  }
  return low + 1
}
