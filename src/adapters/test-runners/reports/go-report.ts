// Reads the event stream of `go test -json`.
//
// A package whose tests did not all run (it did not compile, a test panicked, something called
// os.Exit) is not loaded: the results of its other tests are unknown. A test that failed
// because of its subtests does not count in addition to them. Source: `go doc test2json`, `go help
// buildjson`.
import path from 'node:path'
import { z } from 'zod'
import type { StoredTest } from '../../../contract/test-run.js'
import { boundedJson } from '../../../core/text/json.js'
import { directoryIn, holdsNoTest, moduleOf, testFunctions } from './go-package.js'
import { BrokenReportError, errorText, Tests, type Report } from './report.js'

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  Elapsed: z.number().optional(),
  /** Of `build-output` and `build-fail`: what was built; `FailedBuild` of a package names it. */
  ImportPath: z.string().optional(),
  FailedBuild: z.string().optional(),
})
type Event = z.infer<typeof Event>

type GoTest = {
  name: string
  output: string
  ended?: 'pass' | 'fail' | 'skip'
  seconds?: number | undefined
}
type GoPackage = {
  tests: Map<string, GoTest>
  output: string
  ended?: string
  failedBuild?: string | undefined
}

/** What the events print, and the lines between them: the output as `go test -v` would write it. */
export function goOutput(text: string): string {
  return lines(text)
    .map((one) => (typeof one === 'string' ? `${one}\n` : (one.Output ?? '')))
    .join('')
}

/** Parses a stream; lines that are no events stand between them. Throws BrokenReportError. */
export function parseGo(text: string, file: string, cwd: string): Report {
  const packages = new Map<string, GoPackage>()
  const builds = new Map<string, string>()
  const between: string[] = []
  for (const event of lines(text)) {
    if (typeof event === 'string') between.push(event)
    else if (event.Package === undefined)
      builds.set(
        event.ImportPath ?? '',
        (builds.get(event.ImportPath ?? '') ?? '') + (event.Output ?? ''),
      )
    else note(packages, event.Package, event)
  }
  if (packages.size === 0 && builds.size === 0)
    throw new BrokenReportError(file, 'it holds no events of go test -json')
  const cut = [...packages].find(([, one]) => one.ended === undefined)
  if (cut !== undefined) throw new BrokenReportError(file, `it ends within the package ${cut[0]}`)

  const tests = new Tests()
  const unloaded: Report['unloaded'] = []
  const module = moduleOf(cwd)
  for (const [name, one] of packages) {
    const dir = directoryIn(module, name)
    const problem = problemOf(one)
    if (problem !== undefined) {
      const built =
        one.failedBuild === undefined ? between.join('\n') : (builds.get(one.failedBuild) ?? '')
      const said =
        problem === BUILD
          ? withoutHeading(built)
          : [...one.tests.values()]
              .filter((test) => test.ended !== 'pass')
              .map((test) => test.output)
              .join('')
      unloaded.push({
        file: dir ?? name,
        error: errorText(
          problem === BUILD && said !== '' ? said : `${problem}\n${said}${one.output}`,
        ),
        ...(problem === BUILD && holdsNoTest(module, name) && { holdsNoTest: true as const }),
      })
      continue
    }
    const files =
      dir === undefined || module === undefined
        ? new Map<string, string>()
        : testFunctions(module, dir)
    const inModule = (of: string) =>
      path
        .relative(cwd, path.join(module?.root ?? cwd, dir ?? '', of))
        .split(path.sep)
        .join('/')
    for (const test of leaves([...one.tests.values()])) {
      const source = files.get(test.name.split('/')[0] ?? '')
      const status: StoredTest['status'] =
        test.ended === 'fail' ? 'failed' : test.ended === 'skip' ? 'skipped' : 'passed'
      tests.add({
        file: source === undefined ? name : inModule(source),
        test: nested(test.name, one.tests),
        status,
        error: withoutMarks(test.output),
        durationMs: (test.seconds ?? 0) * 1000,
      })
    }
  }
  return {
    tests: tests.list,
    unloaded,
    failures: tests.list.filter((one) => one.status === 'failed').length,
  }
}

function lines(text: string): (Event | string)[] {
  return text
    .split('\n')
    .filter((line, at, all) => line !== '' || at < all.length - 1)
    .map((line) => {
      if (!line.startsWith('{"')) return line
      try {
        return Event.parse(boundedJson(line))
      } catch (error) {
        // What a program printed
        if (error instanceof SyntaxError || error instanceof z.ZodError) return line
        throw error
      }
    })
}

function note(packages: Map<string, GoPackage>, name: string, event: Event): void {
  const own = packages.get(name) ?? { tests: new Map<string, GoTest>(), output: '' }
  packages.set(name, own)
  const ended =
    event.Action === 'pass' || event.Action === 'fail' || event.Action === 'skip'
      ? event.Action
      : undefined
  if (event.Test === undefined) {
    own.output += event.Output ?? ''
    if (ended !== undefined) Object.assign(own, { ended, failedBuild: event.FailedBuild })
    return
  }
  const test = own.tests.get(event.Test) ?? { name: event.Test, output: '' }
  own.tests.set(event.Test, test)
  test.output += event.Output ?? ''
  // With -count it ends several times: the worse end counts.
  if (ended !== undefined && test.ended !== 'fail')
    Object.assign(test, { ended, seconds: event.Elapsed })
}

const BUILD = 'it did not build'

// A test binary that came to its end says PASS or FAIL by itself.
function problemOf({ ended, failedBuild, output, tests }: GoPackage): string | undefined {
  if (ended !== 'fail') return undefined
  if (failedBuild !== undefined || /\[(build|setup) failed\]\s*$/.test(output)) return BUILD
  const all = [...tests.values()]
  const whole =
    /(PASS|FAIL)\n/.test(output.replace(/^FAIL\t.*\n/gm, '')) &&
    all.every((test) => test.ended !== undefined)
  if (!whole)
    return (
      firstPanic(all.map((test) => test.output).join('') + output) ??
      'its tests ended before they were done'
    )
  return all.some((test) => test.ended === 'fail')
    ? undefined
    : 'it failed, though none of its tests did'
}

function firstPanic(output: string): string | undefined {
  return /^(panic|fatal error): .*$/m.exec(output)?.[0]
}

// A test with subtests is the sum of them, unless it failed and none of them did.
function leaves(tests: GoTest[]): GoTest[] {
  return tests.filter((one) => {
    const below = tests.filter((other) => other.name.startsWith(`${one.name}/`))
    return (
      below.length === 0 || (one.ended === 'fail' && below.every((other) => other.ended !== 'fail'))
    )
  })
}

// "TestA/b/c" has as many levels as there are tests of these names: "b/c" may be one.
function nested(name: string, tests: ReadonlyMap<string, GoTest>): string {
  const outer = name.lastIndexOf('/')
  for (let at = outer; at > 0; at = name.lastIndexOf('/', at - 1))
    if (tests.has(name.slice(0, at)))
      return `${nested(name.slice(0, at), tests)} > ${name.slice(at + 1)}`
  return name
}

function withoutMarks(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/^(=== |\s*--- (FAIL|PASS|SKIP): )/.test(line))
    .map((line) => line.replace(/^ {4}/, ''))
    .join('\n')
}

function withoutHeading(built: string): string {
  return built.replace(/^# .*\n/gm, '')
}
