import { expect, test } from 'vitest'
import { isUsersOwn, type OwnTree } from '../../../../src/core/sandbox/users-own.js'

const START: OwnTree = {
  isFirst: true,
  commit: 'b',
  workspace: { base: 'b', isolation: 'clone' },
  hasTurned: false,
}

test.each(
  // prettier-ignore
  [
  { why: 'the start of a run', tree: {}, isOwn: true },
  { why: 'a later measurement', tree: { isFirst: false }, isOwn: false },
  { why: 'a commit of an agent', tree: { commit: 'c' }, isOwn: false },
  { why: 'a tree in which an agent has worked', tree: { hasTurned: true }, isOwn: false },
  { why: 'the tree of the user in place', tree: { workspace: { base: 'b', isolation: 'in-place' as const } }, isOwn: false },
],
)('nothing of an agent runs outside: $why', ({ tree, isOwn }) => {
  expect(isUsersOwn({ ...START, ...tree })).toBe(isOwn)
})
