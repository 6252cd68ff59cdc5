// The built `ratchet` command as a process, for a user with a separate home, state and server.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runCommandLine } from '../../src/cli/program.js'
import { BUILT } from './servers/local.js'
import { repository, type ProjectOwner, type Step } from './runs/real-run.js'
import type { Files } from './repositories/repos.js'
import { temporalPath } from './servers/temporal.js'
import { waitFor } from './wait.js'

export type Ran = { exitCode: number; stdout: string; stderr: string }
export type Started = {
  ended: Promise<Ran>
  stdout: () => string
  stderr: () => string
  interrupt: () => void
}

export type CliProcessUser = {
  root: string
  env: NodeJS.ProcessEnv
  /** Starts a command in a directory. */
  start: (cwd: string, ...argv: string[]) => Started
  /** Runs a command to its end. */
  ratchet: (cwd: string, ...argv: string[]) => Promise<Ran>
  /** Runs a command with `--json` and reads the only document on stdout. */
  json: <T>(
    cwd: string,
    ...argv: string[]
  ) => Promise<{ exitCode: number; document: T; stderr: string }>
  /**
   * Waits until `ratchet status` says that a run waits for this. Polls in this process: repeated
   * commands would use a core that the run needs.
   */
  until: (cwd: string, id: string, waitsFor: RegExp) => Promise<void>
  /**
   * A repository with failing tests, uncommitted work and this playbook; no agent without steps.
   */
  project: (name: string, steps?: Step[], config?: Record<string, unknown>, files?: Files) => string
  remove: () => Promise<void>
}

/** Creates such a user. `remove` ends everything it has started. */
export function cliProcessUser(): CliProcessUser {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-e2e-')))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: path.join(root, 'home'),
    XDG_STATE_HOME: path.join(root, 'state'),
    XDG_CACHE_HOME: path.join(root, 'cache'),
    TEMPORAL_CLI_PATH: temporalPath(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    PYTHONUSERBASE: process.env['PYTHONUSERBASE'] ?? path.join(os.homedir(), '.local'),
  }
  mkdirSync(path.join(root, 'home'))

  const own: ProjectOwner = {
    root,
    project(name) {
      const dir = path.join(root, 'projects', name)
      mkdirSync(dir, { recursive: true })
      return dir
    },
  }

  const running = new Set<ChildProcess>()
  const start = (cwd: string, ...argv: string[]): Started => {
    const child = spawn(process.execPath, [path.join(BUILT, 'cli/main.js'), ...argv], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const ended = new Promise<Ran>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        running.delete(child)
        resolve({ exitCode: code ?? (signal === null ? -1 : 128), stdout, stderr })
      })
    })
    return {
      ended,
      stdout: () => stdout,
      stderr: () => stderr,
      interrupt: () => child.kill('SIGINT'),
    }
  }
  const ratchet = (cwd: string, ...argv: string[]): Promise<Ran> => start(cwd, ...argv).ended
  return {
    root,
    env,
    start,
    ratchet,
    async json<T>(cwd: string, ...argv: string[]) {
      const { exitCode, stdout, stderr } = await ratchet(cwd, ...argv, '--json')
      return { exitCode, document: JSON.parse(stdout) as T, stderr }
    },
    async until(cwd, id, waitsFor) {
      const look = async (): Promise<boolean> => {
        let stdout = ''
        const exitCode = await runCommandLine(
          ['status', id, '--json'],
          { env, cwd, interrupted: new AbortController().signal, version: 'test' },
          { stdout: (text) => (stdout += text), stderr: () => undefined },
        )
        if (exitCode !== 0)
          throw new Error(`ratchet status ${id} ended with ${exitCode}: ${stdout}`)
        return (JSON.parse(stdout) as { runs: { waitingFor: string }[] }).runs.some((run) =>
          waitsFor.test(run.waitingFor),
        )
      }
      await waitFor(look, {
        what: `${id} waiting for ${String(waitsFor)}`,
        timeoutMs: 60_000,
        everyMs: 200,
      })
    },
    project: (name, steps, config, files) => repository(own, name, steps, config, files),
    async remove() {
      // A leftover worker would serve the next server at that address, even another user's.
      await Promise.all(
        [...running].map(
          (child) => new Promise((resolve) => child.once('close', resolve) && child.kill('SIGINT')),
        ),
      )
      const { exitCode, stderr } = await ratchet(root, 'dev', '--stop', '--force')
      if (exitCode !== 0)
        throw new Error(`ratchet dev --stop --force ended with ${exitCode}: ${stderr}`)
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
