// cargo-nextest. Sources: nexte.st "JUnit support", "Tool-specific configuration" and "Running
// tests".
import { byLine } from '../test-progress/by-line.js'
import { has } from './runner-words.js'
import type { TestRunner } from './test-runner.js'

const ENDED = /^\s*(?:TRY \d+ )?(PASS|LEAK|FLAKY \d+\/\d+|FAIL|TIMEOUT|SIG[A-Z]+|ABORT) \[/

export const nextest: TestRunner = {
  commands: ['cargo nextest'],
  started,
  detection: {
    rank: 3,
    isConfigured: (project) => project.has('Cargo.toml'),
    absent: 'no Cargo.toml',
    command: (project) =>
      project.isOnPath('cargo-nextest')
        ? ['cargo', 'nextest', 'run']
        : {
            problem:
              'the project is a Rust crate, and the results of "cargo test" cannot be read: there is no cargo-nextest on PATH',
            next: 'install cargo-nextest',
          },
  },
  language: 'rust',

  report: { format: 'junit', by: 'flags', writtenTo: 'target/nextest/*/*.xml' },
  flags: ({ file, args }) => [
    `--tool-config-file=ratchet:${file}.toml`,
    ...(has(args, '--no-fail-fast', '--fail-fast', '--max-fail') ? [] : ['--no-fail-fast']),
  ],
  overrides: ({ file }) => ({
    files: { [`${file}.toml`]: `[profile.default.junit]\npath = ${JSON.stringify(file)}\n` },
  }),

  // All passed, tests failed, no tests. All else is an error of its own, or of the build. Source:
  // `NextestExitCode`.
  exitCodes: { results: [0, 100, 4] },
  notInstalled: /no such command: `nextest`/,
  // What is tried again is not over with a failure; at the end the failures are listed once more.
  progress: {
    reader() {
      let isOver = false
      return byLine('tests', (line, told) => {
        const total = /^\s*Starting (\d+) tests? across /.exec(line)?.[1]
        if (total !== undefined) told.total ??= Number(total)
        isOver ||= /^\s*Summary \[/.test(line)
        const ended = isOver ? undefined : ENDED.exec(line)?.[1]
        if (ended === undefined) return
        const isBad = !/^(PASS|LEAK|FLAKY)/.test(ended)
        if (isBad && /^\s*TRY /.test(line)) return
        told.done++
        if (isBad) told.failed++
      })
    },
  },

  guard: { globs: ['**/nextest.toml'] },
  testGlobs: ['**/{tests,*_test,*_tests}.rs'],
  leaves: { marks: ['NEXTEST'], isLeft: (name) => /^NEXTEST(_|$)/.test(name) },
}

// `cargo +nightly nextest run`
function started([first = '', ...rest]: readonly string[]):
  readonly string[] | 'unsure' | undefined {
  if (first.startsWith('+')) return started(rest)
  if (first !== 'nextest') return undefined
  return (rest[0] === 'run' || rest[0] === 'r') && !has(rest, '--', '--no-run')
    ? rest.slice(1)
    : 'unsure'
}
