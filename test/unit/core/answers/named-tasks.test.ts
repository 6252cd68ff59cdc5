import { expect, test } from 'vitest'
import { taskEntry, tasksIn, type Mention } from '../../../../src/core/answers/named-tasks.js'

const mentions = (text: string): Mention[] =>
  [...text.matchAll(/\bT\d\b/g)].map(({ 0: id, index }) => ({ id, from: index, to: index + 2 }))

test.each(
  // prettier-ignore
  [
  ['T1', ['T1'], []],
  ['T1, T2 and T3', ['T1', 'T2', 'T3'], []],
  ['["T1", "T2"]', ['T1', 'T2'], []],
  ['T1 is done; T2 is done', ['T1', 'T2'], []],
  ['T1: done, T2: done', ['T1', 'T2'], []],
  ['the token (T2)', ['T2'], []],
  ['Done: T1 and T2', ['T1', 'T2'], []],
  ['T1 done', ['T1'], []],
  // Titles.
  ['T2: checkout without a login', ['T2'], []],
  ['T2: list pending orders', ['T2'], []],
  ['T2: Reject carts that are not empty', ['T2'], []],
  ['T2: Allow all, but not admins', ['T2'], []],
  ['T2: Pending orders are shown', ['T2'], []],
  ['T2: Blocked users cannot log in', ['T2'], []],
  ['T2: page behind T1', ['T2'], []],
  ['T2 - todo list of a user', ['T2'], []],
  ['T2: checkout (without a login)', ['T2'], []],
  ['T2 pending orders list', ['T2'], []],
  ['the form that is missing (T2)', ['T2'], []],
  ['T2: Dialog: open, close', ['T2'], []],
  ['T2: Skip, retry, abort', ['T2'], []],
  ['T2: show items (left, right, missing)', ['T2'], []],
  ['T2: Drop-down, next, previous', ['T2'], []],
  ['T2: Delete (later: archive)', ['T2'], []],
  ['T2: Text left: aligned, missing: dash', ['T2'], []],
  ['T2 skip to content', ['T2'], []],
  ['T2 open after login', ['T2'], []],
  ['T2: Filter by status: open, blocked, done', ['T2'], []],
  // What was so is over.
  ['T2: fixed, was failing because of a typo', ['T2'], []],
  ['T2 (was blocked, now done)', ['T2'], []],
  ['T2: add what was missing', ['T2'], []],
  // Left.
  ['T2 was skipped', [], ['T2']],
  ['T2 checkout was not done', [], ['T2']],
  ['T2: checkout, pending', [], ['T2']],
  ['T2: open', [], ['T2']],
  ['T2: blocked, no key for the service', [], ['T2']],
  ['T2: done except the mail', [], ['T2']],
  ['T2: done, but not tested', [], ['T2']],
  ['[{"id":"T1","status":"done"},{"id":"T2","status":"skipped"}]', ['T1'], ['T2']],
  ['T2 (not started yet)', [], ['T2']],
  ['T1, T2 (not started yet)', ['T1'], ['T2']],
  ['T1; T2 remains', ['T1'], ['T2']],
  ['T2 (skipped)', [], ['T2']],
  ['T2 (skipped): checkout', [], ['T2']],
  ['T2: skipped', [], ['T2']],
  ['T2: checkout (skipped)', [], ['T2']],
  ['T2: checkout - not done', [], ['T2']],
  ['T2: blocked by the missing service', [], ['T2']],
  ['T2 in progress', [], ['T2']],
  ['T2: in_progress', [], ['T2']],
  ['T2 deferred', [], ['T2']],
  ['T2 deferred to later', [], ['T2']],
  ['T2 failed', [], ['T2']],
  ['T2 failed with an error', [], ['T2']],
  ['T2 stub only', [], ['T2']],
  ['T2 is a stub', [], ['T2']],
  ["T2 isn't done", [], ['T2']],
  ['T2 checkout is not done', [], ['T2']],
  ['T2 (partial)', [], ['T2']],
  ['T2 done except the mail', [], ['T2']],
  ['T2 (except the mail)', [], ['T2']],
  ['T1, T2 started', ['T1'], ['T2']],
  ['T1 and T2 are not done', [], ['T1', 'T2']],
  ['T1 done but T2 not', ['T1'], ['T2']],
  ['T1 but not T2', ['T1'], ['T2']],
  ['all but T2', [], ['T2']],
  ['remaining: T2, T3', [], ['T2', 'T3']],
  ['T1. Remaining: T2', ['T1'], ['T2']],
],
)('%s', (text, done, left) => {
  const named = tasksIn([text], mentions)
  expect([named.done.sort(), named.left.sort()]).toEqual([done, left])
})

