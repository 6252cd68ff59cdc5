// One bench per test: a state directory, a workspace, and drivers with short waits. It ends all
// started processes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import { Config } from '../../../src/contract/config/config.js'
import type { TurnResult, TurnSpec } from '../../../src/contract/turn.js'
import { playbookProgram } from '../../../src/adapters/agents/agent-command.js'
import {
  createAgentDriver,
  type AgentDriver,
  type DriverDeps,
} from '../../../src/adapters/agents/driver.js'
import type { TurnHooks, TurnProgress } from '../../../src/adapters/agents/turn/turn-hooks.js'
import type { StopReason } from '../../../src/adapters/agents/errors.js'
import { SYSTEM_CLOCK, type Clock } from '../../../src/adapters/agents/turn/turn-clock.js'
import { readClaim } from '../../../src/adapters/agents/turn/turn-store.js'
import { endMarked } from '../../../src/adapters/process/end.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { scriptedSpawn } from '../in-process/scripted-agent.js'
import { waitFor } from '../wait.js'

const HERE = path.dirname(fileURLToPath(import.meta.url))

export const SHORT = {
  startMs: 5_000,
  cancelGraceMs: 400,
  endGraceMs: 300,
  closeMs: 500,
  lingerMs: 300,
  keepMs: 60_000,
  replayQuietMs: 60,
  adoptMs: 50,
  pollMs: 20,
  toolPollMs: 20,
  yieldMs: 5_000,
}

/** A running call and its reports. */
export type Call = {
  result: Promise<TurnResult>
  abort(reason?: StopReason): void
  seen: TurnProgress[]
  sees(state: TurnProgress['state']): Promise<TurnProgress>
}

export class Bench {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-agents-'))
  readonly dirs = { state: path.join(this.root, 'state'), cache: path.join(this.root, 'cache') }
  readonly cwd = path.join(this.root, 'project')
  readonly run = `run-${randomBytes(6).toString('hex')}`
  private readonly markersFile = path.join(this.root, 'starts.ndjson')
  private readonly sessions = path.join(this.root, 'sessions')
  private readonly drivers: AgentDriver[] = []
  private readonly children: ChildProcess[] = []

  /** @param program of `process`, from driver-program.ts */
  constructor(private readonly program?: string) {
    for (const dir of [this.dirs.state, this.cwd]) mkdirSync(dir, { recursive: true })
  }

  /** A foreign agent of this folder, as a definition. */
  foreign(name: string, ...args: string[]) {
    return { protocol: 'acp', command: process.execPath, args: [path.join(HERE, name), ...args] }
  }

  /**
   * The playbook agent with these steps, as a definition. Drivers of this bench run it in their own
   * process, with a `sleep` as the process of the agent.
   */
  playbook(steps: unknown[]) {
    const file = path.join(this.root, `playbook-${randomBytes(4).toString('hex')}.yaml`)
    writeFileSync(file, stringify({ steps }))
    return {
      protocol: 'acp',
      command: process.execPath,
      args: [playbookProgram(), file],
      env: { RATCHET_PLAYBOOK_STATE: this.sessions, RATCHET_PLAYBOOK_MARKERS: this.markersFile },
    }
  }

  config(agent: unknown, more: Record<string, unknown> = {}): Config {
    return Config.parse({ agents: { a: agent }, ...more })
  }

  /** @param options `env`: of every turn */
  driver(options: Partial<DriverDeps> & { env?: NodeJS.ProcessEnv } = {}): AgentDriver {
    const { timing, env, ...rest } = options
    const driver = createAgentDriver({
      dirs: this.dirs,
      changedFiles: () => Promise.resolve([]),
      clock: { ...SYSTEM_CLOCK, tickMs: 20 },
      timing: { ...SHORT, ...timing },
      spawn: scriptedSpawn(this.sessions),
      ...rest,
    })
    this.drivers.push(driver)
    return env === undefined ? driver : inEnvironment(driver, env)
  }

  spec(more: Partial<TurnSpec> = {}): TurnSpec {
    return {
      key: `${this.run}/1/fix`,
      header: {
        run: this.run,
        kind: 'test-fix',
        role: 'test-fix-agent',
        task: 'IMPL-fix-1',
        iteration: 1,
        turn: 'work',
        paths: { project: this.cwd, workspace: this.cwd },
      },
      agent: 'a',
      workspace: {
        project: this.cwd,
        root: this.cwd,
        cwd: this.cwd,
        branch: 'b',
        base: 'c',
        isolation: 'clone',
      },
      prompt: 'Do it.',
      limitMs: 60_000,
      idleMs: 60_000,
      followUp: false,
      ...more,
    }
  }

