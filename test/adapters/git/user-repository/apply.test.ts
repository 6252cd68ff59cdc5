import { existsSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../../../../src/adapters/git/user-repository/apply.js'
import {
  commitAll,
  filesOf,
  fingerprint,
  installFailingHooks,
  makeRepo,
  runGit,
  writeFiles,
  type Files,
} from '../../../support/repositories/repos.js'

const TEXT = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join('\n') + '\n'
const START: Files = {
  'a.js': TEXT,
  'b.js': 'b\n',
  'gone.js': 'gone\n',
  'moved.js': TEXT,
  'run.sh': '#!/bin/sh\n',
  'image.bin': Buffer.from([0, 1, 2, 255]),
  'sub/deep.js': 'deep\n',
  'becomes-dir': 'x\n',
  'becomes-file/x': 'x\n',
  '.gitignore': '*.env\nout/\n',
}

/** A repository on main with a branch `ratchet/x` that holds `changes` on top of it. */
function repoWith(
  changes: Files,
  options: { config?: string[]; start?: Files } = {},
): { root: string; base: string; apply: () => ReturnType<typeof applyBranch> } {
  const root = makeRepo({ ...START, ...options.start })
  if (options.config) runGit(root, 'config', ...options.config)
  const base = runGit(root, 'rev-parse', 'HEAD')
  runGit(root, 'switch', '-qc', 'ratchet/x')
  writeFiles(root, changes)
  runGit(root, 'add', '-Af')
  runGit(root, 'commit', '-qm', 'changes')
  runGit(root, 'switch', '-q', 'main')
  return { root, base, apply: () => applyBranch({ project: root, base, branch: 'ratchet/x' }) }
}

const edited = (line: number, text: string) => TEXT.replace(`line ${line}\n`, `${text}\n`)

test('changed, new, deleted, renamed, executable, binary and oddly named files and links arrive, uncommitted', async () => {
  const { root, apply } = repoWith({
    'a.js': edited(3, 'fixed'),
    'new/file with blank.js': 'new\n',
    'new/line\nbreak.js': 'odd\n',
    'new/grüße.js': 'odd\n',
    'gone.js': null,
    'moved.js': null,
    'other/moved.js': TEXT,
    'run.sh': { script: '#!/bin/sh\n' },
    'image.bin': Buffer.from([255, 0, 7]),
    'sub/deep.js': null,
    link: { link: 'a.js' },
  })
  const wanted = (() => {
    runGit(root, 'switch', '-q', 'ratchet/x')
    const files = filesOf(root)
    runGit(root, 'switch', '-q', 'main')
    return files
  })()
  const hooks = installFailingHooks(root)
  const git = () =>
    Object.fromEntries(
      Object.entries(fingerprint(root)).filter(([name]) => name.startsWith('.git/')),
    )
  const before = git()
  const result = await apply()
  expect(result.conflicts).toEqual([])
  expect(result.applied).toEqual([
    'a.js',
    'gone.js',
    'image.bin',
    'link',
    'moved.js',
    'new/file with blank.js',
    'new/grüße.js',
    'new/line\nbreak.js',
    'other/moved.js',
    'run.sh',
    'sub/deep.js',
  ])
  expect(filesOf(root)).toEqual(wanted)
  expect(git()).toEqual(before)
  expect(hooks.ran()).toBe(false)
  expect(await apply()).toEqual({
    applied: [],
    conflicts: [],
    reason: 'every change of the branch is there already',
  })
})

test('own uncommitted work, staged or not, in the same files is kept', async () => {
  const { root, apply } = repoWith({ 'a.js': edited(3, 'fixed'), 'b.js': 'fixed\n' })
  writeFiles(root, { 'a.js': edited(15, 'staged by me') })
  runGit(root, 'add', 'a.js')
  writeFiles(root, { 'a.js': edited(15, 'edited by me'), 'mine.js': 'mine\n', 'secret.env': 'x' })
  const index = runGit(root, 'ls-files', '-s')
  expect(await apply()).toEqual({ applied: ['a.js', 'b.js'], conflicts: [] })
  expect(filesOf(root)).toMatchObject({
    'a.js': edited(3, 'fixed').replace('line 15\n', 'edited by me\n'),
    'b.js': 'fixed\n',
    'mine.js': 'mine\n',
    'secret.env': 'x',
  })
  expect(runGit(root, 'ls-files', '-s')).toBe(index)
})

// prettier-ignore
const conflicts: { why: string; theirs: Files; mine: Files; conflicts: string[] }[] = [
  { why: 'the same line was changed', theirs: { 'a.js': edited(3, 'theirs'), 'b.js': 'fine\n' }, mine: { 'a.js': edited(3, 'mine') }, conflicts: ['a.js'] },
  { why: 'a changed file was deleted', theirs: { 'b.js': 'theirs\n' }, mine: { 'b.js': null }, conflicts: ['b.js'] },
  { why: 'a deleted file was changed', theirs: { 'b.js': null }, mine: { 'b.js': 'mine\n' }, conflicts: ['b.js'] },
  { why: 'a binary file was changed', theirs: { 'image.bin': Buffer.from([0, 9]) }, mine: { 'image.bin': Buffer.from([0, 8]) }, conflicts: ['image.bin'] },
  { why: 'an untracked file has the name', theirs: { 'new.js': 'theirs\n' }, mine: { 'new.js': 'mine\n' }, conflicts: ['new.js'] },
  { why: 'an ignored file has the name', theirs: { 'x.env': 'theirs\n' }, mine: { 'x.env': 'mine\n' }, conflicts: ['x.env'] },
  { why: 'a file is where a folder is needed', theirs: { 'new/file.js': 'theirs\n' }, mine: { new: 'mine\n' }, conflicts: ['new/file.js'] },
  { why: 'an ignored file is where a folder is needed', theirs: { 'out/file.js': 'theirs\n' }, mine: { out: { link: '/tmp' } }, conflicts: ['out/file.js'] },
  { why: 'a folder is where a file is needed', theirs: { place: 'theirs\n' }, mine: { 'place/mine.js': 'mine\n' }, conflicts: ['place'] },
]

test.each(conflicts)(
  'where $why nothing at all is applied and the file is named',
  async ({ theirs, mine, conflicts: files }) => {
    const { root, apply } = repoWith({ ...theirs, 'also-new.js': 'new\n' })
    writeFiles(root, mine)
    const before = fingerprint(root)
    expect(await apply()).toEqual({
      applied: [],
      conflicts: files,
      reason: '1 file changed on both sides',
    })
    expect(fingerprint(root)).toEqual(before)
  },
)

test('a file becomes a folder and a folder a file, unless an ignored file would be lost', async () => {
  const root = makeRepo(START)
  const base = runGit(root, 'rev-parse', 'HEAD')
  runGit(root, 'switch', '-qc', 'ratchet/x')
  writeFiles(root, { 'becomes-dir': null, 'becomes-file': null })
  writeFiles(root, { 'becomes-dir/x': 'new\n', 'becomes-file': 'new\n' })
  commitAll(root, 'changes')
  runGit(root, 'switch', '-q', 'main')
  writeFiles(root, { 'becomes-file/secret.env': 'mine\n' })
  const apply = () => applyBranch({ project: root, base, branch: 'ratchet/x' })
  expect((await apply()).conflicts).toEqual(['becomes-file'])
  writeFiles(root, { 'becomes-file/secret.env': null })
  expect((await apply()).applied).toEqual([
    'becomes-dir',
    'becomes-dir/x',
    'becomes-file',
    'becomes-file/x',
  ])
  expect(filesOf(root)).toMatchObject({ 'becomes-dir/x': 'new\n', 'becomes-file': 'new\n' })
})

test('line ends follow the settings of the repository', async () => {
  const { root, apply } = repoWith(
    { 'a.js': edited(3, 'fixed') },
    { config: ['core.autocrlf', 'true'] },
  )
  writeFiles(root, { 'a.js': edited(15, 'mine').replaceAll('\n', '\r\n') })
  expect(await apply()).toMatchObject({ applied: ['a.js'] })
  expect(filesOf(root)['a.js']).toBe(
    edited(3, 'fixed').replace('line 15\n', 'mine\n').replaceAll('\n', '\r\n'),
  )
})

test('a project in a subfolder gets the changes of the whole repository', async () => {
  const { root, base } = repoWith({ 'sub/deep.js': 'fixed\n', 'b.js': 'fixed\n' })
  expect(await applyBranch({ project: path.join(root, 'sub'), base, branch: 'ratchet/x' })).toEqual(
    { applied: ['b.js', 'sub/deep.js'], conflicts: [] },
  )
})

test('a file that the user renamed and the branch changed is a conflict, not a second copy', async () => {
  const { root, apply } = repoWith({ 'a.js': edited(3, 'fixed') })
  renameSync(path.join(root, 'a.js'), path.join(root, 'z.js'))
  expect((await apply()).conflicts).toEqual(['a.js'])
})

test('a missing branch is a reason, not an error', async () => {
  const root = makeRepo(START)
  expect(await applyBranch({ project: root, base: 'HEAD', branch: 'ratchet/none' })).toEqual({
    applied: [],
    conflicts: [],
    reason: `ratchet/none is not in ${root}`,
  })
})

test('a branch reset to its base has no changes', async () => {
  const { root, base, apply } = repoWith({ 'a.js': 'other\n' })
  runGit(root, 'switch', '-q', 'ratchet/x')
  runGit(root, 'read-tree', '-u', '--reset', base)
  runGit(root, 'commit', '-qm', 'Back to the start')
  runGit(root, 'switch', '-q', 'main')
  expect(await apply()).toMatchObject({ applied: [], reason: 'the branch holds no changes' })
})

test('a filter fails at the second file: nothing has changed, and no file of Ratchet is left', async () => {
  const { root, apply } = repoWith(
    { 'a.js': edited(3, 'fixed'), 'b.js': 'fixed\n', 'gone.js': null },
    { start: { '.gitattributes': 'b.js filter=breaks\n' }, config: ['filter.breaks.clean', 'cat'] },
  )
  for (const [name, value] of [
    ['smudge', 'false'],
    ['required', 'true'],
  ] as const)
    runGit(root, 'config', `filter.breaks.${name}`, value)
  const before = filesOf(root)
  await expect(apply()).rejects.toThrow('b.js')
  expect(filesOf(root)).toEqual(before)
  expect(readdirSync(path.join(root, '.git')).filter((name) => /ratchet/.test(name))).toEqual([])
})

test('what an apply that was killed has left is removed', async () => {
  const { root, apply } = repoWith({ 'a.js': edited(3, 'fixed') })
  const left = path.join(root, '.git', 'ratchet-index.4194305.1')
  writeFiles(left, { 'a.js': 'half' })
  expect((await apply()).applied).toEqual(['a.js'])
  expect(existsSync(left)).toBe(false)
})
