// Steps killed before any of their git commands and repeated always end the same.
import { test } from 'vitest'
import { expectSameParts, expectSameRest } from '../../support/repositories/fix-of-causes.js'
import { allOf } from '../../support/repositories/killed-git.js'
import {
  AGENT_LEFT,
  expectNoWorkLost,
  expectSameCommit,
  expectSamePreparation,
  expectSameRollback,
} from '../../support/repositories/killed-steps.js'

test.each(Object.values(AGENT_LEFT))(
  'a commit step after $why: killed before any command and repeated, it ends the same',
  (left) => expectSameCommit(left, allOf),
)

test('a rollback killed before any command and repeated ends the same', () =>
  expectSameRollback(allOf))

test('restoring a tree, killed before any command and repeated, loses no work', () =>
  expectNoWorkLost(allOf))

test('preparing a workspace, killed before any command and repeated, gives the same base, branch and files', () =>
  expectSamePreparation(allOf))

test('the commits of several causes, killed before any command and repeated, are all there or none', () =>
  expectSameParts(allOf))

test('a fix without one of its causes, killed before any command and repeated, ends the same', () =>
  expectSameRest(allOf))
