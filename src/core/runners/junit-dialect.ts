// What JUnit XML calls a test, its file, and a file that could not be loaded: the common way, and
// what a runner may do in another way.
//
// A name must be the same in every run of the same code, in every place and also where other tests
// fail: it identifies the test.

/** Stands for the file of a test where the report names none. */
export const NO_FILE = '(no file)'
const NO_NAME = '(no name)'

/**
 * The suites around a test: their names from the outermost, and the file the nearest of them names.
 */
export type Suite = { path: readonly string[]; file?: string }

type Problem = { '@'?: Record<string, string> }

/**
 * One `<testcase>`, attributes decoded. `noTests` stands for a suite that has none, but an error.
 */
export type Case = {
  suite: Suite
  attributes: Record<string, string>
  failure: Problem | undefined
  error: Problem | undefined
  skipped: boolean
  flaky: Problem | undefined
  problems?: number
  noTests?: boolean
}

/** Where the tests ran: a file as the project names it, and whether one is there. */
export type Places = { projectFile: (file: string) => string; exists: (file: string) => boolean }

export type JUnitDialect = {
  /** Names of an outermost suite that only this runner writes; else by its cases. */
  suiteNames?: readonly string[]
  isOwn?(cases: readonly Case[]): boolean
  /** File and full name of a test. */
  nameOf(one: Case, places: Places): { file: string; test: string }
  /** Tells tests that failed from stand-ins for files that could not be loaded. */
  isLoaded(cases: readonly Case[]): (one: Case) => boolean
  /** Whether the report ends within a test. */
  isCutOff?(one: Case): boolean
  /** A test that is listed again is the same one; else its name counts up. */
  listsAgain?: true
  /** A suite lists a file for one project: tests of one name in two suites are one. */
  suitesAreProjects?: true
  /** A test that is skipped may have failed, which counts for nothing. */
  skippedMayFail?: true
  /** Tests that never ran are listed as passed, with a time of 0. */
  listsLostTests?: true
}

/** Class of a stand-in, whose name is that of the file. */
const JEST_UNLOADED = 'Test suite failed to run'

// The class is what its name says with Java, the package with Go, the whole name again with jest,
// and the last part of the name with mocha. jest calls a suite without a describe `undefined`.
export const COMMON_JUNIT: JUnitDialect = {
  nameOf(one, { projectFile }) {
    const { name = '', classname = '', file } = one.attributes
    const suite = nearest(one)
    if (classname === JEST_UNLOADED) return { file: projectFile(name), test: name }
    const ownClass =
      classname === '' ||
      name === classname ||
      name.startsWith(`${classname} `) ||
      name.endsWith(` ${classname}`)
        ? undefined
        : classname
    const where = file ?? one.suite.file ?? (isPath(suite) ? suite : (ownClass ?? suite))
    const inClass = ownClass !== undefined && ownClass !== where && !name.startsWith(ownClass)
    const test = (name === '' ? classname : inClass ? `${ownClass} > ${name}` : name).trim()
    return {
      file: where === '' || where === 'undefined' ? NO_FILE : projectFile(where),
      test: test === '' ? NO_NAME : test,
    }
  },
  isLoaded: () => (one) => one.noTests !== true && !saysUnloaded(one),
}

/** Name of the nearest suite, or the file that it names. */
export function nearest({ suite }: Case): string {
  return suite.file ?? suite.path.at(-1) ?? ''
}

/** The cases that neither failed nor were skipped. */
export function passedIn(cases: readonly Case[]): Case[] {
  return cases.filter((one) => !one.skipped && one.failure === undefined && one.error === undefined)
}

function isPath(suite: string): boolean {
  return /[/\\]|\.\w+$/.test(suite) && !/\s/.test(suite.replace(/[^/\\]*$/, ''))
}

// jest-junit with `reportTestSuiteErrors`; go-junit-report for a package that did not compile or
// died.
function saysUnloaded({ attributes: { name = '', classname }, error }: Case): boolean {
  if (classname === JEST_UNLOADED) return true
  return (
    error !== undefined &&
    (/^\[(build|setup) failed\]$/.test(name) ||
      ['Build error', 'Runtime error'].includes(error['@']?.['message'] ?? ''))
  )
}
