// Counts what the tests of a file assert, and finds those that cannot fail: without an assertion,
// or with none but such as `assert True`.
import { codeLanguage, maskedCode, type CodeLanguage } from './code-mask.js'
import { testBodies } from '../canary/javascript.js'

/** `trivial`: assertions about nothing that the test has computed. */
export type TestAssertions = { test: string; assertions: number; trivial: number }

type Body = { test: string; start: number; end: number }

/** The tests of a file with their assertions; `undefined` where its language is not looked at. */
export function assertionsOf(file: string, source: string): TestAssertions[] | undefined {
  const language = codeLanguage(file)
  if (language === undefined) return undefined
  const code = maskedCode(source, language)
  const bodies = language === 'python' ? pythonTests(code) : testBodies(source, file)
  return bodies.map(({ test, start, end }) => {
    const found = FOUND[language](code.slice(start, end), source.slice(start, end))
    return {
      test,
      assertions: found.length,
      trivial: found.filter((trivial) => trivial).length,
    }
  })
}

/** Whether a test can fail by what it asserts. */
export function canFail({ assertions, trivial }: TestAssertions): boolean {
  return assertions > trivial
}

/** For each assertion in the body of a test: whether it is trivial. */
const FOUND: Readonly<Record<CodeLanguage, (code: string, source: string) => boolean[]>> = {
  python: (code, source) => [
    ...[...code.matchAll(/(?<=^|[\n;:][ \t]*|[ \t])assert\b/g)].map(({ index }) => {
      const from = index + 'assert'.length
      const end = endOf(code, from)
      return isTrivial(code.slice(from, end), source.slice(from, end), 'python')
    }),
    ...calls(
      code,
      source,
      /\b(?:self\.assert\w+|(?:pytest\.|\b)(?:raises|warns|fail)|\w+\.assert_\w+|(?:assert|check|verify|expect)_\w+)\(/g,
      'python',
    ),
  ],
  javascript: (code, source) =>
    calls(
      code,
      source,
      /\b(?:expect|assert)(?:\.\w+)*\(|\b(?:assert|check|verify|expect)[A-Z_]\w*\(|\bt\.(?:is|not|deepEqual|true|false|throws|like|equal|ok|same)\w*\(|\.should\.\w+/g,
      'javascript',
    ),
}

function calls(code: string, source: string, pattern: RegExp, language: CodeLanguage): boolean[] {
  return [...code.matchAll(pattern)].flatMap(({ 0: found, index }) => {
    if (!found.endsWith('(')) return [false]
    if (/^(?:pytest\.)?(?:raises|warns|fail)\($|^expect\.\w+\($/.test(found))
      return found.startsWith('expect') && !/^expect\.(?:soft|poll)\($/.test(found) ? [] : [false]
    const close = closing(code, index + found.length - 1)
    // The matcher belongs to it: expect(a).toBe(b).
    const matcher = /^expect/.test(found) ? /^(?:\.\w+)*\(/.exec(code.slice(close)) : null
    const end = matcher === null ? close : closing(code, close + matcher[0].length - 1)
    const values = [code, source].map((text) =>
      [
        text.slice(index + found.length, close - 1),
        matcher === null ? '' : text.slice(close + matcher[0].length, end - 1),
      ].filter((part) => part.trim() !== ''),
    ) as [string[], string[]]
    // A mock, or a helper of the project, asserts what it is called for.
    if (/^\w+\.assert_|^(?:assert|check|verify|expect)[A-Z_]/.test(found)) return [false]
    return [isTrivial(values[0].join(' == '), values[1].join(' == '), language)]
  })
}

const WORDS_OF_NO_VALUE =
  /\b(?:True|False|None|not|and|or|is|in|true|false|null|undefined|NaN|typeof|new)\b/g

/** About constants only, or about a value and itself. */
function isTrivial(code: string, source: string, language: CodeLanguage): boolean {
  const named = code.replace(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, '').replace(WORDS_OF_NO_VALUE, '')
  if (!/[A-Za-z_$]/.test(named)) return true
  const sides = (language === 'python' ? (source.split(/,\s*(?=["'f])/)[0] ?? '') : source)
    .split(/\s*(?:===?|,(?![^(]*\)))\s*|\s+is\s+/)
    .map((side) => side.trim())
  return sides.length === 2 && sides[0] === sides[1] && !/\(/.test(sides[0] ?? '')
}

/** The end of a statement: its line end outside of brackets. */
function endOf(code: string, from: number): number {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    const sign = code[at] as string
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (depth <= 0 && (sign === '\n' || sign === ';') && code[at - 1] !== '\\') return at
  }
  return code.length
}

/** The position behind the bracket that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at] as string)) depth++
    if (')]}'.includes(code[at] as string) && --depth === 0) return at + 1
  }
  return code.length
}

/** Functions and methods called test…, each up to the next line that is not within it. */
function pythonTests(code: string): Body[] {
  return [...code.matchAll(/^([ \t]*)(?:async[ \t]+)?def[ \t]+(test\w*)/gm)].map((found) => {
    const [head, indent = '', test = ''] = found
    const start = found.index + head.length
    const rest = code.slice(start)
    const colon = /\)[^\n:]*:/.exec(rest)
    const from = colon === null ? 0 : colon.index + colon[0].length
    const outside = new RegExp(`\\n(?=[ \\t]{0,${indent.length}}[^ \\t\\n])`).exec(rest.slice(from))
    return { test, start, end: outside === null ? code.length : start + from + outside.index }
  })
}
