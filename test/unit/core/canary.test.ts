// The place of a canary: the body of one test, of any form, in each language; none where the body
// is not found.
import { expect, test } from 'vitest'
import { languageOf, withCanary } from '../../../src/core/canary/canary.js'

const T = 'c0ffee'
const JS = `if ([].length === 0) throw new Error('${T}')`

/** The source with the canary in place of `<>`. */
function table(
  file: string,
  statement: string,
  cases: [why: string, test: string, source: string][],
): void {
  test.each(cases)(`${file}: %s`, (_, name, source) => {
    expect(withCanary({ source: source.replaceAll('<>', ''), file, test: name, text: T })).toBe(
      source.replaceAll('<>', statement),
    )
  })
}

function nowhere(file: string, cases: [why: string, test: string, source: string][]): void {
  test.each(cases)(`${file}, none: %s`, (_, name, source) => {
    expect(withCanary({ source, file, test: name, text: T })).toBeUndefined()
  })
}

table(
  'a.test.ts',
  ` ${JS};`,
  // prettier-ignore
  [
  ['an arrow function', 'adds', "test('adds', () => {<> run(1 as number) })"],
  ['a function', 'adds', "it('adds', function () {<>\n  run()\n})\nit('takes', function () { run() })"],
  ['a named function, double quotes', 'it "adds"', 'it("it \\"adds\\"", function adds() {<> })'],
  ['async, with done', 'adds', "test('adds', async (done) => {<>\n  await run()\n})"],
  ['test.only', 'adds', "test.only('adds', () => {<> })"],
  ['test.concurrent and a limit behind it', 'adds', "test.concurrent('adds', async () => {<> }, 1000)"],
  ['options in front of it', 'adds', "test('adds', { retry: 2 }, () => {<> })"],
  ['nested blocks', 'sum > of two > adds', "describe('sum', () => {\n  describe('of two', () => {\n    it('adds', () => {<> })\n  })\n  it('adds', () => {})\n})"],
  ['blocks joined with spaces', 'sum adds', "describe('sum', () => { it('adds', () => {<> }) })"],
  ['the same title in two blocks', 'b > adds', "describe('a', () => { it('adds', () => {}) })\ndescribe('b', () => { it('adds', () => {<> }) })"],
  ['the same title twice', 'adds (2)', "it('adds', () => {<> })\nit('adds', () => {<> })"],
  ['a block called by a class', 'Sum > adds', "describe(Sum, () => { it('adds', () => {<> }) })"],
  ['a template without values', 'adds two', 'it(`adds\n  two`, () => {<> })'],
  ['a template with values', 'adds 1 and 2', 'for (const n of [1]) it(`adds ${n} and ${n + 1}`, () => {<> })\nit(`takes ${n}`, () => {})'],
  ['a title in parts', 'adds 1', "it('adds ' + 1, () => {<> })"],
  ['a table', 'adds 1 to "2"', "it.each([[1, 2]])('adds %i to \"%s\"', (a, b) => {<> })\nit('adds none', () => {})"],
  ['a table with names', 'adds 1 (first)', "test.each([{ a: { b: 1 } }])('adds $a.b (first)', ({ a }) => {<> })"],
  ['a tagged table', 'adds 1', "test.each`\n  a | b\n  ${1} | ${2}\n`('adds $a', ({ a }) => {<> })"],
  ['an exact title before a table', 'adds 7', "test.each([1])('adds %i', (n) => {})\ntest('adds 7', () => {<> })"],
  ['calls with a name in its body', 'adds', "test('adds', () => {<> app.on('adds', () => { run() }); app.get('/', (q) => q) })"],
  ['subtests of node:test', 'outer > inner', "test('outer', async (t) => { await t.test('inner', () => {<> }) })"],
  ['a title with marks', 'adds a+b (twice?)', "it('adds a+b (twice?)', () => {<> })"],
  ['types', 'adds', "test('adds', async <T extends object>(t: T = {} as T): Promise<void> => {<> const x = y satisfies Z })"],
  ['a report without the block around it', 'adds', "describe('sum', () => { it('adds', () => {<> }) })"],
  ['a block made elsewhere', 'unknown block > adds', "it('adds', () => {<> })"],
],
)

