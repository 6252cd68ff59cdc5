// A person edits a progress file of an open loop: what the workers get, what stays open, and what
// is asked.
import { expect, test } from 'vitest'
import type { PersonEdit } from '../../src/contract/dev-cycle/person-edit.js'
import { loopHost, type LoopHost, type LoopScript } from '../support/loop/loop-host.js'
import { AUTO, INTERACTIVE, PARALLEL, loopRuns } from '../support/loop/loop-runs.js'
import { measured } from '../support/test-runs.js'

const { run, whole } = loopRuns()

const edit: PersonEdit = {
  id: 'EDIT-001',
  phase: 'debug',
  file: 'debug.md',
  change: ['+ Use decimal.js for sums.'],
}
const refused: PersonEdit = {
  id: 'EDIT-001',
  phase: 'debug',
  file: 'debug.md',
  change: [],
  problem: 'it is a directory',
}
const told = (host: LoopHost) =>
  host.turns.flatMap((t) =>
    'loop' in t.ask && t.ask.loop.edits !== undefined ? [`${t.iteration} ${t.action}`] : [],
  )
/** The host finds an edit once, after a worker. */
const after =
  (action: string, found: PersonEdit): NonNullable<LoopScript['edits']> =>
  (_, { state }) =>
    state.last?.action === action && (state.edits?.seen ?? 0) === 0 ? [found] : undefined

test('every worker gets an edit once, in its next turn', async () => {
  const { host, result } = await whole({ runs: [measured(3, 3)], edits: after('init', edit) })
  expect(told(host)).toEqual(['2 develop', '3 validate', '4 complete'])
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(host.records.at(-1)?.state.warnings).toContain(
    'debug.md was edited by a person; the agents get the edit in their next turn',
  )
})

test('a loop is not completed before develop gets the edit', async () => {
  const { host, result } = await whole({ runs: [measured(3, 3)], edits: after('validate', edit) })
  expect(host.turnNames()).toEqual([
    'init',
    'develop',
    'validate',
    'develop',
    'validate',
    'complete',
  ])
  expect(told(host)).toEqual(['4 develop', '5 validate', '6 complete'])
  expect(result).toMatchObject({ outcome: 'completed' })
})

test('parallel mode adds a round for the edit', async () => {
  const { host, result } = await whole(
    { runs: [measured(3, 3)], edits: after('validate', edit) },
    { ...PARALLEL, maxIterations: 4 },
  )
  expect(told(host)).toContain('2 develop')
  expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
})

test('an unusable edit is a warning in an unattended loop, and no worker gets it', async () => {
  const { host, result } = await whole(
    { runs: [measured(3, 3)], edits: after('develop', refused) },
    AUTO,
  )
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(host.records.at(-1)?.state.warnings).toContain(
    'debug.md was edited and cannot be used: it is a directory. The edit is kept as debug.md.edited. The version of the agents applies',
  )
  expect(told(host)).toEqual([])
})

test('interactive mode asks about an unusable edit, and accepts its correction', async () => {
  const fixed = { ...edit, id: 'EDIT-002' }
  let found = 0
  const host = loopHost({
    runs: [measured(3, 3)],
    edits: (_, { state }) =>
      state.last?.action !== 'init' || found === 2 ? undefined : [++found === 1 ? refused : fixed],
  })
  const result = await run(
    host,
    async (r) => {
      expect(await r.asked(({ kind }) => kind === 'decision')).toMatchObject({
        id: 'edit-001',
        options: ['fixed', 'discard'],
        recommended: 'discard',
      })
      await r.answer({ questionId: 'edit-001', choice: 'fixed' })
      await r.choose('develop')
      await r.choose('exit')
      return r.result()
    },
    INTERACTIVE,
  )
  expect(result).toMatchObject({ outcome: 'user_exit' })
  expect(told(host)).toEqual(['2 develop'])
})
