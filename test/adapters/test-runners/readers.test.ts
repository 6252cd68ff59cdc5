// Reports of real runners: jest 30.5, vitest 4.1, mocha 12.0, node 20.20 and go 1.26, on small
// projects whose root is called /project here. nextest.xml and ctrf.json follow their
// documentation.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  FORMATS,
  readReport,
  type ReportFormat,
} from '../../../src/adapters/test-runners/reports/read-report.js'
import {
  BrokenReportError,
  type Report,
} from '../../../src/adapters/test-runners/reports/report.js'
import { makeProject, removeProject, writeFiles } from '../../support/repositories/test-projects.js'

let project = ''
afterEach(() => {
  if (project !== '') removeProject(project)
  project = ''
})

const fixture = (name: string) => path.join(import.meta.dirname, 'fixtures', name)
const text = (name: string) => readFileSync(fixture(name), 'utf8')
const names = ({ tests }: Report) => tests.map((t) => `${t.file} | ${t.test} | ${t.status}`).sort()
const unloaded = (report: Report) =>
  report.unloaded.map(({ file, error }) => `${file}: ${error.split('\n', 1)[0]}`)
const parse = (format: ReportFormat, of: string, cwd = '/project') =>
  FORMATS[format].parse(of, 'report', cwd)

const JEST = [
  'cart.test.js | cart > with a voucher > adds | passed',
  'cart.test.js | cart > with a voucher > subtracts | failed',
  'cart.test.js | each (2) | passed',
  'cart.test.js | each | passed',
  'cart.test.js | later | skipped',
  'cart.test.js | skipped | skipped',
  'cart.test.js | top level | passed',
  'cart.test.js | twice (2) | failed',
  'cart.test.js | twice | passed',
  'end.test.js | end.test.js | failed',
  'end.test.js | in time | passed',
]
const MOCHA = [
  'test/b.spec.js | in b | passed',
  'test/cart.spec.js | aft > a1 | passed',
  'test/cart.spec.js | aft | failed',
  'test/cart.spec.js | eachy > e1 | passed',
  'test/cart.spec.js | eachy | failed',
  'test/cart.spec.js | late | passed',
  'test/cart.spec.js | pending | skipped',
  'test/cart.spec.js | ret > flaky | flaky',
  'test/cart.spec.js | runtime skip | skipped',
  'test/cart.spec.js | same (2) | failed',
  'test/cart.spec.js | same | passed',
  'test/cart.spec.js | skipped | skipped',
  'test/cart.spec.js | slow | failed',
  'test/cart.spec.js | top | passed',
]
const NODE = [
  'aft > a1 | passed',
  'aft | failed',
  'each > e1 | failed',
  'early | failed',
  'outer > inner > x | passed',
  'outer > inner > y | failed',
  'outer > z | passed',
  'own > s1 | passed',
  'own | failed',
  'same (2) | failed',
  'same | passed',
  'skipped | skipped',
  'todo failing | skipped',
  'top | passed',
  'with subs > s1 | passed',
  'with subs > s2 | failed',
]

