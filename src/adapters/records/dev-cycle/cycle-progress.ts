// The progress directory that agents of a cycle write, below their working directory: sandboxed
// agents may write nowhere else. It lies in `.ratchet/`, which no step commits and which hides
// itself from git; what is missing in it comes back from the record.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import type { SourceRef } from '../../../contract/dev-cycle/prep-package.js'
import { writeNew } from '../safe-files.js'
import {
  copyOfRecord,
  inWorkspace,
  openOwnDir,
  OWN_DIR,
  projectFiles,
  removeOwnDirs,
  restoreMissing,
  type Copies,
} from '../workspace-copies.js'
import { allDocuments, LOGS } from './document-names.js'
import { COORDINATION, cycleFiles, recordFileName } from './cycle-paths.js'

/**
 * Paths in a workspace, absolute where `cwd` is. `dir` is the progress directory, `progress` the
 * agents' own.
 */
export type ProgressPaths = { dir: string; progress: Record<Phase, string>; board: string }

/** What a prompt may name; `sources` with the paths that agents read. */
export type LaidOut = ProgressPaths & {
  projectTech?: string
  guidelines?: string
  feedback?: string
  sources: SourceRef[]
}

/** Where the agents of a cycle write. */
export function progressPaths(cwd: string, name: string): ProgressPaths {
  const dir = progressDir(cwd, name)
  return {
    dir,
    progress: Object.fromEntries(PHASES.map((phase) => [phase, path.join(dir, phase)])) as Record<
      Phase,
      string
    >,
    board: path.join(dir, COORDINATION.board),
  }
}

export function progressDir(cwd: string, name: string): string {
  return path.join(cwd, OWN_DIR, `${recordFileName(name)}.progress`)
}

/**
 * Makes the progress directory in a workspace. A document that is there stays: its agent may be at
 * work. Links and directories that stand where a file belongs are removed.
 *
 * Source documents and project files that git does not have in the workspace are copied, as long as
 * they lie in the project; what lies elsewhere keeps its path.
 */
export function layOut(
  cwd: string,
  project: string,
  name: string,
  { refs }: { refs: readonly SourceRef[] },
): LaidOut {
  const paths = progressPaths(cwd, name)
  const record = cycleFiles(project, name)
  const own = path.basename(paths.dir)
  openOwnDir(
    cwd,
    [...PHASES, 'coordination'].map((part) => [own, part]),
  )
  for (const phase of PHASES) {
    for (const file of allDocuments(phase))
      restoreMissing(
        path.join(record.progress, phase, file),
        path.join(paths.dir, phase, file),
        'document',
      )
    for (const file of LOGS[phase])
      restoreMissing(
        path.join(record.progress, phase, file),
        path.join(paths.dir, phase, file),
        'log',
      )
  }
  restoreMissing(record.board, paths.board, 'log')
  writeNew(paths.board, '')
  const feedback = copyOfRecord(record.feedback, path.join(paths.dir, COORDINATION.feedback))
  const copies: Copies = { cwd, project, into: path.join(paths.dir, 'sources') }
  return {
    ...paths,
    ...projectFiles(copies),
    feedback,
    sources: refs.map((ref) => sourceOf(ref, copies)),
  }
}

/** Removes the progress directory from a tree that is the user's own. The record has all of it. */
export function removeProgress(cwd: string, name: string): void {
  removeOwnDirs(cwd, [path.basename(progressDir(cwd, name))])
}

function sourceOf(ref: SourceRef, copies: Copies): SourceRef {
  if (ref.type === 'url' || ref.status === 'not_found') return ref
  const file = path.resolve(copies.project, ref.path)
  const own = path.relative(copies.project, file)
  if (own === '' || own.startsWith('..') || path.isAbsolute(own))
    return { ...ref, path: file, status: existsSync(file) ? ref.status : 'not_found' }
  const seen = inWorkspace(own, copies)
  return seen === undefined ? { ...ref, path: file, status: 'not_found' } : { ...ref, path: seen }
}
