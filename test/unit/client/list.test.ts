// The filters of the list of runs as queries of the visibility store.
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '@temporalio/client'
import { listRuns } from '../../../src/client/list.js'
import { listQuery, type ListOptions } from '../../../src/client/list-query.js'
import { callerOf } from '../../support/caller.js'

const ALL = `WorkflowType IN ('testFixCycle', 'devCycle', 'devLoop', 'prepare')`
const NOT_OLD = `ExecutionStatus != 'ContinuedAsNew'`

test.each<{ why: string; filter: ListOptions; query: string }>(
  // prettier-ignore
  [
  { why: 'everything', filter: {}, query: `${ALL} AND ${NOT_OLD}` },
  { why: 'one kind', filter: { kind: 'dev-loop' }, query: `WorkflowType IN ('devLoop') AND ${NOT_OLD}` },
  { why: 'open ones', filter: { open: true }, query: `${ALL} AND ExecutionStatus = 'Running'` },
  { why: 'ended ones: an open run of the same id hides an earlier one', filter: { open: false }, query: `${ALL} AND ${NOT_OLD}` },
  { why: 'those that wait for a person are open', filter: { needsHuman: true }, query: `${ALL} AND ExecutionStatus = 'Running' AND RatchetNeedsHuman = true` },
  { why: 'a project of another host, as it is', filter: { project: `/no/such/o'neill` }, query: `${ALL} AND ${NOT_OLD} AND RatchetProject = '/no/such/o\\'neill'` },
  { why: 'since last night', filter: { since: new Date('2026-11-21T22:00:00Z') }, query: `${ALL} AND ${NOT_OLD} AND (ExecutionStatus = 'Running' OR CloseTime >= '2026-11-21T22:00:00.000Z')` },
],
)('list asks for $why', ({ filter, query }) => expect(listQuery(filter)).toBe(query))

test('a project is named by its real path', () => {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-list-')))
  try {
    symlinkSync(root, path.join(root, 'link'))
    expect(listQuery({ project: path.join(root, 'link') })).toContain(`RatchetProject = '${root}'`)
  } finally {
    rmSync(root, { recursive: true })
  }
})

test.each(
  // prettier-ignore
  [
  { why: 'a kind that is none', filter: { kind: 'cycle' as 'dev-cycle' }, message: 'kind: must be one of test-fix, dev-cycle, dev-loop, prep, got "cycle"' },
  { why: 'a date that is none', filter: { since: new Date('yesterday') }, message: 'since: is not a date' },
],
)('$why is refused', ({ filter, message }) => expect(() => listQuery(filter)).toThrow(message))

test('the newest run of an id decides whether it is open, and fields that were not indexed are missing', async () => {
  const at = (n: number): Date => new Date(Date.UTC(2026, 10, n))
  // prettier-ignore
  const known = [
    { workflowId: 'a', type: 'testFixCycle', status: { name: 'RUNNING' }, startTime: at(3), searchAttributes: { RatchetProject: ['/p'], RatchetPhase: ['fixing'], RatchetIteration: [2], RatchetPassRate: [60], RatchetNeedsHuman: [false] } },
    { workflowId: 'a', type: 'testFixCycle', status: { name: 'COMPLETED' }, startTime: at(1), closeTime: at(2), searchAttributes: {} },
    { workflowId: 'b', type: 'devLoop', status: { name: 'FAILED' }, startTime: at(1), closeTime: at(2), searchAttributes: {} },
  ]
  const client = {
    workflow: {
      // eslint-disable-next-line @typescript-eslint/require-await
      async *list() {
        yield* known
      },
    },
  } as unknown as Client
  const a = {
    id: 'a',
    kind: 'test-fix',
    open: true,
    startedAt: at(3),
    project: '/p',
    phase: 'fixing',
    iteration: 2,
    passRate: 60,
    needsHuman: false,
  }
  const b = { id: 'b', kind: 'dev-loop', open: false, startedAt: at(1), closedAt: at(2) }
  expect(await listRuns(callerOf(client))).toEqual([a, b])
  expect(await listRuns(callerOf(client), { open: false })).toEqual([b])
  expect(await listRuns(callerOf(client), { limit: 1 })).toEqual([a])
})
