// A user of the command line with a repository, and the text of a refusal.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { cliUser, type CliUser } from './support.js'

export type Failed = { error: { type: string; message: string; where: string; next: string } }

export const failed = (stdout: string): Failed['error'] => (JSON.parse(stdout) as Failed).error

/** The refusal of a start that fails only at the missing server program. */
export const NO_PROGRAM = {
  exitCode: 3,
  stderr: expect.stringContaining('TEMPORAL_CLI_PATH') as string,
}

export const git = ({ cwd }: CliUser, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  }).trim()

/**
 * Repositories with one commit that git has made already: contents by path, by the files they have.
 */
const made = new Map<string, [name: string, content: Buffer][]>()

/**
 * Makes the directory of a user a repository whose one commit has these files; git does it once for
 * the same files.
 */
export function firstCommit(user: CliUser, files: Record<string, string>): void {
  const key = JSON.stringify(files)
  const known = made.get(key)
  if (known !== undefined) {
    for (const [name, content] of known) {
      mkdirSync(path.dirname(path.join(user.cwd, name)), { recursive: true })
      writeFileSync(path.join(user.cwd, name), content)
    }
    // git knows a repository by these two, also where they are empty
    for (const name of ['objects', 'refs'])
      mkdirSync(path.join(user.cwd, '.git', name), { recursive: true })
    return
  }
  git(user, 'init', '-q', '--template=')
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(user.cwd, name), text)
  git(user, 'add', '-A')
  git(user, 'commit', '-q', '--allow-empty', '-m', 'first')
  const names = readdirSync(user.cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(user.cwd, path.join(entry.parentPath, entry.name)))
  made.set(
    key,
    names.map((name) => [name, readFileSync(path.join(user.cwd, name))]),
  )
}

/** A user with a repository that has agents and no tests. */
export function repoUser(config: unknown = { roles: { default: 'playbook' } }): CliUser {
  const user = cliUser()
  firstCommit(user, { 'ratchet.config.json': JSON.stringify(config) })
  return user
}
