// Fifty and two hundred open runs: their memory and processor time, the response time of commands,
// and whether each ends as it does alone. Server, supervisor and workflow worker are real processes;
// the host answers at once, in this process. Needs the build.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Ratchet, type RunHandle, type RunResult } from '../src/client/index.js'
import { registerProject } from '../src/adapters/config/registry.js'
import { hostId, projectKey } from '../src/adapters/state-dir.js'
import { NAMESPACE, projectQueue } from '../src/contract/names.js'
import { recordedSupervisor } from '../src/adapters/supervisor/supervisor-call.js'
import { recordedServer } from '../src/dev-server/server-record.js'
import { NODE_SETTINGS } from '../src/dev-server/workers/worker-process.js'
import { BUILT, localUser, type LocalUser } from '../test/support/servers/local.js'
import { stubHost } from '../test/support/stub-host.js'
import { measured } from '../test/support/test-runs.js'
import { waitFor } from '../test/support/wait.js'
import { quietRuntime } from '../test/support/servers/workflow-env.js'
import { chainOf } from './support/chain.js'
import { Gate } from './support/gate.js'
import { residentMb } from './support/memory.js'
import { processorMs } from './support/processor.js'
import { median, timed } from './support/numbers.js'
import { sized, tell, type Row } from './support/results.js'

const RUNS = Number(process.env['OPEN_RUNS'] ?? sized(200, 12))
/** Open runs that the processor time of a run is compared with. */
const FEW = sized(50, 4)
/** Milliseconds for which the processor time of open runs is counted. */
const WAITED_MS = sized(20_000, 3_000)
/** Milliseconds after a run, in which V8 returns what starting took. */
const RESTS_MS = sized(15_000, 500)
const ITERATIONS = 2
const LOOKS = sized(5, 2)
const KINDS = ['server', 'supervisor', 'workflows'] as const
const run = promisify(execFile)

let user: LocalUser
let ratchet: Ratchet
let address: string
let workflows: ChildProcess
beforeAll(async () => {
  quietRuntime()
  // The supervisor starts fake workers: the real project worker would take turns from the host of
  // this process.
  user = localUser()
  address = (await user.ensure()).address
  workflows = spawn(
    process.execPath,
    [...NODE_SETTINGS.workflows.args, path.join(BUILT, 'worker/main.js'), '--role', 'workflows'],
    {
      env: { ...NODE_SETTINGS.workflows.env, ...user.env, RATCHET_ADDRESS: address },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(workflows.stdout as Readable, 'data') // it only prints that it is ready
  ratchet = await connect({ address })
})
afterAll(async () => {
  await ratchet.close()
  const ended = once(workflows, 'exit')
  workflows.kill('SIGTERM')
  await ended
  await user.remove()
})

test('many runs at once', async () => {
  const { path: project } = await registerProject(user.dirs, user.project('shop'))
  const key = projectKey(project)
  const gate = new Gate()
  const host = stubHost({
    runs: [measured(3, 5)],
    turn: async () => {
      await gate.passed()
      return {}
    },
  })
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACE,
    taskQueue: projectQueue(hostId(user.dirs), key),
    activities: host.activities,
    maxConcurrentActivityTaskExecutions: RUNS + 50,
    maxHeartbeatThrottleInterval: '100ms',
    defaultHeartbeatThrottleInterval: '100ms',
  })
  const working = worker.run()
  const rows: Row[] = []
  try {
    const start = (n: number | string) =>
      ratchet.startTestFix(
        { project, session: `WFS-test-many-${n}`, maxIterations: ITERATIONS },
        key,
      )
    const warm = await start('warm')
    gate.open()
    await finish(warm)
    gate.close()
    await delay(RESTS_MS)
    const rest = memory()
    rows.push(
      { what: 'memory of a `node` that does nothing', value: await bareNodeMb(), unit: 'MB' },
      ...KINDS.map((kind) => ({
        what: `memory at rest: ${NAMES[kind]}`,
        value: rest[kind],
        unit: 'MB',
        ...(REST_MB[kind] === undefined ? {} : { goal: `≤ ${REST_MB[kind]}` }),
      })),
    )

    const open = async (count: number, name: string): Promise<Opened> => {
      const [opening, before] = [performance.now(), processor()]
      const runs = await Promise.all(Array.from({ length: count }, (_, n) => start(`${name}-${n}`)))
      await waitFor(() => gate.waiting === count, {
        what: `the first turn of ${count} runs`,
        timeoutMs: 300_000,
      })
      const [opened, took] = [processor(), performance.now() - opening]
      await delay(WAITED_MS)
      const waits = (processor() - opened) / count / (WAITED_MS / 1_000)
      return { runs, took, opens: (opened - before) / count, waits }
    }
    const end = async ({ runs }: Opened): Promise<{ results: RunResult[]; ends: number }> => {
      const before = processor()
      gate.open()
      const results = await Promise.all(runs.map((one) => finish(one)))
      return { results, ends: (processor() - before) / runs.length }
    }
    const few = await open(FEW, 'few')
    const fewEnded = await end(few)
    gate.close()
    const many = await open(RUNS, 'n')
    const { runs } = many
    rows.push({
      what: `${RUNS} runs started, to the first turn of the last`,
      value: many.took / 1_000,
      unit: 's',
    })
    const opened = memory()
    rows.push(
      ...KINDS.map((kind) => ({
        what: `memory of an open run: ${NAMES[kind]}`,
        value: (opened[kind] - rest[kind]) / RUNS,
        unit: 'MB',
        reference: `${opened[kind].toFixed(0)} MB with ${RUNS} open`,
      })),
    )
    const asked = runs[0] as (typeof runs)[number]
    rows.push({
      what: `a run's status, asked by a script, with ${RUNS} open`,
      value: median(await times(() => asked.status())),
      unit: 'ms',
      goal: '≤ 20',
    })
    rows.push({
      what: `\`ratchet status\`, which lists ${RUNS} open runs`,
      value: median(
        await times(() =>
          run(process.execPath, [path.join(BUILT, 'cli/main.js'), 'status', '--json'], {
            env: user.env,
            cwd: project,
            maxBuffer: 2 ** 26,
          }),
        ),
      ),
      unit: 'ms',
      ...(RUNS > 200 ? {} : { goal: '≤ 400' }),
    })

    const ending = performance.now()
    const manyEnded = await end(many)
    const { results } = manyEnded
    const took = (performance.now() - ending) / 1_000
    rows.push({
      what: `${RUNS} runs to their end, ${ITERATIONS} iterations each`,
      value: took,
      unit: 's',
      reference: `${((RUNS * ITERATIONS) / took).toFixed(1)} iterations a second`,
    })
    expect(
      new Set(results.map(({ outcome, iterations }) => `${outcome} after ${iterations}`)),
    ).toEqual(new Set([`failed after ${ITERATIONS}`]))
    const whole = ({ opens }: Opened, { ends }: { ends: number }): number => opens + ends
    rows.push(
      {
        what: `processor time of a run, ${RUNS} at once compared with ${FEW}`,
        value: whole(many, manyEnded) / whole(few, fewEnded),
        unit: '×',
        goal: '≤ 1.2',
        reference: `${whole(many, manyEnded).toFixed(0)} and ${whole(few, fewEnded).toFixed(0)} ms, from its start to its end`,
      },
      {
        what: `processor time of an open run in a second, ${RUNS} compared with ${FEW}`,
        value: many.waits / few.waits,
        unit: '×',
        goal: '≤ 1.2',
        reference: `${many.waits.toFixed(2)} and ${few.waits.toFixed(2)} ms`,
      },
    )
    const tasks = await unusualTasks(runs.map(({ id }) => id))
    rows.push(
      { what: 'workflow tasks that failed or timed out', value: tasks.failed, unit: '', goal: '0' },
      {
        what: 'workflow tasks that waited for more than ten seconds, and were replayed',
        value: tasks.late,
        unit: '',
      },
    )
    const after = memory()
    rows.push({
      what: 'memory of the workflow worker when all have ended',
      value: after.workflows,
      unit: 'MB',
      reference: `${rest.workflows.toFixed(0)} MB before`,
    })
  } finally {
    gate.open()
    worker.shutdown()
    await working
    await connection.close()
  }
  tell({
    order: 5,
    title: 'Many runs at once',
    how: `Resident memory, as the system counts it; at rest: ${RESTS_MS / 1_000} s after a first run. All runs are in their first turn while memory and answers are measured: four at work, with a heartbeat every second, and the others with one every ten, as turns that wait for a slot. Then every agent, test and commit answers at once. Processor time is that of server, supervisor and workflow worker.`,
    rows,
  })
})

