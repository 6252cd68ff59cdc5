// Runs a real agent with its own home directory, the model stub and our driver. The agent is named
// by one word, as in a config, and gets only what a user would have set.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { Config } from '../../src/contract/config/config.js'
import type { KnownName } from '../../src/contract/known-agents.js'
import type { ProcessIdentity } from '../../src/contract/registry.js'
import type { TurnHeader, TurnResult, TurnSpec } from '../../src/contract/turn.js'
import { createAgentDriver, type AgentDriver } from '../../src/adapters/agents/driver.js'
import type { Timing } from '../../src/adapters/agents/driver-shared.js'
import type { TurnHooks } from '../../src/adapters/agents/turn/turn-hooks.js'
import { readClaim } from '../../src/adapters/agents/turn/turn-store.js'
import { endMarked } from '../../src/adapters/process/end.js'
import { layout } from '../../src/adapters/state-dir.js'
import { readHeader } from '../../src/core/prompts/prompt-header.js'
import { callOf, inEnvironment, type Call } from '../support/agents/bench.js'
import type { Turn } from '../support/model-stub/conversation.js'
import { setUp } from '../support/model-stub/set-up.js'
import { ModelStub } from '../support/model-stub/stub.js'

export class Rig {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-real-'))
  readonly dirs = { state: path.join(this.root, 'state'), cache: path.join(this.root, 'cache') }
  readonly home = path.join(this.root, 'home')
  readonly cwd = path.join(this.root, 'project')
  readonly run = `run-${randomBytes(6).toString('hex')}`
  readonly env: Record<string, string>
  private readonly drivers: AgentDriver[] = []
  private turns = 0

  private constructor(
    readonly name: KnownName,
    readonly stub: ModelStub,
  ) {
    for (const dir of [this.dirs.state, this.home, this.cwd]) mkdirSync(dir, { recursive: true })
    this.env = { ...base(this.home), ...setUp(name, this.home, stub.url) }
  }

  static async start(name: KnownName): Promise<Rig> {
    return new Rig(name, await ModelStub.start())
  }

  /** Writes a file below the home directory. */
  file(name: string, text: string): void {
    put(path.join(this.home, name), text)
  }

  config(more: Record<string, unknown> = {}): Config {
    return Config.parse({ roles: { default: this.name }, ...more })
  }

  /** A turn in the agent's directory; `mark` selects the stub's script. */
  spec(mark: string, more: Partial<TurnSpec> = {}): TurnSpec {
    return {
      key: `${this.run}/1/${(this.turns += 1)}`,
      header: {
        run: this.run,
        kind: 'test-fix',
        role: 'test-fix-agent',
        task: 'IMPL-fix-1',
        iteration: 1,
        turn: 'work',
        paths: { project: this.cwd, workspace: this.cwd },
      },
      agent: this.name,
      workspace: {
        project: this.cwd,
        root: this.cwd,
        cwd: this.cwd,
        branch: 'b',
        base: 'c',
        isolation: 'clone',
      },
      prompt: `MARK:${mark} Do as instructed.`,
      limitMs: 60_000,
      idleMs: 60_000,
      followUp: false,
      ...more,
    }
  }

  driver(
    env: Record<string, string | undefined> = this.env,
    timing: Partial<Timing> = {},
  ): AgentDriver {
    const driver = createAgentDriver({
      dirs: this.dirs,
      timing,
      changedFiles: () => Promise.resolve([]),
    })
    this.drivers.push(driver)
    return inEnvironment(driver, env)
  }

  call(
    driver: AgentDriver,
    spec: TurnSpec,
    config = this.config(),
    hooks: Partial<TurnHooks> = {},
  ): Call {
    return callOf(driver, config, spec, hooks)
  }

  /** One turn with a driver of its own. */
  async turn(
    spec: TurnSpec,
    config = this.config(),
    hooks: Partial<TurnHooks> = {},
  ): Promise<TurnResult> {
    return this.call(this.driver(), spec, config, hooks).result
  }

  /** Text of a file, relative to the agent's directory, or `undefined`. */
  read(name: string): string | undefined {
    try {
      return readFileSync(path.resolve(this.cwd, name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  transcript(spec: TurnSpec): Record<string, unknown>[] {
    const file = path.join(layout.turn(this.dirs, spec.key), 'transcript.ndjson')
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  claim(spec: TurnSpec) {
    return readClaim(layout.turn(this.dirs, spec.key))
  }

  /** The process that works on a turn. */
  agentOf(spec: TurnSpec): ProcessIdentity {
    const agent = this.claim(spec)?.process
    if (agent === undefined) throw new Error('the turn has no process')
    return agent
  }

  /** The same turn in a process of its own; returns that process's id. */
  driverProcess(program: string, spec: TurnSpec, config: Record<string, unknown>): number {
    const file = path.join(this.root, 'driver.json')
    writeFileSync(
      file,
      JSON.stringify({ state: this.dirs.state, config, spec, timing: {}, env: {} }),
    )
    const child = spawn(process.execPath, [program, file], { env: this.env, stdio: 'ignore' })
    child.on('exit', () => rmSync(file, { force: true }))
    if (child.pid === undefined) throw new Error('no driver process')
    return child.pid
  }

  async end(): Promise<void> {
    await Promise.all(this.drivers.map((driver) => driver.shutdown()))
    await endMarked('RATCHET_RUN', this.run, { graceMs: 0 })
    await this.stub.close()
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// Uses only the program folders printed by the installer, no other settings of the machine's user.
export function base(home: string): Record<string, string> {
  const bins = JSON.parse(process.env['RATCHET_AGENTS_BINS'] ?? '{}') as Record<string, string>
  return {
    PATH: [...Object.values(bins), process.env['PATH'] ?? ''].join(path.delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
  }
}

/**
 * First lines of the prompts in the user's messages: agents add their own text around a prompt and
 * join consecutive prompts.
 */
export function headersIn({ from, text }: Turn): TurnHeader[] {
  return from === 'user'
    ? [...text.matchAll(/^ratchet-turn: .*$/gm)].flatMap(([line]) => readHeader(line) ?? [])
    : []
}

const HOUR_MS = 3_600_000

/**
 * Renames gemini's session files to be an hour older: for a session opened in this minute the
 * driver waits for the next minute. Only while no process has them open; other agents have no such
 * files.
 */
export function ageSessions(home: string): void {
  for (const file of globSync('.gemini/tmp/*/chats/session-*', {
    cwd: home,
    absolute: true,
    dot: true,
  }).sort()) {
    const [, date, hour, minute, rest] = /session-([\d-]{10})T(\d\d)-(\d\d)(.*)$/.exec(file) ?? []
    const older = new Date(Date.parse(`${date}T${hour}:${minute}:00Z`) - HOUR_MS)
      .toISOString()
      .slice(0, 16)
      .replace(':', '-')
    renameSync(file, path.join(path.dirname(file), `session-${older}${rest}`))
  }
}
