import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SuggestedCommit } from '../../../../src/contract/result.js'
import {
  FILES_NAMED,
  commitFilesPath,
  commitFilesText,
  suggestedCommit,
  type CommitFacts,
} from '../../../../src/core/dev-loop/commit-command.js'
import { makeRepo, runGit, tempDir } from '../../../support/repositories/repos.js'

const facts: CommitFacts = {
  id: 'loop-b-x',
  suggestion: { message: 'Add login\n\nBecause it was missing.' },
  title: 'Build the login',
  files: ['src/a.ts'],
  filesTotal: 1,
  ready: true,
}

test.each(
  // prettier-ignore
  [
  { why: 'a message with a body',            p: {},                                                                       command: "ratchet apply loop-b-x && git add -A -- ':/src/a.ts' && git commit -m 'Add login' -m 'Because it was missing.' -- ':/src/a.ts'", message: 'Add login\n\nBecause it was missing.' },
  { why: 'none suggested: the title',        p: { suggestion: undefined },                                                command: "ratchet apply loop-b-x && git add -A -- ':/src/a.ts' && git commit -m 'Build the login' -- ':/src/a.ts'", message: 'Build the login' },
  { why: 'an empty one, and no title',       p: { suggestion: { message: ' \n' }, title: '' },                            command: "ratchet apply loop-b-x && git add -A -- ':/src/a.ts' && git commit -m 'Work of a dev loop' -- ':/src/a.ts'", message: 'Work of a dev loop' },
  { why: 'a list in it',                     p: { suggestion: { message: 'Add login\r\n- form\r\n- session\r\n  store' } }, command: "ratchet apply loop-b-x && git add -A -- ':/src/a.ts' && git commit -m 'Add login' -m '- form' -m '- session store' -- ':/src/a.ts'", message: 'Add login\n\n- form\n\n- session store' },
  { why: 'from anywhere',                    p: { project: "/home/o'neil/repo" },                                         command: "cd -- '/home/o'\\''neil/repo' && ratchet apply loop-b-x && git add -A -- ':/src/a.ts' && git commit -m 'Add login' -m 'Because it was missing.' -- ':/src/a.ts'", message: 'Add login\n\nBecause it was missing.' },
  { why: 'nothing was changed',              p: { files: [], filesTotal: 0 },                                             command: 'ratchet apply loop-b-x', message: 'Add login\n\nBecause it was missing.' },
],
)('COMMIT_SUGGESTION: $why', ({ p, command, message }) =>
  expect(SuggestedCommit.parse(suggestedCommit({ ...facts, ...p }))).toMatchObject({
    command,
    message,
  }),
)

test('ready for a pull request only without open items, despite the claim of the worker', () => {
  expect([true, false].map((ready) => suggestedCommit({ ...facts, ready }).readyForPr)).toEqual([
    true,
    false,
  ])
})

const HOSTILE =
  "-n '; touch pwned; echo '\"$(touch pwned)`touch pwned`\u0007 \\' && touch pwned #\n\n'\n!! $HOME %s\u2028-F/etc/passwd\n\n--amend"

