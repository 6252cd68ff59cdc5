// What a repository of the table is: real code, two bugs in it, and what movers may do to it.
import type { Files } from '../support/repositories/repos.js'

/** Replaces a text that is in a file exactly once. */
export type Edit = { path: string; find: string; replace: string }

export type Bug = {
  /**
   * `real`: it was in this code before anybody here looked for one. `planted`: put there for the
   * table.
   */
  origin: 'real' | 'planted'
  about: string
  /** `function:first-last`, as an analysis names it. */
  place: string
  fix: Edit
}

/** What the project's own tests said, read without any code of Ratchet's. */
export type OwnRun = { passed: number; total: number; green: boolean }

export type Repository = {
  name: 'vitest' | 'pytest' | 'go' | 'sums' | 'sums-node' | 'jest' | 'mocha' | 'node' | 'unittest'
  /** Where the code comes from. */
  about: string
  /** Every file as the user has it, bugs included, installed dependencies too. */
  files: () => Files
  /** Folders of installed dependencies, which git ignores. */
  installed: string[]
  testCommand: string[]
  /** Files that fixes are in. */
  code: string[]
  /** The test file that fails. */
  testFile: string
  /** Fails more than five of a hundred tests. */
  many: Bug
  /** Fails so few that the rest is above 95 %. */
  one: Bug
  /** Breaks more than ten points of what passes. */
  regression: Edit
  /** Breaks one test that passes, in a place of its own. */
  slip: Edit
  /** Helps nothing, hurts nothing. */
  useless: Edit
  /** Changes of tests and their configuration, each of which would turn the run green. */
  tampering: Record<string, string | null>
  /**
   * The same through files that are no configuration of tests by their names; each by itself would
   * turn the run green.
   */
  backDoors: [Record<string, string>, Record<string, string>]
  /** An installed package that makes every test pass. */
  package?: { path: string; text: () => string }
  /** Replaced throughout the test file, it makes every test pass under its own name. */
  weakening: { find: string; replace: string }
  /** Runs the project's tests in a directory. */
  ownRun: (dir: string) => OwnRun
}

/** Applies an edit; throws where its text does not stand in the file exactly once. */
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

/** The other way round: restores a bug that was repaired. */
export function undone({ path, find, replace }: Edit): Edit {
  return { path, find: replace, replace: find }
}
