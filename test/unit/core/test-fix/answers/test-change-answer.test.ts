// Test changes that an answer proposes, and the decisions of a run about them.
import { describe, expect, test } from 'vitest'
import { readAnalysis } from '../../../../../src/core/test-fix/answers/analysis-answer.js'
import { ANALYSIS_FORM, PROPOSALS_FORM } from '../../../../../src/core/prompts/prompt-forms.js'
import {
  MOST_PROPOSALS,
  partsToStrip,
  PATCH_BYTES,
  readProposals,
} from '../../../../../src/core/test-fix/answers/test-change-answer.js'
import {
  answered,
  nothingElseLeft,
  openChanges,
  proposalNotes,
  proposedReason,
  testChangeQuestion,
} from '../../../../../src/core/test-fix/test-changes.js'
import { withFilesOf, withoutFiles } from '../../../../../src/core/test-results/replace-files.js'
import { proposed } from '../../../../support/stub-host.js'

const PATCH = '--- a/test/a.test.js\n+++ b/test/a.test.js\n@@ -1 +1 @@\n-old\n+new\n'
const GOOD = { file: 'test/a.test.js', why: 'the message has changed', patch: PATCH }
const answer = (proposals: unknown): string =>
  `Some words.\n\n\`\`\`json\n${JSON.stringify({ proposed_test_changes: proposals })}\n\`\`\`\n`

test('reads a complete proposal; an answer without one gives none', () => {
  expect(readProposals(answer([GOOD]))).toEqual({ proposals: [GOOD], refused: [] })
  expect(readProposals('nothing of the kind')).toEqual({ proposals: [], refused: [] })
  expect(readProposals(answer('all of them'))).toEqual({ proposals: [], refused: [] })
})

test.each(
  // prettier-ignore
  [
  { why: 'a patch as lines', entry: { ...GOOD, patch: PATCH.trimEnd().split('\n') }, want: GOOD },
  { why: 'blank lines around the patch', entry: { ...GOOD, patch: `\n\n${PATCH}\n\n` }, want: GOOD },
  { why: 'a path that begins with ./', entry: { ...GOOD, file: './test/a.test.js' }, want: GOOD },
  { why: 'no reason', entry: { file: GOOD.file, patch: PATCH }, want: { ...GOOD, why: 'no reason was given' } },
],
)('$why: read leniently', ({ entry, want }) =>
  expect(readProposals(answer([entry])).proposals).toEqual([want]),
)

test.each(
  // prettier-ignore
  [
  { why: 'a path out of the project', entry: { ...GOOD, file: '../x' }, reason: 'the path leads out of the project' },
  { why: 'a path out of it on the way', entry: { ...GOOD, file: 'test/../../x' }, reason: 'the path leads out of the project' },
  { why: 'an absolute path', entry: { ...GOOD, file: '/etc/passwd' }, reason: 'the path is absolute' },
  { why: 'an absolute path of Windows', entry: { ...GOOD, file: 'C:/x' }, reason: 'the path is absolute' },
  { why: 'a backslash', entry: { ...GOOD, file: 'test\\a.js' }, reason: 'the path holds a character that is not allowed' },
  { why: 'a path into .git', entry: { ...GOOD, file: 'test/.GIT/hooks/x' }, reason: 'the path leads into .git' },
  { why: 'an odd path', entry: { ...GOOD, file: 'test//a.js' }, reason: 'the path is not in its plain form' },
  { why: 'no file', entry: { why: 'x', patch: PATCH }, reason: 'it names no file' },
  { why: 'no object', entry: 7, reason: 'it names no file' },
  { why: 'no patch', entry: { file: GOOD.file }, reason: 'it has no patch' },
  { why: 'words for a patch', entry: { ...GOOD, patch: 'change the sum' }, reason: 'the patch is no unified diff' },
  { why: 'a large patch', entry: { ...GOOD, patch: `${PATCH}${'+x\n'.repeat(PATCH_BYTES / 2)}` }, reason: 'the patch is larger than 64 kB' },
  { why: 'a new symbolic link', entry: { ...GOOD, patch: `diff --git a/l b/l\nnew file mode 120000\n${PATCH}` }, reason: 'the patch changes the mode of a file' },
  { why: 'another mode', entry: { ...GOOD, patch: `diff --git a/l b/l\nold mode 100644\nnew mode 100755\n${PATCH}` }, reason: 'the patch changes the mode of a file' },
  { why: 'a renamed file', entry: { ...GOOD, patch: `diff --git a/l b/m\nrename from l\nrename to m\n${PATCH}` }, reason: 'the patch moves a file' },
],
)('$why: refused with the reason, the others stay', ({ entry, reason }) => {
  const read = readProposals(answer([entry, GOOD]))
  expect(read.refused).toMatchObject([{ reason }])
  expect(read.proposals).toEqual([GOOD])
})

