import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GitError, gitHook } from '../../../src/adapters/git/git.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { layout, projectKey } from '../../../src/adapters/state-dir.js'
import { RefusalError } from '../../../src/contract/failures.js'
import {
  AT,
  commitAll,
  filesIn,
  filesOf,
  fingerprint,
  installFailingHooks,
  makeRepo,
  makeWorkspace,
  makeWorkspaceIn,
  prepare,
  refs,
  RUN,
  runGit,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'
import { expectWorkspace, type Shape } from '../../support/repositories/repository-kinds.js'
import { placeOf } from '../../support/repositories/templates.js'

const BRANCH = 'ratchet/WFS-test-login'

/** The workspace and the answer of a first preparation. */
async function prepared() {
  const made = await makeWorkspace()
  return { ...made, head: made.workspace.base, warnings: [] as string[] }
}

test('a workspace has the uncommitted tree, and only objects and the branch appear in the repository of the user', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  writeFiles(project, {
    'src/add.js': 'uncommitted\n',
    'new file.js': 'untracked\n',
    'test/add.test.js': null,
    '.env': 'SECRET=1',
  })
  runGit(project, 'config', 'commit.gpgSign', 'true')
  const hooks = installFailingHooks(project)
  const before = { files: fingerprint(project), refs: refs(project) }
  const { workspace, head, warnings } = await prepare(project, dirs)
  expect(filesOf(workspace.root)).toEqual({
    ...SAMPLE,
    'src/add.js': 'uncommitted\n',
    'new file.js': 'untracked\n',
    'test/add.test.js': undefined,
  })
  expect({ files: fingerprint(project), refs: refs(project) }).toEqual({
    files: before.files,
    refs: { ...before.refs, [`refs/heads/${BRANCH}`]: head },
  })
  expect(hooks.ran()).toBe(false)
  expect(workspace).toEqual({
    project,
    root: path.join(layout.workspace(dirs, projectKey(project), 'WFS-test-login'), 'tree'),
    cwd: workspace.root,
    branch: BRANCH,
    base: head,
    isolation: 'clone',
  })
  expect(warnings).toEqual([])
})

test('a workspace has its own refs, no remote to push to, no hooks, and commits there need no set-up', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  installFailingHooks(project)
  runGit(project, 'config', 'commit.gpgSign', 'true')
  const { workspace } = await prepare(project, dirs)
  expect(runGit(workspace.root, 'remote')).toBe('')
  expect(Object.keys(refs(workspace.root))).toEqual([`refs/heads/${BRANCH}`])
  expect(() => runGit(workspace.root, 'push')).toThrow()
  writeFiles(workspace.root, { 'src/add.js': 'agent\n' })
  runGit(workspace.root, 'commit', '-qam', 'agent')
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('a workspace of a partial clone may fetch what is missing from the user, and pushes nowhere', async () => {
  const [origin, project, dirs] = [makeRepo(), path.join(tempDir(), 'partial'), tempDirs()]
  runGit(origin, 'config', 'uploadpack.allowFilter', 'true')
  runGit(tempDir(), 'clone', '-q', '--filter=blob:none', `file://${origin}`, project)
  const { workspace } = await prepare(project, dirs)
  const before = refs(project)
  expect(runGit(workspace.root, 'remote')).toBe('user')
  expect(() => runGit(workspace.root, 'push', '-q', 'user', 'HEAD:refs/heads/pushed')).toThrow()
  expect(refs(project)).toEqual(before)
})

test('preparing again for the same run returns the same workspace, with its work and its head', async () => {
  const { project, dirs, ...first } = await prepared()
  writeFiles(first.workspace.root, { 'src/add.js': 'fixed\n' })
  const { head } = await commitStep(
    {
      workspace: first.workspace,
      run: RUN,
      step: 's',
      expectHead: first.head,
      at: AT,
      subject: 's',
    },
    () => false,
  )
  writeFiles(first.workspace.root, { 'src/more.js': 'unfinished\n' })
  writeFiles(project, { 'src/add.js': 'changed meanwhile\n' })
  expect(await prepare(project, dirs)).toEqual({ ...first, head })
  expect(filesOf(first.workspace.root)['src/more.js']).toBe('unfinished\n')
})

test('two preparations at once for the same run make one workspace', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const said: [string[], string[]] = [[], []]
  const both = await Promise.all(
    said.map((lines) => prepare(project, dirs, { onProgress: (text) => lines.push(text) })),
  )
  expect(both[1]).toEqual(both[0])
  const [waited = [], ...more] = said.filter((lines) => !lines.includes('cloning the repository'))
  expect([[...new Set(waited)], more]).toEqual([['waiting for another start of this session'], []])
})

