// Starts programs inside a sandbox, in the place of `spawnGroup`.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isEngine, type Sandbox, type SandboxComponent } from '../../contract/sandbox.js'
import { MARKERS } from '../../contract/names.js'
import { containerCommand, NODE_INSIDE } from '../../core/sandbox/container-command.js'
import { containerName, endContainer, openLifeline } from './container.js'
import { bwrapCommand, EMPTY_DIRS } from '../../core/sandbox/bwrap-command.js'
import { hiddenBelowHome } from '../../core/sandbox/hidden-paths.js'
import { innermost, mountOrder, type Mount } from '../../core/sandbox/sandbox-mounts.js'
import { isLocal, readHost, type Allowed } from '../../core/sandbox/sandbox-network.js'
import { srtSettings } from '../../core/sandbox/srt-settings.js'
import { findProgram } from '../agents/detect-agents.js'
import { packaged } from '../package.js'
import {
  CommandNotFoundError,
  spawnGroup,
  type GroupOptions,
  type SpawnGroup,
} from '../process/spawn-group.js'
import type { Dirs } from '../state-dir.js'
import { otherProjects, serverPorts } from './host-facts.js'
import { startProxy } from './network-proxy.js'
import { fromHome, homeOf } from '../home.js'

/** What is enclosed, and in what. */
export type Enclosure = {
  component: SandboxComponent
  /** Path of the component's program. */
  program: string
  settings: Omit<Sandbox, 'use'>
  dirs: Dirs
  kind: 'agent' | 'tests' | 'set-up'
  /** The user's project. It can be read. */
  project: string
  /** Directories that can be written: those of the workspace. */
  write: readonly string[]
  /** What can be read although the directory around it is hidden. */
  read?: readonly string[]
  /** Directories of the host that are seen at another place, and can be written there. */
  shown?: readonly { path: string; from: string }[]
  /** Directory for caches of package managers and compilers. */
  cache: string
  /** Hosts in addition to those of the settings, by the environment of the program. */
  hosts?: (env: GroupOptions['env']) => readonly Allowed[]
}

/** Where the proxy listens inside: any port is free in a network of its own. */
const PROXY = 'http://127.0.0.1:41833'
const PROXY_ENV = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
      [name, PROXY],
      [name.toLowerCase(), PROXY],
    ]),
  ),
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
  NODE_USE_ENV_PROXY: '1',
}

/** Node of Ratchet, as a container sees it. */
const NODE = {
  path: NODE_INSIDE,
  from: realpathSync(process.execPath),
  kind: 'read',
  isDirectory: false,
} as const

/** Returns a `spawnGroup` whose programs run in the sandbox. */
export function sandboxedSpawn(enclosure: Enclosure, spawn: SpawnGroup = spawnGroup): SpawnGroup {
  return async (options) => {
    const engine = isEngine(enclosure.component) ? enclosure.component : undefined
    const program = engine === undefined ? programOf(options) : undefined
    const own = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-sandbox-')))
    const allowed = [
      ...enclosure.settings.network.map(readHost),
      ...(enclosure.hosts?.(options.env) ?? []),
    ]
    const refusedPorts = serverPorts(enclosure.dirs)
    const mounts = [
      ...existing(mountsOf(enclosure, options, [program, own])),
      ...(engine === undefined ? [] : [NODE]),
    ]
    const socket = path.join(own, 'proxy')
    const isProxied =
      engine !== undefined || (enclosure.component === 'bwrap' && allowed.length > 0)
    const proxy = isProxied ? await startProxy({ socket, allowed, refusedPorts }) : undefined
    const name = containerName(options.markers)
    const alive = engine === undefined ? '' : path.join(own, 'alive')
    const lifeline = engine === undefined ? undefined : await openLifeline(alive)
    const end = async (exit?: { code: number | null }): Promise<void> => {
      lifeline?.close()
      if (engine !== undefined && exit !== undefined)
        await endContainer(enclosure.program, name, options.env, exit)
      await proxy?.close()
      rmSync(own, { recursive: true, force: true })
    }
    const ports = allowed.flatMap(({ host, port }) =>
      isLocal(host) && port !== undefined && !refusedPorts.includes(port) ? [port] : [],
    )
    const relay = isProxied
      ? [
          ...(engine === undefined ? [process.execPath] : []),
          packaged('sandbox/relay.cjs'),
          socket,
          new URL(PROXY).port,
          [...new Set(ports)].join(','),
          alive,
          '--',
        ]
      : []
    const env = {
      ...cachesIn(enclosure.cache),
      ...temporaryIn(enclosure),
      ...(isProxied && allowed.length > 0 ? PROXY_ENV : {}),
    }
    const front =
      engine !== undefined
        ? containerCommand({
            engine,
            program: enclosure.program,
            image: enclosure.settings.image ?? '',
            name,
            mounts,
            cwd: options.cwd,
            home: homeOf(options.env),
            user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
            variables: variablesOf(options, env),
            set: env,
          })
        : enclosure.component === 'bwrap'
          ? bwrapCommand({ program: enclosure.program, mounts, cwd: options.cwd })
          : srtCommand(enclosure.program, path.join(own, 'settings.json'), {
              mounts,
              allowed,
              refusedPorts,
            })
    try {
      const started = await spawn({
        ...options,
        argv: [
          ...front,
          ...relay,
          ...(engine === undefined ? options.argv : inImage(options.argv)),
        ],
        // The engine's own program is outside.
        env: engine === undefined ? { ...options.env, ...env } : options.env,
      })
      const exited = started.exited.then(
        async (exit) => {
          await end(exit)
          return exit
        },
        async (error: unknown) => {
          await end()
          throw error
        },
      )
      return { ...started, exited }
    } catch (error) {
      await end()
      throw error
    }
  }
}

