// A repository of 20,000 files, from the snapshot to the user's tree, beside what git alone needs for the
// same: a clone with its checkout, a commit of one changed file. Ratios of one run, as machines are noisy.
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyBranch } from '../src/adapters/git/apply.js'
import { publishBranch } from '../src/adapters/git/publish.js'
import { commitStep, rollbackStep } from '../src/adapters/git/steps.js'
import { AT, makeRepo, prepare, runGit, RUN, tempDir, tempDirs, writeFiles } from '../test/support/repos.js'
import type { Files } from '../test/support/repos.js'

const FOLDERS = 200
const FILES_IN_EACH = 100
const INSTALLED = 5_000

function many(count: number, name: (n: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), `export const value = ${n}\n`.repeat(20)]))
}

test(`${FOLDERS * FILES_IN_EACH} files and ${INSTALLED} installed ones`, async () => {
  const project = makeRepo({ ...many(FOLDERS * FILES_IN_EACH, (n) => `src/${n % FOLDERS}/file-${n}.js`), 'package.json': '{}\n', '.gitignore': 'node_modules/\n' })
  writeFiles(project, many(INSTALLED, (n) => `node_modules/package-${n % 100}/file-${n}.js`))

  const bare = path.join(tempDir(), 'bare')
  const cloneMs = await timed(() => runGit(project, 'clone', '-q', '--local', project, bare))
  writeFiles(bare, { 'src/0/file-0.js': 'changed\n' })
  const commitMs = await timed(() => { runGit(bare, 'add', '-A'); runGit(bare, 'commit', '-qm', 'bare') })

  let prepared: Awaited<ReturnType<typeof prepare>> | undefined
  tell('prepare', await timed(async () => { prepared = await prepare(project, tempDirs()) }), 'git clone', cloneMs)
  if (prepared === undefined) throw new Error('nothing was prepared')
  const { workspace } = prepared
  const { base, branch, root } = workspace
  const step = (name: string, expectHead: string) => ({ workspace, run: RUN, step: name, expectHead, at: AT, subject: name })
  writeFiles(root, { 'src/0/file-0.js': 'changed\n' })
  let head = base
  tell('commit', await timed(async () => { head = (await commitStep(step('fix', head), () => false)).head }), 'git commit', commitMs)
  tell('rollback', await timed(async () => { head = (await rollbackStep({ ...step('back', head), toTree: base })).head }), 'git commit', commitMs)
  writeFiles(root, { 'src/0/file-0.js': 'changed\n' })
  head = (await commitStep(step('again', head), () => false)).head
  tell('publish', await timed(() => publishBranch(workspace)), 'git commit', commitMs)
  tell('apply', await timed(async () => expect((await applyBranch({ project, base, branch })).applied).toEqual(['src/0/file-0.js'])), 'git commit', commitMs)
})

async function timed(what: () => unknown): Promise<number> {
  const began = performance.now()
  await what()
  return performance.now() - began
}

function tell(what: string, ms: number, beside: string, besideMs: number): void {
  console.log(`${what.padEnd(9)} ${ms.toFixed(0).padStart(6)} ms, ${(ms / besideMs).toFixed(1)} x ${beside} (${besideMs.toFixed(0)} ms)`)
}
