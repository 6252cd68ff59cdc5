// Canaries in Python: functions and methods, found by their indentation.
import { inserted, type Sabotage } from './sabotage.js'

/** A statement, over as many lines as it has. */
type Line = {
  start: number
  /** Behind its line end. */
  end: number
  indent: string
  /** Without its indentation. */
  text: string
  /** Position of the colon that ends the head of a block; -1 where there is none. */
  colon: number
  /** Whether a statement follows the colon on the same line. */
  hasBody: boolean
}

type Method = { line: number; classes: string[] }

/**
 * Arguments with which each assertion of `unittest` fails: code under test may have replaced the
 * one that a test uses.
 */
const ASSERTIONS: Readonly<Record<string, string>> = {
  assertEqual: '0, 1',
  assertNotEqual: '0, 0',
  assertTrue: 'False',
  assertFalse: 'True',
  assertIs: '0, None',
  assertIsNot: 'None, None',
  assertIsNone: '0',
  assertIsNotNone: 'None',
  assertIn: '0, []',
  assertNotIn: '0, [0]',
  assertIsInstance: '0, str',
  assertNotIsInstance: '0, int',
  assertAlmostEqual: '0, 1',
  assertNotAlmostEqual: '0, 0',
  assertGreater: '0, 1',
  assertGreaterEqual: '0, 1',
  assertLess: '1, 0',
  assertLessEqual: '1, 0',
  assertRegex: "'a', 'b'",
  assertNotRegex: "'a', 'a'",
  assertCountEqual: '[0], [1]',
  assertMultiLineEqual: "'a', 'b'",
  assertSequenceEqual: '[0], [1]',
  assertListEqual: '[0], [1]',
  assertTupleEqual: '(0,), (1,)',
  assertSetEqual: '{0}, {1}',
  assertDictEqual: '{0: 0}, {0: 1}',
  assertRaises: 'Exception, int',
  assertRaisesRegex: "Exception, 'a', int",
  assertWarns: 'Warning, int',
  assertWarnsRegex: "Warning, 'a', int",
  fail: '',
}
/** Of a method that is none of these, as those of other libraries. */
const PLAIN = 'self.assertTrue(False)'
const MOST_ASSERTIONS = 3

/** A method is named as `Class::test`, an instance of a parametrised test as `test[a-1]`. */
export function pythonWithCanary({ source, test, text }: Sabotage): string | undefined {
  const path = test.replace(/\[[\s\S]*$/, '').split(/::| > |\./)
  const name = path.pop() ?? ''
  const lines = linesOf(source)
  const all = definitions(lines, name)
  const exact = all.filter(({ classes }) => classes.join('::') === path.join('::'))
  // A test that a class inherits is found in the class that defines it.
  const found = exact.length > 0 ? exact : path.length > 0 && all.length === 1 ? all : []
  const insertions = found.flatMap((one) => canaryIn(source, lines, one.line, text) ?? [])
  return insertions.length === 0 ? undefined : inserted(source, insertions)
}

function definitions(lines: readonly Line[], name: string): Method[] {
  const found: Method[] = []
  let around: { indent: number; name: string | undefined }[] = []
  lines.forEach((line, at) => {
    const indent = line.indent.length
    around = around.filter((one) => one.indent < indent)
    const [, kind, called] = /^(?:async\s+)?(def|class)\s+(\w+)/.exec(line.text) ?? []
    if (kind === undefined || line.colon === -1) return
    const classes = around.map((one) => one.name)
    if (kind === 'def' && called === name && classes.every((one) => one !== undefined))
      found.push({ line: at, classes })
    around.push({ indent, name: kind === 'class' ? called : undefined })
  })
  return found
}

function canaryIn(
  source: string,
  lines: readonly Line[],
  at: number,
  text: string,
): { at: number; text: string } | undefined {
  const head = lines[at]
  if (head === undefined) return undefined
  if (head.hasBody) return { at: head.colon + 1, text: ` raise AssertionError('${text}');` }
  const isInside = (line: Line | undefined): line is Line =>
    line !== undefined && line.indent.length > head.indent.length
  const first = lines[at + 1]
  if (!isInside(first)) return undefined
  const after = lines.slice(at + 1).findIndex((line) => !isInside(line))
  const last = after === -1 ? lines.at(-1) : lines[at + after]
  const body = source.slice(first.start, last?.end)
  const statement = statementOf(first.indent, body, text)
  if (!isDocstring(first.text)) return { at: first.start, text: statement }
  return {
    at: first.end,
    text: source.slice(0, first.end).endsWith('\n') ? statement : `\n${statement}`,
  }
}

/** The failure is raised only where each assertion that the test uses raises when it must. */
function statementOf(indent: string, body: string, text: string): string {
  const used = [...body.matchAll(/\bself\.(assert\w*|fail)\s*\(/g)].map(([, name = '']) =>
    Object.hasOwn(ASSERTIONS, name) ? `self.${name}(${ASSERTIONS[name]})` : PLAIN,
  )
  const within = (forms: readonly string[], deep: string): string => {
    const [first, ...rest] = forms
    return first === undefined
      ? `${deep}raise AssertionError('${text}') from None\n`
      : `${deep}try:\n${deep} ${first}\n${deep}except BaseException:\n${within(rest, `${deep} `)}`
  }
  return within([...new Set(used)].slice(0, MOST_ASSERTIONS), indent)
}

function isDocstring(text: string): boolean {
  return /^[rRuU]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')\s*(?:#[^\n]*)?$/.test(
    text,
  )
}

const STRING =
  /"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y

/**
 * Statements of a source: lines that brackets, strings and backslashes join are one; empty ones and
 * comments are none.
 */
function linesOf(source: string): Line[] {
  const lines: Line[] = []
  let at = 0
  while (at < source.length) {
    const start = at
    const indent = /^[ \t\f]*/.exec(source.slice(start, start + 500))?.[0] ?? ''
    at += indent.length
    let depth = 0
    let colon = -1
    let hasBody = false
    let isEmpty = true
    for (; at < source.length; at++) {
      const char = source[at] as string
      if (char === '\n' && depth === 0) break
      if (char === '#') {
        while (at + 1 < source.length && source[at + 1] !== '\n') at++
        continue
      }
      if (char === '\\' && /^\r?\n/.test(source.slice(at + 1, at + 3))) {
        at += source[at + 1] === '\r' ? 2 : 1
        continue
      }
      if (/\s/.test(char)) continue
      isEmpty = false
      if (colon !== -1 && depth === 0) hasBody = true
      if (char === '"' || char === "'") {
        STRING.lastIndex = at
        at += (STRING.exec(source)?.[0].length ?? 1) - 1
      } else if ('([{'.includes(char)) depth++
      else if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
      else if (char === ':' && depth === 0 && colon === -1) colon = at
    }
    at++
    const end = Math.min(at, source.length)
    if (!isEmpty)
      lines.push({
        start,
        end,
        indent,
        text: source.slice(start + indent.length, end).trimEnd(),
        colon,
        hasBody,
      })
  }
  return lines
}
