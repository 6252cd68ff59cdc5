// Reports of runners: the two of node:test are from node itself (20.20), the others imitate their
// format.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../../../src/adapters/test-runners/reports/report.js'
import { parseJUnit } from '../../../src/adapters/test-runners/reports/junit.js'

const read = (name: string): Report =>
  parseJUnit(
    readFileSync(path.join(import.meta.dirname, 'fixtures', `${name}.xml`), 'utf8'),
    name,
    '/project',
  )
const names = ({ tests }: Report) => tests.map((t) => `${t.file} | ${t.test} | ${t.status}`).sort()

test.each<[string, string[]]>([
  [
    'node-test',
    [
      '(no file) | empty suite | passed',
      '(no file) | later | skipped',
      '(no file) | only suite > x | passed',
      '(no file) | outer > after inner | passed',
      '(no file) | outer > in outer | passed',
      '(no file) | outer > inner > in inner | passed',
      '(no file) | outer > inner > inner fails | failed',
      '(no file) | runtime skip | skipped',
      '(no file) | same name (2) | passed',
      '(no file) | same name | passed',
      '(no file) | skipped | skipped',
      '(no file) | todo failing | skipped',
      '(no file) | top fails | failed',
      '(no file) | top passes | passed',
      '(no file) | with subtests > sub one | passed',
      '(no file) | with subtests > sub two | failed',
    ],
  ],
  [
    'go-junit-report',
    [
      'example.com/calc/add | TestAdd | failed',
      'example.com/calc/add | TestAdd/negative | failed',
      'example.com/calc/add | TestAdd/zero | passed',
      'example.com/calc/add | TestSlow | skipped',
      'example.com/calc/sub | TestAdd | passed',
    ],
  ],
  [
    'jest-junit',
    [
      '(no file) | top level | passed',
      'cart | cart adds items | passed',
      'cart | cart later | skipped',
      'cart | cart with a voucher subtracts it | failed',
    ],
  ],
  [
    'mocha-junit-reporter',
    [
      'test/cart.spec.js | cart adds | passed',
      'test/cart.spec.js | cart subtracts | failed',
      'test/cart.spec.js | top level | passed',
      'with a voucher | cart with a voucher later | skipped',
    ],
  ],
  [
    'surefire-CartTest',
    [
      'com.acme.CartTest | adds | passed',
      'com.acme.CartTest | later | skipped',
      'com.acme.CartTest | loads | failed',
      'com.acme.CartTest | subtracts(int, int)[1] | failed',
    ],
  ],
  [
    'surefire-OrderTest',
    ['com.acme.OrderTest | com.acme.OrderTest | failed', 'com.acme.OrderTest | retried | flaky'],
  ],
  [
    'phpunit',
    [
      'tests/CartTest.php | App.Tests.CartTest > testAdds | passed',
      'tests/CartTest.php | App.Tests.CartTest > testLater | skipped',
      'tests/CartTest.php | App.Tests.CartTest > testSubtracts with data set "plain" | passed',
      'tests/CartTest.php | App.Tests.CartTest > testSubtracts with data set "voucher" | failed',
    ],
  ],
])('%s: every test at any depth, with its file where one is named', (report, expected) => {
  expect(names(read(report))).toEqual(expected)
  expect(read(report).unloaded).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { report: 'node-test-unloaded', passed: ['(no file) | hook > x | failed', '(no file) | ok | passed', '(no file) | passing with subtests > y > z | passed'], unloaded: ['broken.test.js: test failed', 'd.test.js: test failed'] },
  { report: 'go-junit-report-unloaded', passed: ['example.com/calc/sub | TestSub | passed'], unloaded: ['example.com/calc/mul: Build error'] },
  { report: 'jest-junit-unloaded', passed: ['src/cart.test.js | cart adds | passed'], unloaded: ['(no file): the report only says that the suite had an error', "src/order.test.js: Cannot find module './gone' from 'src/order.test.js'"] },
],
)('$report: a file that could not be loaded is no test', ({ report, passed, unloaded }) => {
  expect(names(read(report))).toEqual(passed)
  expect(
    read(report).unloaded.map(({ file, error }) => `${file}: ${error.split('\n', 1)[0]}`),
  ).toEqual(unloaded)
})

test('node: where a file without tests passes, each such file is a test', () => {
  const cases = (failing: string) =>
    `<testsuites><testcase name="/project/a.js" classname="test"/><testcase name="/project/sub/b.js" classname="test">${failing}</testcase></testsuites>`
  expect(names(parseJUnit(cases('<failure message="test failed"/>'), 'r', '/project'))).toEqual([
    'a.js | a.js | passed',
    'sub/b.js | sub/b.js | failed',
  ])
})

test('node from version 22: the file that a test names is its file', () => {
  const text =
    '<testsuites><testcase name="x" classname="test" file="/project/a.test.js"/><testsuite name="s"><testcase name="x" classname="test" file="/project/b.test.js"/></testsuite></testsuites>'
  expect(names(parseJUnit(text, 'r', '/project'))).toEqual([
    'a.test.js | x | passed',
    'b.test.js | s > x | passed',
  ])
})

test('names longer than 300 characters are cut, and stay apart', () => {
  const long = 'n'.repeat(5_000)
  const { tests } = parseJUnit(
    `<testsuite name="a.js"><testcase name="${long}1"/><testcase name="${long}2"/><testcase name="${long}1"/></testsuite>`,
    'r',
    '/project',
  )
  expect(tests.every((t) => t.test.length <= 304)).toBe(true)
  expect(new Set(tests.map((t) => t.test)).size).toBe(3)
})
