// Workspaces of package managers: what one package imports of another is the workspace's, not the
// user's, and an agent's change of one package is measured by the tests of another.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect } from 'vitest'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { restoreInstalled } from '../../../src/adapters/workspace/installed.js'
import {
  AT,
  filesOf,
  fingerprint,
  makeRepo,
  prepare,
  runGit,
  RUN,
  tempDirs,
  writeFiles,
  type Files,
} from './repos.js'

const API = 'module.exports = (a, b) => a - b\n'
const PACKAGES: Files = {
  '.gitignore': 'node_modules/\n',
  'packages/api/package.json': '{ "name": "@acme/api", "version": "1.0.0", "main": "index.js" }\n',
  'packages/api/index.js': API,
  'packages/web/package.json':
    '{ "name": "web", "version": "1.0.0", "dependencies": { "@acme/api": "1.0.0" } }\n',
  'packages/web/sum.js': "console.log(require('@acme/api')(1, 2))\n",
}

export type Manager = {
  why: string
  files: Files
  install: (root: string) => void
  installed: string
}

/** Prepared, edited, restored and committed: each package sees the workspace's own. */
export async function expectOwnPackages({ files, install, installed }: Manager): Promise<void> {
  const root = makeRepo({ ...PACKAGES, ...files })
  install(root)
  const sum = (at: string) =>
    execFileSync(process.execPath, ['packages/web/sum.js'], { cwd: at, encoding: 'utf8' })
  const isClean = () => runGit(root, 'status', '--porcelain', '--', 'packages')
  expect([sum(root), isClean()]).toEqual(['-1\n', ''])
  const before = fingerprint(root)

  const { workspace, warnings } = await prepare(path.join(root, 'packages/web'), tempDirs())
  expect([warnings, workspace.cwd]).toEqual([[], path.join(workspace.root, 'packages/web')])
  writeFiles(workspace.root, { 'packages/api/index.js': 'module.exports = (a, b) => a + b\n' })
  expect([sum(workspace.root), sum(root)]).toEqual(['3\n', '-1\n'])
  expect(await restoreInstalled(workspace, 'fix', Object.keys(PACKAGES))).toEqual([])
  const { files: committed } = await commitStep(
    { workspace, run: RUN, step: 'fix', expectHead: workspace.base, at: AT, subject: 'fix' },
    () => false,
  )
  expect(committed).toEqual(['packages/api/index.js'])

  // A package put in the place of the link is an edit of what is installed.
  const link = filesOf(workspace.root)[installed]
  writeFiles(workspace.root, {
    [installed]: null,
    [`${installed}/index.js`]: 'module.exports = () => 3\n',
  })
  expect(await restoreInstalled(workspace, 'again', Object.keys(PACKAGES))).toEqual([installed])
  expect(filesOf(workspace.root)[installed]).toBe(link)
  expect(fingerprint(root)).toEqual(before)
}
