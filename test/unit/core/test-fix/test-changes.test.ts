// What a run decides about the test changes that its agents propose.
import { describe, expect, test } from 'vitest'
import type { ProposedTestChange } from '../../../../src/contract/test-fix/test-change.js'
import {
  PROPOSALS_KEPT,
  answered,
  changeProblem,
  coverageOf,
  isAnswered,
  nothingElseLeft,
  openChanges,
  proposedReason,
  testChangeQuestion,
  withProposal,
} from '../../../../src/core/test-fix/test-changes.js'
import { proposed } from '../../../support/stub-host.js'
import { compared, measured, notStarted } from '../../../support/test-runs.js'

const stored = (file: string, test: string, status: 'passed' | 'failed' | 'skipped') => ({
  file,
  test,
  status,
})

describe('failing tests that a proposal covers', () => {
  const run = {
    tests: [
      stored('a.test', 'adds', 'failed'),
      stored('a.test', 'subtracts', 'passed'),
      stored('b.test', 'multiplies', 'failed'),
      stored('b.test', 'divides', 'skipped'),
    ],
    missing: [{ file: 'b.test', test: 'halves', error: 'is missing' }],
  }
  test.each([
    { files: [], covered: 0, uncovered: 3 },
    { files: ['a.test'], covered: 1, uncovered: 2 },
    { files: ['b.test'], covered: 2, uncovered: 1 },
    { files: ['a.test', 'b.test'], covered: 3, uncovered: 0 },
  ])('of $files: $covered, and $uncovered others', ({ files, covered, uncovered }) => {
    expect(coverageOf(run, files)).toEqual({ covered, uncovered })
  })
})

test.each([
  { why: 'nothing failing is covered', covered: 0, uncovered: 0, ends: true, progress: false },
  { why: 'another test fails', covered: 2, uncovered: 1, ends: true, progress: false },
  { why: 'the last iteration helped', covered: 2, uncovered: 0, ends: false, progress: true },
])('something else is left where $why', ({ covered, uncovered, ends, progress }) => {
  expect(nothingElseLeft({ covered, uncovered }, { ends, progress })).toBe(false)
})

test.each([
  { why: 'the run would end', ends: true, progress: true },
  { why: 'the last iteration did not help', ends: false, progress: false },
])('nothing else is left where all that fails is covered and $why', ({ ends, progress }) => {
  expect(nothingElseLeft({ covered: 1, uncovered: 0 }, { ends, progress })).toBe(true)
})

const best = {
  counts: { baselinePassing: 4, broken: 0, passing: 4, failing: 1 },
  total: 5,
  then: 4,
  now: 4,
}
const after = (broken: number, rest = {}) =>
  measured(4, 5, {
    comparison: compared({ broken, brokenTests: ['b.test > adds'], best, ...rest }),
  })

test.each([
  {
    why: 'breaks a test of another file',
    run: after(1),
    problem: /breaks 1 test of other files, so it was undone: b\.test > adds/,
  },
  {
    why: 'keeps the suite from starting',
    run: notStarted(),
    problem: /do not start with the accepted change of a\.test/,
  },
])('an accepted change that $why is undone', ({ run, problem }) => {
  expect(changeProblem(run, 'a.test')).toMatch(problem)
})

test.each([
  { why: 'that breaks nothing', run: after(0) },
  { why: 'where nothing was measured before it', run: after(1, { best: undefined }) },
])('an accepted change $why stays', ({ run }) => {
  expect(changeProblem(run, 'a.test')).toBeUndefined()
})

test('a question names each proposal and its patch, and recommends to refuse', () => {
  const open = [proposed(1), proposed(3, { why: 'it is out of date' })]
  expect(testChangeQuestion(open, 5)).toMatchObject({
    id: 'test-change-3',
    kind: 'test_change',
    text: 'fixer proposes to change 2 tests: test/1.test.ts (it expects the old message; .process/proposed-test-changes/1.patch); test/3.test.ts (it is out of date; .process/proposed-test-changes/3.patch). Apply them?',
    options: ['accept', 'refuse'],
    recommended: 'refuse',
    askedAt: 5,
  })
  expect(proposedReason('R', open, { covered: 2, uncovered: 0 })).toBe(
    '2 tests are proposed to change (test/1.test.ts, test/3.test.ts); apply the proposals with: ratchet answer R accept',
  )
})

describe('what a person has answered', () => {
  const known: ProposedTestChange[] = answered([proposed(1)], 'refused')
  test('stays as it was answered, and is open no more', () => {
    expect(openChanges({ proposals: [...known, proposed(2)] })).toEqual([proposed(2)])
    expect(answered(known, 'accepted')).toEqual(known)
    expect(openChanges({})).toEqual([])
  })
  test.each([
    { why: 'the same patch', file: 'test/1.test.ts', sha256: 'p1', known, says: true },
    { why: 'another patch of the file', file: 'test/1.test.ts', sha256: 'p2', known, says: false },
    { why: 'the same patch of a file', file: 'test/2.test.ts', sha256: 'p1', known, says: false },
    { why: 'one that is open', file: 'test/1.test.ts', sha256: 'p1', known: [proposed(1)], says: false }, // prettier-ignore
  ])('is not asked about again: $why, $says', ({ file, sha256, known: before, says }) => {
    expect(isAnswered(before, { file, sha256 })).toBe(says)
  })
})

test('a new proposal takes the place of an open one for its file, and of no answered one', () => {
  const [one, two, newer] = [proposed(1), proposed(2), proposed(3, { file: 'test/1.test.ts' })]
  expect(withProposal([one, two], newer)).toEqual([two, newer])
  const refused = answered([one], 'refused')
  expect(withProposal(refused, newer)).toEqual([...refused, newer])
  const many = Array.from({ length: PROPOSALS_KEPT }, (_, n) => proposed(n + 1))
  expect(withProposal(many, proposed(PROPOSALS_KEPT + 1))).toEqual([
    ...many.slice(1),
    proposed(PROPOSALS_KEPT + 1),
  ])
})
