// Proposed test changes with a real repository: which are valid, what exactly is committed, and
// what `test.mayChange` allows.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ProposedTestChange } from '../../src/contract/test-fix/test-change.js'
import { refTo } from '../../src/adapters/files/file-ref.js'
import {
  AT,
  filesIn,
  filesOf,
  runGit,
  SAMPLE,
  writeFiles,
  type Files,
} from '../support/repositories/repos.js'
import { sessionHost } from './session-host.js'

const TEST = 'test/sum.test.js'
const LINES = 'one\ntwo\nthree\n'
const PROJECT: Files = {
  ...SAMPLE,
  [TEST]: LINES,
  'test/link.test.js': { link: 'sum.test.js' },
  'ratchet.config.json': '{ "test": { "mayChange": ["**/*.snap", "vitest.config.js"] } }',
}
const patch = (file: string, from = 'two', to = 'zwei'): string =>
  `--- a/${file}\n+++ b/${file}\n@@ -1,3 +1,3 @@\n one\n-${from}\n+${to}\n three\n`
const change = (file: string, text = patch(file)) => ({ file, why: 'it is stale', patch: text })

async function host(proposals: unknown[]) {
  const made = sessionHost(PROJECT)
  const prepared = await made.prepare()
  const answer = path.join(prepared.recordDir, 'answer.md')
  const propose = (known: ProposedTestChange[] = [], all = proposals) => {
    const text = `\`\`\`json\n${JSON.stringify({ proposed_test_changes: all })}\n\`\`\`\n`
    writeFileSync(answer, text)
    return made.propose({
      run: made.run,
      workspace: prepared.workspace,
      recordDir: prepared.recordDir,
      configHash: prepared.configHash,
      head: prepared.head,
      iteration: 1,
      agent: 'fixer',
      answer: refTo(answer, text),
      known,
    })
  }
  const apply = (changes: ProposedTestChange[], expectHead = prepared.head) =>
    made.applyChanges({
      run: made.run,
      step: 'test-change-1',
      workspace: prepared.workspace,
      configHash: prepared.configHash,
      expectHead,
      at: AT,
      subject: 'Change a test as proposed',
      body: '',
      changes,
    })
  return { ...made, ...prepared, proposeAll: propose, apply }
}

test('a valid proposal is kept in the record and applied unchanged, even in a dirty work tree', async () => {
  const it = await host([change(TEST)])
  const { proposals, valid, refused } = await it.proposeAll()
  expect({ valid, refused }).toEqual({ valid: [TEST], refused: [] })
  expect(await it.proposeAll()).toMatchObject({ proposals: [{ number: 1 }] })
  writeFiles(it.workspace.root, { 'src/add.js': 'not ours\n', [TEST]: 'one\ntampered\n' })
  const applied = await it.apply(proposals)
  expect(applied).toMatchObject({ files: [TEST], filesTotal: 1 })
  const { head } = applied as { head: string }
  expect(filesIn(it.workspace.root, head)[TEST] ?? filesOf(it.workspace.root)[TEST]).toBe(
    'one\nzwei\nthree\n',
  )
  expect(filesOf(it.workspace.root)).toMatchObject({
    [TEST]: 'one\nzwei\nthree\n',
    'src/add.js': SAMPLE['src/add.js'],
  })
  expect(await it.apply(proposals)).toEqual(applied)
  expect(await it.apply(proposals, head)).toMatchObject({
    refused: { file: TEST, reason: expect.stringContaining('the patch does not apply') as string },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'code', proposal: change('src/add.js'), reason: 'it is no test file' },
  { why: 'configuration of the tests', proposal: change('vitest.config.js'), reason: 'it configures how tests run' },
  { why: 'attributes of git', proposal: change('.gitattributes'), reason: 'it configures how tests run' },
  { why: 'a patch of another file', proposal: change(TEST, patch('src/add.js')), reason: 'the patch does not apply' },
  { why: 'a patch of a second file', proposal: change(TEST, `${patch(TEST)}diff --git a/src/new.js b/src/new.js\nnew file mode 100644\n--- /dev/null\n+++ b/src/new.js\n@@ -0,0 +1 @@\n+evil\n`), reason: 'the patch changes src/new.js' },
  { why: 'a symbolic link', proposal: change('test/link.test.js', '--- a/test/link.test.js\n+++ b/test/link.test.js\n@@ -1 +1 @@\n-sum.test.js\n\\ No newline at end of file\n+../../../etc/passwd\n\\ No newline at end of file\n'), reason: 'test/link.test.js is no plain file, before or after the patch' },
  { why: 'a patch whose paths lead out', proposal: change(TEST, patch(`../../${TEST}`)), reason: 'the patch does not apply' },
  { why: 'a patch of what is not there', proposal: change(TEST, patch(TEST, 'four')), reason: 'the patch does not apply' },
],
)('not valid: $why', async ({ proposal, reason }) => {
  const it = await host([proposal, change(TEST)])
  const { valid, refused } = await it.proposeAll()
  expect(refused).toMatchObject([
    { file: proposal.file, reason: expect.stringContaining(reason) as string },
  ])
  expect(valid).toEqual([TEST])
})

test('a newer proposal for a file replaces the earlier one; an answered one is not asked again', async () => {
  const it = await host([change(TEST)])
  const first = await it.proposeAll()
  const again = await it.proposeAll(first.proposals, [change(TEST, patch(TEST, 'two', 'deux'))])
  expect(again.proposals).toMatchObject([{ number: 2, file: TEST }])
  const refused = first.proposals.map((one) => ({ ...one, answer: 'refused' as const }))
  expect(await it.proposeAll(refused)).toMatchObject({ proposals: refused, valid: [] })
})

test('a patch that was changed after it was checked is not applied', async () => {
  const it = await host([change(TEST)])
  const { proposals } = await it.proposeAll()
  writeFileSync(proposals[0]?.patch.path ?? '', patch(TEST, 'two', 'evil'))
  expect(await it.apply(proposals)).toEqual({
    refused: {
      file: TEST,
      reason: 'its patch in the record is gone, or was changed since it was checked',
    },
  })
})

test('test.mayChange: a fix may change and add matching files, which are named, but not delete or configure tests', async () => {
  const it = await host([])
  const { workspace, configHash, head, run } = it
  const commit = (step: string, expectHead: string, files: Files) => {
    writeFiles(workspace.root, files)
    return it.commit({
      run,
      step,
      workspace,
      configHash,
      expectHead,
      at: AT,
      subject: step,
      body: '',
    })
  }
  const added = await commit('iteration-1/commit', head, {
    'test/a.snap': 'new\n',
    [TEST]: 'weaker\n',
    'src/add.js': 'better\n',
    'vitest.config.js': 'export default {}\n',
  })
  expect(added).toMatchObject({
    files: ['src/add.js', 'test/a.snap'],
    changedTests: ['test/a.snap'],
    tampered: [TEST, 'vitest.config.js'],
  })
  const deleted = await commit('iteration-2/commit', added.head, { 'test/a.snap': null })
  expect(deleted).toMatchObject({ files: [], tampered: ['test/a.snap'] })
  expect(runGit(it.project, 'status', '--porcelain', '--', 'test')).toBe('')
})
