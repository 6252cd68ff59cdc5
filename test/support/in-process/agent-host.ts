// The agent worker of a project in this process: the real worker, with scripted agents in the same
// process.
//
// It can be dropped at a named point like a process by `kill -9`: the files keep the state of that
// moment, later effects of the code are undone, its claims belong to a dead process, its agents
// live on, and the server gets no answer from its activities. test/crash/agreement compares
// a drop with a real kill.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CompleteAsyncError } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'
import { faultPoints } from '../../../src/adapters/failpoint.js'
import { gitHook } from '../../../src/adapters/git/git.js'
import { endAll } from '../../../src/adapters/process/end.js'
import { self } from '../../../src/adapters/process/identity.js'
import type { GroupOptions, GroupProcess } from '../../../src/adapters/process/spawn-group.js'
import { askedEnvironments } from '../../../src/adapters/environments/asked-environments.js'
import { layout, projectKey, userDirs } from '../../../src/adapters/state-dir.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { ProcessIdentity } from '../../../src/contract/registry.js'
import { createProjectWorker } from '../../../src/worker/project-worker.js'
import type { Running } from '../../../src/worker/worker-parts.js'
import { bringBack, keep } from './as-it-was.js'
import { awaitCommands, processesOf, signal, standIn, type Left } from './left-alive.js'
import { scriptedSpawn } from './scripted-agent.js'

export type HostOptions = {
  connection: NativeConnection
  namespace: string
  env: NodeJS.ProcessEnv
  project: string
  /** Directory of the agents' sessions. */
  sessions: string
  /**
   * Directories that a drop must leave in their state of that moment; the worker writes to no
   * others.
   */
  keeps: readonly string[]
  /** Directory of the project's points. */
  points: string
  log: (text: string) => void
}

/** The start time of a dropped worker in the files it left; no process has it. */
const DEAD = '1'
/** Files that name a process are shorter. */
const MOST_BYTES = 256 * 1024

/**
 * Starts the worker, which restarts after a drop, as under a supervisor. Calls `failed` if it
 * cannot.
 */
export async function agentHost(
  options: HostOptions,
  failed: (why: unknown) => void,
): Promise<{ queue: string; end: () => Promise<void> }> {
  let life = await begin(options)
  let ended = false
  const standIns: ProcessIdentity[] = []
  const kept = (async () => {
    for (;;) {
      await life.over
      if (!life.dropped() || ended) return
      // Until then agents are closed and their claims written.
      await life.end()
      life.restore(standIns)
      life = await begin(options)
      if (ended) void life.end()
    }
  })().catch(failed)
  return {
    queue: life.queue,
    async end() {
      ended = true
      await life.end()
      await kept
      await endAll(standIns, { graceMs: 0 })
    },
  }
}

/** `restore` adds the substitute processes that it starts. */
type Life = {
  queue: string
  over: Promise<unknown>
  dropped: () => boolean
  restore: (standIns: ProcessIdentity[]) => void
  end: () => Promise<void>
}

