// Why a run is no measurement, as a paragraph for people and agents: what, where, what next.
import type { Problem } from '../../core/test-results/test-agreement.js'
import { firstChars, textWithin } from '../../core/text/test-text.js'

export type Facts = {
  command: string
  cwd: string
  exitCode: number | null
  signal: string | null
  timeoutMs: number
  failed: number
  skipped: number
  unhandled: number
  listed: number
  printed?: number | undefined
  unloaded: readonly { file: string; error: string }[]
  /** Where the report was looked for, or what is wrong with it. */
  report: string
  /** The last line of the output; empty if there was none. */
  lastLine: string
}

/** Unloaded files that are named. */
const FILES_NAMED = 5
/** Longest first line of their errors, in characters. */
const ERROR_NAMED = 150

// A reason has at most 1,500 characters and 3,000 bytes, a sentence about a second attempt
// included.
const WHAT = { characters: 800, bytes: 1_800 }
const PLACE = { characters: 250, bytes: 450 }

/** The reason of a `NotMeasured`. */
export function reasonFor(problem: Problem, f: Facts): string {
  const { what, next } = sentences(problem, { ...f, report: cut(f.report, PLACE) })
  return `${cut(what, WHAT)}. Where: "${cut(f.command, PLACE)}" in ${cut(f.cwd, PLACE)}. Next: ${next}.`
}

function cut(text: string, { characters, bytes }: { characters: number; bytes: number }): string {
  return textWithin(firstChars(text, characters), bytes, firstChars)
}

function sentences(problem: Problem, f: Facts): { what: string; next: string } {
  const exit = `exit code ${String(f.exitCode)}`
  switch (problem) {
    case 'timed_out':
      return {
        what: `The tests did not end within ${duration(f.timeoutMs)} and were stopped`,
        next: 'look in the output for the test that hangs, or raise test.timeout',
      }
    case 'command_missing':
      return {
        what: 'The test command, or one it calls, was not found or is not executable',
        next: 'install what it needs, or correct test.command',
      }
    case 'ended_by_signal':
      return {
        what: `The test command was ended by ${f.signal ?? 'a signal'}`,
        next: 'see the end of the output; SIGKILL often means too little memory',
      }
    case 'no_report':
      return f.exitCode === 0
        ? {
            what: `The test command ended well, but its report is missing: ${f.report}`,
            next: 'correct test.command or test.report, so that it writes one there',
          }
        : {
            what: `The tests did not start: ${exit} and no report${f.lastLine === '' ? '' : `; the output ends with "${firstChars(f.lastLine, ERROR_NAMED)}"`}`,
            next: 'see the end of the output for the error',
          }
    case 'broken_report':
      return {
        what: `The report cannot be read: ${f.report} (${exit})`,
        next:
          f.exitCode === 0
            ? 'correct test.report, so that it names whole reports of its format'
            : 'see the end of the output for the error',
      }
    case 'stale_report':
      return {
        what: `The report is from before this run: ${f.report} (${exit})`,
        next: 'correct test.command or test.report, so that each run writes a new one',
      }
    case 'unloaded_files':
      return {
        what: `${count(f.unloaded.length, 'test file')} could not be loaded: ${files(f.unloaded)}`,
        next: 'correct what the files import or define',
      }
    case 'unhandled_errors':
      return {
        what: `${count(f.unhandled, 'error')} outside of any test, so the results are not to be trusted`,
        next: 'see "Unhandled Errors" in the output, and await what the tests start',
      }
    case 'report_differs':
      return {
        what: `The runner printed ${count(f.printed ?? 0, 'failed test')}, but its report lists ${count(f.listed, 'failure')}`,
        next: 'look for code that writes the report itself, or another reporter in its configuration',
      }
    case 'runner_error':
      return {
        what: `The test runner stopped with an error: ${exit}`,
        next: 'see the end of the output for the error',
      }
    case 'no_tests':
      return {
        what:
          f.skipped > 0
            ? `No test ran: ${f.skipped === 1 ? 'the only one is' : `all ${f.skipped} are`} skipped`
            : 'No tests were found',
        next: 'check the names of the test files, test.command, and the directory it runs in',
      }
    case 'exit_hides_failures':
      return {
        what: `The report has ${f.unloaded.length > 0 ? `${count(f.unloaded.length, 'unloaded file')} and ` : ''}${count(f.failed, 'failed test')}, but the command ended with exit code 0`,
        next: 'let the command pass on the exit code of its runner (no "|| true", no pipe)',
      }
    case 'exit_without_failures':
      return {
        what: `The command ended with ${exit}, but no test failed`,
        next: 'see the end of the output; a coverage limit, a lint step or an error after the tests may be the reason',
      }
  }
}

function files(unloaded: Facts['unloaded']): string {
  const named = unloaded
    .slice(0, FILES_NAMED)
    .map(({ file, error }) => `${file} (${firstChars(error.split('\n', 1)[0] ?? '', ERROR_NAMED)})`)
  return (
    named.join(', ') +
    (unloaded.length > FILES_NAMED ? ` and ${unloaded.length - FILES_NAMED} more` : '')
  )
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function duration(ms: number): string {
  return ms % 60_000 === 0
    ? `${ms / 60_000} min`
    : ms % 1_000 === 0
      ? `${ms / 1_000} s`
      : `${ms} ms`
}