  call(
    driver: AgentDriver,
    config: Config,
    spec = this.spec(),
    hooks: Partial<TurnHooks> = {},
  ): Call {
    return callOf(driver, config, spec, hooks)
  }

  /** The prompts of the turn as counted by the playbook. */
  starts(): { attempt: number; session: string; pid: number; turn: string; role: string }[] {
    return lines(this.markersFile) as {
      attempt: number
      session: string
      pid: number
      turn: string
      role: string
    }[]
  }

  transcript(key = this.spec().key): Record<string, unknown>[] {
    return lines(path.join(layout.turn(this.dirs, key), 'transcript.ndjson')) as Record<
      string,
      unknown
    >[]
  }

  claim(key = this.spec().key) {
    return readClaim(layout.turn(this.dirs, key))
  }

  /** Waits until the agent has said or done something in its prompt. */
  async busy(key = this.spec().key): Promise<void> {
    await waitFor(() => this.transcript(key).some((line) => 'update' in line || 'text' in line), {
      what: 'the agent to do something',
    })
  }

  /**
   * The same turn, or several at once, in a separate process. `result` is that of the turn that
   * ends last.
   */
  process(config: unknown, spec: TurnSpec | TurnSpec[] = this.spec(), timing = {}) {
    if (this.program === undefined) throw new Error('this bench has no program of a driver')
    const file = path.join(this.root, `input-${randomBytes(4).toString('hex')}.json`)
    writeFileSync(
      file,
      JSON.stringify({
        state: this.dirs.state,
        config,
        spec,
        timing: { ...SHORT, ...timing },
        env: {},
        scripted: { sessions: this.sessions, program: playbookProgram() },
      }),
    )
    const child = spawn(process.execPath, [this.program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.children.push(child)
    const seen: TurnProgress[] = []
    const results = new Map<string, TurnResult | undefined>()
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const told = JSON.parse(line) as {
        progress?: TurnProgress
        key?: string
        result?: TurnResult
      }
      if (told.progress) seen.push(told.progress)
      if (told.key !== undefined) results.set(told.key, told.result)
    })
    const closed = once(child, 'close')
    return {
      child,
      seen,
      result: closed.then(() => [...results.values()].at(-1)),
      resultOf: ({ key }: TurnSpec) => closed.then(() => results.get(key)),
    }
  }

  /** Ends the drivers and their agents. */
  async shutdown(): Promise<void> {
    await Promise.all(this.drivers.map((driver) => driver.shutdown()))
  }

  async end(): Promise<void> {
    await this.shutdown()
    for (const child of this.children)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await endMarked('RATCHET_RUN', this.run, { graceMs: 0 })
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** The same driver, every turn of which gets this environment. */
export function inEnvironment(driver: AgentDriver, env: NodeJS.ProcessEnv): AgentDriver {
  return { ...driver, runTurn: (spec, hooks) => driver.runTurn(spec, { ...hooks, env }) }
}

/** Starts a turn and watches it. */
export function callOf(
  driver: AgentDriver,
  config: Config,
  spec: TurnSpec,
  hooks: Partial<TurnHooks>,
): Call {
  const controller = new AbortController()
  const seen: TurnProgress[] = []
  let why: StopReason = 'stop'
  const result = driver.runTurn(spec, {
    config,
    env: process.env,
    signal: controller.signal,
    abortReason: () => why,
    onProgress: (p) => seen.push(p),
    ...hooks,
  })
  result.catch(() => undefined) // awaited later
  return {
    result,
    seen,
    abort: (reason = 'stop') => {
      why = reason
      controller.abort()
    },
    sees: (state) => waitFor(() => seen.find((p) => p.state === state), { what: `state ${state}` }),
  }
}

function lines(file: string): unknown[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** A clock that only advances on request. */
export class ManualClock implements Clock {
  tickMs = 1_000
  private time = 0
  private readonly listeners = new Set<() => void>()
  now = () => this.time
  every = (_ms: number, fn: () => void) => {
    this.listeners.add(fn)
    return () => this.listeners.delete(fn)
  }
  /** A tick in which no time passes. */
  beat(): void {
    for (const fn of [...this.listeners]) fn()
  }

  /** One tick every `tickMs`; `asleep`: the whole time passes between two ticks. */
  advance(ms: number, { asleep = false } = {}): void {
    for (let left = ms; left > 0;) {
      const step = asleep ? left : Math.min(this.tickMs, left)
      left -= step
      this.time += step
      for (const fn of [...this.listeners]) fn()
    }
  }
}
