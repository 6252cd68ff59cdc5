// mocha. Sources: mocha 12, its "Command-line usage", and our reporters/mocha.cjs, whose words the
// readers know.
import { byLine } from '../test-progress/by-line.js'
import { failedIn, has, lastOf, SCRIPTS, unless } from './runner-words.js'
import type { TestRunner } from './test-runner.js'

/** Where our reporter writes to; a reporter option could not hold every path. */
const REPORT = 'RATCHET_TEST_REPORT'
const SUMMARY = /^(\d+) passing, (\d+ failing), \d+ pending$/gm

export const mocha: TestRunner = {
  commands: ['mocha'],
  alsoStartedBy: ['_mocha'],
  script: /(?:^|\/)_?mocha(?:\.m?js)?$/,
  started: (args) =>
    has(args, '--', '--watch', '-w', '--dry-run', '--list-files') ? 'unsure' : args,
  language: 'javascript',

  report: { format: 'mocha', by: 'flags' },
  // It takes the last reporter that is named. Ours runs suites to their end, but not those in other
  // processes.
  flags: ({ args, reporters }) => [
    ...(has(args, '--parallel', '-p') ? unless(args, '--no-bail') : []),
    '--require',
    `${reporters}/mocha-load.cjs`,
    '--reporter',
    `${reporters}/mocha.cjs`,
  ],
  overrides: ({ file }) => ({ env: { [REPORT]: file } }),
  files: (files) => [...files],
  // `spec` of a configuration is run together with the files of the command line.
  configsWithFiles: [
    '.mocharc.js',
    '.mocharc.cjs',
    '.mocharc.mjs',
    '.mocharc.yaml',
    '.mocharc.yml',
    '.mocharc.jsonc',
    '.mocharc.json',
  ],

  printedFailures: (output) => failedIn(lastOf(SUMMARY, output)?.[2], /(\d+) failing/),
  noTests: /^Error: No test files found/m,
  // A hook that fails is no test.
  progress: {
    ours: true,
    reader: () =>
      byLine('tests', (line, told) => {
        const total = told.done === 0 ? /^running (\d+) tests?$/.exec(line)?.[1] : undefined
        if (total !== undefined) told.total ??= Number(total)
        const ended = /"(before|after) (all|each)" hook/.test(line)
          ? undefined
          : /^ {2}(ok {2}|skip|FAIL) \S/.exec(line)?.[1]
        if (ended !== undefined) told.done++
        if (ended === 'FAIL') told.failed++
      }),
  },

  guard: {
    globs: [`**/mocha{.,-}*.config.{${SCRIPTS},json}`, '**/mocha.opts', '**/.mocharc{,.*}'],
    packageKeys: ['mocha'],
  },
  coverage: { format: 'v8', env: (dir) => ({ NODE_V8_COVERAGE: dir }) },
  testGlobs: [],
}
