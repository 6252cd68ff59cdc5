import { expect, test } from 'vitest'
import { maskedCode } from '../../../../src/core/test-gen/code-mask.js'
import { inTurn, mutantsOf, mutantText, withMutant } from '../../../../src/core/test-gen/mutants.js'
import { mutantOutcome } from '../../../../src/core/test-gen/mutant-run.js'

const changed = (file: string, source: string): string[] =>
  mutantsOf(file, source).map((one) => withMutant(source, one))

test.each([
  ['a.py', 'x = a == b', ['x = a != b']],
  ['a.py', 'x = a < b', ['x = a <= b']],
  ['a.py', 'x = a + b', ['x = a - b']],
  ['a.py', 'x = a and b', ['x = a or b']],
  ['a.py', 'x = not b', ['x = b']],
  ['a.py', 'x = a not in b', ['x = a in b']],
  ['a.py', 'x = a is not b', ['x = a is b']],
  ['a.py', 'x = True', ['x = False']],
  ['a.py', 'x += y', ['x -= y']],
  ['a.py', 'x = 9', ['x = 10']],
  ['a.py', '    return total', ['    return None']],
  ['a.js', 'if (a === b) f()', ['if (a !== b) f()']],
  ['a.ts', 'const c = a && b', ['const c = a || b']],
  ['a.ts', 'const c = !a', ['const c = a']],
  ['a.ts', 'i++', ['i--']],
  ['a.ts', 'return total;', ['return undefined;']],
])('%s: %s', (file, source, expected) => expect(changed(file, source)).toEqual(expected))

test.each([
  ['a.py', 'import os2'],
  ['a.py', 'from a import b1'],
  ['a.py', '@cached(8)'],
  ['a.py', "if __name__ == '__main__':"],
  ['a.py', '# a == b'],
  ['a.py', "text = 'a == b and 3'"],
  ['a.py', '"""a < b\nand 3 == 4"""'],
  ['a.py', 'def f(a) -> b:'],
  ['a.py', '    return None'],
  ['a.ts', "import a from 'a1'"],
  ['a.ts', 'type A = 1 | 2'],
  ['a.ts', 'const a: Map<string, b> = c'],
  ['a.ts', 'a.b!.c()'],
  ['a.ts', '/* a && b */ // 3'],
  ['a.ts', '`a && ${b} + 3`'],
  ['a.ts', 'f(/a && 3/)'],
  ['a.ts', '(a) => b'],
  ['a.rb', 'a == b'],
])('%s has no mutant of: %s', (file, source) => expect(changed(file, source)).toEqual([]))

test('only lines that count are changed', () => {
  const source = 'a = 1\nb = 2\nc = 3\n'
  expect(mutantsOf('a.py', source, new Set([2])).map(({ line }) => line)).toEqual([2])
})

test('a mutant is named with its place', () => {
  const [mutant] = mutantsOf('src/a.py', 'x = 1\ny = a < b\n', new Set([2]))
  expect(mutant === undefined ? '' : mutantText(mutant)).toBe('src/a.py:2: "<" becomes "<="')
})

test('the same seed gives the same order, one of each line first', () => {
  const source = 'a = 1 + 2 + 3\nb = 4 + 5\nc = 6\n'
  const all = mutantsOf('a.py', source)
  const first = inTurn(all, 'seed')
  expect(inTurn([...all].reverse(), 'seed')).toEqual(first)
  expect(
    first
      .slice(0, 3)
      .map(({ line }) => line)
      .sort(),
  ).toEqual([1, 2, 3])
  expect(first).toHaveLength(all.length)
  const orders = ['a', 'b', 'c', 'd'].map((seed) => JSON.stringify(inTurn(all, seed)))
  expect(new Set(orders).size).toBeGreaterThan(1)
})

test('hidden texts keep their place', () => {
  const source = "a = \"x#y\" # z\nb = '''p\nq''' + c\n"
  const masked = maskedCode(source, 'python')
  expect(masked).toHaveLength(source.length)
  expect(masked.replaceAll(' ', '')).toBe('a=""\nb=\'\n\'+c\n')
})

const tests = (...states: ('passed' | 'failed' | 'skipped')[]) =>
  states.map((status, n) => ({ file: 'a', test: `t${n}`, status }))
const passing = new Set(['a\0t0', 'a\0t1'])

test.each([
  { why: 'one fails', ran: tests('passed', 'failed'), timedOut: false, outcome: 'killed' },
  { why: 'all pass', ran: tests('passed', 'passed'), timedOut: false, outcome: 'survived' },
  { why: 'it does not end', ran: undefined, timedOut: true, outcome: 'killed' },
  { why: 'nothing loads', ran: undefined, timedOut: false, outcome: 'void' },
  { why: 'one is gone', ran: tests('passed'), timedOut: false, outcome: 'void' },
  { why: 'one is skipped', ran: tests('passed', 'skipped'), timedOut: false, outcome: 'void' },
  {
    why: 'another one fails',
    ran: tests('passed', 'passed', 'failed'),
    timedOut: false,
    outcome: 'survived',
  },
] as const)('a mutant where $why is $outcome', ({ ran, timedOut, outcome }) =>
  expect(mutantOutcome(passing, ran, timedOut)).toBe(outcome),
)