test('directives stay the first statements', () => {
  expect(
    withCanary({
      source: "it('a', () => { 'use strict'; run() })",
      file: 'a.test.js',
      test: 'a',
      text: T,
    }),
  ).toBe(`it('a', () => { 'use strict'; ${JS}; run() })`)
  expect(
    withCanary({
      source: "it('a', () => {\n'use strict'\nrun() })",
      file: 'a.test.js',
      test: 'a',
      text: T,
    }),
  ).toBe(`it('a', () => {\n'use strict'; ${JS};\nrun() })`)
})

test('a function without a block gets one', () => {
  expect(
    withCanary({
      source: "it('a', () => run({ b: 1 }).then(c))",
      file: 'a.test.mjs',
      test: 'a',
      text: T,
    }),
  ).toBe(`it('a', () => { ${JS}; return (run({ b: 1 }).then(c)) })`)
  expect(
    withCanary({
      source: "it('a', async () => (run(), 1))",
      file: 'a.test.mjs',
      test: 'a',
      text: T,
    }),
  ).toBe(`it('a', async () => { ${JS}; return ((run(), 1)) })`)
})

test('the assertions that a test uses must fail before the text is thrown', () => {
  const source =
    "it('a', () => { expect(x).toBe(1); expect(y).not.toEqual(2) })\nit('b', () => { helper() })\nit('c', () => { assert.equal(a, 1) })"
  const of = (name: string): string =>
    withCanary({ source, file: 'a.test.js', test: name, text: T })
      ?.split('\n')
      .find((line) => line.includes(T)) ?? ''
  expect(of('a')).toContain(
    `{ try { expect('a').toBe('b') } catch { try { expect('a').not.toEqual('a') } catch { ${JS} } }; expect(x)`,
  )
  expect(of('c')).toContain(`{ try { assert.equal('a', 'b') } catch { ${JS} }; assert.equal(a, 1)`)
  // Where it uses none by itself, those of its file.
  expect(of('b')).toContain(
    `{ try { expect('a').toBe('b') } catch { try { expect('a').not.toEqual('a') } catch { try { assert.equal('a', 'b') } catch { ${JS} } } }; helper()`,
  )
})

test.each([
  ['assert.notEqual(a, 1)', "assert.notEqual('a', 'a')"],
  ['assert.match(a, /x/)', "assert.match('a', /b/)"],
  ['assert.strict.deepEqual(a, b)', "assert.strict.deepEqual(['a'], ['b'])"],
  ['assert.doesNotThrow(f)', "assert.doesNotThrow(() => { throw new Error('a') })"],
  ['await assert.rejects(f)', 'assert.ok(false)'],
  ['assert(a)', 'assert(false)'],
  ['assert.isTrue(a)', 'assert.ok(false)'],
  ['expect(a).not.toBe(1)', "expect('a').not.toBe('a')"],
  ['await expect(a).resolves.toBe(1)', "expect('a').toBe('b')"],
  ['expect(f).toHaveBeenCalledTimes(2)', 'expect(() => undefined).toHaveBeenCalledTimes(1)'],
  ['expect(a).toMatchSnapshot()', "expect('a').toBe('b')"],
  ['expect(a).toBeVisible()', "expect('a').toBe('b')"],
  ['expect.soft(a).toBe(1)', "expect('a').toBe('b')"],
  ['expect(a).to.be.true', 'expect(false).to.be.true'],
  ['expect(a).to.not.be.empty', 'expect([]).to.not.be.empty'],
  ['expect(a).to.not.equal(1)', "expect('a').to.not.equal('a')"],
  ['expect(a).to.eventually.equal(1)', "expect('a').to.equal('b')"],
])('the assertion %s must fail in a form of its own', (used, form) => {
  expect(
    withCanary({
      source: `it('a', async () => { ${used} })`,
      file: 'a.test.js',
      test: 'a',
      text: T,
    }),
  ).toContain(`try { ${form} } catch { ${JS} }; ${used}`)
})

