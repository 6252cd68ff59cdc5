// Attacks of an agent on git in its clone: neither the repository of the user nor the commits and
// measurements depend on it.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { GitError } from '../../../src/adapters/git/git.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import {
  changedFiles,
  commitStep,
  measuringTree,
  restoreTree,
  snapshotUncommitted,
} from '../../../src/adapters/git/steps.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { isGuarded } from '../../../src/core/guard/test-guard.js'
import {
  AT,
  commitAll,
  filesIn,
  filesOf,
  gitOf,
  makeRepo,
  makeWorkspace,
  prepare,
  refs,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'
import { FIXED, guard, status, step } from '../../support/runs/step-play.js'

const gitDir = (root: string) => path.join(root, '.git')
const trap = () => path.join(tempDir(), 'ran')
const script = (file: string) => ({ script: `#!/bin/sh\ntouch '${file}'\ncat\n` })

function config(root: string, ...settings: [string, string][]): void {
  for (const [name, value] of settings) runGit(root, 'config', name, value)
}

// What is below a directory, by device and inode.
function inodesOf(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dir, name))
    .filter((file) => lstatSync(file).isFile())
  return new Map(files.map((file) => [`${lstatSync(file).dev} ${lstatSync(file).ino}`, file]))
}

type Attack = { why: string; act: (root: string, ran: string, project: string) => void }

const attacks: Attack[] = [
  {
    why: 'sets clean and smudge filters in its configuration and info/attributes',
    act: (root, ran) => {
      config(
        root,
        ['filter.own.clean', `touch '${ran}'; sed s/a/b/`],
        ['filter.own.smudge', `touch '${ran}'; cat`],
        ['filter.own.required', 'true'],
      )
      mkdirSync(path.join(gitDir(root), 'info'), { recursive: true })
      writeFileSync(path.join(gitDir(root), 'info/attributes'), '* filter=own\n')
    },
  },
  {
    why: 'sets core.hooksPath and hooks',
    act: (root, ran) => {
      for (const name of [
        'pre-commit',
        'reference-transaction',
        'post-index-change',
        'post-checkout',
      ])
        writeFiles(root, { [`.git/hooks/${name}`]: script(ran), [`.git/own/${name}`]: script(ran) })
      config(root, ['core.hooksPath', path.join(gitDir(root), 'own')])
    },
  },
  {
    why: 'sets core.fsmonitor, a pager, an editor, an alias and an ssh command',
    act: (root, ran) => {
      writeFiles(root, { '.git/program': script(ran) })
      const program = path.join(gitDir(root), 'program')
      config(
        root,
        ['core.fsmonitor', program],
        ['core.pager', program],
        ['core.editor', program],
        ['alias.status', `!${program}`],
        ['core.sshCommand', program],
        ['uploadpack.packObjectsHook', program],
        ['core.alternateRefsCommand', program],
      )
    },
  },
  { why: 'sets core.worktree', act: (root) => config(root, ['core.worktree', '/nowhere']) },
  { why: 'makes the repository bare', act: (root) => config(root, ['core.bare', 'true']) },
  {
    why: 'writes a configuration that git cannot read',
    act: (root) => writeFileSync(path.join(gitDir(root), 'config'), '[core\n'),
  },
  {
    why: 'marks every file as skip-worktree and unchanged',
    act: (root) => {
      const files = runGit(root, 'ls-files').split('\n')
      runGit(root, 'update-index', '--skip-worktree', ...files)
      runGit(root, 'update-index', '--assume-unchanged', ...files)
    },
  },
  {
    why: 'writes nonsense into the index',
    act: (root) => writeFileSync(path.join(gitDir(root), 'index'), 'garbage'),
  },
  {
    why: 'excludes everything in info/exclude',
    act: (root) => writeFileSync(path.join(gitDir(root), 'info/exclude'), '*\n'),
  },
  {
    why: 'turns on a sparse checkout of nothing',
    act: (root) => {
      config(root, ['core.sparseCheckout', 'true'])
      writeFileSync(path.join(gitDir(root), 'info/sparse-checkout'), '/none\n')
    },
  },
  {
    why: 'names other objects in alternates',
    act: (root) => {
      const other = makeRepo({ 'x.txt': 'x' })
      mkdirSync(path.join(gitDir(root), 'objects/info'), { recursive: true })
      writeFileSync(
        path.join(gitDir(root), 'objects/info/alternates'),
        `${path.join(other, '.git/objects')}\n`,
      )
    },
  },
  {
    why: 'replaces commits by others',
    act: (root) => {
      const other = commitAll(root, 'other')
      runGit(root, 'reset', '-q', '--soft', 'HEAD^')
      runGit(root, 'replace', 'HEAD', other)
    },
  },
  {
    why: 'puts a file in the place of .git, which leads to another repository',
    act: (root) => {
      rmSync(gitDir(root), { recursive: true })
      writeFileSync(gitDir(root), `gitdir: ${path.join(makeRepo({ 'x.txt': 'x' }), '.git')}\n`)
    },
  },
  {
    why: 'puts a link in the place of .git, which leads to the repository of the user',
    act: (root, _ran, project) => {
      rmSync(gitDir(root), { recursive: true })
      symlinkSync(gitDir(project), gitDir(root))
    },
  },
  {
    why: 'puts a link in the place of its objects, which leads to those of the user',
    act: (root, _ran, project) => {
      rmSync(path.join(gitDir(root), 'objects'), { recursive: true })
      symlinkSync(path.join(gitDir(project), 'objects'), path.join(gitDir(root), 'objects'))
    },
  },
  {
    why: 'deletes .git, below a repository of its own further up',
    act: (root) => {
      rmSync(gitDir(root), { recursive: true })
      runGit(path.dirname(root), 'init', '-q')
    },
  },
  {
    why: 'deletes its refs and objects',
    act: (root) => {
      for (const name of ['refs', 'objects'])
        rmSync(path.join(gitDir(root), name), { recursive: true })
    },
  },
  {
    why: 'writes nonsense into HEAD',
    act: (root) => writeFileSync(path.join(gitDir(root), 'HEAD'), 'garbage'),
  },
  {
    why: 'detaches HEAD and commits',
    act: (root) => {
      runGit(root, 'switch', '-q', '--detach')
      commitAll(root, 'agent: detached')
    },
  },
  {
    why: 'moves its branch to a commit of its own',
    act: (root) => {
      commitAll(root, 'agent: one')
      writeFiles(root, { 'agents.txt': 'x' })
      commitAll(root, 'agent: two')
      runGit(root, 'reset', '-q', '--soft', 'HEAD^')
      rmSync(path.join(root, 'agents.txt'))
    },
  },
  {
    why: 'leaves a stash and a tag',
    act: (root) => {
      writeFiles(root, { 'stashed.txt': 'x' })
      runGit(root, 'stash', '-q', '--include-untracked')
      runGit(root, 'tag', 'agents')
      writeFiles(root, { 'src/add.js': FIXED, 'src/new.js': 'new\n' })
    },
  },
  { why: 'writes garbage into an object of its clone', act: (root) => breakObjects(gitDir(root)) },
  { why: 'takes all rights from .git', act: (root) => chmodSync(gitDir(root), 0) },
]

