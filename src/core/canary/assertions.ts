// Assertions of JavaScript, each in a form that must fail: code under test may have replaced the
// one that a test uses.
//
// A form is evaluated at once and leaves nothing behind: what waits for a promise, or writes a
// snapshot, is asked in the plainest form of its library.

/**
 * Of an assertion: a value and arguments with which it fails, and with which it holds, so that its
 * negation fails.
 */
type Forms = { fails: [value: string, args: string]; holds: [value: string, args: string] }

const forms = (fails: Forms['fails'], holds: Forms['holds']): Forms => ({ fails, holds })
const EQUAL = forms(["'a'", "'b'"], ["'a'", "'a'"])
const LIST = forms(["['a']", "['b']"], ["['a']", "['a']"])
const CONTAINS = forms(["['a']", "'b'"], ["['a']", "'a'"])
const LENGTH = forms(["['a']", '2'], ["['a']", '1'])
const MATCHES = forms(["'a'", '/b/'], ["'a'", '/a/'])
const THROWS = forms(['() => undefined', ''], ["() => { throw new Error('a') }", ''])
const ABOVE = forms(['1', '2'], ['2', '1'])
const BELOW = forms(['2', '1'], ['1', '2'])
const INSTANCE = forms(['{}', 'Date'], ['new Date()', 'Date'])
const PROPERTY = forms(['{ a: 1 }', "'b'"], ['{ a: 1 }', "'a'"])
/** No mock: refused in either way. */
const MOCK = forms(['() => undefined', ''], ['() => undefined', ''])
const isValue = (value: string, other: string): Forms => forms([other, ''], [value, ''])

/** Matchers of Jest and Vitest. */
const MATCHERS: Readonly<Record<string, Forms>> = {
  toBe: EQUAL,
  toEqual: EQUAL,
  toStrictEqual: EQUAL,
  toMatchObject: forms(['{ a: 1 }', '{ a: 2 }'], ['{ a: 1 }', '{ a: 1 }']),
  toContain: CONTAINS,
  toContainEqual: CONTAINS,
  toHaveLength: LENGTH,
  toMatch: MATCHES,
  toThrow: THROWS,
  toThrowError: THROWS,
  toBeTruthy: isValue('true', 'false'),
  toBeFalsy: isValue('false', 'true'),
  toBeNull: isValue('null', "'a'"),
  toBeUndefined: isValue('undefined', "'a'"),
  toBeDefined: isValue("'a'", 'undefined'),
  toBeNaN: isValue('NaN', '1'),
  toBeGreaterThan: ABOVE,
  toBeGreaterThanOrEqual: ABOVE,
  toBeLessThan: BELOW,
  toBeLessThanOrEqual: BELOW,
  toBeCloseTo: forms(['1', '2'], ['1', '1']),
  toBeInstanceOf: INSTANCE,
  toHaveProperty: PROPERTY,
  toHaveBeenCalled: MOCK,
  toHaveBeenCalledOnce: MOCK,
  toHaveBeenCalledTimes: forms(['() => undefined', '1'], ['() => undefined', '0']),
  toHaveBeenCalledWith: MOCK,
  toHaveBeenLastCalledWith: MOCK,
  toHaveBeenNthCalledWith: forms(['() => undefined', '1'], ['() => undefined', '1']),
  toHaveReturned: MOCK,
  toHaveReturnedWith: MOCK,
}

/** Assertions of Chai that are called, and those that are read. */
const METHODS: Readonly<Record<string, Forms>> = {
  equal: EQUAL,
  equals: EQUAL,
  eq: EQUAL,
  eql: EQUAL,
  eqls: EQUAL,
  include: CONTAINS,
  includes: CONTAINS,
  contain: CONTAINS,
  contains: CONTAINS,
  length: LENGTH,
  lengthOf: LENGTH,
  match: MATCHES,
  matches: MATCHES,
  throw: THROWS,
  throws: THROWS,
  Throw: THROWS,
  above: ABOVE,
  gt: ABOVE,
  greaterThan: ABOVE,
  least: ABOVE,
  gte: ABOVE,
  below: BELOW,
  lt: BELOW,
  lessThan: BELOW,
  most: BELOW,
  lte: BELOW,
  instanceof: INSTANCE,
  instanceOf: INSTANCE,
  property: PROPERTY,
  members: LIST,
  keys: PROPERTY,
  string: EQUAL,
  oneOf: forms(["'a'", "['b']"], ["'a'", "['a']"]),
  a: forms(["'a'", "'number'"], ["'a'", "'string'"]),
  an: forms(["'a'", "'array'"], ['[]', "'array'"]),
}
const PROPERTIES: Readonly<Record<string, Forms>> = {
  true: isValue('true', 'false'),
  false: isValue('false', 'true'),
  ok: isValue('true', 'false'),
  null: isValue('null', "'a'"),
  undefined: isValue('undefined', "'a'"),
  NaN: isValue('NaN', '1'),
  exist: isValue("'a'", 'null'),
  empty: isValue('[]', "['a']"),
}
/** Words that change nothing in such a form. */
const BETWEEN = new Set([
  'to',
  'be',
  'been',
  'is',
  'that',
  'which',
  'and',
  'has',
  'have',
  'with',
  'at',
  'of',
  'same',
  'but',
  'does',
  'still',
  'also',
  'deep',
])

/** What fails unless `expect` itself was replaced, as each library types it. */
const PLAIN = { chai: "expect('a').to.equal('b')", jest: "expect('a').toBe('b')" }

/** `members`: what is behind `expect(…).`; `isCall`: whether the last one is called. */
export function expectForm(members: readonly string[], isCall: boolean): string {
  const last = members.at(-1) ?? ''
  const around = members.slice(0, -1)
  const isChai = around.includes('to')
  const own = isChai ? (isCall ? METHODS : PROPERTIES) : isCall ? MATCHERS : {}
  const isKnown =
    Object.hasOwn(own, last) && around.every((name) => name === 'not' || BETWEEN.has(name))
  if (!isKnown) return PLAIN[isChai ? 'chai' : 'jest']
  const [value, args] = (own[last] as Forms)[
    around.filter((name) => name === 'not').length % 2 === 1 ? 'holds' : 'fails'
  ]
  return `expect(${value}).${members.join('.')}${isCall ? `(${args})` : ''}`
}

/** Arguments with which each assertion of `node:assert` fails. */
const ASSERTS: Readonly<Record<string, string>> = {
  ok: 'false',
  equal: "'a', 'b'",
  notEqual: "'a', 'a'",
  strictEqual: "'a', 'b'",
  notStrictEqual: "'a', 'a'",
  deepEqual: "['a'], ['b']",
  notDeepEqual: "['a'], ['a']",
  deepStrictEqual: "['a'], ['b']",
  notDeepStrictEqual: "['a'], ['a']",
  partialDeepStrictEqual: '{ a: 1 }, { a: 2 }',
  match: "'a', /b/",
  doesNotMatch: "'a', /a/",
  throws: '() => undefined',
  doesNotThrow: "() => { throw new Error('a') }",
  fail: '',
  ifError: "new Error('a')",
}

/** `members`: what is behind `assert`. */
export function assertForm(members: readonly string[]): string {
  if (members.length === 0) return 'assert(false)'
  const last = members.at(-1) ?? ''
  const isKnown =
    Object.hasOwn(ASSERTS, last) && members.slice(0, -1).every((name) => name === 'strict')
  return isKnown ? `assert.${members.join('.')}(${ASSERTS[last]})` : 'assert.ok(false)'
}