test.each(['expect.assertions(2)', 'expect.extend({})', 'expected(a).toBe(1)'])(
  '%s is no assertion',
  (call) => {
    expect(
      withCanary({ source: `it('a', () => { ${call} })`, file: 'a.test.js', test: 'a', text: T }),
    ).toBe(`it('a', () => { ${JS}; ${call} })`)
  },
)

test.each([
  ['a.test.tsx', "it('a', () => {<> render(<Button<string> kind='b'>{t}</Button>) })"],
  ['a.spec.jsx', "it('a', () => {<> render(<Button kind='b' />) })"],
  ['a.test.js', "// @flow\nit('a', () => {<> (x: number) })"],
  ['a.test.cjs', "const a = require('a')\nit('a', () => {<> })"],
  ['a.test.mts', "@decorated class A { @inject() b!: string }\nit('a', () => {<> using x = y })"],
])('reads %s correctly', (file, source) => {
  expect(withCanary({ source: source.replace('<>', ''), file, test: 'a', text: T })).toBe(
    source.replace('<>', ` ${JS};`),
  )
})

nowhere(
  'a.test.ts',
  // prettier-ignore
  [
  ['no such test', 'takes', "it('adds', () => {}); it('divides', () => {})"],
  ['a function from elsewhere', 'adds', "it('adds', adds)"],
  ['no function', 'adds', "it.todo('adds')"],
  ['a test that has to fail', 'adds', "it.fails('adds', () => { run() })"],
  ['the same in jest', 'adds', "test.failing('adds', () => { run() })"],
  ['a function that may expect an error', 'adds', "itThrows('adds', () => { run() })"],
  ['a function around it that may expect an error', 'adds', "test('adds', throwing(() => { run() }))"],
  ['a source that cannot be read', 'adds', "it('adds', () => {"],
],
)

const PY = `raise AssertionError('${T}') from None\n`
table(
  'test_a.py',
  `    ${PY}`,
  // prettier-ignore
  [
  ['a function', 'test_a', 'def test_a():\n<>    assert a\n\ndef test_ab():\n    assert b\n'],
  ['a docstring stays first', 'test_a', 'def test_a():\n    """Says\n\n    def test_b(): what."""\n<>    assert a\n'],
  ['a docstring alone', 'test_a', "def test_a():\n    'says'\n<>"],
  ['a docstring and a comment', 'test_a', "def test_a():\n    r'''says'''  # why\n<>    # how\n"],
  ['async, decorators, fixtures, types', 'test_a', '@pytest.mark.asyncio\n@pytest.mark.usefixtures("x")\nasync def test_a(db, tmp_path: Path = {"a": 1}) -> dict[str, int]:\n<>    assert a\n'],
  ['a signature of several lines', 'test_a', 'def test_a(\n    one,  # : the first\n    two="):",\n):\n\n    # A comment\n<>    assert a\n'],
  ['parametrised', 'test_a[1-b:: c]', '@pytest.mark.parametrize("a", [\n    1,\n])\ndef test_a(a):\n<>    assert a\n'],
  ['a string over several lines in front of it', 'test_a', 'TEXT = """\ndef test_a():\n    pass\n"""\ndef test_a():\n<>    assert a\n'],
  ['functions inside', 'test_a', 'def helper():\n    def test_a():\n        pass\n\n\ndef test_a():\n<>    def inner():\n        return 1\n    assert inner()\n'],
  ['an escaped line end', 'test_a', 'x = 1 + \\\n    2\ndef test_a():\n<>    assert a\n'],
],
)

table(
  'test_a.py',
  `        ${PY}`,
  // prettier-ignore
  [
  ['a method', 'TestA::test_a', 'class TestA:\n    def test_a(self):\n<>        assert a\n\nclass TestB:\n    def test_a(self):\n        assert b\n'],
  ['a class in a class', 'TestA > TestB > test_a', 'class TestA:\n    def test_a(self):\n        pass\n    class TestB:\n      def test_a(self):\n<>        assert a\n'],
  ['an inherited method', 'TestB::test_a', 'class Base:\n    def test_a(self):\n<>        assert a\n\nclass TestB(Base):\n    pass\n'],
],
)

