// What a workspace gets to see of a project and of a record: copies in `.ratchet/`, which no step
// commits and which hides itself from git. Links and pipes that an agent has put in their way are
// removed.
import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { clear, LOG_BYTES, ownDir, readLog, readOwn, writeNew, writeOwnSync } from './safe-files.js'

/** Name of the directory in a workspace that is Ratchet's. */
export const OWN_DIR = '.ratchet'

/** Makes `.ratchet/` and directories in it. */
export function openOwnDir(cwd: string, dirs: readonly (readonly string[])[]): void {
  ownDir(cwd, [OWN_DIR], 'removed')
  refresh(path.join(cwd, OWN_DIR, '.gitignore'), '*\n')
  for (const parts of dirs) ownDir(cwd, [OWN_DIR, ...parts], 'removed')
}

/** Removes directories of `.ratchet/`, and it too where nothing else is left in it. */
export function removeOwnDirs(cwd: string, names: readonly string[]): void {
  const own = path.join(cwd, OWN_DIR)
  if (lstatSync(own, { throwIfNoEntry: false })?.isDirectory() !== true) return
  for (const name of names) rmSync(path.join(own, name), { recursive: true, force: true })
  if (readdirSync(own).every((entry) => entry === '.gitignore'))
    rmSync(own, { recursive: true, force: true })
}

/**
 * Copies a document of a record that the workspace does not have; one that is there stays, its
 * agent may be at work.
 */
export function restoreMissing(from: string, to: string, kind: 'document' | 'log'): void {
  // A pipe or a link where a document belongs would hang or mislead its reader.
  if (lstatSync(to, { throwIfNoEntry: false })?.isFile() === true) return
  clear(to)
  const kept = kind === 'log' ? { text: readLog(from) } : readOwn(from)
  if (kept !== undefined && 'text' in kept && kept.text !== '') writeNew(to, kept.text)
}

/** Ratchet's own file: the workspace has what the record has. `undefined` where that has none. */
export function copyOfRecord(from: string, to: string): string | undefined {
  const read = readOwn(from)
  if (read === undefined || 'problem' in read) {
    clear(to)
    return undefined
  }
  refresh(to, read.text)
  return to
}

/** `into`: directory for copies of the project's files. */
export type Copies = { cwd: string; project: string; into: string }

/**
 * Path at which agents read a file of the project; `undefined` where there is none that may be
 * read.
 */
export function inWorkspace(file: string, { cwd, project, into }: Copies): string | undefined {
  const there = path.join(cwd, file)
  if (existsSync(there)) return there
  const from = path.join(project, file)
  if (!isInside(from, project)) return undefined
  if (statSync(from).isDirectory()) return from // read in place: a tree is not copied
  if (statSync(from).size > LOG_BYTES || !statSync(from).isFile()) return from
  const copy = path.join(into, file)
  ownDir(
    path.dirname(into),
    [
      path.basename(into),
      ...path
        .dirname(file)
        .split(path.sep)
        .filter((part) => part !== '.'),
    ],
    'removed',
  )
  clear(copy)
  copyFileSync(realpathSync(from), copy)
  return copy
}

/** The project's own files about itself, for the first steps of a prompt. */
export function projectFiles(copies: Copies): { projectTech?: string; guidelines?: string } {
  const projectTech = inWorkspace('.workflow/project-tech.json', copies)
  const guidelines = inWorkspace('.workflow/project-guidelines.json', copies)
  return {
    projectTech,
    guidelines,
  }
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