// Every file as the loop's branch has it: applied by a stand-in for `ratchet`, committed by a
// shell.
function committed(
  files: readonly string[],
  p: Partial<CommitFacts> = {},
  from = '.',
): { repo: string; git: (...args: string[]) => string } {
  const repo = makeRepo({ 'README.md': 'x\n', 'src/old.ts': 'old\n', 'sub/keep.ts': 'keep\n' })
  const bin = tempDir()
  const branch = path.join(bin, 'files.json')
  writeFileSync(branch, JSON.stringify(files))
  const apply = `#!${process.execPath}
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs'); const path = require('node:path')
if (process.argv.slice(2).join(' ') !== 'apply loop-b-x') process.exit(2)
for (const file of JSON.parse(readFileSync(${JSON.stringify(branch)}, 'utf8'))) {
  const to = path.join(${JSON.stringify(repo)}, file)
  if (file === 'src/old.ts') { rmSync(to); continue }
  mkdirSync(path.dirname(to), { recursive: true }); writeFileSync(to, file)
}
`
  writeFileSync(path.join(bin, 'ratchet'), apply)
  chmodSync(path.join(bin, 'ratchet'), 0o755)
  writeFileSync(path.join(repo, 'own.txt'), 'work of the user\n') // untracked
  writeFileSync(path.join(repo, 'sub/keep.ts'), 'changed by the user\n')
  const cwd = path.join(repo, from)
  const list = path.join(cwd, commitFilesPath('loop-b-x'))
  mkdirSync(path.dirname(list), { recursive: true })
  if (files.length > FILES_NAMED) writeFileSync(list, commitFilesText(files))
  const { command } = suggestedCommit({
    ...facts,
    files: [...files],
    filesTotal: files.length,
    ...p,
  })
  expect(command).not.toMatch(/[\u0000-\u001f\u007f\u2028]/)
  const who = {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  execFileSync('sh', ['-c', command], {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, ...who, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  })
  expect(existsSync(path.join(cwd, 'pwned'))).toBe(false)
  return { repo, git: (...args) => runGit(repo, ...args) }
}

function filesIn(git: (...args: string[]) => string): string[] {
  return git('show', '--name-only', '--format=', '-z', 'HEAD')
    .split('\0')
    .filter((file) => file !== '')
    .sort()
}

const AWKWARD = [
  'src/new.ts',
  'src/old.ts',
  '-rf',
  "it's.ts",
  'a b/$(touch pwned).ts',
  '[ab]*.ts',
  ':(top)x',
  '!no',
  '"quoted"',
  'ünï.ts',
  'line\nbreak.ts',
  'back\\slash',
]

test.each(
  // prettier-ignore
  [
  { why: 'from the root',                    files: AWKWARD,                                                                 from: '.' },
  { why: 'from a project in a subfolder',    files: AWKWARD,                                                                 from: 'sub' },
  { why: 'more than a line names',           files: [...AWKWARD, ...Array.from({ length: FILES_NAMED }, (_, n) => `many/${n}.ts`)], from: '.' },
  { why: 'more, from a subfolder',           files: [...AWKWARD, ...Array.from({ length: FILES_NAMED }, (_, n) => `many/${n}.ts`)], from: 'sub' },
],
)("a real shell and a real git commit exactly the loop's files: $why", ({ files, from }) => {
  const { git, repo } = committed(files, {}, from)
  expect(filesIn(git)).toEqual([...files].sort())
  expect(git('log', '-1', '--format=%B').trim()).toBe('Add login\n\nBecause it was missing.')
  expect(readFileSync(path.join(repo, 'sub/keep.ts'), 'utf8')).toBe('changed by the user\n')
  expect(
    git('status', '--short', '--untracked-files=all')
      .split('\n')
      .filter((line) => !line.includes('.workflow')),
  ).toEqual([' M sub/keep.ts', '?? own.txt'])
})

test.each([
  { why: 'a message', p: { suggestion: { message: HOSTILE } } },
  { why: 'the title of the task', p: { suggestion: undefined, title: HOSTILE } },
])('nothing in $why leaves its quotes', ({ p }) => {
  const { git } = committed(['src/new.ts'], p)
  expect(filesIn(git)).toEqual(['src/new.ts'])
  const body = git('log', '-1', '--format=%B')
  expect(body).toContain(
    "-n '; touch pwned; echo '\"$(touch pwned)`touch pwned` \\' && touch pwned #",
  )
  expect(body).toContain('!! $HOME %s -F/etc/passwd')
  expect(git('rev-list', '--count', 'HEAD')).toBe('2')
})

test('a branch that cannot be applied is not committed', () => {
  const repo = makeRepo({ 'README.md': 'x\n' })
  const bin = tempDir()
  writeFileSync(path.join(bin, 'ratchet'), '#!/bin/sh\nexit 1\n')
  chmodSync(path.join(bin, 'ratchet'), 0o755)
  writeFileSync(path.join(repo, 'README.md'), 'changed\n')
  rmSync(path.join(repo, 'none'), { force: true })
  const { command } = suggestedCommit({ ...facts, files: ['README.md'] })
  expect(() =>
    execFileSync('sh', ['-c', command], {
      cwd: repo,
      stdio: 'pipe',
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    }),
  ).toThrow()
  expect(runGit(repo, 'rev-list', '--count', 'HEAD')).toBe('1')
})
