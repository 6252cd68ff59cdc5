// Projects that may be worked on from this host. Workers refuse every other path.
import { readFileSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { layout, projectKey } from './state-dir.js'
import type { Dirs } from './state-dir.js'
import { RegisteredProject } from '../contract/registry.js'

const KEY = /^[0-9a-f]{12}$/

/** Registers a project directory under its real path, once. */
export async function registerProject(dirs: Dirs, project: string): Promise<RegisteredProject> {
  const known = registeredProject(dirs, project)
  if (known !== undefined) return known
  const record: RegisteredProject = { path: realpathSync(project), key: projectKey(project), registeredAt: new Date().toISOString() }
  const file = layout.project(dirs, record.key)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFileAtomic(file, JSON.stringify(record, null, 2), { mode: 0o600 })
  return record
}

/** The registration of a directory, or `undefined`; also where the directory is gone. */
export function registeredProject(dirs: Dirs, project: string): RegisteredProject | undefined {
  try {
    return projectByKey(dirs, projectKey(project))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The project with this key, or `undefined`. */
export function projectByKey(dirs: Dirs, key: string): RegisteredProject | undefined {
  if (!KEY.test(key)) return undefined
  try {
    return RegisteredProject.parse(JSON.parse(readFileSync(layout.project(dirs, key), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
