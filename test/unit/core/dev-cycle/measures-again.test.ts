import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contract/test-run.js'
import type { OpenItem } from '../../../../src/core/run/open-evidence.js'
import { measuresAgain } from '../../../../src/core/dev-cycle/measures-again.js'
import { measured, notStarted } from '../../../support/test-runs.js'

const item = (kind: OpenItem['kind']): OpenItem[] => [{ kind, text: 'x' }]

test.each<{
  why: string
  run: TestRun
  items: OpenItem[]
  answered: boolean
  again: boolean
}>(
  // prettier-ignore
  [
  { why: 'all passes',                             run: measured(5, 5),    items: [],                    answered: true,  again: false },
  { why: 'a test is open, CD changed nothing',     run: measured(4, 5),    items: item('test'),          answered: true,  again: true },
  { why: 'a test is open, CD had no turn',         run: measured(4, 5),    items: item('test'),          answered: false, again: false },
  { why: 'a missing test is open',                 run: measured(4, 5),    items: item('missing_test'),  answered: true,  again: true },
  { why: 'no test passes',                         run: measured(0, 0),    items: item('not_measured'),  answered: true,  again: true },
  { why: 'only what no run of the suite measures', run: measured(5, 5),    items: [...item('check'), ...item('coverage')], answered: true, again: false },
  { why: 'the suite did not start',                run: notStarted(),      items: item('not_measured'),  answered: false, again: true },
  { why: 'the tests cannot be run',                run: notStarted({ kind: 'cannot_execute' }),   items: item('not_measured'),  answered: false, again: true },
],
)('$why: measured again is $again', ({ run, items, answered, again }) =>
  expect(measuresAgain({ run, items, answered })).toBe(again),
)