type Opened = {
  runs: RunHandle[]
  /** Milliseconds to the first turn of the last run. */
  took: number
  /** Processor time of a run, in ms: to its first turn, and in a second while it is open. */
  opens: number
  waits: number
}

const NAMES = {
  server: 'Temporal server',
  supervisor: 'supervisor',
  workflows: 'workflow worker',
} as const
const REST_MB: Partial<Record<(typeof KINDS)[number], number>> = { supervisor: 65, workflows: 170 }

async function finish(one: RunHandle): Promise<RunResult> {
  const end = await one.result()
  if ('ended' in end) throw new Error(`${one.id} ended as ${end.ended.kind}: ${end.ended.message}`)
  return end.result
}

// Fails without a pid rather than measure another process.
function pids(): Record<(typeof KINDS)[number], number> {
  const found = (pid: number | undefined): number => {
    if (pid === undefined) throw new Error('a process of the user is not there')
    return pid
  }
  return {
    server: found(recordedServer(user.dirs)?.identity.pid),
    supervisor: found(recordedSupervisor(user.dirs)?.identity.pid),
    workflows: found(workflows.pid),
  }
}

function memory(): Record<(typeof KINDS)[number], number> {
  const { server, supervisor, workflows: worker } = pids()
  return {
    server: residentMb(server),
    supervisor: residentMb(supervisor),
    workflows: residentMb(worker),
  }
}

async function bareNodeMb(): Promise<number> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e9); console.log(1)'])
  await once(bare.stdout, 'data')
  const mb = residentMb(bare.pid ?? 0)
  bare.kill()
  return mb
}

function processor(): number {
  return Object.values(pids()).reduce((sum, pid) => sum + processorMs(pid), 0)
}

async function times(what: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = []
  for (let look = 0; look < LOOKS; look++) all.push(await timed(what))
  return all
}

async function unusualTasks(ids: string[]): Promise<{ failed: number; late: number }> {
  const { client } = ratchet
  const all = { failed: 0, late: 0 }
  for (const id of ids) {
    const { raw } = await client.workflow.getHandle(id).describe()
    const first = raw.workflowExecutionInfo?.firstRunId
    for (const { failedTasks, lateTasks } of await chainOf(client, id, first ?? '')) {
      all.failed += failedTasks
      all.late += lateTasks
    }
  }
  return all
}
