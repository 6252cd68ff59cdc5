// The usage of a run in `ratchet status`: for a person, and in the document.
import { expect, test } from 'vitest'
import type { RunFacts, RunResult } from '../../../src/contract/result.js'
import { ofResult } from '../../../src/cli/status/recorded-runs.js'
import { NO_USAGE } from '../../../src/cli/find/kept-state.js'
import { inFull } from '../../../src/cli/status/status-run.js'
import type { ShownRun } from '../../../src/cli/status/shown-run.js'

const LINE = { id: 'loop-b', kind: 'dev-loop', status: 'running', phase: 'develop' } as const
const SHOWN: ShownRun = {
  line: { ...LINE, iteration: 1, passRate: null, waitingFor: 'agent: develop' },
  history: [],
}
const FOUND = { project: undefined, uiUrl: null }
const USAGE = {
  turns: 2,
  inputTokens: 12_000,
  cachedTokens: 8_000,
  outputTokens: 400,
  estimated: false,
}
const told = (state: unknown): Pick<RunFacts, 'status' | 'pending' | 'state'> => ({
  status: { branch: null } as RunFacts['status'],
  pending: [],
  state: { state },
})

test.each([
  {
    why: 'without a budget',
    state: { usage: USAGE },
    more: ['usage        2 agent turns, 12000 tokens in (8000 cached), 400 out'],
  },
  {
    why: 'with one',
    state: { usage: USAGE, prepared: { spending: { onRateLimit: 'wait', budget: { turns: 5 } } } },
    more: [
      'spent        2 of 5 turns · 12.4k tokens',
      'usage        2 agent turns, 12000 tokens in (8000 cached), 400 out',
    ],
  },
])('the usage of an open run: $why', ({ state, more }) => {
  const full = inFull(SHOWN, FOUND, told(state))
  expect(full.line.usage).toEqual(USAGE)
  expect(full.more).toEqual(more)
})

test.each([
  { why: 'with turns', usage: USAGE, shown: USAGE },
  { why: 'a rebuilt record, which does not know it', usage: NO_USAGE, shown: undefined },
])('the usage of a run that has ended: $why', ({ usage, shown }) =>
  expect(ofResult({ ...LINE, history: [], usage } as unknown as RunResult).line.usage).toEqual(
    shown,
  ),
)

test('a run that does not answer has none', () => {
  expect(inFull(SHOWN, FOUND, undefined).line).toEqual(SHOWN.line)
})