test.each<{ why: string; format: ReportFormat; file: string; tests: string[]; unloaded: string[] }>(
  [
    {
      why: 'each name once, retries flaky, hooks at the end of a file',
      format: 'jest',
      file: 'jest.json',
      tests: [...JEST, 'retried.test.js | flaky | flaky'],
      unloaded: ["order.test.js: Cannot find module './gone' from 'order.test.js'"],
    },
    {
      why: 'the same shape',
      format: 'vitest',
      file: 'vitest.json',
      tests: JEST,
      unloaded: [
        "order.test.js: Cannot find module './gone.js' imported from /project/order.test.js",
      ],
    },
    {
      why: "mocha's own: a suite whose set-up failed was not measured",
      format: 'mocha',
      file: 'mocha.json',
      tests: [
        ...MOCHA,
        'test/cart.spec.js | outer inner > x | passed',
        'test/cart.spec.js | outer inner > y | failed',
      ],
      unloaded: ['test/cart.spec.js: "before all" hook for "h1": Error: ba'],
    },
    {
      why: 'ours: the tests that a failed hook kept from running are skipped',
      format: 'mocha',
      file: 'mocha-own.json',
      unloaded: [],
      tests: [
        ...MOCHA,
        'test/cart.spec.js | eachy > e2 | skipped',
        'test/cart.spec.js | eachy > e3 | skipped',
        'test/cart.spec.js | hooked > deep > h2 | skipped',
        'test/cart.spec.js | hooked > h1 | skipped',
        'test/cart.spec.js | hooked | failed',
        'test/cart.spec.js | outer > inner > x | passed',
        'test/cart.spec.js | outer > inner > y | failed',
      ],
    },
    {
      why: 'leaves count, a parent only for a failure of its own',
      format: 'node',
      file: 'node-events.jsonl',
      tests: [...NODE, 'hooked > h1 | skipped', 'hooked > h2 | skipped', 'hooked | failed']
        .map((name) => `a.test.mjs | ${name}`)
        .concat('sub/late.test.mjs | ok | passed', 'sub/late.test.mjs | slow | passed'),
      unloaded: [
        "broken.test.mjs: Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/project/nope.mjs' imported from /project/broken.test.mjs",
        'sub/late.test.mjs: Error: A resource generated asynchronous activity after the test ended. This activity created the error "Error: late" which triggered an uncaughtException event, caught by the test runner.',
      ],
    },
    {
      why: "node's TAP names no files but those that went wrong as a whole",
      format: 'tap',
      file: 'node.tap',
      unloaded: ['broken.test.mjs: test failed', 'sub/late.test.mjs: test failed'],
      tests: [
        ...NODE,
        'empty | passed',
        'hooked > h1 | failed',
        'hooked > h2 | failed',
        'ok | passed',
        'slow | passed',
      ].map((name) => `(no file) | ${name}`),
    },
    {
      why: 'packages, where the sources are not there',
      format: 'go',
      file: 'go.jsonl',
      unloaded: [],
      tests: [
        'calc | TestRoot | passed',
        ...[
          'ExampleAdd | failed',
          'FuzzX > seed#0 | failed',
          'TestAdd > a/b > in | passed',
          'TestAdd > neg_ative | failed',
          'TestAdd > neg_ative#01 | passed',
          'TestAdd > zero | passed',
          'TestOwn > ok | passed',
          'TestOwn | failed',
          'TestPar | passed',
          'TestPrints | passed',
          'TestSlow | skipped',
        ].map((name) => `calc/add | ${name}`),
      ].map((name) => `example.com/${name}`),
    },
    {
      why: 'a package that panicked, left early or did not build was not measured',
      format: 'go',
      file: 'go-unloaded.jsonl',
      tests: ['example.com/calc | TestRoot | passed'],
      unloaded: [
        'example.com/calc/boom: panic: assignment to entry in nil map [recovered, repanicked]',
        'example.com/calc/lone: its tests ended before they were done',
        'example.com/calc/mul: mul/mul_test.go:3:30: undefined: undefinedThing',
      ],
    },
    {
      why: 'suites as a text or a list, with and without the file',
      format: 'ctrf',
      file: 'ctrf.json',
      unloaded: [],
      tests: [
        '(no file) | else | skipped',
        '(no file) | later | skipped',
        '(no file) | skipped | skipped',
        'cart.test.js | cart > adds | passed',
        'cart.test.js | cart > with a voucher > subtracts | failed',
        'cart.test.js | cart adds | flaky',
        'cart.test.js | top level | passed',
      ],
    },
    {
      why: 'flaky by its own retries',
      format: 'junit',
      file: 'nextest.xml',
      unloaded: [],
      tests: [
        'calc | tests::adds | passed',
        'calc | tests::overflows | failed',
        'calc | tests::races | flaky',
        'calc::it | aborts | failed',
        'calc::it | adds | passed',
        'calc::it | tests::adds | passed',
      ],
    },
  ],
)('$file as $format: $why', ({ format, file, tests, unloaded: notLoaded }) => {
  const report = readReport(fixture(file), format, '/project')
  expect(names(report)).toEqual([...tests].sort())
  expect(unloaded(report).sort()).toEqual([...notLoaded].sort())
  expect(report.tests.filter((t) => t.status === 'failed' && t.error === undefined)).toEqual([])
})

