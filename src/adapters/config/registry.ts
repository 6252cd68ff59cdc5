// Projects that may be worked on from this host. Workers refuse every other path.
import { existsSync, readdirSync, realpathSync, renameSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '../files/replace-file.js'
import { layout, projectKey, type Dirs } from '../state-dir.js'
import { storedJson } from '../files/stored-json.js'
import { RegisteredProject } from '../../contract/registry.js'

const KEY = /^[0-9a-f]{12}$/

/**
 * Registers a project directory under its real path, once. A registration that is damaged is kept
 * aside, as `<file>.damaged`.
 */
export async function registerProject(dirs: Dirs, project: string): Promise<RegisteredProject> {
  const known = registeredProject(dirs, project)
  if (known !== undefined) return known
  const record: RegisteredProject = {
    path: realpathSync(project),
    key: projectKey(project),
    registeredAt: new Date().toISOString(),
  }
  const file = layout.project(dirs, record.key)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const damaged = damagedRegistration(dirs, project)
  if (damaged !== undefined) keepAside(damaged)
  await replaceFile(file, JSON.stringify(record, null, 2), { mode: 0o600 })
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

/** Every project of this user, also those whose directory is gone. */
export function registeredProjects(dirs: Dirs): RegisteredProject[] {
  try {
    const names = readdirSync(path.dirname(layout.project(dirs, '-')))
    return names.flatMap((name) =>
      name.endsWith('.json') ? (projectByKey(dirs, name.slice(0, -'.json'.length)) ?? []) : [],
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Key of a project directory; of one that is gone, the key it was registered under. */
export function keyOfProject(dirs: Dirs, project: string): string | undefined {
  try {
    return projectKey(project)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return registeredProjects(dirs).find((one) => one.path === project)?.key
  }
}

/** The project with this key, or `undefined`; also where its file is damaged. */
export function projectByKey(dirs: Dirs, key: string): RegisteredProject | undefined {
  if (!KEY.test(key)) return undefined
  return storedJson(layout.project(dirs, key), RegisteredProject)
}

/**
 * The file of a directory's registration, where it is there and cannot be read, as a power loss
 * leaves it.
 */
export function damagedRegistration(dirs: Dirs, project: string): string | undefined {
  const key = keyOfProject(dirs, project)
  return key !== undefined && isDamaged(dirs, key) ? layout.project(dirs, key) : undefined
}

/** All of them. Their projects count as not registered. */
export function damagedRegistrations(dirs: Dirs): string[] {
  const dir = path.dirname(layout.project(dirs, '-'))
  if (!existsSync(dir)) return []
  const keys = readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
  return keys.filter((key) => isDamaged(dirs, key)).map((key) => layout.project(dirs, key))
}

function isDamaged(dirs: Dirs, key: string): boolean {
  return (
    KEY.test(key) && existsSync(layout.project(dirs, key)) && projectByKey(dirs, key) === undefined
  )
}

/**
 * Puts a damaged registration aside; returns where it is kept. Nothing where another process was
 * faster.
 */
export function keepAside(file: string): string {
  const kept = `${file}.damaged`
  try {
    renameSync(file, kept)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return kept
}
