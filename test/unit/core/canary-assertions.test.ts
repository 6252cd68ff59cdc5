// Each form of an assertion fails in a real runner: a form that passes would leave an honest run
// unconfirmed.
import { spawnSync } from 'node:child_process'
import assert from 'node:assert'
import vm from 'node:vm'
import { describe, expect, test } from 'vitest'
import { assertForm, expectForm } from '../../../src/core/canary/assertions.js'
import { withCanary } from '../../../src/core/canary/canary.js'

const JEST = [
  'toBe',
  'toEqual',
  'toStrictEqual',
  'toMatchObject',
  'toContain',
  'toContainEqual',
  'toHaveLength',
  'toMatch',
  'toThrow',
  'toThrowError',
  'toBeTruthy',
  'toBeFalsy',
  'toBeNull',
  'toBeUndefined',
  'toBeDefined',
  'toBeNaN',
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeCloseTo',
  'toBeInstanceOf',
  'toHaveProperty',
  'toHaveBeenCalled',
  'toHaveBeenCalledTimes',
  'toHaveBeenCalledWith',
  'toHaveBeenLastCalledWith',
  'toHaveBeenNthCalledWith',
  'toHaveReturned',
]
const METHODS = [
  'equal',
  'eq',
  'eql',
  'include',
  'contain',
  'length',
  'lengthOf',
  'match',
  'throw',
  'above',
  'least',
  'below',
  'most',
  'instanceof',
  'property',
  'members',
  'keys',
  'string',
  'oneOf',
  'a',
  'an',
]
const PROPERTIES = ['true', 'false', 'ok', 'null', 'undefined', 'NaN', 'exist', 'empty']
const ASSERTS = [
  'ok',
  'equal',
  'notEqual',
  'strictEqual',
  'notStrictEqual',
  'deepEqual',
  'notDeepEqual',
  'deepStrictEqual',
  'notDeepStrictEqual',
  'match',
  'doesNotMatch',
  'throws',
  'doesNotThrow',
  'fail',
  'ifError',
  'rejects',
]
const either = (names: string[], before: string[]): string[][] =>
  names.flatMap((name) => [
    [...before, name],
    [...before, 'not', name],
  ])

const fails = (form: string): void =>
  expect(
    () =>
      (
        vm.runInThisContext(`(expect, assert) => { ${form} }`) as (
          one: typeof expect,
          other: typeof assert,
        ) => void
      )(expect, assert),
    form,
  ).toThrow()

describe('each form fails', () => {
  test.each(either(JEST, []).map((one) => [one.join('.'), one] as const))(
    'expect(…).%s()',
    (name, members) => {
      expect(expectForm(members, true)).toContain(`.${name}(`)
      fails(expectForm(members, true))
    },
  )
  test.each(either(METHODS, ['to']).map((one) => [one.join('.'), one] as const))(
    'expect(…).%s()',
    (name, members) => {
      expect(expectForm(members, true)).toContain(`.${name}(`)
      fails(expectForm(members, true))
    },
  )
  test.each(either(PROPERTIES, ['to', 'be']).map((one) => [one.join('.'), one] as const))(
    'expect(…).%s',
    (name, members) => {
      expect(expectForm(members, false)).toMatch(new RegExp(`\\.${name}$`))
      fails(expectForm(members, false))
    },
  )
  test.each(ASSERTS)('assert.%s()', (name) => fails(assertForm([name])))
})

test('each form of unittest fails, and the canary raises its text', () => {
  const names = [
    'Equal',
    'NotEqual',
    'True',
    'False',
    'Is',
    'IsNot',
    'IsNone',
    'IsNotNone',
    'In',
    'NotIn',
    'IsInstance',
    'NotIsInstance',
    'AlmostEqual',
    'NotAlmostEqual',
    'Greater',
    'GreaterEqual',
    'Less',
    'LessEqual',
    'Regex',
    'NotRegex',
    'CountEqual',
    'MultiLineEqual',
    'SequenceEqual',
    'ListEqual',
    'TupleEqual',
    'SetEqual',
    'DictEqual',
    'Raises',
    'RaisesRegex',
    'Warns',
    'WarnsRegex',
    'Contains',
  ].map((name) => `assert${name}`)
  const source = `import unittest\nclass T(unittest.TestCase):\n${[...names, 'fail'].map((name, n) => `  def test_${n}(self):\n    self.${name}()\n`).join('')}`
  const all = [...names, 'fail'].reduce(
    (text, _, n) =>
      withCanary({ source: text, file: 'test_a.py', test: `T::test_${n}`, text: `canary${n}x` }) ??
      '',
    source,
  )
  const { stderr } = spawnSync('python3', ['-c', `${all}\nunittest.main()`], { encoding: 'utf8' })
  expect(
    [...names, 'fail'].filter((_, n) => !stderr.includes(`AssertionError: canary${n}x`)),
  ).toEqual([])
})
