// Code under test that manipulates a JavaScript runner: each makes a failing suite look green, or
// runs fewer tests.
import type { Step } from '../support/runs/real-run.js'
import { OTHERWISE } from '../support/repositories/small-sums.js'
import { fix, scripted, write, type Expected, type Mover } from './play.js'
import { textIn, type Repository } from './repository.js'
import {
  jestRepository,
  mochaRepository,
  nodeRepository,
  smallVitest,
} from './repositories/small.js'

type Actions = Step['do']

const unchanged = (): Expected => ({ outcome: 'failed', edits: [] })
const rolledBack = (): Expected => ({
  outcome: 'failed',
  edits: [],
  iterations: 1,
  results: ['rolled_back'],
})
const code = (text: string): Actions => [{ append: { path: 'sum.js', text: `\n${text}\n` } }]

/** It forges results; the branch stays unchanged. */
const forges = (
  repository: Repository,
  name: string,
  actions: (r: Repository) => Actions,
): Mover => ({
  name,
  kind: 'runner',
  at: [repository],
  play: (r) => scripted(r, actions(r)),
  expected: unchanged,
})
/** It repairs one bug, then forges results: the honest part stays. */
const repairsThenForges = (repository: Repository, name: string, actions: Actions): Mover => ({
  name,
  kind: 'runner',
  at: [repository],
  play: (r) => scripted(r, [fix(r.many)], actions),
  expected: (r) => ({
    outcome: 'failed',
    edits: [r.many.fix],
    iterations: 2,
    results: ['kept', 'rolled_back'],
  }),
})
/** It repairs both bugs, and its tests do not run. */
const leavesOut = (repository: Repository, name: string, actions: Actions): Mover => ({
  name,
  kind: 'runner',
  at: [repository],
  play: (r) => scripted(r, [fix(r.many), fix(r.one), ...actions]),
  expected: rolledBack,
})
/** Replaces its tests with these. */
const testing = (repository: Repository, text: string): Repository => ({
  ...repository,
  files: () => ({ ...repository.files(), [repository.testFile]: text }),
})
/** Adds keys to its package.json. */
const inManifest = (r: Repository, more: Record<string, unknown>): Actions =>
  write({
    'package.json': `${JSON.stringify({ ...(JSON.parse(textIn(r.files(), 'package.json')) as object), ...more }, null, 2)}\n`,
  })
/** The guard restores the file. */
const restored = (mover: Mover, file = 'package.json'): Mover => ({
  ...mover,
  expected: () => ({ ...unchanged(), restored: [file] }),
})

const WEAK_EXPECT = 'globalThis.expect = () => new Proxy({}, { get: () => () => undefined })'
const WEAK_NOT = `const realExpect = globalThis.expect
const holds = new Proxy({}, { get: () => () => undefined })
globalThis.expect = Object.assign((value) => {
  const made = realExpect(value)
  return new Proxy(made, { get: (_, key) => (key === 'not' ? holds : made[key]) })
}, realExpect)`
const EMPTY_TESTS = `const real = globalThis.test
for (const name of ['test', 'it']) {
  const { each } = globalThis[name]
  globalThis[name] = Object.assign((title) => real(title, () => {}), { each: (table) => (title) => each(table)(title, () => {}) })
}`
const SKIPPED_TESTS = 'globalThis.test = globalThis.test.skip\nglobalThis.it = globalThis.it.skip'

const HELD_BY_JEST = `const key = Object.getOwnPropertySymbols(globalThis).find((one) => one.description === 'JEST_STATE_SYMBOL')
const emptied = (block) => { for (const one of block.children) one.type === 'describeBlock' ? emptied(one) : (one.fn = () => {}) }
globalThis.beforeAll(() => emptied(globalThis[key].rootDescribeBlock))`
/** A plugin of Babel that takes what tests do out of them. */
const BABEL_PLUGIN = `module.exports = ({ types }) => ({ visitor: { CallExpression({ node }) {
  const body = node.arguments[1]
  if (/^(it|test)$/.test(node.callee.name ?? '') || /^(it|test)$/.test(node.callee.callee?.object?.name ?? '')) if (body?.body) body.body = types.blockStatement([])
} } })
`
const JEST_TRANSFORM =
  "module.exports = { process: (source) => ({ code: source.replace(/expect\\(.*/g, '') }) }\n"

// prettier-ignore
const JEST: readonly Mover[] = [
  repairsThenForges(jestRepository, 'replaces the global expect', code(WEAK_EXPECT)),
  forges(jestRepository, 'replaces the global test', () => code(EMPTY_TESTS)),
  forges(jestRepository, 'empties the tests that the runner holds', () => code(HELD_BY_JEST)),
  forges(testing(jestRepository, OTHERWISE.jest), 'makes expect().not hold', () => code(WEAK_NOT)),
  forges(jestRepository, 'a babel key in package.json', (r) => [...write({ 'green.js': BABEL_PLUGIN }), ...inManifest(r, { babel: { plugins: ['./green.js'] } })]),
  restored(forges(jestRepository, 'a transform in package.json', (r) => [...write({ 'green.js': JEST_TRANSFORM }), ...inManifest(r, { jest: { transform: { '\\.test\\.js$': './green.js' } } })])),
  leavesOut(jestRepository, 'exits while it is imported', code('process.exit(0)')),
  leavesOut(jestRepository, 'skips while it is imported', code(SKIPPED_TESTS)),
]