test('another run of the same name starts fresh; branch tip and uncommitted work of the old one are kept', async () => {
  const { project, dirs, ...old } = await prepared()
  writeFiles(old.workspace.root, { 'src/add.js': 'fixed\n' })
  const { head: unpublished } = await commitStep(
    { workspace: old.workspace, run: RUN, step: 's', expectHead: old.head, at: AT, subject: 's' },
    () => false,
  )
  writeFiles(old.workspace.root, { 'src/more.js': 'unfinished\n' })
  writeFiles(project, { 'src/add.js': 'second start\n' })
  const fresh = await prepare(project, dirs, { run: 'another-run', at: AT + 1_000 })
  expect(filesOf(fresh.workspace.root)).toEqual({ ...SAMPLE, 'src/add.js': 'second start\n' })
  expect(refs(project)[`refs/heads/${BRANCH}`]).toBe(fresh.head)
  const kept = Object.entries(refs(project))
    .filter(([ref]) => ref.startsWith('refs/ratchet/old/WFS-test-login/'))
    .map(([, sha]) => sha)
  expect(kept).toContain(old.head)
  expect(kept).toContain(unpublished)
  expect(kept.map((sha) => filesIn(project, sha)['src/more.js'])).toContain('unfinished\n')
})

test('the same id started again is another run: it starts fresh, and uncommitted work of the old one is kept', async () => {
  const { project, dirs, ...old } = await prepared()
  writeFiles(old.workspace.root, { 'src/more.js': 'unfinished\n' })
  writeFiles(project, { 'src/add.js': 'second start\n' })
  const fresh = await prepare(project, dirs, { chain: 'chain-2', at: AT + 1_000 })
  expect(filesOf(fresh.workspace.root)).toEqual({ ...SAMPLE, 'src/add.js': 'second start\n' })
  const kept = Object.entries(refs(project))
    .filter(([ref]) => ref.startsWith('refs/ratchet/old/WFS-test-login/'))
    .map(([, sha]) => sha)
  expect(kept.map((sha) => filesIn(project, sha)['src/more.js'])).toContain('unfinished\n')
})

test('a killed preparation of the same id, started again, takes its own snapshot', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  await expect(
    gitHook.run(
      (args) => {
        if (args.includes('-u')) throw new Error('killed')
      },
      () => prepare(project, dirs),
    ),
  ).rejects.toThrow('killed')
  writeFiles(project, { 'src/add.js': 'second start\n' })
  expect(
    filesOf((await prepare(project, dirs, { chain: 'chain-2' })).workspace.root)['src/add.js'],
  ).toBe('second start\n')
})

// prettier-ignore
const refusing: { why: string; input: Parameters<typeof prepare>[2] }[] = [
  { why: 'a set-up command', input: { workspaceConfig: { setup: ['false'] } } },
  { why: 'a look at the workspace', input: { verify: () => { throw new RefusalError('NoTestCommand', 'none', 'x', 'y') } } },
]

test.each(refusing)(
  'a preparation refused by $why leaves nothing behind, and works after a correction',
  async ({ input }) => {
    const [project, dirs] = [makeRepo(), tempDirs()]
    const before = refs(project)
    await expect(prepare(project, dirs, input)).rejects.toBeInstanceOf(RefusalError)
    expect(refs(project)).toEqual(before)
    expect(existsSync(layout.workspace(dirs, projectKey(project), 'WFS-test-login'))).toBe(false)
    const { workspace, warnings } = await prepare(project, dirs, { run: RUN, chain: 'chain-2' })
    expect([workspace.branch, warnings]).toEqual([BRANCH, []])
  },
)

/** An earlier run with a step on its branch. */
const published = () =>
  placeOf('published', async (dir) => {
    const made = await makeWorkspaceIn(dir)
    writeFiles(made.workspace.root, { 'src/add.js': 'fixed\n' })
    await commitStep(
      {
        workspace: made.workspace,
        run: RUN,
        step: 's',
        expectHead: made.workspace.base,
        at: AT,
        subject: 's',
      },
      () => false,
    )
    return { ...made, head: (await publishBranch(made.workspace)).head }
  })

test.each(refusing)(
  'a preparation refused by $why leaves branch and refs of an earlier run unchanged',
  async ({ input }) => {
    const { project, dirs, head } = await published()
    const before = refs(project)
    writeFiles(project, { 'src/add.js': 'second start\n' })
    await expect(
      prepare(project, dirs, { chain: 'chain-2', at: AT + 1_000, ...input }),
    ).rejects.toBeInstanceOf(RefusalError)
    expect(refs(project)).toMatchObject(before)
    expect(refs(project)[`refs/heads/${BRANCH}`]).toBe(head)
  },
)

