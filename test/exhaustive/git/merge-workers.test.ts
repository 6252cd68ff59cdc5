// Every kind of merge of workers' clones, and a merge that is killed anywhere.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeWorkers } from '../../../src/adapters/git/merge/merge-workers.js'
import { compileSources, type Compiled } from '../../support/agents/compiled.js'
import { allOf } from '../../support/repositories/killed-git.js'
import {
  A,
  B,
  C,
  copied,
  endOf,
  expectChosen,
  expectConflicts,
  expectMerged,
  expectSameMerge,
  inputOf,
  text,
  without,
  worked,
  type Choices,
  type Conflicts,
  type Merges,
} from '../../support/loop/merge-play.js'
import { tempDir, writeFiles } from '../../support/repositories/repos.js'

test.each<Merges>(
  // prettier-ignore
  [
  { why: 'deleted by both', work: { develop: { 'src/a.ts': null }, debug: { 'src/a.ts': null } }, merged: (files) => without(files, 'src/a.ts') },
  { why: 'different files', work: { develop: { 'src/a.ts': 'a\n' }, debug: { 'src/b.ts': 'b\n' }, validate: { 'test/c.test.ts': 'c\n' } }, merged: (files) => ({ ...files, 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'test/c.test.ts': 'c\n' }) },
  { why: 'the same change twice', work: { develop: { 'src/a.ts': 'same\n' }, debug: { 'src/a.ts': 'same\n' } }, merged: (files) => ({ ...files, 'src/a.ts': 'same\n' }) },
  { why: 'the same new file in both', work: { develop: { 'new.ts': 'same\n' }, debug: { 'new.ts': 'same\n' } }, merged: (files) => ({ ...files, 'new.ts': 'same\n' }) },
  { why: 'a file becomes a directory in one, the other is elsewhere', work: { develop: { 'src/a.ts': null, 'src/a.ts/x': 'x\n' }, debug: { 'src/b.ts': 'b\n' } }, merged: (files) => ({ ...without(files, 'src/a.ts'), 'src/a.ts/x': 'x\n', 'src/b.ts': 'b\n' }) },
  { why: 'the same rename twice, with lines of one', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': null, 'src/z.ts': text() } }, merged: (files) => ({ ...without(files, 'src/a.ts'), 'src/z.ts': text() }) },
],
)('$why merge without a question', expectMerged)

test.each<Conflicts>(
  // prettier-ignore
  [
  { why: 'deleted here, changed there', work: { develop: { 'src/a.ts': null }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'validate']]] },
  { why: 'several files, by name', work: { debug: { 'src/b.ts': B, 'src/a.ts': B }, develop: { 'src/b.ts': A, 'src/a.ts': A } }, conflicts: [['src/a.ts', ['develop', 'debug']], ['src/b.ts', ['develop', 'debug']]] },
  { why: 'the same line', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
  { why: 'two on one line, and a third on another of the same file', work: { develop: { 'src/a.ts': A }, debug: { 'src/a.ts': text({ 7: '7' }) }, validate: { 'src/a.ts': C } }, conflicts: [['src/a.ts', ['develop', 'debug', 'validate']]] },
  { why: 'a binary file', work: { develop: { 'data.bin': Buffer.from([0, 9]) }, debug: { 'data.bin': Buffer.from([0, 8]) } }, conflicts: [['data.bin', ['develop', 'debug']]] },
  { why: 'a new file in both', work: { develop: { 'new.ts': 'a\n' }, debug: { 'new.ts': 'b\n' } }, conflicts: [['new.ts', ['develop', 'debug']]] },
  { why: 'a link here, lines there', work: { develop: (root) => { writeFiles(root, { 'src/a.ts': null }); writeFiles(root, { 'src/a.ts': { link: 'b.ts' } }) }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
  { why: 'renamed here, changed there', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, conflicts: [['src/a.ts', ['develop', 'debug']]] },
],
)('$why: nothing moves, and the conflict is named', expectConflicts)

test.each<Choices>(
  // prettier-ignore
  [
  { why: 'who renamed it: the other name too', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': undefined, 'src/z.ts': text() } },
  { why: 'a worker: its whole version', work: { develop: { 'src/a.ts': text({ 1: 'develop', 4: '4' }) }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': text({ 1: 'develop', 4: '4' }) } },
  { why: 'a worker that deleted it', work: { develop: { 'src/a.ts': null }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'develop' }, merged: { 'src/a.ts': undefined } },
  { why: 'the file, not the directory', work: { develop: { tool: 'file\n' }, debug: { 'tool/x.ts': 'x\n' } }, choices: { tool: 'develop' }, merged: { tool: 'file\n', 'tool/x.ts': undefined } },
  { why: 'who did not rename it: without the other name', work: { develop: { 'src/a.ts': null, 'src/z.ts': text() }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'debug' }, merged: { 'src/a.ts': B, 'src/z.ts': undefined } },
  { why: 'a file without a conflict: ignored', work: { develop: { 'src/a.ts': A, 'src/b.ts': 'b\n' }, debug: { 'src/a.ts': B } }, choices: { 'src/a.ts': 'debug', 'src/b.ts': 'base', 'no.ts': 'debug' }, merged: { 'src/a.ts': B, 'src/b.ts': 'b\n' } },
],
)('a person takes $why, after the workers were asked once', expectChosen)

test('a merge with an answered conflict, killed before any command and repeated, ends the same', () =>
  expectSameMerge(allOf))

let compiled: Compiled
beforeAll(() => {
  compiled = compileSources()
})
afterAll(() => compiled.remove())

test.each(['merge:begin', 'merge:commits', 'merge:moved'])(
  'a process killed by SIGKILL at %s, and started again, makes the same merge',
  async (point) => {
    const start = await worked({
      develop: { 'src/a.ts': text({ 1: '1' }) },
      debug: { 'src/a.ts': text({ 7: '7' }), 'new.ts': 'n\n' },
      validate: { 'src/b.ts': null },
    })
    const undisturbed = copied(start)
    const expected = await mergeWorkers(inputOf(undisturbed))
    const points = path.join(tempDir(), 'points')
    mkdirSync(points)
    writeFileSync(path.join(points, point.replace(':', '-')), '')
    const module = path.resolve(compiled.playbook, '../../../git/merge/merge-workers.js')
    const program = `import { mergeWorkers } from ${JSON.stringify(module)}
    const input = JSON.parse(process.env.INPUT)
    const answer = await mergeWorkers({ ...input, workers: input.workers.map((one) => ({ ...one, guard: () => false })) })
    process.stdout.write(JSON.stringify(answer))`
    const run = () =>
      spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        encoding: 'utf8',
        env: {
          ...process.env,
          RATCHET_FAULT_POINTS: points,
          INPUT: JSON.stringify(inputOf(start)),
        },
      })
    expect(run().signal).toBe('SIGKILL')
    const again = run()
    expect(again.stderr).toBe('')
    expect(JSON.parse(again.stdout)).toEqual(expected)
    expect(endOf(start.workspace)).toEqual(endOf(undisturbed.workspace))
  },
)
