// Every kind of repository, from the preparation to the user's tree: an agent's edit with all kinds
// of unusual names, commit, rollback, the same again, publish, apply. The user's files do not
// change before that.
import { readdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { applyBranch } from '../../../src/adapters/git/user-repository/apply.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import { commitStep, goBackStep } from '../../../src/adapters/git/steps.js'
import type { CommitInput } from '../../../src/contract/workspace.js'
import {
  AT,
  commitAll,
  filesOf,
  fingerprint,
  makeRepo,
  prepare,
  runGit,
  RUN,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
  type Files,
} from './repos.js'
import { present } from '../present.js'

export const START: Files = {
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
  link: { link: 'src/add.js' },
  '.gitignore': '*.log\n.env\n',
}

/** What an agent does to it. */
const EDIT: Files = {
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'gone.txt': null,
  'becomes-dir': null,
  'run.sh': { script: 'echo run\n' },
  link: null,
}
const NEW: Files = {
  'becomes-dir/inner.txt': 'inner\n',
  link: { link: 'run.sh' },
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
 * `lines`: git converts line ends. `modes: false`: git ignores executable bits. `beside`: untracked
 * files of the workspace. `edit`: further edits of the agent.
 */
export type Kind = {
  why: string
  make: () => string
  lines?: true
  modes?: false
  beside?: Files
  edit?: Files
}

export const plain =
  (act: (root: string) => void, files: Files = {}) =>
  () => {
    const root = makeRepo({ ...START, ...files })
    act(root)
    return root
  }
export const gitIn = (root: string, ...commands: string[]) => {
  for (const command of commands) runGit(root, ...command.split(' '))
}
export const elsewhere = () => path.join(tempDir(), 'copy')

// Two branches that changed one file, and a command that stops half-way.
export const stopped = (command: string, mark: string) =>
  plain((root) => {
    runGit(root, 'switch', '-qc', 'topic')
    writeFiles(root, { 'mine.txt': 'topic\n' })
    commitAll(root, 'topic')
    runGit(root, 'switch', '-q', 'main')
    writeFiles(root, { 'mine.txt': 'main\n' })
    commitAll(root, 'main')
    expect(() => gitIn(root, command)).toThrow()
    expect(readdirSync(path.join(root, '.git'))).toContain(mark)
  })

export const cloned =
  (...options: string[]) =>
  (files: Files = {}, then: (root: string) => void = () => undefined) =>
  () => {
    const [origin, root] = [makeRepo({ ...START, ...files, 'run.sh': 'older\n' }), elsewhere()]
    writeFiles(origin, { 'run.sh': 'echo run\n' })
    commitAll(origin, 'second')
    runGit(origin, 'config', 'uploadpack.allowFilter', 'true')
    runGit(tempDir(), 'clone', '-q', ...options, `file://${origin}`, root)
    then(root)
    return root
  }

export const FAR = { 'far/away.txt': 'far\n' }
export const SPARSE = 'sparse-checkout set src test dir'

export type Shape = { why: string; make: () => string }

/** Its workspace has the uncommitted tree, and a step can be made in it. */
export async function expectWorkspace({ make }: Shape): Promise<void> {
  const project = realpathSync(make())
  writeFiles(project, { 'src/add.js': 'uncommitted\n' })
  const { workspace } = await prepare(project, tempDirs())
  expect(filesOf(workspace.root)).toEqual({ ...SAMPLE, 'src/add.js': 'uncommitted\n' })
  writeFiles(workspace.root, {
    'src/add.js': 'fixed\n',
    'test/add.test.js': 'weaker\n',
    'x.test.js': 'x',
  })
  const { files, tampered } = await commitStep(
    { workspace, run: RUN, step: 's', expectHead: workspace.base, at: AT, subject: 's' },
    (file) => file.endsWith('.test.js'),
  )
  expect([files, tampered]).toEqual([['src/add.js'], ['test/add.test.js', 'x.test.js']])
}

/** The user's files do not change until apply, which copies everything. */
export async function expectEverythingArrives({
  make,
  lines,
  modes,
  beside = {},
  edit: more = {},
}: Kind): Promise<void> {
  const project = realpathSync(make())
  writeFiles(project, {
    'dir/untracked.txt': 'untracked\n',
    'debug.log': 'ignored\n',
    'src/add.js': 'uncommitted\n',
  })
  const [before, theirs] = [fingerprint(project), known(project)]
  const same = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        (modes === false ? content.replace(/^\* /, '') : content).replaceAll(lines ? '\r' : '', ''),
      ]),
    )

  const { workspace, warnings } = await prepare(project, tempDirs())
  const { root, base, branch } = workspace
  const made = filesOf(root)
  expect(warnings).toEqual([])
  expect(same(omit(made, beside))).toEqual(same(omit(theirs, beside)))
  expect(made).toMatchObject(beside)
  expect(runGit(root, 'status', '--porcelain')).toBe('')

  const step = (name: string, expectHead: string): CommitInput => ({
    workspace,
    run: RUN,
    step: name,
    expectHead,
    at: AT,
    subject: name,
  })
  edit(root, more)
  const edited = filesOf(root)
  const fix = await commitStep(step('fix', base), () => false)
  expect(filesOf(root)).toEqual(edited)
  expect(runGit(root, 'status', '--porcelain')).toBe('')

  const back = await goBackStep({ ...step('rollback', fix.head), toTree: base })
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
  expect(same(omit(filesOf(project, ['.git']), { ...beside, 'debug.log': '' }))).toEqual(
    same({ ...omit(edited, beside), ...present(mine) }),
  )
  expect(runGit(project, 'diff', '--cached', '--raw')).toBe(staged)
}

// What git knows of, and submodules are not part of.
function known(root: string): Record<string, string> {
  const names = new Set(
    runGit(root, '-c', 'core.fsmonitor=false', 'ls-files', '-zco', '--exclude-standard').split(
      '\0',
    ),
  )
  return Object.fromEntries(
    Object.entries(filesOf(root)).filter(
      ([name]) => names.has(name) || names.has(name.replace(/\/$/, '')),
    ),
  )
}

function omit(files: Record<string, string>, left: Files): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !(name in left)))
}

function treeOf(root: string, commit: string): string {
  return runGit(root, 'rev-parse', `${commit}^{tree}`)
}