function breakObjects(dir: string): void {
  for (const name of readdirSync(path.join(dir, 'objects'), {
    recursive: true,
    encoding: 'utf8',
  })) {
    const file = path.join(dir, 'objects', name)
    if (!lstatSync(file).isFile()) continue
    chmodSync(file, 0o644)
    writeFileSync(file, 'garbage')
  }
}

test.each(attacks)(
  'an agent $why: the step has its files, no code of it runs, and the user gets none of it',
  async ({ act }) => {
    const { project, workspace } = await makeWorkspace()
    const { root } = workspace
    const before = runGit(project, 'rev-parse', 'HEAD', 'main')
    const ran = trap()
    writeFiles(root, { 'src/add.js': FIXED, 'src/new.js': 'new\n' })
    act(root, ran, project)
    expect(await changedFiles(workspace)).toEqual(['src/add.js', 'src/new.js'])
    const { head, files } = await commitStep(step(workspace), guard)
    expect(files).toEqual(['src/add.js', 'src/new.js'])
    expect(filesIn(gitOf(workspace), head)).toEqual({
      ...SAMPLE,
      'src/add.js': FIXED,
      'src/new.js': 'new\n',
    })
    // Its own clone shows the step, and works for the next agent.
    expect([
      runGit(root, 'symbolic-ref', 'HEAD'),
      runGit(root, 'rev-parse', 'HEAD'),
      status(root),
      Object.keys(refs(root)),
    ]).toEqual([`refs/heads/${workspace.branch}`, head, '', [`refs/heads/${workspace.branch}`]])
    expect(runGit(root, 'fsck', '--full', '--strict')).toBe('')

    await measuringTree(workspace, head)
    expect(filesOf(root)).toEqual({ ...SAMPLE, 'src/add.js': FIXED, 'src/new.js': 'new\n' })
    expect(await publishBranch(workspace)).toEqual({ head })
    expect(existsSync(ran)).toBe(false)
    expect([
      runGit(project, 'rev-parse', 'HEAD', 'main'),
      runGit(project, 'fsck', '--full', '--strict'),
      runGit(project, 'status', '--porcelain'),
    ]).toEqual([before, '', ''])
  },
)

