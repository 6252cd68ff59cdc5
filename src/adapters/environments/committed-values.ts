// Values of an environment that look secret and stand in the user's commits. Who reads the
// repository knows them, so they are no secrets. Each is noted by its digest: another value of the
// same variable stays secret.
import path from 'node:path'
import type { Workspace } from '../../contract/workspace.js'
import { environmentSecrets, type IsPublic } from '../agents/config-secrets.js'
import { variableDigest } from './environment-digests.js'
import { readCommit } from '../git/commits.js'
import { git } from '../git/git.js'
import type { Repo } from '../git/repo.js'
import type { Dirs } from '../state-dir.js'
import { readPrepared } from '../workspace/state.js'

/** Digests by the name of the variable. */
export type CommittedValues = Record<string, string>

/**
 * Returns which values of an environment the commit of a base holds. What Ratchet committed, a
 * snapshot of the work tree or the work of an agent, does not count.
 */
export async function committedValues(
  dirs: Dirs,
  { repo, base }: { repo: Repo; base: string },
  env: NodeJS.ProcessEnv,
): Promise<CommittedValues> {
  const values = environmentSecrets(env).flatMap((name) => {
    const value = env[name] ?? ''
    return value.includes('\n') ? [] : [{ name, value }]
  })
  const commit = values.length === 0 ? undefined : await usersOwn(repo, base)
  const holds = (wanted: readonly string[]): Promise<boolean> =>
    commit === undefined ? Promise.resolve(false) : holdsOne(repo, commit, wanted)
  if (!(await holds(values.map(({ value }) => value)))) return {}
  const noted: CommittedValues = {}
  for (const { name, value } of values) {
    const digest = (await holds([value])) ? variableDigest(dirs, name, value) : undefined
    if (digest !== undefined) noted[name] = digest
  }
  return noted
}

/** Returns whether a value was found in the user's commits when a workspace was prepared. */
export function publicIn(dirs: Dirs, { keep, root }: Pick<Workspace, 'root' | 'keep'>): IsPublic {
  const noted = readPrepared(keep ?? path.dirname(root))?.committed ?? {}
  return isPublicBy(dirs, noted)
}

/** Returns whether a value is one of those that were noted. */
export function isPublicBy(dirs: Dirs, noted: CommittedValues): IsPublic {
  return (name, value) =>
    noted[name] !== undefined && noted[name] === variableDigest(dirs, name, value)
}

async function usersOwn(repo: Repo, base: string): Promise<string | undefined> {
  if (await isPartial(repo)) return undefined
  let sha: string | undefined = base
  while (sha !== undefined) {
    const commit = await readCommit(repo, sha)
    if (!commit.ours) return sha
    sha = commit.parents[0]
  }
  return undefined
}

// To search a partial clone would fetch the rest of it.
async function isPartial(repo: Repo): Promise<boolean> {
  const asked = ['config', '--get-regexp', String.raw`^remote\..*\.promisor$`]
  return (await git(repo.root, asked, { env: { ...repo.env }, okCodes: [1] })).code === 0
}

// By standard input: other users can read a command line.
async function holdsOne(repo: Repo, commit: string, values: readonly string[]): Promise<boolean> {
  const { code } = await git(
    repo.root,
    ['grep', '--quiet', '-I', '--fixed-strings', '-f', '-', commit],
    { input: values.map((value) => `${value}\n`).join(''), env: { ...repo.env }, okCodes: [1] },
  )
  return code === 0
}
