import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { removeWorkerClones } from '../../../src/adapters/workspace/worker-clones.js'
import { RefusalError } from '../../../src/contract/failures.js'
import { clone, expectWholeClone, NODE } from '../../support/repositories/cloned-workers.js'
import { fewOf } from '../../support/repositories/killed-git.js'
import {
  AT,
  filesOf,
  makeRepo,
  makeWorkspace,
  prepare,
  refs,
  RUN,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

test('a clone has the head of the run, its branch, its dependencies and ignored files, and none of its uncommitted work', async () => {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/m/index.js': 'm', 'web/.env': 'KEY=1' })
  const workspaceConfig = { copy: ['.env'] }
  const { workspace } = await prepare(path.join(project, 'web'), tempDirs(), { workspaceConfig })
  writeFiles(workspace.root, { 'web/src/x.js': 'fixed\n' })
  const { head } = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: workspace.base, at: AT, subject: 's' },
    () => false,
  )
  writeFiles(workspace.root, {
    'web/src/half.js': 'unfinished\n',
    'node_modules/added/index.js': 'by an agent',
  })
  const { workspace: own, warnings } = await clone(workspace, { head, workspaceConfig })
  expect(own).toEqual({ ...workspace, root: own.root, cwd: path.join(own.root, 'web'), base: head })
  expect(warnings).toEqual([])
  expect(filesOf(own.root)).toEqual({
    ...NODE,
    'web/src/x.js': 'fixed\n',
    'web/.env': 'KEY=1',
    'node_modules/m/index.js': 'm',
    'node_modules/added/index.js': 'by an agent',
  })
  expect(lstatSync(path.join(own.root, 'node_modules/m/index.js')).ino).not.toBe(
    lstatSync(path.join(workspace.root, 'node_modules/m/index.js')).ino,
  )
  expect([
    refs(own.root),
    runGit(own.root, 'symbolic-ref', '--short', 'HEAD'),
    runGit(own.root, 'status', '--porcelain'),
    runGit(own.root, 'remote'),
  ]).toEqual([{ [`refs/heads/${workspace.branch}`]: head }, workspace.branch, '', ''])
})

test('set-up runs in the clone, and its files are no work', async () => {
  const workspaceConfig = {
    setup: [['sh', '-c', 'mkdir -p built && pwd > built/where && echo more >> package.json']],
  }
  const project = makeRepo()
  const { workspace } = await prepare(project, tempDirs(), { workspaceConfig })
  const { workspace: own, warnings } = await clone(workspace, { workspaceConfig })
  expect(readFileSync(path.join(own.root, 'built/where'), 'utf8').trim()).toBe(own.root)
  expect(warnings).toEqual([expect.stringContaining('package.json')])
  expect(runGit(own.root, 'status', '--porcelain')).toBe('')
})

test('a finished clone of the same head is returned with its work; one of another head is created again', async () => {
  const { workspace } = await makeWorkspace()
  const first = await clone(workspace)
  writeFiles(first.workspace.root, { 'src/add.js': 'work\n' })
  expect(await clone(workspace)).toEqual(first)
  expect(filesOf(first.workspace.root)['src/add.js']).toBe('work\n')
  writeFiles(workspace.root, { 'src/more.js': 'more\n' })
  const { head } = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: workspace.base, at: AT, subject: 's' },
    () => false,
  )
  const second = await clone(workspace, { head })
  expect(filesOf(second.workspace.root)).toEqual({ ...SAMPLE, 'src/more.js': 'more\n' })
})

test('a clone killed before any git command and repeated is complete', () =>
  expectWholeClone(fewOf))

test('two attempts at once make one clone; clones of several workers at once do not end each other', async () => {
  const workspaceConfig = { setup: [['sh', '-c', 'sleep 0.3; echo done > done.txt']] }
  const { workspace } = await makeWorkspace()
  const dir = tempDir()
  const [a, b, other] = await Promise.all(
    ['develop', 'develop', 'debug'].map((name) =>
      clone(workspace, { into: path.join(dir, name), workspaceConfig }),
    ),
  )
  expect(b).toEqual(a)
  for (const one of [a, other])
    expect(readFileSync(path.join(one?.workspace.root ?? '', 'done.txt'), 'utf8')).toBe('done\n')
})

test('packages that lead into the run’s workspace are refused: the worker would test another tree', async () => {
  const project = makeRepo({ ...NODE, 'packages/api/package.json': '{ "name": "api" }' })
  const { workspace } = await prepare(project, tempDirs())
  const modules = path.join(workspace.root, 'node_modules')
  writeFiles(workspace.root, { 'node_modules/m.js': 'm', 'built/index.js': 'only here' })
  writeFiles(modules, { api: { link: path.join(workspace.root, 'built') } })
  const refused = await clone(workspace).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(RefusalError)
  expect(refused).toMatchObject({
    type: 'WorkspaceNotIsolated',
    where: expect.stringContaining('api resolves to') as string,
    next: expect.stringContaining('--mode auto') as string,
  })
})

test('in-place: the tree of the user is cloned and stays unchanged', async () => {
  const project = makeRepo()
  const { workspace } = await prepare(project, tempDirs(), {
    workspaceConfig: { isolation: 'in-place' },
  })
  const before = { refs: refs(project), files: filesOf(project) }
  const { workspace: own } = await clone(workspace, { into: path.join(tempDir(), 'develop') })
  expect(own).toMatchObject({ isolation: 'clone', branch: workspace.branch, project })
  expect(realpathSync(own.root)).not.toBe(realpathSync(project))
  expect({ refs: refs(project), files: filesOf(project) }).toEqual(before)
})

test('removes clones except the named ones; a missing directory is no error', async () => {
  const { workspace } = await makeWorkspace()
  const dir = path.join(path.dirname(workspace.root), 'workers')
  for (const round of ['1', '2']) await clone(workspace, { into: path.join(dir, round, 'develop') })
  await removeWorkerClones(dir, '2')
  expect([
    existsSync(path.join(dir, '1')),
    existsSync(path.join(dir, '2', 'develop', 'tree')),
  ]).toEqual([false, true])
  await removeWorkerClones(dir)
  expect(existsSync(path.join(dir, '2'))).toBe(false)
  await removeWorkerClones(path.join(dir, 'nothing'))
})
