// vitest. Sources: the output of vitest 3 and 4, its "Command Line Interface" and "Reporters".
import { byLine } from '../test-progress/by-line.js'
import { nearest, passedIn } from './junit-dialect.js'
import { failedIn, has, lastOf, SCRIPTS, unless, valuesOf } from './runner-words.js'
import type { TestRunner } from './test-runner.js'

/** Reporters whose output ends in the summary. */
const WITH_SUMMARY = ['default', 'verbose', 'dot', 'tree', 'basic']
/** Uses that run no tests, and those that would not end. */
const OTHER_USES = ['bench', 'list', 'init']
const ENDLESS = ['typecheck', 'watch', 'dev']
const SUMMARY = /^\s*Test Files {2}.*\n\s*Tests {2}(.*) \((\d+)\)$/gm
/**
 * " ❯ a.test.js (3 tests | 1 failed | 1 skipped) 62ms"; also with the name of a project before the
 * file.
 */
const FILE_ENDED = /^ ?[✓❯↓×√>] .*? \((\d+) tests?((?: \| \d+ \w+)*)\)/
const ERROR_SECTION = /^⎯+ (?:Unhandled|Uncaught) (?!Errors ).*⎯+$/m

export const vitest: TestRunner = {
  commands: ['vitest'],
  otherUses: OTHER_USES,
  script: /(?:^|\/)vitest(?:\.mjs)?$/,
  started(args) {
    const [first = '', ...rest] = args
    if ([...OTHER_USES, ...ENDLESS].includes(first) || has(args, '--') || !isOneReport(args))
      return 'unsure'
    return first === 'run' ? rest : args
  },
  language: 'javascript',

  report: {
    format: 'junit',
    by: 'flags',
    ownOptions: ['--outputFile', '--outputFile.junit'],
    ownFormat: (args) =>
      valuesOf(args, '--reporter').includes('junit') || !has(args, '--outputFile')
        ? 'junit'
        : 'vitest',
    written: /^\s*(?:JUNIT|JSON) report written to (.+?)\s*$/gm,
  },
  // It ends with an error where a word stands twice.
  flags({ file, args }) {
    const reporters = valuesOf(args, '--reporter')
    return [
      ...unless(args, '--run'),
      ...(has(args, '--bail') ? [] : ['--bail=0']),
      ...(reporters.some((one) => WITH_SUMMARY.includes(one)) ? [] : ['--reporter=default']),
      ...(reporters.includes('junit') || has(args, '--outputFile') ? [] : ['--reporter=junit']),
      ...(has(args, '--outputFile', '--outputFile.junit') ? [] : [`--outputFile.junit=${file}`]),
    ]
  },
  files: (files) => [...files],

  printedFailures: (output) => failedIn(lastOf(SUMMARY, output)?.[1], /(\d+) failed/),
  // Their process died.
  lostTests(output) {
    const [, parts = '', total = '0'] = lastOf(SUMMARY, output) ?? []
    const known = [...parts.matchAll(/(\d+) \w/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    return Math.max(0, Number(total) - known)
  },
  // A global set-up that threw leaves no summary.
  errorsOutside(output) {
    const summary = output.lastIndexOf('Test Files ')
    const count =
      summary === -1
        ? Number(/^⎯+ Unhandled Errors? ⎯+$/m.test(output))
        : Number(/^\s*Errors\s+(\d+) errors?\s*$/m.exec(output.slice(summary))?.[1] ?? 0)
    const heading = output.lastIndexOf(' Unhandled Error')
    const begin = Math.max(0, output.lastIndexOf('Vitest caught ', heading))
    // They are on the error output: the summary may stand before, behind or between them.
    const errors = output
      .slice(begin)
      .split(ERROR_SECTION)
      .slice(1)
      .map((section) => ({
        file: /^This error originated in "(.+?)" test file/m.exec(section)?.[1],
        error: section.split(/^This error originated|^⎯{8,}$|^ Test Files {2}/m, 1)[0] ?? '',
      }))
    return { count, errors }
  },
  // A file as it ends, with its tests.
  progress: {
    reader: () =>
      byLine('tests', (line, told) => {
        const [, tests, rest = ''] = FILE_ENDED.exec(line) ?? []
        told.done += Number(tests ?? 0)
        told.failed += Number(/ (\d+) failed/.exec(rest)?.[1] ?? 0)
      }),
  },
  junit: {
    suiteNames: ['vitest tests'],
    suitesAreProjects: true,
    listsLostTests: true,
    nameOf(one, { projectFile }) {
      const { name = '' } = one.attributes
      const suite = nearest(one)
      return { file: projectFile(suite), test: name === suite ? projectFile(name) : name }
    },
    // It lists the file as a test of its own name. Where other tests of the file ran all the same
    // it was a hook at its end, which is a failure like any other.
    isLoaded(cases) {
      const ran = new Set(passedIn(cases).map(nearest))
      return (one) => one.attributes['name'] !== nearest(one) || ran.has(nearest(one))
    },
  },

  guard: {
    globs: [
      `**/{vitest,vite}.config.{${SCRIPTS},json}`,
      `**/vitest.{workspace,projects,setup}.{${SCRIPTS},json}`,
      `**/vitest{.,-}*.config.{${SCRIPTS},json}`,
    ],
    packageKeys: ['vitest'],
  },
  // By one of its coverage packages: without one it ends with an error.
  coverage: {
    format: 'istanbul',
    words: (dir, args) => [
      ...(has(args, '--coverage', '--coverage.enabled') ? [] : ['--coverage.enabled=true']),
      ...(has(args, '--coverage.reporter') ? [] : ['--coverage.reporter=json']),
      ...(has(args, '--coverage.reportsDirectory') ? [] : [`--coverage.reportsDirectory=${dir}`]),
      ...(has(args, '--coverage.reportOnFailure') ? [] : ['--coverage.reportOnFailure=true']),
    ],
  },
  testGlobs: [`**/*.test-d.{${SCRIPTS}}`],
  leaves: {
    marks: ['VITEST'],
    isLeft: (name, value) =>
      /^(VITEST|VITEST_.*|TEST|DEV|PROD|SSR|BASE_URL|JEST_WORKER_ID|TINYPOOL_WORKER_ID|NODE_OPTIONS)$/.test(
        name,
      ) ||
      (value === 'test' && (name === 'NODE_ENV' || name === 'MODE')),
  },
}

/** One file is for one reporter, and it is one whose format is read. */
function isOneReport(args: readonly string[]): boolean {
  return (
    !has(args, '--outputFile') ||
    (valuesOf(args, '--reporter').filter((one) => one === 'junit' || one === 'json').length === 1 &&
      !has(args, '--outputFile.junit'))
  )
}
