// Every kind of repository, from the preparation to the user's tree: an agent's edit with all the odd names
// there are, commit, rollback, the same again, publish, apply. Nothing of the user's changes before that.
import { mkdirSync, readdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../../../src/adapters/git/apply.js'
import { publishBranch } from '../../../src/adapters/git/publish.js'
import { commitStep, rollbackStep } from '../../../src/adapters/git/steps.js'
import type { CommitInput } from '../../../src/contract/workspace.js'
import { AT, commitAll, filesOf, fingerprint, installFailingHooks, installFakeLfs, makeRepo, prepare, runGit, RUN, tempDir, tempDirs, writeFiles } from '../../support/repos.js'
import type { Files } from '../../support/repos.js'

const START: Files = {
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'src/Casing.js': 'case\n',
  'test/add.test.js': 'test add\n',
  'package.json': '{ "name": "sample", "scripts": { "test": "vitest run" } }\n',
  'run.sh': 'echo run\n',
  'gone.txt': 'gone\n',
  'mine.txt': 'mine\n',
  'dir/x.txt': 'x\n',
  'becomes-dir': 'a file\n',
  'old name.txt': 'renamed\n',
  'link': { link: 'src/add.js' },
  '.gitignore': '*.log\n.env\n',
}

/** What an agent does to it. */
const EDIT: Files = {
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'gone.txt': null,
  'becomes-dir': null,
  'run.sh': { script: 'echo run\n' },
  'link': null,
}
const NEW: Files = {
  'becomes-dir/inner.txt': 'inner\n',
  'link': { link: 'run.sh' },
  'odd/line\nbreak "quoted" \'single\'.txt': 'x\n',
  'odd/caf\u00e9': 'NFC\n',
  'odd/cafe\u0301': 'NFD\n',
  'odd/日本 \u{1F600}': 'x\n',
  '-rf': 'dash\n',
  '--all': 'dash\n',
  ' space at both ends ': 'x\n',
  'odd/tab\there': 'x\n',
  'odd/back\\slash': 'x\n',
  'odd/[a]*?.js': 'x\n',
  ':(top)x': 'x\n',
  '#comment': 'x\n',
  '!bang': 'x\n',
  '~': 'x\n',
  'odd/empty': '',
  'odd/binary': Buffer.from([0, 1, 2, 10, 13]),
  'odd/crlf.txt': 'a\r\nb\r\n',
  'odd/no newline': 'x',
  'links/out': { link: '/etc/hostname' },
  'links/broken': { link: 'nowhere/at/all' },
  'links/dir': { link: '../src' },
  'links/self': { link: 'self' },
}

function edit(root: string, more: Files): void {
  writeFiles(root, { ...EDIT, ...more })
  writeFiles(root, NEW)
  renameSync(path.join(root, 'src/Casing.js'), path.join(root, 'src/casing.js'))
  renameSync(path.join(root, 'old name.txt'), path.join(root, 'dir/new name.txt'))
}

/**
 * `lines`: git turns line ends over. `modes: false`: git sees no executable bits. `beside`: what the workspace has beside
 * what git knows. `edit`: more that the agent does.
 */
type Kind = { why: string; make: () => string; lines?: true; modes?: false; beside?: Files; edit?: Files }

const plain = (act: (root: string) => void, files: Files = {}) => () => {
  const root = makeRepo({ ...START, ...files })
  act(root)
  return root
}
const gitIn = (root: string, ...commands: string[]) => { for (const command of commands) runGit(root, ...command.split(' ')) }
const elsewhere = () => path.join(tempDir(), 'copy')

// Two branches that changed one file, and a command that stops in between.
const stopped = (command: string, mark: string) => plain((root) => {
  runGit(root, 'switch', '-qc', 'topic')
  writeFiles(root, { 'mine.txt': 'topic\n' })
  commitAll(root, 'topic')
  runGit(root, 'switch', '-q', 'main')
  writeFiles(root, { 'mine.txt': 'main\n' })
  commitAll(root, 'main')
  expect(() => gitIn(root, command)).toThrow()
  expect(readdirSync(path.join(root, '.git'))).toContain(mark)
})

const cloned = (...options: string[]) => (files: Files = {}, then: (root: string) => void = () => undefined) => () => {
  const [origin, root] = [makeRepo({ ...START, ...files, 'run.sh': 'older\n' }), elsewhere()]
  writeFiles(origin, { 'run.sh': 'echo run\n' })
  commitAll(origin, 'second')
  runGit(origin, 'config', 'uploadpack.allowFilter', 'true')
  runGit(tempDir(), 'clone', '-q', ...options, `file://${origin}`, root)
  then(root)
  return root
}

const FAR = { 'far/away.txt': 'far\n' }
const SPARSE = 'sparse-checkout set src test dir'

const kinds: Kind[] = [
  { why: 'with a detached HEAD, in a folder with spaces, quotes and an accent', make: () => {
    const root = path.join(tempDir(), 'my "pro\'ject\u00e9')
    mkdirSync(root)
    runGit(root, 'init', '-q', '-b', 'main')
    writeFiles(root, START)
    commitAll(root, 'Start')
    gitIn(root, 'switch -q --detach')
    return root
  } },
  { why: 'that is a shallow clone', make: cloned('--depth', '1')() },
  { why: 'that is a partial clone', make: cloned('--filter=blob:none')() },
  { why: 'that is a partial, sparse clone', make: cloned('--filter=blob:none', '--sparse')(FAR, (root) => gitIn(root, SPARSE)) },
  { why: 'with a sparse checkout and a sparse index', make: plain((root) => gitIn(root, `${SPARSE} --sparse-index`), FAR) },
  { why: 'with a sparse checkout by patterns', make: plain((root) => gitIn(root, 'sparse-checkout set --no-cone /* !/far/'), FAR) },
  { why: 'that is a sparse worktree of another', make: () => {
    const [root, worktree] = [makeRepo({ ...START, ...FAR }), elsewhere()]
    gitIn(root, 'config extensions.worktreeConfig true', `worktree add -q ${worktree}`)
    gitIn(worktree, SPARSE)
    return worktree
  } },
  { why: 'in a rebase', make: stopped('rebase main topic', 'rebase-merge') },
  { why: 'in a merge', make: stopped('merge topic', 'MERGE_HEAD') },
  { why: 'in a cherry-pick', make: stopped('cherry-pick topic', 'CHERRY_PICK_HEAD') },
  { why: 'with failing hooks, signing without a key, a broken fsmonitor and settings that change what git prints', make: plain((root) => {
    installFailingHooks(root)
    gitIn(root, 'config commit.gpgsign true', 'config user.signingkey none', 'config gpg.program /nowhere/gpg', 'config core.fsmonitor /nowhere/fsmonitor', 'config core.untrackedCache true', 'config core.splitIndex true',
      'config core.hooksPath .git/hooks', 'config status.showUntrackedFiles no', 'config diff.renames copies', 'config diff.external /nowhere/diff', 'config diff.noprefix true', 'config color.ui always', 'config core.abbrev 5',
      'config log.showSignature true', 'config merge.conflictStyle diff3', 'config transfer.fsckObjects true', 'config core.precomposeUnicode true')
  }) },
  { why: 'that turns line ends over', lines: true, make: plain((root) => gitIn(root, 'config core.autocrlf true', 'rm -rq --cached .', 'reset -q --hard'), { '.gitattributes': '*.bat text eol=crlf\n*.sh text eol=lf\n', 'win.bat': 'echo a\r\necho b\r\n' }) },
  { why: 'on a file system without executable bits and cases', modes: false, make: plain((root) => gitIn(root, 'config core.fileMode false', 'config core.ignoreCase true')) },
  { why: 'whose .git is a file, whose branch has the name of a tag, with a replaced history', make: () => {
    const root = path.join(tempDir(), 'project')
    mkdirSync(root)
    gitIn(root, `init -q -b feature/\u00fc --separate-git-dir=${path.join(tempDir(), 'repo.git')}`)
    writeFiles(root, START)
    commitAll(root, 'Start')
    commitAll(root, 'second')
    gitIn(root, 'replace --graft HEAD', 'tag feature/\u00fc', 'tag ratchet/WFS-test-login')
    return root
  } },
  { why: 'that is a submodule of another', make: () => {
    const root = makeRepo({ 'x.txt': 'x' })
    runGit(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', makeRepo(START), 'libs/inner')
    commitAll(root, 'with a submodule')
    return path.join(root, 'libs/inner')
  } },
  { why: 'with submodules, one edited and one not checked out', make: plain((root) => {
    for (const name of ['libs/inner', 'libs/empty']) runGit(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', makeRepo({ 'x.txt': 'x', 'deep/.gitignore': '*.o\n' }), name)
    commitAll(root, 'with submodules')
    gitIn(root, 'submodule deinit -q -f libs/empty')
    writeFiles(root, { 'libs/inner/x.txt': 'edited', 'libs/inner/deep/built.o': 'o' })
  }), beside: { 'libs/inner/x.txt': 'edited', 'libs/inner/deep/.gitignore': '*.o\n', 'libs/inner/deep/built.o': 'o' } },
  { why: 'with files in Git LFS', make: plain((root) => {
    installFakeLfs(root)
    writeFiles(root, { '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n', 'art/logo.psd': 'a large picture\n', 'art/old.psd': 'an old picture\n' })
    commitAll(root, 'art')
    writeFiles(root, { 'art/logo.psd': 'a larger picture, uncommitted\n' })
  }), edit: { 'art/logo.psd': 'the picture of the agent\n', 'art/new.psd': 'a new picture\n', 'art/old.psd': null } },
  { why: 'with pointers of Git LFS and git-annex, and no program for them', make: plain(() => undefined, {
    '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n* annex.backend=SHA256E\n', 'art/logo.psd': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`,
    'data.bin': { link: `.git/annex/objects/aa/bb/SHA256E-s1--${'0'.repeat(64)}.bin/x.bin` },
  }) },
]

test.each(kinds)('architecture §5: a repository $why: nothing is touched until apply, and everything arrives', { timeout: 300_000 }, async ({ make, lines, modes, beside = {}, edit: more = {} }) => {
  const project = realpathSync(make())
  writeFiles(project, { 'dir/untracked.txt': 'untracked\n', 'debug.log': 'ignored\n', 'src/add.js': 'uncommitted\n' })
  const [before, theirs] = [fingerprint(project), known(project)]
  const same = (files: Record<string, string>) => Object.fromEntries(Object.entries(files).map(([name, content]) => [name, (modes === false ? content.replace(/^\* /, '') : content).replaceAll(lines ? '\r' : '', '')]))

  const { workspace, warnings } = await prepare(project, tempDirs())
  const { root, base, branch } = workspace
  const made = filesOf(root)
  expect(warnings).toEqual([])
  expect(same(omit(made, beside))).toEqual(same(omit(theirs, beside)))
  expect(made).toMatchObject(beside)
  expect(runGit(root, 'status', '--porcelain')).toBe('')

  const step = (name: string, expectHead: string): CommitInput => ({ workspace, run: RUN, step: name, expectHead, at: AT, subject: name })
  edit(root, more)
  const edited = filesOf(root)
  const fix = await commitStep(step('fix', base), () => false)
  expect(filesOf(root)).toEqual(edited)
  expect(runGit(root, 'status', '--porcelain')).toBe('')

  const back = await rollbackStep({ ...step('rollback', fix.head), toTree: base })
  expect(treeOf(root, back.head)).toBe(treeOf(root, base))
  expect(same(filesOf(root))).toEqual(same(made))
  edit(root, more)
  const again = await commitStep(step('again', back.head), () => false)
  expect(treeOf(root, again.head)).toBe(treeOf(root, fix.head))

  expect(await publishBranch(workspace)).toEqual({ head: again.head })
  expect(fingerprint(project)).toEqual(before)

  if (theirs['mine.txt'] !== undefined) writeFileSync(path.join(project, 'mine.txt'), 'later\n')
  const staged = runGit(project, 'diff', '--cached', '--raw')
  expect((await applyBranch({ project, base, branch })).conflicts).toEqual([])
  const mine = theirs['mine.txt'] === undefined ? {} : { 'mine.txt': 'later\n' }
  expect(same(omit(filesOf(project, ['.git']), { ...beside, 'debug.log': '' }))).toEqual(same({ ...omit(edited, beside), ...mine }))
  expect(runGit(project, 'diff', '--cached', '--raw')).toBe(staged)
})

// What git knows of, and submodules are not part of.
function known(root: string): Record<string, string> {
  const names = new Set(runGit(root, '-c', 'core.fsmonitor=false', 'ls-files', '-zco', '--exclude-standard').split('\0'))
  return Object.fromEntries(Object.entries(filesOf(root)).filter(([name]) => names.has(name) || names.has(name.replace(/\/$/, ''))))
}

function omit(files: Record<string, string>, left: Files): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !(name in left)))
}

function treeOf(root: string, commit: string): string {
  return runGit(root, 'rev-parse', `${commit}^{tree}`)
}
