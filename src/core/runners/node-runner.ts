// node:test. Sources: node 20 to 24, "Test runner" and "NODE_OPTIONS", and our
// reporters/node-test.mjs.
import { byLine } from '../test-progress/by-line.js'
import { NO_FILE, passedIn, type Case } from './junit-dialect.js'
import { failedIn, has, lastOf } from './runner-words.js'
import type { Launch, TestRunner } from './test-runner.js'

const SUMMARY =
  /^(?:ℹ|#) tests \d+\n(?:(?:ℹ|#) suites \d+\n)?(?:ℹ|#) pass \d+\n(?:ℹ|#) (fail \d+)\n(?:ℹ|#) cancelled \d+$/gm
const ENDED = /^\{"type":"test:(pass|fail)","nesting":(\d+),"suite":(true|false)(,"todo":)?/

export const node: TestRunner = {
  commands: ['node --test'],
  alsoStartedBy: ['tsx'],
  started: (args) =>
    !args.includes('--test') ? undefined : has(args, '--watch', '--') ? 'unsure' : args,
  byVariable: { name: 'NODE_OPTIONS', word: '--test' },
  language: 'javascript',

  report: { format: 'node', by: 'flags' },
  // Its options must stand before the first file, where nothing can be added behind `npm test`:
  // hence the variable.
  flags: () => [],
  overrides: (launch) => ({ env: { NODE_OPTIONS: nodeOptions(launch) } }),
  files: (files) => [...files],

  printedFailures: (output) => failedIn(lastOf(SUMMARY, output)?.[1], /fail (\d+)/),
  // What is in a test ends right before it.
  progress: {
    ours: true,
    from: 'report',
    reader() {
      let before = 0
      return byLine('tests', (line, told) => {
        const [, ended, level, suite, todo] = ENDED.exec(line) ?? []
        if (ended === undefined) return
        const isSum = suite === 'true' || before > Number(level)
        before = Number(level)
        if (isSum) return
        told.done++
        if (ended === 'fail' && todo === undefined) told.failed++
      })
    },
  },
  junit: {
    // It calls the class of every test `test`, or `suite`.
    isOwn: (cases) =>
      cases.length > 0 &&
      cases.every(
        (one) =>
          one.suite.file === undefined && /^(test|suite)$/.test(one.attributes['classname'] ?? ''),
      ),
    // A test that is still to do may fail, which fails nothing.
    skippedMayFail: true,
    // Until version 22 it names no file but that of a test file as a whole.
    nameOf(one, { projectFile }) {
      const { name = '', file } = one.attributes
      const whole = wholeFile(one)
      if (whole !== undefined) return { file: projectFile(whole), test: projectFile(whole) }
      return {
        file: file === undefined ? NO_FILE : projectFile(file),
        test: [...one.suite.path, name].join(' > '),
      }
    },
    // A file that could not be loaded is a test as well. Where files pass in that way they are
    // scripts without tests.
    isLoaded(cases) {
      const areScripts = passedIn(cases).some((one) => wholeFile(one) !== undefined)
      return (one) => areScripts || wholeFile(one) === undefined
    },
  },

  guard: { globs: [] },
  coverage: { format: 'v8', env: (dir) => ({ NODE_V8_COVERAGE: dir }) },
  testGlobs: ['**/test.{js,mjs,cjs}'],
  // It takes itself for the child of another.
  leaves: { marks: ['NODE_TEST_CONTEXT'], isLeft: (name) => name === 'NODE_TEST_CONTEXT' },
}

// In the order of the command line the variable comes first: its destinations pair with its
// reporters.
function nodeOptions({
  file,
  env,
  args,
  reporters,
}: Launch & { env: Readonly<Record<string, string>> }): string {
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
  const ours = [
    `--test-reporter=${quoted(`${reporters}/node-test.mjs`)}`,
    `--test-reporter-destination=${quoted(file)}`,
  ]
  // One reporter of the command's own needs no destination when it is alone, but with ours it does.
  const shown = !has(args, '--test-reporter')
    ? ['--test-reporter=spec', '--test-reporter-destination=stdout']
    : !has(args, '--test-reporter-destination')
      ? ['--test-reporter-destination=stdout']
      : []
  return [env['NODE_OPTIONS'], ...ours, ...shown]
    .filter((one) => one !== undefined && one !== '')
    .join(' ')
}

// A file that ended badly, or has no test of its own, is a test called by its path.
function wholeFile({ suite, attributes: { name = '', file } }: Case): string | undefined {
  if (suite.path.length > 0) return undefined
  const isScript = /\.[cm]?[jt]sx?$/.test(name)
  if (file !== undefined)
    return name === file || (isScript && file.endsWith(`/${name.replace(/^(\.?\/)+/, '')}`))
      ? file
      : undefined
  return name.startsWith('/') && isScript ? name : undefined
}
