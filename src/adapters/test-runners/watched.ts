// Detects whether tests or their configuration changed while they ran.
//
// A process that has left its group, its parent and its environment cannot be found, and may weaken
// a test between checkout and run. Its writes show in the change time, which no process can set.
// Suites that write into their own test files are known from the first run, before any fix.
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import type { Workspace } from '../../contract/workspace.js'
import { changedFiles } from '../git/steps.js'
import { listTree } from '../git/tree-diff.js'
import { workspaceRepo } from '../git/repo.js'
import { testRunsDir } from './stored-run.js'

const TOUCHED = 'touched.json'

export type Watch = {
  /**
   * Watched files that were written to since the watch began, or are not as the commit has them.
   */
  changed: () => Promise<string[]>
}

/**
 * Begins to watch, on a tree that has just been restored.
 *
 * @param isWatched tells tests and their configuration by path, relative to the repository
 */
export async function watchTests(
  workspace: Workspace,
  commit: string,
  isWatched: (file: string) => boolean,
): Promise<Watch> {
  const watched = [...(await listTree(await workspaceRepo(workspace), commit)).keys()].filter(
    isWatched,
  )
  const before = new Map(watched.map((file) => [file, changedAt(workspace, file)]))
  const early = await differing(workspace, commit, watched)
  return {
    async changed() {
      const late = await differing(workspace, commit, watched)
      return watched.filter(
        (file) =>
          early.has(file) || late.has(file) || changedAt(workspace, file) !== before.get(file),
      )
    },
  }
}

async function differing(
  workspace: Workspace,
  commit: string,
  watched: readonly string[],
): Promise<Set<string>> {
  const changed = new Set(await changedFiles(workspace, commit))
  return new Set(watched.filter((file) => changed.has(file)))
}

// Compared with itself, never with the clock, which may be set back, or is another than that of the
// disk.
function changedAt(workspace: Workspace, file: string): string | undefined {
  const seen = lstatSync(path.join(workspace.root, file), { throwIfNoEntry: false })
  return seen && `${seen.ino} ${seen.ctimeMs}`
}

/** Notes what the first run touched by itself: its own suite does that. */
export function noteTouched(outDir: string, files: readonly string[]): void {
  writeFileSync(path.join(outDir, TOUCHED), JSON.stringify(files), { mode: 0o600 })
}

/** Files that the first run of a workspace touched. */
export function touchedAtFirst(workspace: Workspace): Set<string> {
  const notes = globSync(`*/${TOUCHED}`, { cwd: testRunsDir(workspace), absolute: true })
  return new Set(notes.flatMap((note) => JSON.parse(readFileSync(note, 'utf8')) as string[]))
}
