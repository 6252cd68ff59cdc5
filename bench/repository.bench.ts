// A repository of 20,000 files, from the snapshot to the user's tree, compared with git alone: a
// clone with its checkout, a commit of one changed file. Reports ratios within one run, as machines
// are noisy. Also a repository with a large history, which a workspace copies: ARCHITECTURE.md
// quotes OBJECTS_MB=2048.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../src/adapters/git/user-repository/apply.js'
import { publishBranch } from '../src/adapters/git/user-repository/publish.js'
import { commitStep, goBackStep } from '../src/adapters/git/steps.js'
import {
  AT,
  makeRepo,
  prepare,
  runGit,
  RUN,
  tempDir,
  tempDirs,
  writeFiles,
  type Files,
} from '../test/support/repositories/repos.js'

const FOLDERS = 200
const FILES_IN_EACH = 100
const INSTALLED = 5_000
const OBJECTS_MB = Number(process.env['OBJECTS_MB'] ?? '256')
const BLOB_MB = 64

function many(count: number, name: (n: number) => string): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [name(n), `export const value = ${n}\n`.repeat(20)]),
  )
}

test(`${FOLDERS * FILES_IN_EACH} files and ${INSTALLED} installed ones`, async () => {
  const project = makeRepo({
    ...many(FOLDERS * FILES_IN_EACH, (n) => `src/${n % FOLDERS}/file-${n}.js`),
    'package.json': '{}\n',
    '.gitignore': 'node_modules/\n',
  })
  writeFiles(
    project,
    many(INSTALLED, (n) => `node_modules/package-${n % 100}/file-${n}.js`),
  )

  const bare = path.join(tempDir(), 'bare')
  const cloneMs = await timed(() => runGit(project, 'clone', '-q', '--local', project, bare))
  writeFiles(bare, { 'src/0/file-0.js': 'changed\n' })
  const commitMs = await timed(() => {
    runGit(bare, 'add', '-A')
    runGit(bare, 'commit', '-qm', 'bare')
  })

  let prepared: Awaited<ReturnType<typeof prepare>> | undefined
  tell(
    'prepare',
    await timed(async () => {
      prepared = await prepare(project, tempDirs())
    }),
    'git clone',
    cloneMs,
  )
  if (prepared === undefined) throw new Error('nothing was prepared')
  const { workspace } = prepared
  const { base, branch, root } = workspace
  const step = (name: string, expectHead: string) => ({
    workspace,
    run: RUN,
    step: name,
    expectHead,
    at: AT,
    subject: name,
  })
  writeFiles(root, { 'src/0/file-0.js': 'changed\n' })
  let head = base
  tell(
    'commit',
    await timed(async () => {
      head = (await commitStep(step('fix', head), () => false)).head
    }),
    'git commit',
    commitMs,
  )
  tell(
    'rollback',
    await timed(async () => {
      head = (await goBackStep({ ...step('back', head), toTree: base })).head
    }),
    'git commit',
    commitMs,
  )
  writeFiles(root, { 'src/0/file-0.js': 'changed\n' })
  head = (await commitStep(step('again', head), () => false)).head
  tell('publish', await timed(() => publishBranch(workspace)), 'git commit', commitMs)
  tell(
    'apply',
    await timed(async () =>
      expect((await applyBranch({ project, base, branch })).applied).toEqual(['src/0/file-0.js']),
    ),
    'git commit',
    commitMs,
  )
})

test(`${OBJECTS_MB} MB of objects that are not in the work tree`, async () => {
  const project = makeRepo({ 'a.js': 'export const value = 1\n' })
  for (let n = 0; n < OBJECTS_MB / BLOB_MB; n++) {
    writeFileSync(path.join(project, 'blob.bin'), randomBytes(BLOB_MB * 1_048_576))
    runGit(project, '-c', 'core.compression=0', 'add', 'blob.bin')
  }
  runGit(project, 'rm', '-q', '--cached', 'blob.bin')
  rmSync(path.join(project, 'blob.bin'))
  const cloneMs = await timed(() =>
    runGit(project, 'clone', '-q', '--no-hardlinks', project, path.join(tempDir(), 'copied')),
  )

  let root = ''
  tell(
    'prepare',
    await timed(async () => {
      root = (await prepare(project, tempDirs())).workspace.root
    }),
    'git clone --no-hardlinks',
    cloneMs,
  )
  console.log(
    execFileSync('du', ['-sm', path.join(root, '.git'), path.join(path.dirname(root), 'git')], {
      encoding: 'utf8',
    }).trimEnd(),
  )
})

async function timed(what: () => unknown): Promise<number> {
  const began = performance.now()
  await what()
  return performance.now() - began
}

function tell(what: string, ms: number, reference: string, referenceMs: number): void {
  console.log(
    `${what.padEnd(9)} ${ms.toFixed(0).padStart(6)} ms, ${(ms / referenceMs).toFixed(1)} x ${reference} (${referenceMs.toFixed(0)} ms)`,
  )
}
