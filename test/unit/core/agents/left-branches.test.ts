import { expect, it } from 'vitest'
import {
  leftBranches,
  leftBranchesText,
  type CloneBranches,
} from '../../../../src/core/agents/left-branches.js'

/** a1 and a2 follow the known commit k, b1 as well. */
const commits: CloneBranches['commits'] = new Map([
  ['k', { tree: 'tk', parents: [], subject: 'start' }],
  ['a1', { tree: 'ta1', parents: ['k'], subject: 'half' }],
  ['a2', { tree: 'ta2', parents: ['a1'], subject: 'third' }],
  ['b1', { tree: 'tb1', parents: ['k'], subject: 'other\u001b[31m\nwork' }],
])
const clone = (tips: Record<string, string>, head?: string): CloneBranches => ({
  head,
  tips: Object.entries(tips).map(([branch, commit]) => ({ branch, commit })),
  commits,
  known: new Set(['k']),
})
const left = (branch: string, count: number, ...subjects: string[]) => ({
  branch,
  commits: count,
  subjects,
})

it.each<{ why: string; clone: CloneBranches; tree?: string; is: object[] | undefined }>(
  // prettier-ignore
  [
  { why: 'a branch at a known commit',                       clone: clone({ a: 'k' }, 'k'),             is: undefined },
  { why: 'the branch that is checked out',                   clone: clone({ a: 'a2' }, 'a2'),           is: undefined },
  { why: 'a branch in the history of what is checked out',   clone: clone({ a: 'a1', b: 'a2' }, 'a2'),  is: undefined },
  { why: 'a branch whose files are those of the new commit', clone: clone({ a: 'a2' }, 'k'), tree: 'ta2', is: undefined },
  { why: 'a branch apart',                                   clone: clone({ a: 'a2', b: 'b1' }, 'a2'),  is: [left('b', 1, 'other [31m work')] },
  { why: 'a branch ahead of what is checked out',            clone: clone({ a: 'a1', b: 'a2' }, 'a1'),  is: [left('b', 1, 'third')] },
  { why: 'nothing is checked out',                           clone: clone({ a: 'a2' }),                 is: [left('a', 2, 'third', 'half')] },
  { why: 'a commit that cannot be read',                     clone: clone({ a: 'packed' }, 'k'),        is: [left('a', 1)] },
  ],
)('commits on other branches: $why', ({ clone: of, tree = 't', is }) => {
  expect(leftBranches(of, tree)).toEqual(is && { branches: is, total: is.length })
})

it('a thousand branches are counted, and ten are named', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`b${n}`, 'b1']))
  const found = leftBranches(clone(many, 'k'), 't')
  expect(found?.total).toBe(1_000)
  expect(found?.branches).toHaveLength(10)
})

it('the warning names branches and subjects', () => {
  expect(
    leftBranchesText({ branches: [left('a', 5, 'third', 'half'), left('b', 1)], total: 9 }),
  ).toBe(
    'the agent left commits on other branches of its clone, and they are not part of the result: a ("third", "half" and 3 more), b and 7 more. Only the files of its work tree are committed',
  )
})
