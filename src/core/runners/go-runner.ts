// go test. Sources: go 1.2x, `go help test` and `go help testflag`.
import { byLine } from '../test-progress/by-line.js'
import { has, unless } from './runner-words.js'
import type { TestRunner } from './test-runner.js'

const ENDED =
  /^\{(?:"Time":"[^"]*",)?"Action":"(pass|fail|skip)","Package":"([^"]*)","Test":"((?:[^"\\]|\\.)*)"/
/** More tests that have subtests are not under way at once. */
const PARENTS = 10_000

export const go: TestRunner = {
  commands: ['go test'],
  started([first, ...rest]) {
    if (first !== 'test') return undefined
    return has(rest, '-args', '--args', '-c', '-list', '-n', '-exec', '-o') ? 'unsure' : rest
  },
  detection: {
    rank: 2,
    isConfigured: (project) => project.has('go.mod'),
    absent: 'no go.mod',
    command: (project) =>
      project.isOnPath('go')
        ? ['go', 'test', './...']
        : { problem: 'the project is a Go module, but go is not on PATH', next: 'install Go' },
  },
  language: 'go',

  report: { format: 'go', by: 'output' },
  // A result that go kept from an earlier run is no measurement of this one.
  flags: ({ args }) => [
    ...unless(args, '-json'),
    '-failfast=false',
    ...(has(args, '-count') ? [] : ['-count=1']),
  ],
  commandFor(argv, files) {
    const packages = packagesOf(files)
    return packages === undefined ? undefined : inPackages(argv, packages)
  },
  placeOf: directoryOf,

  // A test ends behind its subtests, of which it is the sum.
  progress: {
    reader() {
      const parents = new Set<string>()
      return byLine('tests', (line, told) => {
        const [, action, module = '', name = ''] = ENDED.exec(line) ?? []
        if (action === undefined) return
        for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
          parents.add(`${module} ${name.slice(0, at)}`)
        if (parents.size > PARENTS) parents.clear()
        if (parents.delete(`${module} ${name}`)) return
        told.done++
        if (action === 'fail') told.failed++
      })
    },
  },

  guard: { globs: ['**/go.work{,.sum}'] },
  testGlobs: ['**/*_test.go', '**/testdata/**'],
}

function directoryOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** The packages of test files; `undefined` where one is no test file of the project's. */
function packagesOf(files: readonly string[]): string[] | undefined {
  if (
    !files.every(
      (file) => file.endsWith('_test.go') && !file.startsWith('/') && !file.startsWith('..'),
    )
  )
    return undefined
  return [
    ...new Set(files.map((file) => (directoryOf(file) === '' ? '.' : `./${directoryOf(file)}`))),
  ]
}

/**
 * The command for other packages; `undefined` where it is not `go test` by itself, or names them in
 * another way.
 */
function inPackages(argv: readonly string[], packages: readonly string[]): string[] | undefined {
  if (argv[0]?.split('/').at(-1) !== 'go' || argv[1] !== 'test') return undefined
  const isPattern = (word: string) => /^\.{1,2}(\/|$)|(^|\/)\.\.\.$/.test(word)
  const others = argv.slice(2).filter((word) => !isPattern(word))
  const unknown = others.some(
    (word, at) => !word.startsWith('-') && !(others[at - 1] ?? '').startsWith('-'),
  )
  return unknown ? undefined : [...argv.slice(0, 2), ...others, ...packages]
}