test('no inode of the user is in a workspace, also after a step, and garbage in each object of the clone leaves the user whole', async () => {
  const project = makeRepo()
  runGit(project, 'gc', '-q')
  writeFiles(project, { 'src/more.js': 'loose\n' })
  commitAll(project, 'more')
  const { workspace } = await prepare(project, tempDirs())
  const shared = () =>
    [...inodesOf(path.dirname(workspace.root)).keys()].filter((one) => inodesOf(project).has(one))
  expect(inodesOf(gitDir(workspace.root)).size).toBeGreaterThan(5)
  expect(shared()).toEqual([])
  breakObjects(gitDir(workspace.root))
  expect(runGit(project, 'fsck', '--full')).toBe('')
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  await commitStep(step(workspace), guard)
  expect(shared()).toEqual([])
  expect(runGit(workspace.root, 'fsck', '--full')).toBe('')
})

test('keeps unchanged objects of a clone while the rest is rebuilt', async () => {
  const { workspace } = await makeWorkspace()
  await restoreTree(workspace, workspace.base)
  const [name = ''] = readdirSync(path.join(gitDir(workspace.root), 'objects'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((one) => /^..\/.{38}$/.test(one))
  const inode = () => statSync(path.join(gitDir(workspace.root), 'objects', name)).ino
  const before = inode()
  config(workspace.root, ['core.fsmonitor', 'x'])
  await restoreTree(workspace, workspace.base)
  expect(inode()).toBe(before)
  expect(readFileSync(path.join(gitDir(workspace.root), 'config'), 'utf8')).not.toContain(
    'fsmonitor',
  )
})

const UPPER: [string, string][] = [
  ['filter.upper.smudge', 'tr a-z A-Z'],
  ['filter.upper.clean', 'tr A-Z a-z'],
]

test.each<{ why: string; files: Record<string, string>; tampered: string[] }>(
  // prettier-ignore
  [
  { why: 'adds one at the top', files: { '.gitattributes': '* filter=upper\n' }, tampered: ['.gitattributes'] },
  { why: 'adds one in a folder, and ignores it', files: { 'src/.gitattributes': '* -text filter=upper\n', 'src/.gitignore': '.gitattributes\n' }, tampered: ['src/.gitattributes'] },
  { why: 'adds one next to a new file, and ignores it', files: { 'new/.gitattributes': '* filter=upper\n', 'new/.gitignore': '.gitattributes\n', 'new/A.js': 'ABC\n' }, tampered: ['new/.gitattributes'] },
  { why: 'changes the one that is there', files: { 'lib/.gitattributes': '* filter=upper\n' }, tampered: ['lib/.gitattributes'] },
  { why: 'adds .lfsconfig and .gitmodules', files: { '.lfsconfig': '[lfs]\n\turl = x\n', '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = -x\n' }, tampered: ['.gitmodules', '.lfsconfig'] },
],
)(
  'attributes are restored before anything is staged: an agent $why',
  async ({ files, tampered }) => {
    const project = makeRepo({ ...SAMPLE, 'lib/.gitattributes': '*.txt text\n', 'lib/x.js': 'x\n' })
    config(project, ...UPPER)
    const { workspace } = await prepare(project, tempDirs())
    writeFiles(workspace.root, { ...files, 'src/add.js': 'ABC\n', 'lib/x.js': 'ABC\n' })
    const result = await commitStep(step(workspace), guard)
    expect(result.tampered).toEqual(tampered)
    const committed = filesIn(gitOf(workspace), result.head)
    expect(committed).toMatchObject({
      'src/add.js': 'ABC\n',
      'lib/x.js': 'ABC\n',
      'lib/.gitattributes': '*.txt text\n',
      ...('new/A.js' in files ? { 'new/A.js': 'ABC\n' } : {}),
    })
    for (const file of tampered)
      expect(filesOf(workspace.root)[file]).toBe(
        file === 'lib/.gitattributes' ? '*.txt text\n' : undefined,
      )
    expect(filesIn(gitOf(workspace), result.snapshot ?? '')).toMatchObject(
      Object.fromEntries(tampered.map((file) => [file, files[file]])),
    )
    expect(await commitStep(step(workspace), guard)).toEqual(result)
  },
)

test('an agent may change attributes that the project excludes from its guard', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { '.gitattributes': '*.js text\n' })
  const { files, tampered } = await commitStep(step(workspace), (file) =>
    isGuarded(file, ['!.gitattributes']),
  )
  expect([files, tampered]).toEqual([['.gitattributes'], []])
})

