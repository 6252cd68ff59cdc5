// Stores the test files of a suite that did not start, by its report and by the names of files.
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FileRef } from '../../contract/files.js'
import type { StoredTest } from '../../contract/test-run.js'
import { allEntries, entriesByName, isNamedAsTest } from '../../core/test-results/not-loaded.js'
import { realParents } from '../files/real-parents.js'
import type { TestPlan } from './command.js'
import { writeNotLoaded } from './stored-run.js'

/** A larger file is no test that a person wrote, in bytes. */
const LARGEST_FILE = 2 << 20

export type UnmeasuredRun = {
  plan: TestPlan
  cwd: string
  commit: string
  outDir: string
  projectFiles?: () => Promise<string[]>
}

/** Stores the test files; `undefined` if none is known. `listed`: those of the report. */
export async function noteNotLoaded(
  { plan, cwd, commit, outDir, projectFiles }: UnmeasuredRun,
  listed: readonly StoredTest[],
): Promise<FileRef | undefined> {
  const named = ((await projectFiles?.()) ?? []).filter(isNamedAsTest)
  const isReached = realParents(cwd)
  const files: { file: string; text: string }[] = []
  for (const file of named)
    files.push({ file, text: (await isReached(file)) ? textOf(path.join(cwd, file)) : '' })
  const tests = allEntries(listed, entriesByName(files))
  return tests.length === 0
    ? undefined
    : writeNotLoaded(outDir, {
        schema: 1,
        commit,
        runner: plan.runner,
        command: [...plan.command],
        tests,
        missing: [],
      })
}

/** Text of a file of the project; empty if no person can have written it. */
function textOf(file: string): string {
  const seen = lstatSync(file, { throwIfNoEntry: false })
  return seen?.isFile() === true && seen.size <= LARGEST_FILE ? readFileSync(file, 'utf8') : ''
}
