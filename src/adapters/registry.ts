// Projects that may be worked on from this host. Only a command run by the user adds one.
import { mkdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { RegisteredProject } from '../contract/registry.js'
import { layout, projectKey } from './state-dir.js'
import type { Dirs } from './state-dir.js'

/** Registers a project directory, by its real path. */
export function registerProject(dirs: Dirs, project: string): RegisteredProject {
  const known = registeredProject(dirs, project)
  if (known !== undefined) return known
  const key = projectKey(project)
  const entry = { path: realpathSync(project), key, registeredAt: new Date().toISOString() }
  mkdirSync(path.dirname(layout.project(dirs, key)), { recursive: true, mode: 0o700 })
  writeFileAtomic.sync(layout.project(dirs, key), JSON.stringify(entry), { mode: 0o600 })
  return entry
}

/** The entry of a project, `undefined` where it is not registered or is gone. */
export function registeredProject(dirs: Dirs, project: string): RegisteredProject | undefined {
  try {
    return RegisteredProject.parse(JSON.parse(readFileSync(layout.project(dirs, projectKey(project)), 'utf8')))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