test('a guarded file whose change a filter hides from git is restored by bytes and named, and the tampered one is kept', async () => {
  const project = makeRepo({
    ...SAMPLE,
    '.gitattributes': '*.up.test.js filter=upper\n',
    'x.up.test.js': 'abc\n',
  })
  config(project, ...UPPER)
  const { workspace } = await prepare(project, tempDirs())
  expect(filesOf(workspace.root)['x.up.test.js']).toBe('ABC\n')
  writeFiles(workspace.root, { 'x.up.test.js': 'aBC\n', 'src/add.js': FIXED })
  const result = await commitStep(step(workspace), guard)
  expect(result).toMatchObject({ files: ['src/add.js'], tampered: ['x.up.test.js'] })
  expect(filesOf(workspace.root)['x.up.test.js']).toBe('ABC\n')
  expect(filesIn(gitOf(workspace), result.snapshot ?? '')['x.up.test.js']).toBe('aBC\n')
  expect(await commitStep(step(workspace), guard)).toEqual(result)
  expect(
    (await commitStep(step(workspace, { step: 'next', expectHead: result.head }), guard)).tampered,
  ).toEqual([])
})

test.each<{ why: string; act: (root: string) => void }>([
  { why: 'whose change a filter hides', act: (root) => writeFiles(root, { 'b.up': 'aBC\n' }) },
  {
    why: 'with an ignored attribute next to it',
    act: (root) => {
      writeFiles(root, { 'src/.gitattributes': '* filter=upper\n' })
      rmSync(path.join(root, 'src/add.js'))
    },
  },
])('the measuring tree has the bytes of the commit: a file $why', async ({ act }) => {
  const project = makeRepo({
    ...SAMPLE,
    '.gitattributes': '*.up filter=upper\n',
    'b.up': 'abc\n',
    '.gitignore': 'src/.gitattributes\n',
  })
  config(project, ...UPPER)
  const { workspace } = await prepare(project, tempDirs())
  const before = filesOf(workspace.root)
  act(workspace.root)
  for (let n = 0; n < 2; n++) {
    await measuringTree(workspace, workspace.base)
    expect(filesOf(workspace.root)).toEqual(before)
  }
})

test('the measuring tree has the bytes of the commit: a file that git takes for unchanged by its times', async () => {
  const { workspace } = await makeWorkspace()
  await measuringTree(workspace, workspace.base)
  const file = path.join(workspace.root, 'src/add.js')
  const { mtime, atime } = statSync(file)
  writeFileSync(file, FIXED)
  utimesSync(file, atime, mtime)
  // As if the clock had been set back: what the index knows of the file is what the file has now.
  runGit(
    workspace.root,
    `--git-dir=${gitOf(workspace)}`,
    `--work-tree=${workspace.root}`,
    'update-index',
    '--assume-unchanged',
    'src/add.js',
  )
  await measuringTree(workspace, workspace.base)
  expect(filesOf(workspace.root)).toEqual(SAMPLE)
})

test('a repository inside a folder of the clone is no part of a step, and no command runs in it', async () => {
  const { workspace } = await makeWorkspace()
  const ran = trap()
  for (const dir of ['inner', 'src']) {
    mkdirSync(path.join(workspace.root, dir), { recursive: true })
    runGit(path.join(workspace.root, dir), 'init', '-q')
    writeFiles(workspace.root, { [`${dir}/.git/program`]: script(ran), [`${dir}/x.js`]: 'x\n' })
    config(path.join(workspace.root, dir), [
      'core.fsmonitor',
      path.join(workspace.root, dir, '.git/program'),
    ])
  }
  writeFiles(workspace.root, { 'src/add.js': FIXED })
  const { files, head } = await commitStep(step(workspace), guard)
  expect(files).toEqual(['src/add.js', 'src/x.js'])
  await measuringTree(workspace, head)
  expect(existsSync(path.join(workspace.root, 'inner'))).toBe(false)
  expect(existsSync(ran)).toBe(false)
})

