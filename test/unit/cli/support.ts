// Runs a command line in this process, with a user and a directory of its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommandLine } from '../../../src/cli/program.js'

export type Ran = { exitCode: number; stdout: string; stderr: string }
export type CliUser = {
  root: string
  cwd: string
  state: string
  env: NodeJS.ProcessEnv
  run: (...argv: string[]) => Promise<Ran>
  runIn: (cwd: string, ...argv: string[]) => Promise<Ran>
}

/** A user without a server; removed when the test ends. */
export function cliUser(extra: NodeJS.ProcessEnv = {}): CliUser {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-cli-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const cwd = path.join(root, 'shop')
  mkdirSync(cwd)
  const state = path.join(root, 'state')
  // A command that starts a server although it should not fails at once, instead of building one.
  const env = {
    TEMPORAL_CLI_PATH: path.join(root, 'no-server-here'),
    PATH: process.env['PATH'],
    HOME: root,
    XDG_STATE_HOME: state,
    XDG_CACHE_HOME: path.join(root, 'cache'),
    ...extra,
  }
  const runIn = async (dir: string, ...argv: string[]): Promise<Ran> => {
    let [stdout, stderr] = ['', '']
    const streams = {
      stdout: (text: string) => void (stdout += text),
      stderr: (text: string) => void (stderr += text),
    }
    const exitCode = await runCommandLine(
      argv,
      { env, cwd: dir, interrupted: new AbortController().signal, version: '0.0.0-test' },
      streams,
    )
    return { exitCode, stdout, stderr }
  }
  return { root, cwd, state, env, runIn, run: (...argv) => runIn(cwd, ...argv) }
}
