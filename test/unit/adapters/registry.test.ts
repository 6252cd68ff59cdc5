import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { layout } from '../../../src/adapters/state-dir.js'
import type { Dirs } from '../../../src/adapters/state-dir.js'
import { keyOfProject, projectByKey, registeredProject, registeredProjects, registerProject } from '../../../src/adapters/registry.js'

let root: string
let dirs: Dirs
let project: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-projects-')))
  dirs = { state: path.join(root, 'state'), cache: path.join(root, 'cache') }
  project = path.join(root, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a project is registered once, under its real path', async () => {
  const first = await registerProject(dirs, project)
  symlinkSync(project, path.join(root, 'link'))
  expect(await registerProject(dirs, path.join(root, 'link'))).toEqual(first)
  expect(first.path).toBe(project)
  expect(JSON.parse(readFileSync(layout.project(dirs, first.key), 'utf8'))).toEqual(first)
})

test('a directory that was never registered, or is gone, is not registered', () => {
  expect(registeredProject(dirs, project)).toBeUndefined()
  expect(registeredProject(dirs, path.join(root, 'gone'))).toBeUndefined()
})

test('a key that is not one never becomes a path', async () => {
  const { key } = await registerProject(dirs, project)
  expect(projectByKey(dirs, key)?.path).toBe(project)
  expect(projectByKey(dirs, `../projects/${key}`)).toBeUndefined()
})

test('a project whose directory is gone keeps its key, and is still listed', async () => {
  expect(registeredProjects(dirs)).toEqual([])
  const record = await registerProject(dirs, project)
  rmSync(project, { recursive: true })
  expect(keyOfProject(dirs, project)).toBe(record.key)
  expect(registeredProjects(dirs)).toEqual([record])
  expect(keyOfProject(dirs, path.join(root, 'never'))).toBeUndefined()
})
