// What of a run counts in stats: turns of a period, of a record, and what they are divided by.
import { expect, test } from 'vitest'
import type { RunResult } from '../../../../src/contract/result.js'
import { countedRun, gainedIn, turnsByRecord } from '../../../../src/core/report/counted-run.js'
import { AT, BASELINE, KEPT, turnAt, UNDONE } from '../../../support/report-sources.js'

const MINUTE = 60_000
const RESULT = {
  outcome: 'success',
  iterations: 3,
  best: { commit: 'a'.repeat(40), iteration: 1, passRate: 80 },
  history: [BASELINE, KEPT, UNDONE],
} as RunResult
const TURNS = [turnAt(0), turnAt(2, { iteration: 2 })]

test.each(
  // prettier-ignore
  [
  { why: 'all of it', run: { result: RESULT, iterates: true }, since: AT, counted: { outcome: 'success', iterations: 3, gained: 3, turns: 2 } },
  { why: 'it has begun before', run: { result: RESULT, iterates: true }, since: AT + 1, counted: { outcome: 'success', iterations: null, gained: null, partial: true, turns: 1 } },
  { why: 'it is open', run: { iterates: true }, since: 0, counted: { iterations: 2, gained: null, turns: 2 } },
  { why: 'a preparation', run: { iterates: false }, since: 0, counted: { iterations: null, gained: null, turns: 2 } },
  { why: 'it was over before', run: { result: RESULT, iterates: true }, since: AT + 3 * MINUTE, counted: undefined },
],
)('a run in a period: $why', ({ run, since, counted }) => {
  const found = countedRun({ id: 'a', turns: TURNS, ...run }, since)
  expect(found && { ...found, turns: found.turns.length }).toEqual(
    counted && { id: 'a', ...counted },
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'up to the best state, not to the last one', given: { best: RESULT.best, history: RESULT.history }, gained: 3 },
  { why: 'a cycle or loop: up to the last measurement', given: { history: [BASELINE, KEPT] }, gained: 3 },
  { why: 'the last one was rolled back', given: { history: RESULT.history }, gained: 3 },
  { why: 'nothing was measured', given: { history: [] }, gained: null },
  { why: 'no start was measured', given: { history: [KEPT] }, gained: null },
],
)('gained tests: $why', ({ given, gained }) => expect(gainedIn(given)).toBe(gained))

const ids = (list: { turns: unknown[] }[]): number[] => list.map(({ turns }) => turns.length)
test.each(
  // prettier-ignore
  [
  { why: 'one record has every turn of its id', records: [{ id: 'a', beganAt: AT + MINUTE * 9 }], turns: [2] },
  { why: 'an archived record and a new one of the same id', records: [{ id: 'a', beganAt: AT + 2.5 * MINUTE }, { id: 'b' }, { id: 'a', beganAt: AT }], turns: [0, 1, 1] },
  { why: 'the start of one is unknown', records: [{ id: 'a', beganAt: AT + 2.5 * MINUTE }, { id: 'a' }], turns: [1, 1] },
  { why: 'the same record twice', records: [{ id: 'a', beganAt: AT }, { id: 'a', beganAt: AT }], turns: [0, 2] },
],
)('turns by record: $why', ({ records, turns }) =>
  expect(ids(turnsByRecord(records, new Map([['a', TURNS]])))).toEqual(turns),
)
