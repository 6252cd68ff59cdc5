// A repository of the table: real code with two bugs, and what movers may do to it.
import type { Files } from '../support/repositories/repos.js'

/** Replaces a text that is in a file exactly once. */
export type Edit = { path: string; find: string; replace: string }

export type Bug = {
  /**
   * `real`: found in the original code. `planted`: added for the table.
   */
  origin: 'real' | 'planted'
  about: string
  /** `function:first-last`, as an analysis names it. */
  place: string
  fix: Edit
}

/** The results of the project's own tests, read without Ratchet's code. */
export type OwnRun = { passed: number; total: number; green: boolean }

export type Repository = {
  name: 'vitest' | 'pytest' | 'go' | 'sums' | 'sums-node' | 'jest' | 'mocha' | 'node' | 'unittest'
  /** Where the code comes from. */
  about: string
  /** Every file of the user, with the bugs and the installed dependencies. */
  files: () => Files
  /** Folders of installed dependencies, ignored by git. */
  installed: string[]
  testCommand: string[]
  /** Files that fixes are in. */
  code: string[]
  /** The test file that fails. */
  testFile: string
  /** Fails more than five of a hundred tests. */
  many: Bug
  /** Fails so few that the pass rate is above 95 %. */
  one: Bug
  /** Lowers the pass rate by more than ten points. */
  regression: Edit
  /** Breaks one passing test, in a separate place. */
  slip: Edit
  /** Has no effect on any test. */
  useless: Edit
  /** Changes of tests and their configuration, each of which would turn the run green. */
  tampering: Record<string, string | null>
  /**
   * The same through files whose names are not test configuration; each alone would turn the run
   * green.
   */
  backDoors: [Record<string, string>, Record<string, string>]
  /** An installed package that makes every test pass. */
  package?: { path: string; text: () => string }
  /** A replacement throughout the test file that makes every test pass under its own name. */
  weakening: { find: string; replace: string }
  /** Runs the project's tests in a directory. */
  ownRun: (dir: string) => OwnRun
}

/** Applies an edit; throws unless its text occurs exactly once in the file. */
export function edited(text: string, { path, find, replace }: Edit): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(
      `${path}: ${JSON.stringify(find.slice(0, 80))} stands there ${parts.length - 1} times, not once`,
    )
  return parts.join(replace)
}

/** Text of a file; throws where there is none. */
export function textIn(files: Files, name: string): string {
  const text = files[name]
  if (typeof text !== 'string') throw new Error(`${name} is no file of the repository`)
  return text
}

/** The files with these edits. */
export function withEdits(files: Files, edits: readonly Edit[]): Files {
  const result = { ...files }
  for (const edit of edits) {
    result[edit.path] = edited(textIn(result, edit.path), edit)
  }
  return result
}

/** The reverse: restores a repaired bug. */
export function undone({ path, find, replace }: Edit): Edit {
  return { path, find: replace, replace: find }
}
