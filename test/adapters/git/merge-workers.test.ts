// Parallel workers' clones, committed and merged for real. Source: 002 §2.4; ccw §2.4 trap 7; architecture §5.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MergeWorkers } from '../../../src/adapters/git/merge-workers.js'
import { mergeWorkers } from '../../../src/adapters/git/merge-workers.js'
import { cloneForWorker } from '../../../src/adapters/workspace/worker-clones.js'
import { Config } from '../../../src/contract/config.js'
import type { ParallelAction } from '../../../src/contract/loop-input.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { compileSources } from '../../support/agents/compiled.js'
import type { Compiled } from '../../support/agents/compiled.js'
import { killedBefore, killPoints } from '../../support/killed-git.js'
import type { Files } from '../../support/repos.js'
import { AT, commitAll, copyWorkspace, filesOf, makeRepo, makeWorkspace, prepare, refs, RUN, runGit, tempDir, tempDirs, writeFiles } from '../../support/repos.js'

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const text = (changes: Record<number, string> = {}) => LINES.map((line, at) => `${changes[at + 1] ?? line}\n`).join('')
const BASE: Files = { 'src/a.ts': text(), 'src/b.ts': text(), 'data.bin': Buffer.from([0, 1, 2, 3]), 'run.sh': 'echo\n' }

type Work = Partial<Record<ParallelAction, Files | ((root: string) => void)>>

async function clone(workspace: Workspace, action: string): Promise<Workspace> {
  const into = path.join(path.dirname(workspace.root), 'workers', action)
  return (await cloneForWorker({ workspace, head: workspace.base, into, run: RUN, config: Config.parse({}), env: process.env })).workspace
}

function inputOf(workspace: Workspace, workers: { action: ParallelAction; workspace: Workspace }[], choices: MergeWorkers['choices'] = {}): MergeWorkers {
  return { run: RUN, step: 'iteration-1', workspace, expectHead: workspace.base, at: AT, subject: 'Round 1', workers: workers.map((one) => ({ ...one, guard: () => false })), choices }
}

/** A workspace and a clone for each worker, with its work in it. */
async function worked(work: Work, files = BASE): Promise<{ workspace: Workspace; workers: { action: ParallelAction; workspace: Workspace }[] }> {
  const { workspace } = await makeWorkspace(files)
  const workers: { action: ParallelAction; workspace: Workspace }[] = []
  for (const [action, change] of Object.entries(work) as [ParallelAction, NonNullable<Work[ParallelAction]>][]) {
    const own = await clone(workspace, action)
    if (typeof change === 'function') change(own.root)
    else writeFiles(own.root, change)
    workers.push({ action, workspace: own })
  }
  return { workspace, workers }
}

const headOf = (dir: string) => runGit(dir, 'rev-parse', 'HEAD')
const without = (files: Record<string, string>, ...names: string[]) => Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)))

