// When a cycle that is not done ends before its limit.
import { expect, test } from 'vitest'
import { brake, idleKey, type BrakeCase } from '../../../../src/core/dev-cycle/brakes.js'
import type { OpenItem } from '../../../../src/core/run/open-evidence.js'
import { phaseResult, phaseResults } from '../../../support/cycle/cycle-results.js'
import { measured, notStarted } from '../../../support/test-runs.js'

const items = (...texts: string[]): OpenItem[] => texts.map((text) => ({ kind: 'finding', text }))
const ITEMS = items('no retry', 'no limit')
const works: BrakeCase = {
  results: phaseResults(),
  run: measured(4, 5),
  items: ITEMS,
  committed: true,
}
const failed = (note: string) => ({ synthetic: true, status: 'failed' as const, note })
const cannot = notStarted({ kind: 'cannot_execute', reason: 'npm: not found' })
const CANNOT =
  'the tests still cannot be run, and the developer could not change that: npm: not found; set "test.command" in ratchet.config.json'
const QUOTA = 'every agent failed for the same reason: quota'
const IDLE = 'two iterations in a row committed nothing and left the same items open'

test.each<{ why: string; c: Partial<BrakeCase>; says: string | undefined }>(
  // prettier-ignore
  [
  { why: 'there is progress',                                    c: {},                                                          says: undefined },
  { why: 'the tests cannot be run, and CD had its turn',         c: { run: cannot },                                             says: CANNOT },
  { why: 'the tests cannot be run, and CD never answered',       c: { run: cannot, results: phaseResults({ cd: failed('late') }) }, says: undefined },
  { why: 'the tests cannot be run, and CD had no turn',          c: { run: cannot, results: { vas: phaseResult('vas') } },       says: undefined },
  { why: 'the suite does not start, which is work for CD',       c: { run: notStarted() },                                       says: undefined },
  { why: 'nothing committed, for the first time',                c: { committed: false },                                        says: undefined },
  { why: 'nothing committed, the same open',                     c: { committed: false, idleWith: idleKey(ITEMS) },              says: IDLE },
  { why: 'nothing committed, the same open in another order',    c: { committed: false, idleWith: idleKey(items('no limit', 'no retry')) }, says: IDLE },
  { why: 'nothing committed, another item open',                 c: { committed: false, idleWith: idleKey(items('no retry')) },  says: undefined },
  { why: 'the same open, and something committed',               c: { idleWith: idleKey(ITEMS) },                                says: undefined },
  { why: 'all agents failed alike',                              c: { results: phaseResults({ ra: failed('quota'), ep: failed('quota'), cd: failed('quota'), vas: failed('quota') }) }, says: QUOTA },
  { why: 'those that had a turn failed alike',                   c: { results: { cd: phaseResult('cd', failed('quota')), vas: phaseResult('vas', failed('quota')) } }, says: QUOTA },
  { why: 'one agent alone had a turn, and failed',               c: { results: { cd: phaseResult('cd', failed('quota')) } },     says: undefined },
  { why: 'one of them answered',                                 c: { results: { cd: phaseResult('cd', failed('quota')), vas: phaseResult('vas') } }, says: undefined },
  { why: 'they failed for different reasons',                    c: { results: { cd: phaseResult('cd', failed('quota')), vas: phaseResult('vas', failed('late')) } }, says: undefined },
  { why: 'they failed without a reason',                         c: { results: { cd: phaseResult('cd', failed('')), vas: phaseResult('vas', failed('')) } }, says: undefined },
],
)('$why', ({ c, says }) => expect(brake({ ...works, ...c })).toBe(says))

test('open items have one key in any order; another text has another key', () => {
  expect(idleKey(items('a', 'b'))).toBe(idleKey(items('b', 'a')))
  expect(idleKey(items('a', 'b'))).not.toBe(idleKey(items('a', 'c')))
  expect(idleKey([])).not.toBe(idleKey(items('a')))
})