test('no command runs in a submodule of which an agent made a repository', async () => {
  const project = makeRepo()
  runGit(
    project,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    makeRepo({ 'x.txt': 'x' }),
    'inner',
  )
  commitAll(project, 'with a submodule')
  const { workspace } = await prepare(project, tempDirs())
  const [inner, ran] = [path.join(workspace.root, 'inner'), trap()]
  runGit(inner, 'init', '-q')
  runGit(inner, 'fetch', '-q', path.join(project, 'inner'), 'HEAD')
  runGit(inner, 'reset', '-q', 'FETCH_HEAD')
  writeFiles(inner, { '.git/info/attributes': '* filter=own\n', 'x.txt': 'y' })
  config(inner, ['filter.own.clean', `touch '${ran}'; cat`])
  await changedFiles(workspace)
  await commitStep(step(workspace), guard)
  await measuringTree(workspace, workspace.base)
  expect(existsSync(ran)).toBe(false)
})

test('variables of git in the environment of the worker point nowhere', async () => {
  const { workspace } = await makeWorkspace()
  const other = makeRepo({ 'x.txt': 'x' })
  const config = path.join(tempDir(), 'config')
  const ran = trap()
  writeFileSync(
    config,
    `[filter "own"]\n\tclean = touch '${ran}'; cat\n[core]\n\tautocrlf = input\n\tattributesFile = ${config}.attributes\n\texcludesFile = ${config}.attributes\n`,
  )
  writeFileSync(`${config}.attributes`, '* filter=own\n')
  const set = {
    GIT_DIR: path.join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: path.join(other, 'index'),
    GIT_OBJECT_DIRECTORY: other,
    GIT_CONFIG_GLOBAL: config,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.excludesFile',
    GIT_CONFIG_VALUE_0: `${config}.attributes`,
  }
  for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  writeFiles(workspace.root, { 'src/add.js': 'a\r\n' })
  const { files, head } = await commitStep(step(workspace), guard)
  await measuringTree(workspace, head)
  vi.unstubAllEnvs()
  expect([files, filesIn(gitOf(workspace), head)['src/add.js']]).toEqual([['src/add.js'], 'a\r\n'])
  expect([existsSync(ran), filesOf(other)]).toEqual([false, { 'x.txt': 'x' }])
})

test.each<{ why: string; spoil: (workspace: Workspace, head: string) => void }>([
  {
    why: 'a tree with a path to .git',
    spoil: (workspace, head) => {
      const blob = runGit(gitOf(workspace), 'rev-parse', `${head}:src/add.js`)
      const tree = path.join(tempDir(), 'tree')
      writeFileSync(tree, Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]))
      const bad = runGit(
        gitOf(workspace),
        'commit-tree',
        runGit(gitOf(workspace), 'hash-object', '-w', '-t', 'tree', '--literally', tree),
        '-p',
        head,
        '-m',
        'bad',
      )
      runGit(gitOf(workspace), 'update-ref', `refs/heads/${workspace.branch}`, bad)
    },
  },
  {
    why: 'an object that is not what its name says',
    spoil: (workspace, head) => {
      const [good, other] = [
        runGit(gitOf(workspace), 'rev-parse', `${head}:src/add.js`),
        runGit(gitOf(workspace), 'rev-parse', `${head}:src/new.js`),
      ].map((sha) => path.join(gitOf(workspace), 'objects', sha.slice(0, 2), sha.slice(2)))
      rmSync(good ?? '')
      renameSync(other ?? '', good ?? '')
    },
  },
])('$why does not come into the repository of the user', async ({ spoil }) => {
  const { project, workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': FIXED, 'src/new.js': 'new\n' })
  const { head } = await commitStep(step(workspace), guard)
  spoil(workspace, head)
  const before = refs(project)
  await expect(publishBranch(workspace)).rejects.toThrow(GitError)
  expect([refs(project), runGit(project, 'fsck', '--full', '--strict')]).toEqual([before, ''])
})

test('work kept aside before a step is in the git directory of the workspace, not in the clone of the agents', async () => {
  const { workspace } = await makeWorkspace()
  writeFiles(workspace.root, { 'src/add.js': 'half\n' })
  const ref = (await snapshotUncommitted(workspace, 'some')) ?? ''
  expect([refs(gitOf(workspace))[ref] !== undefined, refs(workspace.root)[ref]]).toEqual([
    true,
    undefined,
  ])
})

test('settings of the user decide, by name and value; changes to them during a run do not', async () => {
  const project = makeRepo({ ...SAMPLE, '.gitattributes': '*.up filter=upper\n', 'b.up': 'abc\n' })
  config(project, ...UPPER)
  const { workspace } = await prepare(project, tempDirs())
  config(project, ['filter.upper.clean', 'false'], ['filter.upper.required', 'true'])
  appendFileSync(path.join(workspace.root, 'b.up'), 'DEF\n')
  const { head } = await commitStep({ ...step(workspace), at: AT }, guard)
  expect(filesIn(gitOf(workspace), head)['b.up']).toBe('abc\ndef\n')
})
