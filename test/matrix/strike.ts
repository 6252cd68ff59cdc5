// Strikes a victim with a signal and restarts it.
import path from 'node:path'
import { findMarked } from '../../src/adapters/process/find.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { MARKERS } from '../../src/contract/names.js'
import { ensureProjectWorker, localStatus } from '../../src/dev-server/index.js'
import { recordedSupervisor } from '../../src/adapters/supervisor/supervisor-call.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { BUILT } from '../support/servers/local.js'
import { markers, type RealUser } from '../support/runs/real-run.js'
import { anotherWorker } from './another-worker.js'
import { fill } from '../support/disk.js'
import { complaints, pauseActivities, resetActivities, resetRun } from './operator.js'
import type { Blow, Plan, Victim } from './plan.js'
import type { Reach } from './reach.js'
import { setClock } from './clock.js'

/**
 * How long a stopped process stays so: longer than a heartbeat, shorter than the server's timeout
 * (a minute), and longer than that.
 */
const STANDS_STILL_MS = 3_000
export const ASLEEP_MS = 70_000
/** How long a disk is full at most. */
const FULL_MS = 15_000

/** What is left to do about a blow once the run continues, and at its end. */
export type Aftermath = {
  onTheWay?: (over: () => boolean) => Promise<void>
  atTheEnd?: () => Promise<void>
}

/** Strikes the victim and restarts what the next command would. */
export async function strike(
  user: RealUser,
  plan: Plan,
  project: string,
  run: string,
  reach: Reach,
): Promise<Aftermath> {
  const { victim, blow } = plan
  if (victim === 'activity')
    await reach.call(
      (_, ratchet) =>
        blow === 'paused' ? pauseActivities(ratchet, run) : resetActivities(ratchet, run),
      `activities ${blow}`,
    )
  else if (victim === 'run') await reach.call((_, ratchet) => resetRun(ratchet, run), 'the reset')
  else if (victim === 'clock') setClock(user, project, blow === 'two hours on' ? 2 : -2)
  else if (victim === 'disk')
    return fullDisk(blow === 'of the record full' ? recordOf(project) : user.dirs.state, run, reach)
  else if (victim === 'another worker') return joined(user, project, run, blow === 'takes over')
  else if (await byASignal(user, victim, blow, project, run)) await bringBack(user, project)
  return {}
}

async function joined(
  user: RealUser,
  project: string,
  run: string,
  takesOver: boolean,
): Promise<Aftermath> {
  const before = await pidsOf(user, 'agent worker', project, run)
  const { end } = await anotherWorker(user, project)
  if (takesOver) for (const pid of before) signal(pid, 'SIGKILL')
  return { atTheEnd: end }
}

/** Directory of the records of a project. */
export const recordOf = (project: string): string => path.join(project, '.workflow')

// Until an error appears, or none does for a while: the server's database may have spare room.
function fullDisk(dir: string, run: string, reach: Reach): Aftermath {
  const makeRoom = fill(dir)
  const until = Date.now() + FULL_MS
  return {
    async onTheWay(over) {
      await reach
        .until(
          async (_, ratchet) =>
            over() ||
            Date.now() > until ||
            (await complaints(ratchet, run)).some((text) => text.includes('disk is full')),
          'a complaint about the disk',
        )
        .finally(makeRoom)
    },
  }
}

async function byASignal(
  user: RealUser,
  victim: Processes,
  blow: Blow,
  project: string,
  run: string,
): Promise<boolean> {
  const pids = await pidsOf(user, victim, project, run)
  const stops = blow === 'SIGSTOP' || blow === 'asleep'
  for (const pid of pids) signal(pid, stops ? 'SIGSTOP' : (blow as NodeJS.Signals))
  if (!stops) return victim === 'supervisor' || victim === 'everything'
  await new Promise((resolve) =>
    setTimeout(resolve, blow === 'asleep' ? ASLEEP_MS : STANDS_STILL_MS),
  )
  for (const pid of pids.reverse()) signal(pid, 'SIGCONT')
  return false
}

type Processes = Exclude<Victim, 'activity' | 'run' | 'clock' | 'disk' | 'another worker'>

/** Like the next command, brings back server, workers and supervisor. */
async function bringBack(user: RealUser, project: string): Promise<void> {
  // The next supervisor starts the worker of an open run in the environment of this command.
  const env = { ...user.env, RATCHET_FAULT_POINTS: user.pointsOf(project) }
  await user.ensure({
    env,
    entries: { supervisor: path.join(BUILT, 'dev-server/supervisor-main.js') },
  })
  await ensureProjectWorker(user.dirs, project, { env })
}

// The supervisor first if all are hit, or it would restart the others.
async function pidsOf(
  user: RealUser,
  victim: Processes,
  project: string,
  run: string,
): Promise<number[]> {
  const { workers } = await localStatus(user.dirs)
  const [supervisor, server] = [
    recordedSupervisor(user.dirs)?.identity.pid,
    recordedServer(user.dirs)?.identity.pid,
  ]
  const own = workers.filter((one) => one.queue.endsWith(projectKey(project))).map(({ pid }) => pid)
  const shared = workers.filter((one) => one.kind === 'workflows').map(({ pid }) => pid)
  const known = (pid: number | undefined): number[] => (pid === undefined ? [] : [pid])
  switch (victim) {
    case 'agent worker':
      return own
    case 'workflow worker':
      return shared
    case 'server':
      return known(server)
    case 'supervisor':
      return known(supervisor)
    case 'agent':
      return known(markers(user, path.basename(project)).at(-1)?.pid)
    case 'everything':
      return [
        ...known(supervisor),
        ...known(server),
        ...shared,
        ...workers.filter((one) => one.kind === 'project').map(({ pid }) => pid),
        ...findMarked(MARKERS.run, run).map(({ pid }) => pid),
      ]
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // already ended
  }
}