test('a preparation refused by its checks leaves the workspace of an earlier run unchanged', async () => {
  const { project, dirs, ...old } = await prepared()
  const [before, files] = [refs(project), filesOf(old.workspace.root)]
  runGit(project, 'init', '-q', 'inner')
  commitAll(path.join(project, 'inner'), 'inner')
  await expect(prepare(project, dirs, { chain: 'chain-2' })).rejects.toMatchObject({
    type: 'UnsupportedRepository',
  })
  expect([refs(project), filesOf(old.workspace.root)]).toEqual([before, files])
  expect(await prepare(project, dirs)).toEqual(old)
})

test('a repeated refused attempt does not undo a finished workspace', async () => {
  const { project, dirs, ...first } = await prepared()
  expect(await prepare(project, dirs, refusing[0]?.input)).toEqual(first)
})

test('a workspace with deleted files does not block another run', async () => {
  const { project, dirs, workspace } = await prepared()
  rmSync(workspace.root, { recursive: true })
  expect(filesOf((await prepare(project, dirs, { run: 'another-run' })).workspace.root)).toEqual(
    SAMPLE,
  )
})

test('base starts from a commit instead of the working tree', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const start = runGit(project, 'rev-parse', 'HEAD')
  writeFiles(project, { 'src/add.js': 'second\n' })
  commitAll(project, 'second')
  writeFiles(project, { 'src/add.js': 'uncommitted\n' })
  const { workspace, head } = await prepare(project, dirs, { base: 'HEAD~1' })
  expect([head, workspace.base, filesOf(workspace.root)]).toEqual([start, start, SAMPLE])
})

test('a branch called ratchet moves the branch of the run to ratchet-runs, with a note', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  runGit(project, 'branch', 'ratchet')
  const { workspace, warnings } = await prepare(project, dirs)
  expect(workspace.branch).toBe('ratchet-runs/WFS-test-login')
  expect(warnings).toEqual([expect.stringContaining('your branch "ratchet" blocks')])
  expect((await prepare(project, dirs)).warnings).toEqual(warnings)
})

test.each([
  {
    why: 'is checked out by the user',
    act: (project: string) => void runGit(project, 'switch', '-qc', BRANCH),
    says: 'is checked out in',
  },
  {
    why: 'holds commits of the user',
    says: "holds commits that are not Ratchet's",
    act: (project: string) => {
      runGit(project, 'switch', '-qc', BRANCH)
      commitAll(project, 'mine')
      runGit(project, 'switch', '-q', 'main')
    },
  },
  {
    why: 'is the folder of other branches',
    act: (project: string) => void runGit(project, 'branch', `${BRANCH}/mine`),
    says: 'exist',
  },
])(
  'a branch of the name that $why is left alone: the run gets another, with a note',
  async ({ act, says }) => {
    const [project, dirs] = [makeRepo(), tempDirs()]
    act(project)
    const before = refs(project)
    const { workspace, warnings, head } = await prepare(project, dirs)
    expect(workspace.branch).toBe(`${BRANCH}-2`)
    expect(warnings).toEqual([expect.stringContaining(says)])
    expect(refs(project)).toEqual({ ...before, [`refs/heads/${BRANCH}-2`]: head })
  },
)

test('a project in a subfolder works in the same subfolder of the whole repository', async () => {
  const root = makeRepo({ ...SAMPLE, 'packages/api/index.js': 'api\n' })
  const { workspace } = await prepare(path.join(root, 'packages/api'), tempDirs())
  expect(workspace.cwd).toBe(path.join(workspace.root, 'packages/api'))
  expect(filesOf(workspace.root)).toEqual({ ...SAMPLE, 'packages/api/index.js': 'api\n' })
})

test('a project named through a link works', async () => {
  const link = path.join(tempDir(), 'link')
  symlinkSync(makeRepo(), link)
  const { workspace } = await prepare(link, tempDirs())
  expect([workspace.project, workspace.cwd]).toEqual([link, workspace.root])
})

const shapes: Shape[] = [
  {
    why: 'with SHA-256 objects',
    make: () => {
      const project = path.join(tempDir(), 'sha256')
      mkdirSync(project)
      runGit(project, 'init', '-q', '--object-format=sha256')
      writeFiles(project, SAMPLE)
      commitAll(project, 'Start')
      return project
    },
  },
]