test.each([
  ['T2: Pending orders: open, left', ['T2'], []],
  ['T2 Pending orders: open, left.', ['T2'], []],
  ['T2: Pending orders: open, left (skipped)', [], ['T2']],
  ['T2: Pending orders: open, left - not done', [], ['T2']],
])('%s, where the title is known', (text, done, left) => {
  const titles = new Map([['T2', 'Pending orders: open, left']])
  expect(tasksIn([text], mentions, titles)).toEqual({ done, left })
})

test.each(
  // prettier-ignore
  [
  { why: 'done, then left',                        said: ['T1', 'T1 (docs skipped)', 'T1 (skipped)'],       done: [],           left: ['T1'] },
  { why: 'left, then its id alone',                said: ['T1 (skipped)', 'T1'],                            done: ['T1'],       left: [] },
  { why: 'left, then a list of ids',               said: ['T1: open', 'T2: later', 'T1, T2'],               done: ['T1', 'T2'], left: [] },
  { why: 'left, then its id in quotes',            said: ['T1 (not started yet)', '`T1`'],                  done: ['T1'],       left: [] },
  { why: 'left, then done',                        said: ['T1: in progress', 'T1 is done.'],                done: ['T1'],       left: [] },
  { why: 'left, then done, in front of it',        said: ['T1: in progress', 'Done: T1'],                   done: ['T1'],       left: [] },
  { why: 'left, then done, in one entry',          said: ['T1 not started; T1: done'],                      done: [],           left: ['T1'] },
  { why: 'left, done, and left again',             said: ['T1 (partial)', 'T1', 'T1: not tested'],          done: [],           left: ['T1'] },
  { why: 'a part is left, another one is done',    said: ['T1: the page (skipped)', 'T1: the mail'],        done: [],           left: ['T1'] },
  { why: 'the same, by status',                    said: ['T1 (not done: skipped)', 'T1 (done)'],           done: [],           left: ['T1'] },
  { why: 'left, and then it is what is left',      said: ['T1 (skipped)', 'Remaining: T1'],                 done: [],           left: ['T1'] },
],
)('a task that is named twice: $why', ({ said, done, left }) =>
  expect(tasksIn(said, mentions)).toEqual({ done, left }),
)

test.each([
  [{ id: 'T2', status: 'skipped' }, [], ['T2']],
  [{ id: 'T2', status: 'not_started', description: 'done' }, [], ['T2']],
  [{ id: 'T2', status: 'half of it' }, [], ['T2']],
  [{ id: 'T2', status: 'completed with issues' }, [], ['T2']],
  [{ id: 'T2', done: false }, [], ['T2']],
  [{ id: 'T2', status: 'completed', description: 'the page behind T1' }, ['T2'], []],
  [{ id: 'T2', status: '✅' }, ['T2'], []],
  [{ id: 'T2', status: 'all done' }, ['T2'], []],
  [{ id: 'T2', status: 'done with tests' }, ['T2'], []],
  [{ id: 'T2', status: 'fully implemented' }, ['T2'], []],
  [{ id: 'T2', status: 'delivered' }, ['T2'], []],
  [{ id: 'T2', status: 'shipped' }, ['T2'], []],
  [{ id: 'T2', status: 'ready' }, ['T2'], []],
  [{ id: 'T2', status: '100%' }, ['T2'], []],
  [{ id: 'T2', status: '已完成' }, ['T2'], []],
  [{ id: 'T2', status: 'not ready' }, [], ['T2']],
  [{ id: 'T2', status: '50%' }, [], ['T2']],
  [{ id: 'T2', status: 'Pending review' }, [], ['T2']],
  [{ id: 'T2', status: 'waiting for a key' }, [], ['T2']],
  [{ id: 'T2', status: '未完成' }, [], ['T2']],
  [{ id: 'T2', completed: true }, ['T2'], []],
  [{ id: 'T2', description: 'checkout without a login' }, ['T2'], []],
  [{ task: 'T2', status: 'DONE' }, ['T2'], []],
  ['T2', ['T2'], []],
] as const)('%j', (entry, done, left) => {
  expect(tasksIn([taskEntry(entry) ?? ''], mentions)).toEqual({ done, left })
})
