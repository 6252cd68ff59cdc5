import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { layout, type Dirs } from '../../../src/adapters/state-dir.js'
import {
  damagedRegistration,
  damagedRegistrations,
  keyOfProject,
  projectByKey,
  registeredProject,
  registeredProjects,
  registerProject,
} from '../../../src/adapters/config/registry.js'

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

test('a directory that was never registered, or is missing, is not registered', () => {
  expect(registeredProject(dirs, project)).toBeUndefined()
  expect(registeredProject(dirs, path.join(root, 'gone'))).toBeUndefined()
})

test('an invalid key never becomes a path', async () => {
  const { key } = await registerProject(dirs, project)
  expect(projectByKey(dirs, key)?.path).toBe(project)
  expect(projectByKey(dirs, `../projects/${key}`)).toBeUndefined()
})

test('a project without its directory keeps its key, and is still listed', async () => {
  expect(registeredProjects(dirs)).toEqual([])
  const record = await registerProject(dirs, project)
  rmSync(project, { recursive: true })
  expect(keyOfProject(dirs, project)).toBe(record.key)
  expect(registeredProjects(dirs)).toEqual([record])
  expect(keyOfProject(dirs, path.join(root, 'never'))).toBeUndefined()
})

test.each([
  { why: 'empty', text: '' },
  { why: 'cut', text: '{"path":"/ho' },
  { why: 'of another shape', text: '{"path":1}' },
])(
  'a registration that is $why is named and ignored, and is kept aside when its project is registered again',
  async ({ text }) => {
    const { key } = await registerProject(dirs, project)
    const other = path.join(root, 'other')
    mkdirSync(other)
    const whole = await registerProject(dirs, other)
    const file = layout.project(dirs, key)
    writeFileSync(file, text)
    expect([projectByKey(dirs, key), registeredProject(dirs, project)]).toEqual([
      undefined,
      undefined,
    ])
    expect(registeredProjects(dirs)).toEqual([whole])
    expect([
      damagedRegistration(dirs, project),
      damagedRegistration(dirs, other),
      damagedRegistrations(dirs),
    ]).toEqual([file, undefined, [file]])

    expect(await registerProject(dirs, project)).toMatchObject({ path: project, key })
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text)
    expect(damagedRegistrations(dirs)).toEqual([])
    expect(registeredProjects(dirs)).toHaveLength(2)
    expect(readdirSync(path.dirname(file))).toHaveLength(3)
  },
)