test('an answer may propose ten changes', () => {
  const read = readProposals(
    answer(
      Array.from({ length: MOST_PROPOSALS + 3 }, (_, n) => ({
        ...GOOD,
        file: `test/${n}.test.js`,
      })),
    ),
  )
  expect(read.proposals).toHaveLength(MOST_PROPOSALS)
  expect(read.refused).toHaveLength(3)
})

test.each([ANALYSIS_FORM, PROPOSALS_FORM])('the sample of the form proposes nothing', (form) =>
  expect(readProposals(form)).toEqual({ proposals: [], refused: [] }),
)

test('a patch names its file with or without the prefix of git', () => {
  expect(partsToStrip(GOOD)).toBe(1)
  expect(partsToStrip({ ...GOOD, patch: PATCH.replaceAll(/[ab]\//g, '') })).toBe(0)
})

test('an analysis without a modification point is used where it proposes a change, even an invalid one', () => {
  const analysis = (more: object): string =>
    `\`\`\`json\n${JSON.stringify({ root_causes: ['the test is stale'], fix_strategy: { approach: 'none', modification_points: [], expected_outcome: 'x' }, confidence_score: 0.9, ...more })}\n\`\`\``
  expect(readAnalysis(analysis({}), { earlierCauses: [] }).ok).toBe(false)
  expect(
    readAnalysis(analysis({ proposed_test_changes: [GOOD] }), { earlierCauses: [] }),
  ).toMatchObject({ ok: true, analysis: { points: [] } })
})

describe('decisions of a run about its proposals', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'every failing test is covered, and the run would end', coverage: { covered: 2, uncovered: 0 }, ends: true, progress: true, left: true },
    { why: 'every failing test is covered, and nothing has helped', coverage: { covered: 2, uncovered: 0 }, ends: false, progress: false, left: true },
    { why: 'every failing test is covered, and a fix has just helped', coverage: { covered: 2, uncovered: 0 }, ends: false, progress: true, left: false },
    { why: 'another test fails', coverage: { covered: 1, uncovered: 1 }, ends: true, progress: false, left: false },
    { why: 'no test in the files fails', coverage: { covered: 0, uncovered: 0 }, ends: true, progress: false, left: false },
  ],
  )('$why: nothing else is left = $left', ({ coverage, left, ...facts }) =>
    expect(nothingElseLeft(coverage, facts)).toBe(left),
  )

  test('the reason counts the tests, names the files, and has the command', () => {
    expect(proposedReason('WFS-test-a', [proposed(1)], { covered: 1, uncovered: 0 })).toBe(
      '1 test is proposed to change (test/1.test.ts); apply the proposals with: ratchet answer WFS-test-a accept',
    )
    expect(
      proposedReason('WFS-test-a', [proposed(1), proposed(2)], { covered: 3, uncovered: 0 }),
    ).toMatch(/^3 tests are proposed to change \(test\/1\.test\.ts, test\/2\.test\.ts\)/)
  })

  test('one question for all open proposals, which recommends to refuse', () => {
    expect(testChangeQuestion([proposed(1), proposed(3)], 7)).toMatchObject({
      id: 'test-change-3',
      kind: 'test_change',
      options: ['accept', 'refuse'],
      recommended: 'refuse',
      askedAt: 7,
    })
  })

  test('an answer closes the open ones only', () => {
    const proposals = answered([proposed(1, { answer: 'refused' }), proposed(2)], 'accepted')
    expect(proposals.map(({ answer: said }) => said)).toEqual(['refused', 'accepted'])
    expect(openChanges({ proposals })).toEqual([])
  })

  test('the note names valid and invalid proposals', () => {
    expect(proposalNotes(['a'], [{ file: '../x', reason: 'why' }])).toEqual([
      'a change is proposed to a',
      'proposed test changes that cannot be used: ../x (why)',
    ])
    expect(proposalNotes([], [])).toEqual([])
  })
})

test('the results of a file are replaced in an earlier run, with what was missing and remembered there', () => {
  const one = (file: string, status: 'passed' | 'failed') => ({ file, test: 't', status })
  const run = {
    tests: [one('a', 'failed'), one('b', 'passed')],
    missing: [{ file: 'a', test: 'gone', error: '' }],
    memory: [
      { file: 'a', test: 't' },
      { file: 'b', test: 't' },
    ],
  }
  expect(withoutFiles(run, ['a'])).toEqual({
    tests: [one('b', 'passed')],
    missing: [],
    memory: [{ file: 'b', test: 't' }],
  })
  expect(
    withFilesOf(run, ['a'], { tests: [one('a', 'passed'), one('b', 'failed')], missing: [] }).tests,
  ).toEqual([one('b', 'passed'), one('a', 'passed')])
})