test.each(shapes)(
  'a repository $why gives a workspace with its uncommitted tree, and steps work there',
  expectWorkspace,
)

test('copies settings that affect a checkout', async () => {
  const project = makeRepo({ 'a.txt': 'a\nb\n', 'b.up': 'text\n' })
  runGit(project, 'config', 'core.autocrlf', 'true')
  runGit(project, 'config', 'filter.upper.smudge', 'tr a-z A-Z')
  runGit(project, 'config', 'filter.upper.clean', 'tr A-Z a-z')
  writeFiles(project, {
    '.git/info/attributes': '*.up filter=upper\n',
    '.git/info/exclude': '# mine\nscratch/\n',
    'scratch/x': 'x',
  })
  const { workspace } = await prepare(project, tempDirs())
  expect(filesOf(workspace.root)).toEqual({
    'a.txt': 'a\r\nb\r\n',
    'b.up': expect.stringContaining('TEXT') as string,
  })
  writeFiles(workspace.root, {
    'scratch/y': 'y',
    '.venv/x': 'x',
    'lib/__pycache__/a.pyc': 'x',
    '.ratchet/a': 'x',
    'sub/.ratchet/a': 'x',
  })
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('an aborted preparation stops with the reason, and the next one starts over', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const abort = new AbortController()
  const attempt = prepare(project, dirs, {
    workspaceConfig: { setup: [['sleep', '600']] },
    signal: abort.signal,
    onProgress: (text) => text.startsWith('sleep') && abort.abort(new Error('stopped')),
  })
  await expect(attempt).rejects.toThrow('stopped')
  const { workspace } = await prepare(project, dirs)
  expect(existsSync(path.join(workspace.root, 'src/add.js'))).toBe(true)
})

test('a preparation killed after its snapshot uses it again, despite later edits of the user', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  writeFiles(project, { 'src/add.js': 'at the start\n' })
  await expect(
    gitHook.run(
      (args) => {
        if (args.includes('-u')) throw new Error('killed')
      },
      () => prepare(project, dirs),
    ),
  ).rejects.toThrow('killed')
  writeFiles(project, { 'src/add.js': 'edited since\n' })
  expect(filesOf((await prepare(project, dirs)).workspace.root)['src/add.js']).toBe(
    'at the start\n',
  )
})

test('a branch that the user makes while a run begins is left alone: the next attempt takes another', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const users = runGit(project, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'mine')
  await expect(
    gitHook.run(
      (args) => {
        if (args.includes('ratchet: start')) runGit(project, 'branch', BRANCH, users)
      },
      () => prepare(project, dirs),
    ),
  ).rejects.toThrow(GitError)
  const { workspace, head, warnings } = await prepare(project, dirs)
  expect(workspace.branch).toBe(`${BRANCH}-2`)
  expect(refs(project)).toMatchObject({
    [`refs/heads/${BRANCH}`]: users,
    [`refs/heads/${BRANCH}-2`]: head,
  })
  expect(warnings).toEqual([
    `the branch ${BRANCH} holds commits that are not Ratchet's; the branch of this run has another name`,
  ])
})

test('processes of a killed preparation are ended before the next one', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const left = spawn('sleep', ['600'], {
    env: { ...process.env, RATCHET_RUN: RUN, RATCHET_STEP: 'prepare-workspace' },
    stdio: 'ignore',
  })
  const other = spawn('sleep', ['600'], {
    env: { ...process.env, RATCHET_RUN: 'another-run', RATCHET_STEP: 'prepare-workspace' },
    stdio: 'ignore',
  })
  onTestFinished(() => void [left.kill('SIGKILL'), other.kill('SIGKILL')])
  const ended = once(left, 'exit')
  await prepare(project, dirs)
  expect(await ended).toEqual([null, 'SIGTERM'])
  expect(other.exitCode).toBeNull()
})

test('hooks that the user has set globally do not run in the workspace', async () => {
  const [project, dirs] = [makeRepo(), tempDirs()]
  const hooks = tempDir()
  writeFiles(hooks, {
    'pre-commit': { script: '#!/bin/sh\nexit 1\n' },
    config: `[core]\n\thooksPath = ${hooks}\n`,
  })
  process.env['GIT_CONFIG_GLOBAL'] = path.join(hooks, 'config')
  try {
    const { workspace } = await prepare(project, dirs)
    writeFiles(workspace.root, { 'src/add.js': 'agent\n' })
    expect(() => runGit(project, 'commit', '--allow-empty', '-qm', 'refused')).toThrow()
    runGit(workspace.root, 'commit', '-qam', 'agent')
  } finally {
    process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  }
})
