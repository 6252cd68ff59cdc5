// The time from `stop` until all processes of the run's agent are gone, with real processes: the
// agent answers its cancellation, and a child has left its process group, like servers that agents
// start. Needs the build.
import path from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { findMarked } from '../src/adapters/process/find.js'
import type { RunHandle } from '../src/client/index.js'
import { MARKERS } from '../src/contract/names.js'
import { makeProject, realUser, type RealUser } from '../test/support/runs/real-run.js'
import { waitFor } from '../test/support/wait.js'
import { quantile } from './support/numbers.js'
import { sized, tell } from './support/results.js'

const BATCHES = sized(10, 1)
const AT_ONCE = sized(5, 2)

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

test('from stop to no process', async () => {
  const never = path.join(user.root, 'never')
  const project = makeProject(
    user,
    'shop',
    [{ do: [{ fork: { seconds: 3_600, setsid: true } }, { wait: { 'until-file': never } }] }],
    { limits: { agentsPerHost: AT_ONCE } },
  )
  const [gone, ended]: [number[], number[]] = [[], []]
  for (let batch = 0; batch < BATCHES; batch++) {
    const runs = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => user.loop(project, `loop-b-stop-${batch}-${n}`)),
    )
    for (const run of runs) await atWork(run)
    for (const run of runs) {
      const began = performance.now()
      await run.stop('enough')
      await waitFor(() => alive(run) === 0, {
        what: `the end of all processes of ${run.id}`,
        timeoutMs: 60_000,
        everyMs: 10,
      })
      gone.push(performance.now() - began)
      await user.finish(run)
      ended.push(performance.now() - began)
    }
  }
  const waited = await stoppedWhileWaiting(project)
  const most = (times: number[]): string =>
    `the most of ${times.length}: ${Math.max(...times).toFixed(0)} ms`
  tell({
    order: 4,
    title: 'Stopping',
    how: 'From the signal to the moment when neither the agent nor the child that left its group is alive, and to the end of the run with its record. A cancellation reaches the agent with the answer to a heartbeat, which the run asks for. The waiting run waits for an agent slot, with a heartbeat every ten seconds.',
    rows: [
      {
        what: 'stop to no process, p50',
        value: quantile(gone, 0.5),
        unit: 'ms',
        reference: most(gone),
      },
      {
        what: 'stop to no process, p99',
        value: quantile(gone, 0.99),
        unit: 'ms',
        goal: '≤ 2000 ms',
        reference: most(gone),
      },
      {
        what: 'stop to the end of the run, p50',
        value: quantile(ended, 0.5),
        unit: 'ms',
        reference: most(ended),
      },
      {
        what: 'stop of a waiting run to its end, p50',
        value: quantile(waited, 0.5),
        unit: 'ms',
        goal: '≤ 2000 ms',
        reference: most(waited),
      },
    ],
  })
})

const alive = ({ id }: RunHandle): number => findMarked(MARKERS.run, id).length

/** Waits for the agent of a run and its child. */
const atWork = (run: RunHandle): Promise<unknown> =>
  waitFor(() => alive(run) >= 2, {
    what: `the agent of ${run.id} and its child`,
    timeoutMs: 120_000,
    everyMs: 100,
  })

/** Milliseconds from the stop of runs that wait for an agent slot to their end. */
async function stoppedWhileWaiting(project: string): Promise<number[]> {
  const holders = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => user.loop(project, `loop-b-holds-${n}`)),
  )
  for (const run of holders) await atWork(run)
  const times: number[] = []
  for (let n = 0; n < BATCHES; n++) {
    const run = await user.loop(project, `loop-b-waits-${n}`)
    await waitFor(
      async () => (await run.pending()).some(({ progress }) => progress?.['state'] === 'slot'),
      {
        what: `${run.id} to wait for a slot`,
        timeoutMs: 120_000,
        everyMs: 100,
      },
    )
    const began = performance.now()
    await run.stop('enough')
    await user.finish(run)
    times.push(performance.now() - began)
  }
  for (const run of holders) {
    await run.stop('enough')
    await user.finish(run)
  }
  return times
}
