import { afterEach, describe, expect, test } from 'vitest'
import { parseJUnit } from '../../../../src/adapters/test-runners/reports/junit.js'
import { BrokenReportError } from '../../../../src/adapters/test-runners/reports/report.js'
import { makeProject, removeProject } from '../../../support/repositories/test-projects.js'

const read = (text: string, cwd = '/nowhere') => parseJUnit(text, 'r.xml', cwd)
const names = (text: string, cwd?: string) =>
  read(text, cwd).tests.map((t) => `${t.file} | ${t.test} | ${t.status}`)
let dir = ''
afterEach(() => {
  if (dir !== '') removeProject(dir)
})

describe('dialects', () => {
  test('one suite without <testsuites>, and suites in suites', () => {
    expect(names('<testsuite name="a.js"><testcase name="x"/></testsuite>')).toEqual([
      'a.js | x | passed',
    ])
    expect(
      names(
        '<testsuites><testsuite name="a.js"><testsuite name="b.js"><testcase name="y"/></testsuite><testcase name="x"/></testsuite></testsuites>',
      ).sort(),
    ).toEqual(['a.js | x | passed', 'b.js | y | passed'])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'jest-junit', text: '<testsuites name="jest tests"><testsuite name="sum"><testcase classname="sum adds" name="sum adds" file="src/sum.test.js"/></testsuite></testsuites>', want: 'src/sum.test.js | sum adds | passed' },
    { why: 'surefire', text: '<testsuite name="org.X"><testcase classname="org.X" name="adds"/></testsuite>', want: 'org.X | adds | passed' },
    { why: 'mocha-junit', text: '<testsuites><testsuite name="Root" file="/nowhere/t/a.js"><testcase classname="adds" name="sum adds"/></testsuite></testsuites>', want: 't/a.js | sum adds | passed' },
    { why: 'windows paths', text: '<testsuites><testsuite name="t\\a.js"><testcase name="x"/></testsuite></testsuites>', want: 't/a.js | x | passed' },
  ],
  )('$why', ({ text, want }) => expect(names(text)).toEqual([want]))

  test.each(
    // prettier-ignore
    [
    { why: 'a test of ctest that could not run has failed', text: '<testcase classname="t" name="t" status="notrun"><skipped message="Unable to find executable"/></testcase>', want: 'failed' },
    { why: 'one that said it is skipped is', text: '<testcase classname="t" name="t" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>', want: 'skipped' },
    { why: 'and one that is disabled', text: '<testcase classname="t" name="t" status="disabled"><skipped message="Disabled"/></testcase>', want: 'skipped' },
    { why: 'a disabled test of googletest', text: '<testcase classname="t" name="t" status="notrun" result="suppressed"/>', want: 'skipped' },
  ],
  )('$why', ({ text, want }) =>
    expect(read(`<testsuite name="c">${text}</testsuite>`).tests.map((one) => one.status)).toEqual([
      want,
    ]),
  )

  test('a report of pytest stopped within a test is incomplete', () => {
    expect(() =>
      read(
        '<testsuites name="pytest tests"><testsuite name="pytest"><testcase classname="a" name="x"><failure/></testcase><testcase time="0.1"/></testsuite></testsuites>',
      ),
    ).toThrow(BrokenReportError)
  })

  test('pytest in its default family, without file names', () => {
    dir = makeProject({ 'sub/test_b.py': '' })
    expect(
      names(
        '<testsuites><testsuite name="pytest"><testcase classname="sub.test_b.TestC" name="test_x[a.b]"/></testsuite></testsuites>',
        dir,
      ),
    ).toEqual(['sub/test_b.py | TestC::test_x[a.b] | passed'])
  })
})

describe('texts', () => {
  test('entities, character references, CDATA and colours', () => {
    const [one] = read(
      '<testsuite name="a.js"><testcase name="&lt;a&gt; &amp;lt; &#228;&#x1F600;"><failure message="m&#10;n">x <![CDATA[<b> &amp; ]]></failure></testcase></testsuite>',
    ).tests
    expect(one).toMatchObject({ test: '<a> &lt; ä😀', error: 'm\nn\nx <b> &amp;' })
    expect(
      read(
        '<testsuite name="a.js"><testcase name="x"><error>\u001b[31mred\u001b[0m</error></testcase></testsuite>',
      ).tests[0],
    ).toMatchObject({ status: 'failed', error: 'red' })
  })
  test('an error is kept up to 4,000 characters', () => {
    const error = read(
      `<testsuite name="a.js"><testcase name="x"><failure message="${'m'.repeat(9000)}"/></testcase></testsuite>`,
    ).tests[0]?.error
    expect(error).toHaveLength(4000)
  })
  test('twenty thousand tests with entities are read', () => {
    const cases = Array.from(
      { length: 20_000 },
      (_, n) => `<testcase name="a &lt; &amp; ${n}" time="0.001"/>`,
    ).join('')
    const { tests } = read(`<testsuites><testsuite name="a.js">${cases}</testsuite></testsuites>`)
    expect([tests.length, tests[19_999]]).toEqual([
      20_000,
      { file: 'a.js', test: 'a < & 19999', status: 'passed', durationMs: 1 },
    ])
  })
  test('a document type cannot make a name large', () => {
    const bomb = `<!DOCTYPE t [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]><testsuite name="a.js"><testcase name="&b;"/></testsuite>`
    expect(names(bomb)).toEqual(['a.js | &b; | passed'])
  })
})

test.each([
  { why: 'empty', text: '' },
  { why: 'no XML', text: 'PASS 3 tests' },
  { why: 'cut off in a tag', text: '<testsuites><testsuite name="a"><testcase na' },
  { why: 'cut off between tags', text: '<testsuites><testsuite name="a"><testcase name="x"/>' },
  { why: 'XML of something else', text: '<coverage/>' },
  { why: 'nested without end', text: '<testsuite>'.repeat(5000) + '</testsuite>'.repeat(5000) },
])('a report that cannot be read is a BrokenReport: $why', ({ text }) =>
  expect(() => read(text)).toThrow(BrokenReportError),
)

test('a report with an empty <testsuites> has no tests', () =>
  expect(read('<?xml version="1.0"?>\n<testsuites>\n</testsuites>\n')).toEqual({
    tests: [],
    unloaded: [],
    failures: 0,
  }))
