// What the dialects of JUnit XML call a test, its file, and a file that could not be loaded.
//
// A name must be the same in every run of the same code, wherever the run happens and whatever else
// fails: it identifies the test.
import path from 'node:path'
import { projectFile } from './project-file.js'
import { pytestName } from './pytest-names.js'
import { NO_FILE } from './report.js'

export type Dialect = 'vitest' | 'pytest' | 'node' | 'other'

/** The suites around a test: their names from the outermost, and the file the nearest of them names. */
export type Suite = { path: readonly string[]; file?: string }

type Problem = { '@'?: Record<string, string> }

/** One `<testcase>`, attributes decoded. `noTests` stands for a suite that has none, but an error. */
export type Case = { suite: Suite; attributes: Record<string, string>; failure: Problem | undefined; error: Problem | undefined; skipped: boolean; flaky: Problem | undefined; problems?: number; noTests?: boolean }

/** Whether a report is node's own: it calls the class of every test `test`, or `suite`. */
export function isNode(cases: readonly Case[]): boolean {
  return cases.length > 0 && cases.every((one) => one.suite.file === undefined && /^(test|suite)$/.test(one.attributes['classname'] ?? ''))
}

/**
 * File and full name of a test.
 *
 * The class is what its name says with Java, the package with Go, the whole name again with jest, and
 * the last part of the name with mocha. jest calls a suite without a describe `undefined`.
 */
export function nameOf(one: Case, dialect: Dialect, cwd: string): { file: string; test: string } {
  const { name = '', classname = '', file } = one.attributes
  const suite = nearest(one)
  switch (dialect) {
    case 'vitest': return { file: projectFile(suite, cwd), test: name === suite ? projectFile(name, cwd) : name }
    case 'pytest': return pytestName({ name, classname, file }, cwd)
    case 'node': return nodeName(one, cwd)
    case 'other': {
      if (classname === JEST_UNLOADED) return { file: projectFile(name, cwd), test: name }
      const ownClass = classname === '' || name === classname || name.startsWith(`${classname} `) || name.endsWith(` ${classname}`) ? undefined : classname
      const where = file ?? one.suite.file ?? (isPath(suite) ? suite : (ownClass ?? suite))
      const inClass = ownClass !== undefined && ownClass !== where && !name.startsWith(ownClass)
      const test = (name === '' ? classname : inClass ? `${ownClass} > ${name}` : name).trim()
      return { file: where === '' || where === 'undefined' ? NO_FILE : projectFile(where, cwd), test: test === '' ? NO_NAME : test }
    }
  }
}

/** Class of a stand-in, whose name is that of the file. */
const JEST_UNLOADED = 'Test suite failed to run'
const NO_NAME = '(no name)'

function isPath(suite: string): boolean {
  return /[/\\]|\.\w+$/.test(suite) && !/\s/.test(suite.replace(/[^/\\]*$/, ''))
}

function nearest({ suite }: Case): string {
  return suite.file ?? suite.path.at(-1) ?? ''
}

// Until version 22 it names no file but that of a test file as a whole.
function nodeName(one: Case, cwd: string): { file: string; test: string } {
  const { name = '', file } = one.attributes
  const whole = wholeFile(one)
  if (whole !== undefined) return { file: projectFile(whole, cwd), test: projectFile(whole, cwd) }
  return { file: file === undefined ? NO_FILE : projectFile(file, cwd), test: [...one.suite.path, name].join(' > ') }
}

// A file that ended badly, or has no test of its own, is a test called by its path.
function wholeFile({ suite, attributes: { name = '', file } }: Case): string | undefined {
  if (suite.path.length > 0) return undefined
  if (file !== undefined) return name === file || (/\.[cm]?[jt]sx?$/.test(name) && file.endsWith(path.join('/', name))) ? file : undefined
  return path.isAbsolute(name) && /\.[cm]?[jt]sx?$/.test(name) ? name : undefined
}

/**
 * Tells tests that failed from stand-ins for files that could not be loaded.
 *
 * pytest says so in words. vitest lists the file as a test of its own name; when other tests of the
 * file ran all the same it was a hook at its end, which is a failure like any other. So does node; where
 * files pass in that way they are scripts without tests, and each is a test.
 */
export function isLoaded(cases: readonly Case[], dialect: Dialect): (one: Case) => boolean {
  const passed = cases.filter((one) => !one.skipped && one.failure === undefined && one.error === undefined)
  switch (dialect) {
    case 'pytest': return (one) => one.error?.['@']?.['message'] !== 'collection failure'
    case 'vitest': {
      const ran = new Set(passed.map(nearest))
      return (one) => one.attributes['name'] !== nearest(one) || ran.has(nearest(one))
    }
    case 'node': {
      const areScripts = passed.some((one) => wholeFile(one) !== undefined)
      return (one) => areScripts || wholeFile(one) === undefined
    }
    case 'other': return (one) => one.noTests !== true && !saysUnloaded(one)
  }
}

// jest-junit with `reportTestSuiteErrors`; go-junit-report for a package that did not compile or died.
function saysUnloaded({ attributes: { name = '', classname }, error }: Case): boolean {
  if (classname === JEST_UNLOADED) return true
  return error !== undefined && (/^\[(build|setup) failed\]$/.test(name) || ['Build error', 'Runtime error'].includes(error['@']?.['message'] ?? ''))
}
