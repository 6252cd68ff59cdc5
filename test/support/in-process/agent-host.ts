// The agent worker of a project in this process: the product's own worker, with scripted agents that play here too.
//
// It can be dropped at a named point as `kill -9` drops a process: the files are as they were at that very moment,
// nothing that the code does afterwards counts, what it had claimed belongs to a dead process, its agents live on, and
// the server hears nothing of its activities. test/crash/agreement.test.ts holds it against a real kill.
import { spawn as spawnProcess } from 'node:child_process'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CompleteAsyncError } from '@temporalio/activity'
import type { NativeConnection } from '@temporalio/worker'
import { faultPoints } from '../../../src/adapters/fault-point.js'
import { identify, identifyStarted, self } from '../../../src/adapters/process/identity.js'
import type { GroupOptions, GroupProcess } from '../../../src/adapters/process/spawn-group.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { ProcessIdentity } from '../../../src/contract/registry.js'
import { createProjectWorker } from '../../../src/worker/create-workers.js'
import type { Running } from '../../../src/worker/create-workers.js'
import { scriptedSpawn } from './scripted-agent.js'

export type HostOptions = {
  connection: NativeConnection
  address: string
  namespace: string
  env: NodeJS.ProcessEnv
  project: string
  /** Directory of the agents' sessions. */
  sessions: string
  /** Directories that a drop must leave as they are at its moment; nothing else on the disk is theirs. */
  keeps: readonly string[]
  /** Directory of the project's points. */
  points: string
  log: (text: string) => void
}

/** The start time that a process of an earlier life has in what it left: no process has it. */
const DEAD = '1'
/** Whatever names a process is shorter. */
const MOST_BYTES = 256 * 1024

/** Starts the worker; it comes back by itself when it was dropped, as under a supervisor. */
export async function agentHost(options: HostOptions): Promise<{ queue: string; end: () => Promise<void> }> {
  let life = await begin(options)
  let ended = false
  const kept = (async () => {
    for (;;) {
      await life.over
      if (!life.dropped() || ended) return
      life.restore()
      life = await begin(options)
    }
  })()
  return {
    queue: life.queue,
    async end() {
      ended = true
      await life.end()
      await kept
    },
  }
}

type Life = { queue: string; over: Promise<unknown>; dropped: () => boolean; restore: () => void; end: () => Promise<void> }

async function begin({ connection, address, namespace, env, project, sessions, keeps, points, log }: HostOptions): Promise<Life> {
  const agents: { options: GroupOptions; process: GroupProcess }[] = []
  let snapshot: { left: [alive: ProcessIdentity, before: ProcessIdentity][] } | undefined
  const drop = (): never => {
    if (snapshot === undefined) {
      snapshot = { left: [] }
      for (const dir of keeps) copy(dir, aside(dir))
      // What a killed worker leaves running. The agents themselves end with the code that unwinds below.
      for (const { options, process: { identity } } of agents) if (identify(identity.pid)?.startTime === identity.startTime) snapshot.left.push([leave(options), identity])
      setImmediate(() => void end())
    }
    throw new CompleteAsyncError()
  }
  const start = scriptedSpawn(sessions)
  const spawn = async (options: GroupOptions): Promise<GroupProcess> => {
    const process = await start(options)
    agents.push({ options, process })
    return process
  }
  const running: Running = await createProjectWorker(connection, { address, namespace, role: 'project', project }, undefined, {
    env, spawn, log,
    interceptors: [() => ({
      inbound: {
        execute: (input, next) => faultPoints.run({ directory: points, die: drop }, async () => {
          const answer = await next(input).then((value) => ({ value }), (error: unknown) => ({ error }))
          if (snapshot !== undefined) throw new CompleteAsyncError() // a dead worker answers nothing
          if ('error' in answer) throw answer.error
          return answer.value
        }),
      },
    })],
  })
  const over = running.worker.run()
  const end = async (): Promise<void> => {
    if (running.worker.getState() === 'RUNNING') running.worker.shutdown()
    await running.interrupt()
    await over
  }
  return {
    queue: running.queue, over, end,
    dropped: () => snapshot !== undefined,
    restore() {
      for (const dir of keeps) {
        rmSync(dir, { recursive: true, force: true })
        renameSync(aside(dir), dir)
      }
      for (const dir of keeps) asOfTheDead(dir, snapshot?.left ?? [])
    },
  }
}

const aside = (dir: string): string => `${dir}.at-the-drop`

function copy(from: string, to: string): void {
  if (!existsSync(from)) return
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: (file) => { const stat = lstatSync(file, { throwIfNoEntry: false }); return stat !== undefined && (stat.isFile() || stat.isDirectory() || stat.isSymbolicLink()) } })
}

// A process with the markers of an agent, as one that has lost its driver.
function leave({ cwd, env, markers }: GroupOptions): ProcessIdentity {
  const child = spawnProcess('sleep', ['86400'], { cwd, env: { ...env, [MARKERS.run]: markers.run, [MARKERS.step]: markers.step }, stdio: 'ignore', detached: true })
  child.unref()
  const identity = child.pid === undefined ? undefined : identifyStarted(child.pid)
  if (identity === undefined) throw new Error('no process could be left behind')
  return identity
}

// Names and contents that name this process name one that has died; agents are those that were left.
function asOfTheDead(dir: string, left: readonly [alive: ProcessIdentity, before: ProcessIdentity][]): void {
  const me = self()
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    let file = path.join(entry.parentPath, entry.name)
    if (file.includes('/.git/') || statSync(file).size > MOST_BYTES) continue
    if (entry.name.includes(`${me.pid}`) && entry.name.includes(me.startTime)) {
      const before = file
      file = path.join(entry.parentPath, entry.name.replace(me.startTime, DEAD))
      renameSync(before, file)
    }
    const text = readFileSync(file, 'utf8')
    const said = (identity: ProcessIdentity): string => `"pid":${identity.pid},"startTime":"${identity.startTime}"`
    const now = left.reduce((all, [alive, before]) => all.replaceAll(said(before), said(alive)), text).replaceAll(said(me), said({ ...me, startTime: DEAD }))
    if (now !== text) writeFileSync(file, now)
  }
}
