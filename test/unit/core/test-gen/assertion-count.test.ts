import { expect, test } from 'vitest'
import { assertionsOf, canFail } from '../../../../src/core/test-gen/assertion-count.js'

const py = (body: string): string => `def test_it():\n    ${body}\n`
const js = (body: string): string => `test('it', async () => { ${body} })\n`

test.each([
  ['a_test.py', py('assert parse("1") == 1'), 1, 0],
  ['a_test.py', py('assert parse("1") == (\n        1\n    ), "a, b"'), 1, 0],
  ['a_test.py', py('self.assertEqual(add(1, 2), 3)'), 1, 0],
  ['a_test.py', py('with pytest.raises(ValueError):\n        parse("")'), 1, 0],
  ['a_test.py', py('mock.assert_called_once()'), 1, 0],
  ['a_test.py', py('check_sum(3)'), 1, 0],
  ['a_test.py', py('x = 1; assert x'), 1, 0],
  ['a_test.py', py('assert True'), 1, 1],
  ['a_test.py', py('assert 1 == 1'), 1, 1],
  ['a_test.py', py('assert "a" in "abc", "never"'), 1, 1],
  ['a_test.py', py('assert parser is parser'), 1, 1],
  ['a_test.py', py('assert x == x'), 1, 1],
  ['a_test.py', py('self.assertTrue(True)'), 1, 1],
  ['a_test.py', py('parse("1")  # assert x'), 0, 0],
  ['a_test.py', py('print("assert x")'), 0, 0],
  ['a.test.ts', js("expect(parse('1')).toBe(1)"), 1, 0],
  ['a.test.ts', js("await expect(parse('1')).resolves.toEqual([1])"), 1, 0],
  ['a.test.ts', js("assert.deepEqual(parse('1'), [1])"), 1, 0],
  ['a.test.ts', js('expect(() => parse(1)).toThrow()'), 1, 0],
  ['a.test.ts', js('expectSum(3)'), 1, 0],
  ['a.test.ts', js('expect(true).toBe(true)'), 1, 1],
  ['a.test.ts', js('expect(1 + 1).toBe(2)'), 1, 1],
  ['a.test.ts', js('expect(x).toBe(x)'), 1, 1],
  ['a.test.ts', js('assert(true)'), 1, 1],
  ['a.test.ts', js("assert.equal('a', 'a')"), 1, 1],
  ['a.test.ts', js("parse('1')"), 0, 0],
])('%s: %s', (file, source, assertions, trivial) =>
  expect(assertionsOf(file, source)).toEqual([
    { test: file.endsWith('.py') ? 'test_it' : 'it', assertions, trivial },
  ]),
)

test('each test counts its own assertions, also in classes and blocks', () => {
  const python =
    'class TestA:\n    def test_one(self, a=f(1)):\n        assert f(1)\n        assert f(2)\n\n    async def test_two(self):\n        pass\n\n\ndef helper():\n    assert f(3)\n'
  expect(assertionsOf('test_a.py', python)).toEqual([
    { test: 'test_one', assertions: 2, trivial: 0 },
    { test: 'test_two', assertions: 0, trivial: 0 },
  ])
  const script =
    "describe('a', () => {\n  it('one', () => { expect(f()).toBe(1); expect(f(2)).toBe(2) })\n  it('two', () => {})\n})\n"
  expect(assertionsOf('a.test.js', script)).toEqual([
    { test: 'one', assertions: 2, trivial: 0 },
    { test: 'two', assertions: 0, trivial: 0 },
  ])
})

test('a language that is not read says so, and a test without a real assertion cannot fail', () => {
  expect(assertionsOf('a_test.go', 'func TestA() {}')).toBeUndefined()
  expect(canFail({ test: 't', assertions: 2, trivial: 2 })).toBe(false)
  expect(canFail({ test: 't', assertions: 2, trivial: 1 })).toBe(true)
})
