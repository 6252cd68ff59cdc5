// A user of the command line with a repository, and what such a user reads of a refusal.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { cliUser } from './support.js'
import type { CliUser } from './support.js'

export type Failed = { error: { type: string; message: string; where: string; next: string } }

export const failed = (stdout: string): Failed['error'] => (JSON.parse(stdout) as Failed).error

/** The refusal of a start that went as far as the server program, which is not there. */
export const NO_PROGRAM = { exitCode: 3, stderr: expect.stringContaining('TEMPORAL_CLI_PATH') as string }

export const git = ({ cwd }: CliUser, ...args: string[]): string => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } }).trim()

/** A user with a repository that has agents and no tests. */
export function repoUser(config: unknown = { roles: { default: 'playbook' } }): CliUser {
  const made = cliUser()
  git(made, 'init', '-q')
  writeFileSync(path.join(made.cwd, 'ratchet.config.json'), JSON.stringify(config))
  git(made, 'add', '-A')
  git(made, 'commit', '-q', '-m', 'first')
  return made
}
