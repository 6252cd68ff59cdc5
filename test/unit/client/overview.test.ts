// The start time of a run: every iteration is a workflow run, and the server may have deleted the
// first one.
import { WorkflowNotFoundError, type Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { began, overview } from '../../../src/client/overview.js'
import { present } from '../../support/present.js'

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 23, minute))

/** A server with these workflow runs of the id, the newest last. */
function server(runs: Record<string, Date>, firstRunId: string): Client {
  const [newest = ''] = Object.keys(runs).slice(-1)
  const getHandle = (_: string, runId = newest): unknown => ({
    describe: () => {
      const startTime = runs[runId]
      if (startTime === undefined)
        return Promise.reject(new WorkflowNotFoundError('gone', 'id', runId))
      return Promise.resolve({
        type: 'testFixCycle',
        status: { name: 'COMPLETED' },
        searchAttributes: {},
        runId,
        startTime,
        closeTime: at(59),
        raw: { workflowExecutionInfo: { firstRunId } },
      })
    },
  })
  return { workflow: { getHandle } } as unknown as Client
}

test.each(
  // prettier-ignore
  [
  { why: 'of its first iteration',                        runs: { one: at(40), two: at(45) }, first: 'one', from: at(40) },
  { why: 'of its only one',                               runs: { one: at(40) },              first: 'one', from: at(40) },
  { why: 'of the newest, where the first is deleted',     runs: { two: at(45) },              first: 'one', from: at(45) },
  { why: 'of the newest, where the first is unknown',     runs: { one: at(40), two: at(45) }, first: '',    from: at(45) },
],
)('a run began with the start $why', async ({ runs, first, from }) => {
  const client = server(present<Date>(runs), first)
  const seen = await overview(client, 'id')
  expect(seen?.closedAt).toEqual(at(59))
  expect(seen && (await began(client, seen))).toEqual(from)
})
