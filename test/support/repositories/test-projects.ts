// Small real projects with tests, for the vitest of this repository and the pytest of this machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The vitest of this repository, to be run with node. */
export const VITEST = path.resolve(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
export const VITEST_COMMAND = ['node', VITEST, 'run']
export const PYTEST_COMMAND = ['python3', '-m', 'pytest']

/** Writes files, by path relative to `dir`. */
export function writeFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
}

/** A new directory with these files. Remove it with `removeProject`. */
export function makeProject(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-project-'))
  writeFiles(dir, files)
  return dir
}

/**
 * A project whose `npm test` is vitest. Its tests use `test`, `describe`, `expect` as globals, so
 * that it needs no node_modules.
 */
export function makeVitestProject(files: Readonly<Record<string, string>>): string {
  return makeProject({
    'package.json': `${JSON.stringify({ name: 'small', private: true, type: 'module', scripts: { test: `node ${VITEST} run` } }, null, 2)}\n`,
    'vitest.config.js': 'export default { test: { globals: true } }\n',
    ...files,
  })
}

/** A project whose tests are pytest's, recognised by its pytest.ini. */
export function makePytestProject(files: Readonly<Record<string, string>>): string {
  return makeProject({ 'pytest.ini': '[pytest]\n', ...files })
}

export function removeProject(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
}