test.each<{ format: ReportFormat; file: string }>([
  { format: 'jest', file: 'jest.json' },
  { format: 'vitest', file: 'vitest.json' },
  { format: 'mocha', file: 'mocha.json' },
  { format: 'node', file: 'node-events.jsonl' },
  { format: 'go', file: 'go.jsonl' },
  { format: 'ctrf', file: 'ctrf.json' },
  { format: 'tap', file: 'node.tap' },
  { format: 'junit', file: 'nextest.xml' },
])(
  '$format: a truncated or empty report, or one of another format, is a BrokenReport',
  ({ format, file }) => {
    project = makeProject({})
    const whole = text(file)
    const broken = {
      cut: whole.slice(0, whole.length / 2),
      empty: ' \n',
      another: format === 'junit' ? text('jest.json') : text('nextest.xml'),
      list: '[]',
      words: 'FAIL cart.test.js\n',
    }
    writeFiles(project, broken)
    for (const name of Object.keys(broken))
      expect(() => readReport(path.join(project, name), format, '/project'), name).toThrow(
        BrokenReportError,
      )
  },
)

describe('contradictions in a report', () => {
  const test1 = (status: string) => ({ title: 'a', ancestorTitles: [], status })
  test.each(
    // prettier-ignore
    [
    ['jest that was interrupted', 'jest', { wasInterrupted: true, testResults: [{ name: '/project/a.js', status: 'passed', message: '', assertionResults: [test1('passed')] }] }],
    ['CTRF whose summary counts more failures than it lists', 'ctrf', { results: { summary: { tests: 1, failed: 1 }, tests: [{ name: 'a', status: 'passed', duration: 0 }] } }],
    ['CTRF whose summary counts more tests than it lists', 'ctrf', { results: { summary: { tests: 2, failed: 0 }, tests: [{ name: 'a', status: 'passed', duration: 0 }] } }],
    ['mocha whose failures are none of its tests', 'mocha', { stats: { tests: 1 }, tests: [{ title: 'a', fullTitle: 'a', err: {} }], passes: [], pending: [], failures: [{ title: 'a', fullTitle: 'a', err: {} }] }],
  ] as const,
  )('%s is not believed', (_why, format, report) =>
    expect(() => parse(format, JSON.stringify(report))).toThrow(BrokenReportError),
  )

  test.each([
    ['no plan', 'TAP version 14\nok 1 - a\n'],
    ['fewer points than planned', 'TAP version 14\n1..2\nok 1 - a\n'],
    ['a bail out', 'TAP version 14\n1..2\nok 1 - a\nBail out! no database\n'],
    ['no TAP at all', 'hello\n'],
  ])('TAP with %s is not believed', (_why, stream) =>
    expect(() => parse('tap', stream)).toThrow(BrokenReportError),
  )

  const tapOf = (depth: number): string =>
    `TAP version 14\n${Array.from({ length: depth }, (_, n) => `${'    '.repeat(n)}# Subtest: ${n}\n`).join('')}${'    '.repeat(depth)}ok 1 - a\n${Array.from(
      { length: depth + 1 },
      (_, n) => depth - n,
    )
      .map((n) => `${n < depth ? `${'    '.repeat(n)}ok 1 - ${n}\n` : ''}${'    '.repeat(n)}1..1\n`)
      .join('')}`
  test('TAP with 2,000 nested subtests is a BrokenReport; with 60 it is read', () => {
    expect(() => parse('tap', tapOf(2_000))).toThrow(BrokenReportError)
    expect(parse('tap', tapOf(60)).tests).toMatchObject([{ status: 'passed' }])
  })
  test('a report of JSON that is nested deeper than 64 levels is a BrokenReport', () => {
    const jest = (deep: number) =>
      `{"testResults":[{"name":"/project/a.js","status":"passed","message":"","assertionResults":[{"title":"a","ancestorTitles":[],"status":"passed","x":${'['.repeat(deep)}${']'.repeat(deep)}}]}]}`
    expect(() => parse('jest', jest(61))).toThrow(BrokenReportError)
    expect(parse('jest', jest(50)).tests).toHaveLength(1)
  })

  test('TAP that skips all has no tests', () =>
    expect(parse('tap', 'TAP version 14\n1..0 # SKIP nothing here\n').tests).toEqual([]))

  test('TAP of node-tap: a file is a subtest, and one that crashed was not measured', () => {
    project = makeProject({ 'test/a.js': '', 'test/b.js': '' })
    const stream =
      'TAP version 14\n# Subtest: test/a.js\n    # Subtest: adds\n        ok 1 - should be equal\n        not ok 2 - should match\n          ---\n          found: 1\n          ...\n        1..2\n    not ok 1 - adds # time=3ms\n    ok 2 - later # TODO\n    1..2\nnot ok 1 - test/a.js # time=9ms\nnot ok 2 - test/b.js\n  ---\n  exitCode: 1\n  ...\n1..2\n'
    const report = parse('tap', stream, project)
    expect(names(report)).toEqual([
      'test/a.js | adds > should be equal | passed',
      'test/a.js | adds > should match | failed',
      'test/a.js | later | skipped',
    ])
    expect(unloaded(report)).toEqual(['test/b.js: exitCode: 1'])
  })

  test('TAP of scripts: each file is a test', () => {
    project = makeProject({ 't/a.t': '' })
    expect(names(parse('tap', 'ok 1 - t/a.t\nnot ok 2 - t/b.t\n1..2\n', project))).toEqual([
      '(no file) | t/b.t | failed',
      't/a.t | t/a.t | passed',
    ])
  })

  test('go: a package that ended within a test is incomplete, and lines between the events are ignored', () => {
    const start =
      '{"Action":"start","Package":"x"}\n{"Action":"run","Package":"x","Test":"TestA"}\n'
    const pass =
      '{"Action":"pass","Package":"x","Test":"TestA"}\nwarning: on stderr\n{"Action":"output","Package":"x","Output":"PASS\\n"}\n{"Action":"pass","Package":"x"}\n'
    expect(() => parse('go', start)).toThrow(/it ends within the package x/)
    expect(names(parse('go', start + pass))).toEqual(['x | TestA | passed'])
  })

  test('go: a package that failed without a failing test was not measured', () => {
    const stream =
      '{"Action":"pass","Package":"x","Test":"TestA"}\n{"Action":"output","Package":"x","Output":"PASS\\n"}\n{"Action":"output","Package":"x","Output":"leaked 3 goroutines\\n"}\n{"Action":"fail","Package":"x"}\n'
    expect(unloaded(parse('go', stream))).toEqual(['x: it failed, though none of its tests did'])
  })

  test('go before 1.24 reports a build on its error output', () => {
    const stream =
      '# x\n./x_test.go:3:30: undefined: y\n{"Action":"output","Package":"x","Output":"FAIL\\tx [build failed]\\n"}\n{"Action":"fail","Package":"x"}\n'
    expect(unloaded(parse('go', stream))).toEqual(['x: ./x_test.go:3:30: undefined: y'])
  })

  test('node from version 22 names a file as given, and an unloadable one without tests is no failing test', () => {
    const line = (type: string, more: object) => JSON.stringify({ type, nesting: 0, ...more })
    const script = line('test:pass', { name: 'test/helper.js', file: '/project/test/helper.js' })
    const failing = (message: string) =>
      [
        line('test:stderr', { file: '/project/test/b.js', message }),
        script,
        line('test:fail', { name: 'test/b.js', file: '/project/test/b.js', error: 'test failed' }),
        line('end', {}),
      ].join('\n')
    expect(
      unloaded(
        parse('node', failing("Error: Cannot find module './x'\n  code: 'MODULE_NOT_FOUND'\n")),
      ),
    ).toEqual(["test/b.js: Error: Cannot find module './x'"])
    expect(names(parse('node', failing('AssertionError [ERR_ASSERTION]: 1 == 2\n')))).toEqual([
      'test/b.js | test/b.js | failed',
      'test/helper.js | test/helper.js | passed',
    ])
  })

  test('node: a report that ends before the run is incomplete', () => {
    expect(() =>
      parse('node', text('node-events.jsonl').split('\n').slice(0, 20).join('\n')),
    ).toThrow(/in the middle of the run/)
  })

  test('a file of Go is found by its function, also with a module above the project', () => {
    project = makeProject({
      'go.mod': 'module example.com/calc\n',
      'add/add_test.go': 'package add\nfunc TestSlow(t *testing.T) {\n',
      'add/more_test.go': 'package add_test\n\nfunc  TestPar(t *testing.T) {}\n',
    })
    mkdirSync(path.join(project, 'none'))
    const files = (cwd: string) =>
      Object.fromEntries(parse('go', text('go.jsonl'), cwd).tests.map((t) => [t.test, t.file]))
    expect(files(project)).toMatchObject({
      TestSlow: 'add/add_test.go',
      TestPar: 'add/more_test.go',
      TestPrints: 'example.com/calc/add',
    })
    expect(files(path.join(project, 'add'))).toMatchObject({ TestSlow: 'add_test.go' })
  })
})