async function begin({
  connection,
  namespace,
  env,
  project,
  sessions,
  keeps,
  points,
  log,
}: HostOptions): Promise<Life> {
  const [agents, runs, death] = [[] as Left[], new Set<string>(), new AbortController()]
  let left: Left[] | undefined
  let problem: Error | undefined
  const isDead = (): boolean => left !== undefined
  const drop = (): never => {
    if (left === undefined) {
      left = []
      try {
        left = processesOf(runs, agents)
        signal(left, 'SIGSTOP')
        awaitCommands(keeps, left)
        for (const dir of keeps) keep(dir)
      } catch (error) {
        problem = error as Error // `restore` throws it: here it would count as an error of the activity
      }
      signal(left, 'SIGKILL')
      death.abort()
      setImmediate(() => void end().catch(() => undefined)) // the waiter for the end gets the error
    }
    throw new CompleteAsyncError()
  }
  const start = scriptedSpawn(sessions, undefined, death.signal)
  const spawn = async (options: GroupOptions): Promise<GroupProcess> => {
    if (isDead()) throw new CompleteAsyncError()
    const process = await start(options)
    agents.push({
      identity: process.identity,
      cwd: options.cwd,
      env: {
        ...options.env,
        [MARKERS.run]: options.markers.run,
        [MARKERS.step]: options.markers.step,
      },
    })
    return process
  }
  // Code that still runs no longer belongs to the worker: it passes no point, starts no git and is
  // cancelled.
  const lifeOf = {
    get directory() {
      return isDead() ? '' : points
    },
    die: drop,
  }
  const git = (): void => {
    if (isDead()) throw new CompleteAsyncError()
  }
  const running: Running = await createProjectWorker(
    connection,
    { namespace, project },
    undefined,
    {
      env,
      environments: await askedEnvironments(userDirs(env), { own: env, supervised: true }).open(
        projectKey(project),
      ),
      spawn,
      log: (text) => {
        if (!isDead()) log(text)
      },
      interceptors: [
        (context) => ({
          inbound: {
            execute: (input, next) =>
              faultPoints.run(lifeOf, () =>
                gitHook.run(git, async () => {
                  // Sent to a worker that has just died: the next one reports it.
                  if (isDead())
                    throw ApplicationFailure.retryable(
                      'the worker died before it began',
                      'WorkerDied',
                    )
                  runs.add(context.info.workflowExecution?.workflowId ?? '')
                  Object.defineProperty(context, 'cancellationSignal', {
                    value: AbortSignal.any([context.cancellationSignal, death.signal]),
                  })
                  const answer = await next(input).then(
                    (value) => ({ value }),
                    (error: unknown) => ({ error }),
                  )
                  if (isDead()) throw new CompleteAsyncError() // a dead worker answers nothing
                  if ('error' in answer) throw answer.error
                  return answer.value
                }),
              ),
          },
        }),
      ],
    },
  )
  const over = running.worker.run()
  let ending: Promise<void> | undefined
  const end = (): Promise<void> =>
    (ending ??= (async () => {
      if (running.worker.getState() === 'RUNNING') running.worker.shutdown()
      await running.interrupt()
      await over
    })())
  return {
    queue: running.queue,
    over,
    end,
    dropped: isDead,
    restore(standIns) {
      if (problem !== undefined) throw problem
      for (const dir of keeps) bringBack(dir)
      // Only now, because the unwinding code would have ended them.
      const alive = (left ?? []).map((one) => {
        const identity = standIn(one)
        standIns.push(identity)
        return [identity, one.identity] as const
      })
      for (const dir of keeps) asOfTheDead(dir, alive, layout.supervisor(userDirs(env)))
    },
  }
}

// Rewrites this process to a dead one in file names and contents, except in the record of the
// supervisor, which lives. Agents become the substitutes.
function asOfTheDead(
  dir: string,
  left: readonly (readonly [alive: ProcessIdentity, before: ProcessIdentity])[],
  supervisor: string,
): void {
  const me = self()
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    let file = path.join(entry.parentPath, entry.name)
    if (file === supervisor || file.includes('/.git/') || statSync(file).size > MOST_BYTES) continue
    if (entry.name.includes(`${me.pid}`) && entry.name.includes(me.startTime)) {
      const before = file
      file = path.join(entry.parentPath, entry.name.replace(me.startTime, DEAD))
      renameSync(before, file)
    }
    const text = readFileSync(file, 'utf8')
    const now = left.reduce(
      (all, [alive, before]) => renamed(all, before, alive),
      renamed(text, me, { ...me, startTime: DEAD }),
    )
    if (now !== text) writeFileSync(file, now)
  }
}

// With any formatting of the JSON.
function renamed(text: string, before: ProcessIdentity, now: ProcessIdentity): string {
  return text.replaceAll(
    new RegExp(
      `("pid":\\s*)${before.pid}(,\\s*"startTime":\\s*)${JSON.stringify(before.startTime)}`,
      'g',
    ),
    (_, one: string, other: string) => `${one}${now.pid}${other}${JSON.stringify(now.startTime)}`,
  )
}
