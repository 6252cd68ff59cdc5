// Finds the agents of this machine: the program that speaks ACP, its version, and whether it is
// logged in. Nothing is asked over the network, and of keys and login files only whether they are
// there is looked at.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import which from 'which'
import { KNOWN_AGENTS, KNOWN_NAMES, type KnownName } from '../../contract/known-agents.js'
import { loginOf, type Login } from '../../core/agents/agent-login.js'
import { runLimited } from '../process/limited.js'
import { isInside } from '../workspace/environment.js'
import { localProgram } from './agent-command.js'

/** The vendor's own command, where the one that speaks ACP is another package. */
const VENDORS: Partial<Record<KnownName, string>> = { claude: 'claude', codex: 'codex' }
/** How long a program may take to tell its version. */
const VERSION_MS = 5_000
const VERSION_BYTES = 64 * 1024

export type Place = {
  /** Real path of the project; for known agents its node_modules go before PATH. */
  project: string
  env: NodeJS.ProcessEnv
  /** Programs of the project are not started. */
  untrusted?: boolean
}

export type FoundAgent = {
  name: KnownName
  /** Path of the program that speaks ACP; `null` where it is not there. */
  program: string | null
  /** Path of the vendor's own command, looked for where `program` is not there. */
  vendor: string | null
  login: Login
}

export type DetectedAgent = FoundAgent & {
  /** `null` where it is not there or does not tell. */
  version: string | null
}

/**
 * All known agents, with their versions: of their packages, or as their programs tell, each at most
 * 5 s.
 */
export async function detectAgents(place: Place): Promise<DetectedAgent[]> {
  return Promise.all(
    knownHere(place).map(async (agent) => ({
      ...agent,
      version:
        agent.program === null
          ? null
          : await programVersion(agent.program, place, KNOWN_AGENTS[agent.name].env),
    })),
  )
}

/** The same without versions: starts no process. */
export function knownHere(place: Place): FoundAgent[] {
  return KNOWN_NAMES.map((name) => findAgent(name, place))
}

/** Whether an agent is there and may be logged in. */
export function isUsable({ program, login }: Pick<FoundAgent, 'program' | 'login'>): boolean {
  return program !== null && login.state !== 'no'
}

/**
 * Looks for one known agent; starts no process.
 *
 * @param changed command and environment of its entry in the config, where it has one
 */
export function findAgent(
  name: KnownName,
  { project, env }: Place,
  changed: { command?: string; env?: Readonly<Record<string, string>> } = {},
): FoundAgent {
  const given = { ...env, ...changed.env }
  const command = changed.command ?? KNOWN_AGENTS[name].command
  const program = localProgram(command, project) ?? findProgram(command, { project, env })
  const vendor = program === null ? VENDORS[name] : undefined
  const login = loginOf(name, {
    home: given['HOME'] ?? os.homedir(),
    folder: (variable) => given[variable],
    isSet: (variable) => (given[variable] ?? '') !== '',
    isFile: existsSync,
    platform: process.platform,
  })
  return {
    name,
    program,
    vendor: vendor === undefined ? null : findProgram(vendor, { project, env }),
    login,
  }
}

/**
 * Path of a program as it is started: named by a path, or on PATH; `null` where it is not there.
 */
export function findProgram(command: string, { project, env }: Place): string | null {
  if (command.includes('/'))
    return existsSync(path.resolve(project, command)) ? path.resolve(project, command) : null
  return which.sync(command, { nothrow: true, path: env['PATH'] ?? '' })
}

/**
 * The version of a program, `null` where it does not tell. Its package says it at once; else the
 * program is asked, which may need seconds, and may not know the question.
 *
 * @param own variables that it gets in addition to PATH and the like; no key is needed for this
 */
export async function programVersion(
  program: string,
  { env, project, untrusted = false }: Place,
  own: Readonly<Record<string, string>>,
): Promise<string | null> {
  const real = realpathSync(program)
  if (untrusted && [program, real].some((file) => isInside(file, project))) return null
  return packageVersion(real) ?? (await toldVersion(program, env, own))
}

function packageVersion(file: string): string | null {
  const dir = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
  if (dir === undefined) return null
  try {
    const { version } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')) as {
      version?: unknown
    }
    return typeof version === 'string' ? version : null
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return null
    throw error
  }
}

async function toldVersion(
  program: string,
  env: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): Promise<string | null> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-version-'))
  try {
    const file = path.join(dir, 'output')
    const given = Object.fromEntries(
      ['PATH', 'HOME', 'LANG', 'TMPDIR'].map((name) => [name, env[name]]),
    )
    await runLimited({
      argv: [program, '--version'],
      cwd: dir,
      env: { ...given, ...own },
      run: path.basename(dir),
      step: 'version',
      file,
      maxBytes: VERSION_BYTES,
      timeoutMs: VERSION_MS,
      graceMs: 0,
      signal: new AbortController().signal,
    })
    return /\d+\.\d+\.\d+[\w.+-]*/.exec(await readFile(file, 'utf8'))?.[0] ?? null
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
