// Runs a program for the table itself, in an environment that holds nothing of the runner around
// it.
import { spawnSync } from 'node:child_process'

/** Standard output and whether the program ended with 0. Throws where it cannot be started. */
export function ran(cwd: string, argv: readonly string[]): { stdout: string; ok: boolean } {
  const [command, ...args] = argv as [string, ...string[]]
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, CI: '1', PYTHONDONTWRITEBYTECODE: '1', LANG: 'C.UTF-8' }
  const { stdout, status, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    timeout: 120_000,
  })
  if (error !== undefined) throw new Error(`${argv.join(' ')} in ${cwd}: ${error.message}`)
  return { stdout, ok: status === 0 }
}

/** Output of a program that must succeed. */
export function output(argv: readonly string[], cwd = '.'): string {
  const { stdout, ok } = ran(cwd, argv)
  if (!ok) throw new Error(`${argv.join(' ')} failed: ${stdout.slice(-500)}`)
  return stdout.trim()
}
