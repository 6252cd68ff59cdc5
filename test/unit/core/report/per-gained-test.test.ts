// What a run cost for each test that passes since.
import { expect, test } from 'vitest'
import { perGainedTest } from '../../../../src/core/report/per-gained-test.js'
import { BASELINE, KEPT, UNDONE } from '../../../support/report-sources.js'

const USAGE = { turns: 4, inputTokens: 8_000, outputTokens: 1_001, estimated: false }
const HISTORY = [BASELINE, KEPT]

test.each(
  // prettier-ignore
  [
  { why: 'without a price', given: { usage: USAGE, history: HISTORY }, per: { tests: 3, tokens: 3_000 } },
  { why: 'with one', given: { usage: { ...USAGE, costUsd: 0.6 }, history: HISTORY }, per: { tests: 3, tokens: 3_000, costUsd: 0.19999999999999998 } },
  { why: 'no turn is known', given: { usage: { ...USAGE, turns: 0 }, history: HISTORY }, per: undefined },
  { why: 'nothing was measured', given: { usage: USAGE, history: [] }, per: undefined },
  { why: 'fewer pass than before', given: { usage: USAGE, history: [BASELINE, { ...UNDONE, passed: 2, result: 'kept' as const }] }, per: undefined },
],
)('per gained test: $why', ({ given, per }) => expect(perGainedTest(given)).toEqual(per))
