// jest. Sources: the output of jest 29 and 30, and its "CLI options".
import { byLine } from '../test-progress/by-line.js'
import { failedIn, has, lastOf, SCRIPTS, unless } from './runner-words.js'
import type { TestRunner } from './test-runner.js'

const SUMMARY = /^Test Suites: .*\nTests: +(.*), \d+ total$/gm

export const jest: TestRunner = {
  commands: ['jest'],
  script: /(?:^|\/)jest(?:\.js)?$/,
  started: (args) =>
    has(args, '--', '--watch', '--watchAll', '--listTests', '--showConfig', '--init')
      ? 'unsure'
      : args,
  language: 'javascript',

  report: {
    format: 'jest',
    by: 'flags',
    ownOptions: ['--outputFile'],
    written: /^Test results written to: (.+?)\s*$/gm,
  },
  flags: ({ file, args }) => [
    '--bail=0',
    ...unless(args, '--json'),
    ...(has(args, '--outputFile') ? [] : [`--outputFile=${file}`]),
  ],
  files: (files) => (files.length === 0 ? [] : ['--runTestsByPath', ...files]),

  printedFailures: (output) => failedIn(lastOf(SUMMARY, output)?.[1], /(\d+) failed/),
  noTests: /^No tests found, exiting with code \d/m,
  // A file as it ends; of its tests nothing is said. Where many failed, their files are listed
  // again at the end.
  progress: {
    reader() {
      let isOver = false
      return byLine('files', (line, told) => {
        isOver ||= /^(Summary of all failing tests|Test Suites: )/.test(line)
        const ended = isOver ? undefined : /^(PASS|FAIL)\s+\S/.exec(line)?.[1]
        if (ended !== undefined) told.done++
        if (ended === 'FAIL') told.failed++
      })
    },
  },

  guard: {
    globs: [
      `**/jest.config.{${SCRIPTS},json}`,
      `**/jest{.,-}{setup,teardown,preset,environment,global-setup,global-teardown}{,.*}.{${SCRIPTS},json}`,
      `**/jest{.,-}*.config.{${SCRIPTS},json}`,
      `**/setupTests.{${SCRIPTS}}`,
    ],
    packageKeys: ['jest'],
  },
  coverage: {
    format: 'istanbul',
    words: (dir, args) => [
      ...unless(args, '--coverage'),
      '--coverageReporters=json',
      `--coverageDirectory=${dir}`,
      '--coverageThreshold={}',
    ],
  },
  testGlobs: ['**/{__tests__,__mocks__,__snapshots__}/**', '**/*.snap'],
  leaves: {
    marks: ['JEST_WORKER_ID'],
    isLeft: (name, value) => name === 'JEST_WORKER_ID' || (name === 'NODE_ENV' && value === 'test'),
  },
}
