// The progress directory that agents of a cycle write, below their working directory: sandboxed agents
// may write nowhere else. It lies in `.ratchet/`, which no step commits and which hides itself from git;
// what is missing in it comes back from the record. Source: ccw §1.2; architecture §4, §5.
import { copyFileSync, existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { PHASES } from '../../../contract/discovery.js'
import type { Phase } from '../../../contract/discovery.js'
import type { SourceRef } from '../../../contract/prep-package.js'
import { allDocuments, LOGS } from './document-names.js'
import { clear, LOG_BYTES, ownDir, readLog, readOwn, writeNew, writeOwnSync } from './own-files.js'
import { COORDINATION, cycleFiles, recordFileName } from './place.js'

/** Paths in a workspace, absolute where `cwd` is. `dir` is the progress directory, `progress` the agents' own. */
export type ProgressPaths = { dir: string; progress: Record<Phase, string>; board: string }

/** What a prompt may name; `sources` with the paths that agents read. */
export type LaidOut = ProgressPaths & { projectTech?: string; guidelines?: string; feedback?: string; sources: SourceRef[] }

/** Where the agents of a cycle write. */
export function progressPaths(cwd: string, name: string): ProgressPaths {
  const dir = progressDir(cwd, name)
  return { dir, progress: Object.fromEntries(PHASES.map((phase) => [phase, path.join(dir, phase)])) as Record<Phase, string>, board: path.join(dir, COORDINATION.board) }
}

export function progressDir(cwd: string, name: string): string {
  return path.join(cwd, '.ratchet', `${recordFileName(name)}.progress`)
}

/**
 * Makes the progress directory in a workspace. A document that is there stays: its agent may be at work.
 * Links and directories that stand where a file belongs are removed.
 *
 * Source documents and project files that git does not have in the workspace are copied, as long as
 * they lie in the project; what lies elsewhere keeps its path.
 */
export function layOut(cwd: string, project: string, name: string, { refs }: { refs: readonly SourceRef[] }): LaidOut {
  const paths = progressPaths(cwd, name)
  const record = cycleFiles(project, name)
  const own = path.basename(paths.dir)
  ownDir(cwd, ['.ratchet'], 'removed')
  refresh(path.join(cwd, '.ratchet', '.gitignore'), '*\n')
  for (const part of [...PHASES, 'coordination']) ownDir(cwd, ['.ratchet', own, part], 'removed')
  for (const phase of PHASES) {
    for (const file of allDocuments(phase)) restoreMissing(record.progress, paths.dir, path.join(phase, file))
    for (const file of LOGS[phase]) restoreMissing(record.progress, paths.dir, path.join(phase, file))
  }
  restoreMissing(record.progress, paths.dir, COORDINATION.board)
  writeNew(paths.board, '')
  const feedback = copyOfRecord(record.feedback, path.join(paths.dir, COORDINATION.feedback))
  const copies: Copies = { cwd, project, into: path.join(paths.dir, 'sources') }
  const projectTech = inWorkspace('.workflow/project-tech.json', copies)
  const guidelines = inWorkspace('.workflow/project-guidelines.json', copies)
  return {
    ...paths, ...(projectTech === undefined ? {} : { projectTech }), ...(guidelines === undefined ? {} : { guidelines }), ...(feedback === undefined ? {} : { feedback }),
    sources: refs.map((ref) => sourceOf(ref, copies)),
  }
}

/** Removes the progress directory from a tree that is the user's own. The record has all of it. */
export function removeProgress(cwd: string, name: string): void {
  const dir = progressDir(cwd, name)
  const own = path.dirname(dir)
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory() !== true) return
  rmSync(dir, { recursive: true, force: true })
  if (readdirSync(own).every((entry) => entry === '.gitignore')) rmSync(own, { recursive: true, force: true })
}

// A pipe or a link where a document belongs would hang or mislead whoever reads it.
function restoreMissing(from: string, to: string, file: string): void {
  if (lstatSync(path.join(to, file), { throwIfNoEntry: false })?.isFile() === true) return
  clear(path.join(to, file))
  const kept = LOGS_AND_BOARD.has(path.basename(file)) ? { text: readLog(path.join(from, file)) } : readOwn(path.join(from, file))
  if (kept !== undefined && 'text' in kept && kept.text !== '') writeNew(path.join(to, file), kept.text)
}

const LOGS_AND_BOARD = new Set([...Object.values(LOGS).flat(), path.basename(COORDINATION.board)])

/** Ratchet's own file: the workspace has what the record has. */
function copyOfRecord(from: string, to: string): string | undefined {
  const read = readOwn(from)
  if (read === undefined || 'problem' in read) return undefined
  refresh(to, read.text)
  return to
}

type Copies = { cwd: string; project: string; into: string }

function sourceOf(ref: SourceRef, copies: Copies): SourceRef {
  if (ref.type === 'url' || ref.status === 'not_found') return ref
  const file = path.resolve(copies.project, ref.path)
  const own = path.relative(copies.project, file)
  if (own === '' || own.startsWith('..') || path.isAbsolute(own)) return { ...ref, path: file, status: existsSync(file) ? ref.status : 'not_found' }
  const seen = inWorkspace(own, copies)
  return seen === undefined ? { ...ref, path: file, status: 'not_found' } : { ...ref, path: seen }
}

/** Path at which agents read a file of the project; `undefined` where there is none that may be read. */
function inWorkspace(file: string, { cwd, project, into }: Copies): string | undefined {
  const there = path.join(cwd, file)
  if (existsSync(there)) return there
  const from = path.join(project, file)
  if (!isInside(from, project)) return undefined
  if (statSync(from).isDirectory()) return from // read in place: a tree is not copied
  if (statSync(from).size > LOG_BYTES || !statSync(from).isFile()) return from
  const copy = path.join(into, file)
  ownDir(path.dirname(into), [path.basename(into), ...path.dirname(file).split(path.sep).filter((part) => part !== '.')], 'removed')
  clear(copy)
  copyFileSync(realpathSync(from), copy)
  return copy
}

/** A file of the project, not one that a link in it leads to. */
function isInside(file: string, project: string): boolean {
  if (!existsSync(file)) return false
  return !path.relative(realpathSync(project), realpathSync(file)).startsWith('..')
}

function refresh(file: string, text: string): void {
  const read = readOwn(file, LOG_BYTES)
  if (read === undefined || 'problem' in read || read.text !== text) writeOwnSync(file, text)
}