test('bodies of one line, tabs, assertions of unittest', () => {
  const of = (source: string, name = 'test_a'): string | undefined =>
    withCanary({ source, file: 'test_a.py', test: name, text: T })
  expect(of('def test_a(): assert a == {1: 2}\n')).toBe(
    `def test_a(): raise AssertionError('${T}'); assert a == {1: 2}\n`,
  )
  expect(of('def test_a():\n\tassert a\n')).toBe(`def test_a():\n\t${PY}\tassert a\n`)
  expect(
    of(
      'class A(TestCase):\n  def test_a(self):\n    self.assertEqual(\n      1, b)\n',
      'A::test_a',
    ),
  ).toBe(
    `class A(TestCase):\n  def test_a(self):\n    try:\n     self.assertEqual(0, 1)\n    except BaseException:\n     ${PY}    self.assertEqual(\n      1, b)\n`,
  )
})

nowhere(
  'test_a.py',
  // prettier-ignore
  [
  ['no such test', 'test_b', 'def test_a():\n    pass\n'],
  ['a test that another one makes', 'test_a', 'def make():\n    def test_a():\n        pass\n    return test_a\n'],
  ['a method of several classes', 'TestC::test_a', 'class A:\n    def test_a(self): pass\nclass B:\n    def test_a(self): pass\nclass TestC(A): pass\n'],
],
)

table(
  'a_test.go',
  ` t.Fatal("${T}");`,
  // prettier-ignore
  [
  ['a function', 'TestA', 'package a\n\nfunc TestA(t *testing.T) {<>\n\tif a() {\n\t\tt.Fatal("a")\n\t}\n}\n\nfunc TestAB(t *testing.T) {\n}\n'],
  ['a body of one line', 'TestA', 'func TestA(t *testing.T) {<> t.Parallel() }\n'],
  ['subtests', 'TestA > one/two', 'func TestA(t *testing.T) {<>\n\tt.Run("one/two", func(t *testing.T) {})\n}\n'],
  ['a signature of several lines', 'TestA', 'func TestA(\n\tt *testing.T,\n) {<>\n}\n'],
],
)
table('a_test.go', ` tt.Fatal("${T}");`, [
  ['a parameter of another name', 'TestA', 'func TestA(tt *testing.T) {<> }\n'],
  ['a fuzz test', 'FuzzA > seed#0', 'func FuzzA(tt *testing.F) {<> }\n'],
])
nowhere('a_test.go', [
  ['no name for testing.T', 'TestA', 'func TestA(_ *testing.T) {}\n'],
  ['an example', 'ExampleA', 'func ExampleA() {}\n'],
  ['a method of a suite', 'TestSuite', 'func (s *Suite) TestSuite() {}\n'],
  ['twice', 'TestA', 'func TestA(t *testing.T) {}\nvar s = `\nfunc TestA(t *testing.T) {\n`\n'],
])

table(
  'src/lib.rs',
  ` if true { panic!("${T}"); }`,
  // prettier-ignore
  [
  ['a function', 'tests::adds', 'mod tests {\n    #[test]\n    fn adds() {<>\n        assert!(a);\n    }\n    #[test]\n    fn adds_two() {}\n}\n'],
  ['async, with other attributes', 'adds', '#[tokio::test(flavor = "multi_thread")]\n#[ignore = "slow"]\n// Why\nasync fn adds() {<> }\n'],
  ['a result', 'adds', '#[test]\npub(crate) fn adds() -> Result<(), Box<dyn Error>> {<> Ok(()) }\n'],
],
)
nowhere('src/lib.rs', [
  ['no test', 'adds', 'fn adds() {}\n#[test]\nfn takes() {}\n'],
  ['twice', 'adds', 'mod a {\n#[test]\nfn adds() {} }\nmod b {\n#[test]\nfn adds() {} }\n'],
])

test('languages by name', () => {
  expect(
    ['a.test.ts', 'a.cjs', 'a.tsx', 'a.py', 'a_test.go', 'a.go', 'a.rs', 'a.rb', 'a.d'].map(
      languageOf,
    ),
  ).toEqual([
    'javascript',
    'javascript',
    'javascript',
    'python',
    'go',
    undefined,
    'rust',
    undefined,
    undefined,
  ])
})