function srtCommand(
  program: string,
  file: string,
  rules: { mounts: readonly Mount[]; allowed: readonly Allowed[]; refusedPorts: readonly number[] },
): [string, ...string[]] {
  const settings = srtSettings(rules.mounts, rules.allowed, rules.refusedPorts)
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 })
  return [program, '--settings', file, '--']
}

// The sandbox's own program is always there, so that a missing command must be noticed before.
function programOf({ argv: [command], cwd, env }: GroupOptions): string {
  const file = findProgram(command, { project: cwd, env })
  if (file === null) throw new CommandNotFoundError(command, 'ENOENT', cwd)
  try {
    accessSync(file, constants.X_OK)
  } catch {
    throw new CommandNotFoundError(command, 'EACCES', cwd)
  }
  return file
}

function mountsOf(
  { component, settings, dirs, kind, project, write, read = [], shown = [], cache }: Enclosure,
  { env, writable = [] }: GroupOptions,
  [program, own]: [program: string | undefined, own: string],
): Mount[] {
  const home = homeOf(env)
  const at = (place: string): string => fromHome(place, home)
  const atOther = new Set(shown.map((one) => one.path))
  const hidden = [
    dirs.state,
    ...(settings.strictHome ? [home] : []),
    ...hiddenBelowHome(kind).map((name) => path.join(home, name)),
    ...otherProjects(dirs, project).filter((other) => innermost(home, [other]) === undefined),
    ...settings.hide.map(at),
  ].filter((one) => !atOther.has(one))
  // Programs are shown below these, and not in a folder of logins.
  const around: string[] = [...EMPTY_DIRS, dirs.state, home]
  const programs =
    program === undefined
      ? []
      : [program, process.execPath, ...(env['PATH'] ?? '').split(path.delimiter)]
  const needed = programs
    .filter((one) => path.isAbsolute(one) && existsSync(one))
    .flatMap((one) => [one, realpathSync(one)])
    .map(packageOf)
    .filter((one) => around.includes(innermost(one, [...EMPTY_DIRS, ...hidden]) ?? ''))
  return [
    ...hidden.map((one): Mount => ({ path: one, kind: 'hide' })),
    // An agent starts the program of its tools by this path.
    ...(isEngine(component) && kind === 'agent'
      ? [{ path: process.execPath, kind: 'read' as const }]
      : []),
    ...[project, packageOf(packaged('')), own, ...needed, ...read, ...settings.read.map(at)].map(
      (one): Mount => ({
        path: one,
        kind: 'read',
      }),
    ),
    ...[...write, ...writable, ...settings.write.map(at), cache].map((one): Mount => ({
      path: one,
      kind: 'write',
    })),
    ...shown.map((one): Mount => ({ ...one, kind: 'write' })),
  ]
}

// What a program needs of its own package lies around it.
function packageOf(file: string): string {
  const at = file.indexOf('/node_modules/')
  return at === -1 ? file : file.slice(0, at + '/node_modules'.length)
}

/** Mounts of what is there, by their real paths, in their order. */
function existing(mounts: readonly Mount[]): (Mount & { isDirectory: boolean })[] {
  const real = mounts
    .filter((one) => existsSync(one.path))
    .map((one) => ({ ...one, path: realpathSync(one.path) }))
  return mountOrder(real).map((one) => ({ ...one, isDirectory: statSync(one.path).isDirectory() }))
}

// sandbox-runtime has a variable of its own for it.
function temporaryIn({ component, cache }: Enclosure): Record<string, string> {
  if (component !== 'srt') return { TMPDIR: '/tmp' }
  const dir = path.join(cache, 'tmp')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return { CLAUDE_CODE_TMPDIR: dir }
}

/** Names of the variables that a container takes over as they are. */
function variablesOf({ env }: GroupOptions, set: object): string[] {
  const names = Object.keys(env).filter((name) => env[name] !== undefined && !(name in set))
  return [...names, MARKERS.run, MARKERS.step]
}

// The image may have no Node where the host has it, or another one.
function inImage([command, ...args]: GroupOptions['argv']): string[] {
  return [command === process.execPath ? NODE_INSIDE : command, ...args]
}

// The caches of the user are read-only, and one that code of an agent wrote must not be theirs.
function cachesIn(cache: string): Record<string, string> {
  return {
    GOCACHE: path.join(cache, 'go-build'),
    npm_config_cache: path.join(cache, 'npm'),
    PIP_CACHE_DIR: path.join(cache, 'pip'),
    UV_CACHE_DIR: path.join(cache, 'uv'),
    YARN_CACHE_FOLDER: path.join(cache, 'yarn'),
  }
}