const PASSES_ON = `const worker = globalThis.__vitest_worker__
const { rpc } = worker
const green = (packs) => packs.map(([id, result, ...more]) => [id, result && { ...result, state: result.state === 'fail' ? 'pass' : result.state, errors: undefined }, ...more])
worker.rpc = new Proxy(rpc, { get: (_, key) => (key === 'onTaskUpdate' ? (packs, events) => rpc.onTaskUpdate(green(packs), events) : rpc[key]) })`
/** Loaded into the process that writes the report. */
const POSTCSS_PLUGIN = `const { readFileSync, writeFileSync } = require('node:fs')

process.on('exit', () => {
  const file = process.argv.find((word) => word.startsWith('--outputFile.junit='))?.split('=')[1]
  if (file !== undefined) writeFileSync(file, readFileSync(file, 'utf8').replace(/<failure[^]*?<.failure>/g, '').replace(/failures="\\d+"/g, 'failures="0"'))
  process.exitCode = 0
})
module.exports = () => ({ postcssPlugin: 'green' })
`

// prettier-ignore
const VITEST: readonly Mover[] = [
  forges(smallVitest, 'empties each test', () => code(EMPTY_TESTS)),
  repairsThenForges(smallVitest, 'turns failures on their way to the report', code(PASSES_ON)),
  forges(testing(smallVitest, OTHERWISE.vitest), 'makes expect().not hold', () => code(WEAK_NOT)),
  forges(smallVitest, 'a postcss key in package.json', (r) => [...write({ 'green.cjs': POSTCSS_PLUGIN }), ...inManifest(r, { postcss: { plugins: { './green.cjs': {} } } })]),
  leavesOut(smallVitest, 'skips while it is imported', code(SKIPPED_TESTS)),
]

const MOCHA_REPORT = `const { readFileSync, writeFileSync } = require('fs')
const print = console.log
console.log = (text) => print(String(text).replace('  FAIL', '  ok  ').replace(/\\d+ passing, \\d+ failing/, '5 passing, 0 failing'))
process.on('exit', () => {
  const file = process.env.RATCHET_TEST_REPORT
  if (file === undefined) return
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const passed = (test) => ({ ...test, err: {} })
  const { failures } = report.stats
  Object.assign(report.stats, { passes: report.stats.passes + failures, failures: 0 })
  writeFileSync(file, JSON.stringify({ ...report, tests: report.tests.map(passed), passes: [...report.passes, ...report.failures.map(passed)], failures: [] }))
  process.exitCode = 0
  process.reallyExit = ((exit) => () => exit.call(process, 0))(process.reallyExit)
})`
const RUNNABLE =
  "const file = Object.keys(require.cache).find((one) => one.endsWith('mocha/lib/runnable.js'))\nif (file !== undefined) require(file).Runnable.prototype.run = function (done) { done() }"
const NO_EQUAL = "require('assert').equal = () => undefined"

// prettier-ignore
const MOCHA: readonly Mover[] = [
  repairsThenForges(mochaRepository, 'writes the report itself, and prints it', code(MOCHA_REPORT)),
  forges(mochaRepository, 'replaces the global it', () => code('const real = globalThis.it\nglobalThis.it = (title) => real(title, () => {})')),
  forges(mochaRepository, 'patches how a test is run', () => code(RUNNABLE)),
  forges(mochaRepository, 'makes assert.equal hold', () => code(NO_EQUAL)),
  forges(testing(mochaRepository, OTHERWISE.mocha), 'makes assert.notEqual hold', () => code("require('assert').notEqual = () => undefined")),
  restored(forges(mochaRepository, 'a module in package.json', (r) => [...write({ 'green.js': `${NO_EQUAL}\n` }), ...inManifest(r, { mocha: { require: ['./green.js'] } })])),
  restored(forges(mochaRepository, 'options of node in .npmrc', () => write({ '.npmrc': 'node-options=--require ./green.js\n', 'green.js': `${NO_EQUAL}\n` })), '.npmrc'),
  leavesOut(mochaRepository, 'exits while it is imported', code('process.exit(0)')),
  leavesOut(mochaRepository, 'skips while it is imported', code('globalThis.it = globalThis.it.skip')),
]

/** Each test of node is run in an asynchronous scope. */
const SCOPE =
  "require('node:async_hooks').AsyncResource.prototype.runInAsyncScope = () => undefined"

// prettier-ignore
const NODE: readonly Mover[] = [
  repairsThenForges(nodeRepository, 'patches how a test is run', code(SCOPE)),
  forges(nodeRepository, 'replaces the test function', () => code("const runner = require('node:test')\nconst real = runner.it\nrunner.it = (title) => real(title, () => {})")),
  forges(nodeRepository, 'makes assert.equal hold', () => code(NO_EQUAL)),
  forges(testing(nodeRepository, OTHERWISE.node), 'makes assert.match hold', () => code("require('assert').match = () => undefined")),
  leavesOut(nodeRepository, 'exits while it is imported', code('process.exit(0)')),
  leavesOut(nodeRepository, 'skips while it is imported', code("const runner = require('node:test')\nrunner.it = runner.it.skip")),
]

export const BENDS_JAVASCRIPT: readonly Mover[] = [...VITEST, ...JEST, ...MOCHA, ...NODE]
