// In place, agents share the .git of the user: their settings there are undone before git reads
// them, and named.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { changedFiles, commitStep, restoreTree } from '../../../src/adapters/git/steps.js'
import {
  filesIn,
  fingerprint,
  makeRepo,
  prepare,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
  type Files,
} from '../../support/repositories/repos.js'
import { FIXED, guard, step } from '../../support/runs/step-play.js'

const IN_PLACE = { workspaceConfig: { isolation: 'in-place' } }

async function inPlace() {
  const project = makeRepo()
  writeFiles(project, {
    '.git/hooks/pre-commit': { script: '#!/bin/sh\nexit 0\n' },
    '.git/info/attributes': '*.md text\n',
    '.git/info/exclude': '# mine\n',
  })
  const prepared = await prepare(project, tempDirs(), IN_PLACE)
  return { project, ...prepared }
}

const settings = (project: string) =>
  Object.fromEntries(
    Object.entries(fingerprint(project))
      .filter(([name]) => /^\.git\/(config|hooks|info)/.test(name))
      .map(([name, value]) => [name, value.replace(/^(\d+) \d\S*/, '$1')]),
  )

test('in place the start names the missing protections of the workspace', async () => {
  const { warnings } = await inPlace()
  expect(warnings).toEqual([
    expect.stringContaining('agents work in your own tree, with your .git'),
  ])
})

test.each<{ why: string; files?: Files; act?: (project: string) => void; tampered: string[] }>([
  {
    why: 'sets a filter in config',
    act: (project) => runGit(project, 'config', 'filter.own.clean', 'touch ran; cat'),
    files: { '.git/info/attributes': '* filter=own\n' },
    tampered: ['.git/config', '.git/info/attributes'],
  },
  {
    why: 'writes a config that git cannot read',
    files: { '.git/config': '[core\n' },
    tampered: ['.git/config'],
  },
  {
    why: 'adds and changes hooks',
    files: {
      '.git/hooks/pre-commit': '#!/bin/sh\ntouch ran\n',
      '.git/hooks/post-checkout': { script: '#!/bin/sh\ntouch ran\n' },
    },
    tampered: ['.git/hooks/post-checkout', '.git/hooks/pre-commit'],
  },
  {
    why: 'excludes everything',
    files: { '.git/info/exclude': '*\n' },
    tampered: ['.git/info/exclude'],
  },
  {
    why: 'names other objects in alternates',
    act: (project) => mkdirSync(path.join(project, '.git/objects/info'), { recursive: true }),
    files: { '.git/objects/info/alternates': '/nowhere/objects\n' },
    tampered: ['.git/objects/info/alternates'],
  },
  {
    why: 'puts a link in the place of the hooks',
    act: (project) => {
      rmSync(path.join(project, '.git/hooks'), { recursive: true })
      writeFiles(project, { '.git/hooks': { link: tempDir() } })
    },
    tampered: ['.git/hooks', '.git/hooks/pre-commit'],
  },
])(
  'in place an agent $why: it is undone before git reads it, and the step names it',
  async ({ files = {}, act = () => undefined, tampered }) => {
    const { project, workspace, head } = await inPlace()
    const before = settings(project)
    writeFiles(project, { 'src/add.js': FIXED, 'src/new.js': 'new\n' })
    act(project)
    writeFiles(project, files)
    expect(await changedFiles(workspace)).toEqual(['src/add.js', 'src/new.js']) // after the turn
    expect(settings(project)).toEqual(before)
    const result = await commitStep(step(workspace, { expectHead: head }), guard)
    expect(result).toMatchObject({ files: ['src/add.js', 'src/new.js'] })
    expect(result.tampered).toEqual(expect.arrayContaining(tampered))
    expect(result.tamperedTotal).toBe(result.tampered.length)
    expect(filesIn(project, result.head)).toEqual({
      ...SAMPLE,
      'src/add.js': FIXED,
      'src/new.js': 'new\n',
    })
    expect(await commitStep(step(workspace, { expectHead: head }), guard)).toEqual(result)
    expect(
      (await commitStep(step(workspace, { step: 'next', expectHead: result.head }), guard))
        .tampered,
    ).toEqual([])
    expect([existsSync(path.join(project, 'ran')), settings(project)]).toEqual([false, before])
  },
)

test('in place a setting that the user changes before the next run is kept', async () => {
  const { project, workspace, head } = await inPlace()
  await restoreTree(workspace, head)
  const dirs = tempDirs()
  writeFileSync(path.join(project, '.git/info/exclude'), 'more\n')
  const next = await prepare(project, dirs, { ...IN_PLACE, run: 'another-run' })
  await restoreTree(next.workspace, next.head)
  expect(readFileSync(path.join(project, '.git/info/exclude'), 'utf8')).toBe('more\n')
})