test.each<{ why: string; work: Work; merged: (files: Record<string, string>) => Record<string, string> }>([
  { why: 'different files', work: { develop: { 'src/a.ts': 'a\n' }, debug: { 'src/b.ts': 'b\n' }, validate: { 'test/c.test.ts': 'c\n' } }, merged: (files) => ({ ...files, 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'test/c.test.ts': 'c\n' }) },
  { why: 'different lines of one file, three times', work: { develop: { 'src/a.ts': text({ 1: '1' }) }, debug: { 'src/a.ts': text({ 4: '4' }) }, validate: { 'src/a.ts': text({ 7: '7' }) } }, merged: (files) => ({ ...files, 'src/a.ts': text({ 1: '1', 4: '4', 7: '7' }) }) },
  { why: 'the same change twice', work: { develop: { 'src/a.ts': 'same\n' }, debug: { 'src/a.ts': 'same\n' } }, merged: (files) => ({ ...files, 'src/a.ts': 'same\n' }) },
  { why: 'the same new file in both', work: { develop: { 'new.ts': 'same\n' }, debug: { 'new.ts': 'same\n' } }, merged: (files) => ({ ...files, 'new.ts': 'same\n' }) },
  { why: 'deleted by both', work: { develop: { 'src/a.ts': null }, debug: { 'src/a.ts': null } }, merged: (files) => without(files, 'src/a.ts') },
  { why: 'a mode here, a line there', work: { develop: (root) => chmodSync(path.join(root, 'run.sh'), 0o755), debug: { 'run.sh': 'echo done\n' } }, merged: (files) => ({ ...files, 'run.sh': '* echo done\n' }) },
  { why: 'a file becomes a directory in one, the other is elsewhere', work: { develop: { 'src/a.ts': null, 'src/a.ts/x': 'x\n' }, debug: { 'src/b.ts': 'b\n' } }, merged: (files) => ({ ...without(files, 'src/a.ts'), 'src/a.ts/x': 'x\n', 'src/b.ts': 'b\n' }) },
  { why: 'the same rename twice, with lines of one', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': null, 'src/z.ts': text() } }, merged: (files) => ({ ...without(files, 'src/a.ts'), 'src/z.ts': text() }) },
])('002 §2.4: $why merge without a question', async ({ work, merged }) => {
  const { workspace, workers } = await worked(work)
  const before = filesOf(workspace.root)
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(answer.conflicts).toEqual([])
  expect(filesOf(workspace.root)).toEqual(merged(before))
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
  expect(answer.head).toBe(headOf(workspace.root))
  expect(runGit(workspace.root, 'log', '-1', '--format=%P').split(' ')).toEqual(answer.workers.map(({ commit }) => commit))
  expect(answer.commits).toEqual([...answer.workers.map(({ commit }) => commit), answer.head])
  expect(runGit(workspace.root, 'diff', '--name-only', '--no-renames', workspace.base, 'HEAD').split('\n')).toEqual(answer.files)
  expect(Object.keys(refs(workspace.root))).toEqual([`refs/heads/${workspace.branch}`])
})

const [A, B, C] = [text({ 1: 'develop' }), text({ 1: 'debug' }), text({ 1: 'validate' })]

test.each<{ why: string; work: Work; conflicts: [string, ParallelAction[]][] }>([
  { why: 'the same line', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
  { why: 'ccw §2.4 trap 7: three workers on one line are one conflict with all of them', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': B }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'debug', 'validate']]] },
  { why: 'two on one line, and a third on another of the same file', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': text({ 7: '7' }) }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'debug', 'validate']]] },
  { why: 'several files, by name', work: { debug: { 'src/b.ts': B, 'src/a.ts': B }, develop: { 'src/b.ts': A, 'src/a.ts': A } }, conflicts: [['src/a.ts', ['develop', 'debug']], ['src/b.ts', ['develop', 'debug']]] },
  { why: 'deleted here, changed there', work: { develop: { 'src/a.ts': null }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'validate']]] },
  { why: 'a binary file', work: { develop: { 'data.bin': Buffer.from([0, 9]) }, debug: { 'data.bin': Buffer.from([0, 8]) } }, conflicts: [['data.bin', ['develop', 'debug']]] },
  { why: 'a new file in both', work: { develop: { 'new.ts': 'a\n' }, debug: { 'new.ts': 'b\n' } }, conflicts: [['new.ts', ['develop', 'debug']]] },
  { why: 'a link here, lines there', work: { develop: (root) => { writeFiles(root, { 'src/a.ts': null }); writeFiles(root, { 'src/a.ts': { link: 'b.ts' } }) }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
  { why: 'a file here, a directory there', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } }, conflicts: [['tool', ['develop', 'debug']]] },
  { why: 'renamed here, changed there', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
  { why: 'renamed to two names', work: { develop: { 'src/a.ts': null, 'src/y.ts': text({ 7: 'y' }) }, debug: { 'src/a.ts': null, 'src/z.ts': text() } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
])('002 §2.4: $why: nothing moves, and the conflict is named', async ({ work, conflicts }) => {
  // src/b.ts is no copy of src/a.ts: git would take it for the other end of a rename.
  const { workspace, workers } = await worked(work, { ...BASE, 'src/b.ts': 'quite\nanother\nfile\n' })
  writeFiles(workspace.root, { 'unfinished.txt': 'of the run\n' })
  const before = { files: filesOf(workspace.root), head: headOf(workspace.root) }
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(answer.conflicts).toEqual(conflicts.map(([file, named]) => ({ file, workers: named, resolution: 'manual' })))
  expect(answer).toMatchObject({ head: workspace.base, commits: [], files: [], conflictsTotal: conflicts.length })
  expect({ files: filesOf(workspace.root), head: headOf(workspace.root) }).toEqual(before)
  expect(answer.workers.map(({ commit }) => runGit(workspace.root, 'cat-file', '-t', commit ?? 'none'))).toEqual(answer.workers.map(() => 'commit'))
})

test.each<{ why: string; work: Work; choices: MergeWorkers['choices']; merged: Record<string, string | undefined> }>([
  { why: 'a worker: its whole version', work: { develop: { 'src/a.ts': text({ 1: 'develop', 4: '4' }) }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': text({ 1: 'develop', 4: '4' }) } },
  { why: 'a worker that deleted it', work: { develop: { 'src/a.ts': null }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': undefined } },
  { why: 'base: as it was', work: { develop: { 'src/a.ts': null, 'new.ts': 'a\n' }, debug: { 'src/a.ts': B, 'new.ts': 'b\n' } }, choices: { 'src/a.ts': 'base', 'new.ts': 'base' }, merged: { 'src/a.ts': text(), 'new.ts': undefined } },
  { why: 'the other of a file and a directory', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } }, choices: { tool: 'debug' }, merged: { tool: undefined, 'tool/x.ts': 'x\n', 'tool/y.ts': 'y\n' } },
  { why: 'the file, not the directory', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n' } }, choices: { tool: 'develop' }, merged: { tool: 'file\n', 'tool/x.ts': undefined } },
  { why: 'who renamed it: the other name too', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': undefined, 'src/z.ts': text() } },
  { why: 'who did not rename it: without the other name', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'debug' }, merged: { 'src/a.ts': B, 'src/z.ts': undefined } },
  { why: 'a file without a conflict: ignored', work: { develop: { 'src/a.ts': A, 'src/b.ts': 'b\n' }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'debug', 'src/b.ts': 'base', 'no.ts': 'debug' }, merged: { 'src/a.ts': B, 'src/b.ts': 'b\n' } },
])('002 §2.4: a person takes $why, after the workers were asked once', async ({ work, choices, merged }) => {
  const { workspace, workers } = await worked(work, { ...BASE, 'src/b.ts': 'quite\nanother\nfile\n' })
  const asked = await mergeWorkers(inputOf(workspace, workers))
  expect(asked.conflictsTotal).toBeGreaterThan(0)
  const answer = await mergeWorkers(inputOf(workspace, workers, choices))
  expect(answer.conflicts).toEqual([])
  const files = filesOf(workspace.root)
  for (const [file, content] of Object.entries(merged)) expect(files[file], file).toBe(content)
  expect(answer.workers).toEqual(asked.workers)
  expect(await mergeWorkers(inputOf(workspace, workers, choices))).toEqual(answer)
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('as long as one conflict is open nothing moves, and only what is open is asked', async () => {
  const { workspace, workers } = await worked({ develop: { 'src/a.ts': A, 'src/b.ts': A }, debug: { 'src/a.ts': B, 'src/b.ts': B } })
  const answer = await mergeWorkers(inputOf(workspace, workers, { 'src/a.ts': 'debug' }))
  expect(answer.conflicts.map(({ file }) => file)).toEqual(['src/b.ts'])
  expect(headOf(workspace.root)).toBe(workspace.base)
})

test('the first 50 conflicts travel, all are counted', async () => {
  const files = (content: string) => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.ts`, content]))
  const { workspace, workers } = await worked({ develop: files('a\n'), debug: files('b\n') })
  const { conflicts, conflictsTotal } = await mergeWorkers(inputOf(workspace, workers))
  expect([conflicts.length, conflictsTotal]).toEqual([50, 60])
})

test('one worker that changed something: its commit is the head, on the head before', async () => {
  const { workspace, workers } = await worked({ develop: {}, debug: {}, validate: { 'test/a.test.ts': 'test\n' } })
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(answer.workers.map(({ action, commit }) => [action, commit])).toEqual([['develop', null], ['debug', null], ['validate', answer.head]])
  expect(answer).toMatchObject({ commits: [answer.head], files: ['test/a.test.ts'], filesTotal: 1 })
  expect(runGit(workspace.root, 'log', '-1', '--format=%P|%cn|%ct|%s')).toBe(`${workspace.base}|Ratchet|${AT / 1_000}|Round 1: validate`)
  expect(runGit(workspace.root, 'log', '-1', '--format=%(trailers:key=Ratchet-Step,valueonly)').trim()).toBe('iteration-1/validate')
})

test('nobody changed anything: the head stays, and uncommitted work in the run’s workspace is kept aside', async () => {
  const { workspace, workers } = await worked({ develop: {}, debug: {} })
  writeFiles(workspace.root, { 'unfinished.txt': 'of somebody\n' })
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(answer).toMatchObject({ head: workspace.base, commits: [], files: [], filesTotal: 0, conflicts: [] })
  expect(filesOf(workspace.root)['unfinished.txt']).toBeUndefined()
  const [kept = ''] = Object.keys(refs(workspace.root)).filter((ref) => ref.startsWith('refs/ratchet/snapshots/'))
  expect(runGit(workspace.root, 'show', `${kept}:unfinished.txt`)).toBe('of somebody')
})

test('what a worker may not change is put back before the merge and named; changed tests are named', async () => {
  const { workspace, workers } = await worked({ develop: { 'src/a.ts': A, 'src/b.ts': A }, validate: { 'src/a.ts': C, 'test/a.test.ts': 'test\n' } }, { ...BASE, 'test/b.test.ts': 'b\n' })
  const [develop, validate] = workers
  if (develop === undefined || validate === undefined) throw new Error('two workers')
  writeFiles(validate.workspace.root, { 'test/b.test.ts': 'weaker\n' })
  const isTest = (file: string) => file.startsWith('test/')
  const answer = await mergeWorkers({ ...inputOf(workspace, []), workers: [{ ...develop, guard: () => false }, { ...validate, guard: (file) => file.startsWith('src/'), isTest }] })
  expect(answer.conflicts).toEqual([])
  expect(answer.workers).toMatchObject([{ undone: [] }, { undone: ['src/a.ts'], files: ['test/a.test.ts', 'test/b.test.ts'], changedTests: ['test/b.test.ts'] }])
  expect(filesOf(workspace.root)['src/a.ts']).toBe(A)
})

test('commits that agents made, and a name that is not UTF-8, are part of the merge', async () => {
  const odd = Buffer.concat([Buffer.from('name-'), Buffer.from([0xff])])
  const { workspace, workers } = await worked({
    develop: (root) => {
      writeFiles(root, { 'src/a.ts': A })
      commitAll(root, 'agent: mine')
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), odd]), 'odd\n')
    },
    debug: { 'src/b.ts': B },
  })
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(answer.conflicts).toEqual([])
  expect(runGit(workspace.root, 'log', '--format=%cn', `${workspace.base}..HEAD`)).toBe('Ratchet\nRatchet\nRatchet')
  expect(runGit(workspace.root, '-c', 'core.quotePath=true', 'ls-files')).toContain(String.raw`"name-\377"`)
})

test('in-place: the branch and the files of the user’s own tree follow', async () => {
  const [project, dirs] = [makeRepo(BASE), tempDirs()]
  const { workspace } = await prepare(project, dirs, { workspaceConfig: { isolation: 'in-place' } })
  const into = tempDir()
  const workers: { action: ParallelAction; workspace: Workspace }[] = []
  for (const [action, files] of [['develop', { 'src/a.ts': A }], ['debug', { 'src/b.ts': null }]] as const) {
    const { workspace: own } = await cloneForWorker({ workspace, head: workspace.base, into: path.join(into, action), run: RUN, config: Config.parse({}), env: process.env })
    writeFiles(own.root, files)
    workers.push({ action, workspace: own })
  }
  const before = filesOf(project)
  const answer = await mergeWorkers(inputOf(workspace, workers))
  expect(filesOf(project)).toEqual({ ...without(before, 'src/b.ts'), 'src/a.ts': A })
  expect([runGit(project, 'symbolic-ref', '--short', 'HEAD'), headOf(project), runGit(project, 'status', '--porcelain')]).toEqual([workspace.branch, answer.head, ''])
  expect(headOf(project)).not.toBe(runGit(project, 'rev-parse', 'main'))
})

type Played = { workspace: Workspace; workers: { action: ParallelAction; workspace: Workspace }[] }

// Clones lie beside the tree of their workspace, so that one copy holds all of them.
function copied({ workspace, workers }: Played): Played {
  const copy = copyWorkspace(workspace)
  const dir = path.dirname(copy.root)
  const moved = (own: Workspace) => path.join(dir, path.relative(path.dirname(workspace.root), own.root))
  return { workspace: copy, workers: workers.map((one) => ({ ...one, workspace: { ...one.workspace, root: moved(one.workspace), cwd: moved(one.workspace) } })) }
}

const endOf = ({ root }: Workspace) => ({ files: filesOf(root), refs: refs(root), status: runGit(root, 'status', '--porcelain'), attached: runGit(root, 'symbolic-ref', 'HEAD') })

test('architecture §5 "Exactly once": a merge with an answered conflict, killed before any command and repeated, ends the same', async () => {
  const start = await worked({ develop: { 'src/a.ts': A, 'new.ts': 'n\n' }, debug: { 'src/a.ts': B, 'src/b.ts': text({ 2: '2' }) } })
  await mergeWorkers(inputOf(start.workspace, start.workers)) // the clones are committed: their steps have a test of their own
  const merge = ({ workspace, workers }: Played) => mergeWorkers(inputOf(workspace, workers, { 'src/a.ts': 'debug' }))
  const undisturbed = copied(start)
  const result = await merge(undisturbed)
  const watched = copied(start)
  const points = await killPoints([path.dirname(watched.workspace.root)], () => merge(watched))
  expect(points.length).toBeGreaterThan(15)
  for (const n of points) {
    const one = copied(start)
    expect(await killedBefore(n, () => merge(one))).toBe(n < Infinity)
    expect(await merge(one), `killed before command ${n}`).toEqual(result)
    expect(endOf(one.workspace), `killed before command ${n}`).toEqual(endOf(undisturbed.workspace))
  }
}, 240_000)

let compiled: Compiled
beforeAll(() => { compiled = compileSources() })
afterAll(() => compiled.remove())

test.each(['merge:begin', 'merge:commits', 'merge:moved'])('a process killed by SIGKILL at %s, and started again, makes the same merge', async (point) => {
  const start = await worked({ develop: { 'src/a.ts': text({ 1: '1' }) }, debug: { 'src/a.ts': text({ 7: '7' }), 'new.ts': 'n\n' }, validate: { 'src/b.ts': null } })
  const undisturbed = copied(start)
  const expected = await mergeWorkers(inputOf(undisturbed.workspace, undisturbed.workers))
  const points = path.join(tempDir(), 'points')
  mkdirSync(points)
  writeFileSync(path.join(points, point.replace(':', '-')), '')
  const module = path.resolve(compiled.playbook, '../../../git/merge-workers.js')
  const program = `import { mergeWorkers } from ${JSON.stringify(module)}
    const input = JSON.parse(process.env.INPUT)
    const answer = await mergeWorkers({ ...input, workers: input.workers.map((one) => ({ ...one, guard: () => false })) })
    process.stdout.write(JSON.stringify(answer))`
  const run = () => spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8', env: { ...process.env, RATCHET_FAULT_POINTS: points, INPUT: JSON.stringify(inputOf(start.workspace, start.workers)) },
  })
  expect(run().signal).toBe('SIGKILL')
  const again = run()
  expect(again.stderr).toBe('')
  expect(JSON.parse(again.stdout)).toEqual(expected)
  expect(endOf(start.workspace)).toEqual(endOf(undisturbed.workspace))
})
