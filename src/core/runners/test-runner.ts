// What Ratchet knows of a test runner: one file a runner, one line in registry.ts.
//
// The facts are pure, as workflows read them too. What needs the disk or the PATH gets it as an
// argument. A runner that is not known needs `test.report` in the configuration; it has the runner
// name `other`.
import type { REPORT_FORMATS } from '../../contract/config/config.js'
import type { Reader } from '../test-progress/by-line.js'
import type { JUnitDialect } from './junit-dialect.js'

/** What a configuration may name, and the lines of our own reporter for node:test. */
export type ReportFormat = (typeof REPORT_FORMATS)[number] | 'node'

/** `istanbul`: coverage-final.json; `coverage.py`: its JSON report; `v8`: one file a process. */
export type CoverageFormat = 'istanbul' | 'coverage.py' | 'v8'

/** Variables, and files by path that are written before the runner starts. */
export type LaunchOverrides = { env: Record<string, string>; files: Record<string, string> }

/**
 * `file`: where the report must go. `args`: words behind the runner's name. `reporters`: the
 * directory of our own ones.
 */
export type Launch = { file: string; args: readonly string[]; reporters: string }

/** Reads the directory of a project. `toml` throws a refusal where the file cannot be read. */
export type ProjectFiles = {
  has(file: string): boolean
  text(file: string): string
  toml(file: string): Readonly<Record<string, unknown>>
  isOnPath(program: string): boolean
}

/**
 * How a project shows that it uses the runner, where no command is configured. Runners are asked in
 * the order of `rank`.
 */
export type Detection = {
  rank: number
  isConfigured(project: ProjectFiles): boolean
  /** Name of a file that shows it where no runner is configured. */
  testFile?: RegExp
  /** Name of a file of code that its first tests can be written for. */
  sourceFile?: RegExp
  /** Said where nothing was found: "no go.mod". */
  absent: string
  /** The command, or what is missing for it. */
  command(project: ProjectFiles): [string, ...string[]] | { problem: string; next: string }
}

export type TestRunner = {
  /** Commands that start it, by their first words; an option may stand anywhere: `node --test`. */
  commands: readonly string[]
  /** Programs that start it as well, where nothing hides that. */
  alsoStartedBy?: readonly string[]
  /** First arguments of uses that run no tests. */
  otherUses?: readonly string[]
  /** Its program as a JavaScript file, which node runs; the project has it in node_modules. */
  script?: RegExp
  /** Its name behind `python -m`. */
  module?: string
  /**
   * The words that belong to the runner, given those behind the program. `unsure`: it is used for
   * something else, the command says itself where the report goes, or words at its end would not
   * reach it. `undefined`: it is not started.
   */
  started(args: readonly string[]): readonly string[] | 'unsure' | undefined
  /**
   * A variable holds its flags. A command with this word must not set the variable; other commands
   * may follow it.
   */
  byVariable?: { name: string; word: string }
  detection?: Detection
  /** As the record of a session names it. */
  language: string

  report: {
    format: ReportFormat
    /**
     * `output`: its standard output is the report, in a format with `printed` in
     * adapters/tests/read-report.ts.
     */
    by: 'flags' | 'output'
    /** Options of a command that name a report of its own. */
    ownOptions?: readonly string[]
    /** Format of a report that the command names itself, where it may be another. */
    ownFormat?(args: readonly string[]): ReportFormat
    /**
     * Its words for where it wrote a report, which may be the place in the project's configuration.
     */
    written?: RegExp
    /** Where it writes a report by the project's configuration, as a glob. */
    writtenTo?: string
  }
  /**
   * Words at the end of the command: write the report there, and run all tests also where some
   * fail.
   */
  flags(launch: Launch): string[]
  overrides?(launch: Launch & { env: Readonly<Record<string, string>> }): Partial<LaunchOverrides>
  /** Words that make it run these files only. */
  files?: (files: readonly string[]) => string[]
  /**
   * The command for these files, where words at its end cannot say it; `undefined` where it cannot
   * be made.
   */
  commandFor?: (argv: readonly string[], files: readonly string[]) => string[] | undefined
  /** What it runs where a file is named: its package. */
  placeOf?: (file: string) => string
  /**
   * Configuration files that may name tests, which then run in addition to those of the command.
   */
  configsWithFiles?: readonly string[]

  /** Exit codes that are no result: errors of the runner itself; `results`: all others are. */
  exitCodes?: { errors: readonly number[] } | { results: readonly number[] }
  /** Failures in its printed summary. */
  printedFailures?(output: string): number | undefined
  /** Tests that it counts and did not run, though its report calls them passed. */
  lostTests?(output: string): number
  /**
   * Errors outside of any test, which its report leaves out; `count`: how many there are, also
   * where none is printed.
   */
  errorsOutside?(output: string): {
    count: number
    errors: { file: string | undefined; error: string }[]
  }
  /** Its output where it is not installed, and where it found no tests and wrote no report. */
  notInstalled?: RegExp
  noTests?: RegExp
  /** `ours`: only our reporter tells it. `from`: the lines are in its report, which grows. */
  progress?: { reader(): Reader; ours?: true; from?: 'report' }
  /** How it writes JUnit, where that is not the common way. */
  junit?: JUnitDialect

  /**
   * Files that no agent changes; keys of a package.json, tables of `[tool]` in pyproject.toml,
   * sections of setup.cfg.
   */
  guard: {
    globs: readonly string[]
    packageKeys?: readonly string[]
    tools?: readonly string[]
    sections?: readonly string[]
  }
  /**
   * How it measures which lines run: words at the end of the command and variables, for a directory
   * that its report goes to.
   */
  coverage?: {
    format: CoverageFormat
    words?(dir: string, args: readonly string[]): string[]
    env?(dir: string): Record<string, string>
  }
  /** Tests and their helpers, where the common patterns do not take them. */
  testGlobs: readonly string[]
  /**
   * Variables that it leaves in the environment of what it starts: one of `marks` says that it did.
   */
  leaves?: { marks: readonly string[]; isLeft: (name: string, value: string) => boolean }
}
