// Steps that are killed at three places, and repeated: the end is the same. At every place:
// test/exhaustive.
import { test } from 'vitest'
import { fewOf } from '../../support/repositories/killed-git.js'
import {
  AGENT_LEFT,
  expectNoWorkLost,
  expectSameCommit,
  expectSamePreparation,
  expectSameRollback,
} from '../../support/repositories/killed-steps.js'

test.each([AGENT_LEFT.commits])(
  'a commit step after $why: killed before any command and repeated, it ends the same',
  (left) => expectSameCommit(left, fewOf),
)

test('a rollback killed before any command and repeated ends the same', () =>
  expectSameRollback(fewOf))

test('restoring a tree, killed before any command and repeated, loses no work', () =>
  expectNoWorkLost(fewOf))

test('preparing a workspace, killed before any command and repeated, gives the same base, branch and files', () =>
  expectSamePreparation(fewOf))
