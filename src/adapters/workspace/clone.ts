// A workspace's clone: own refs, config and hooks, no remote, checked out at the run's base.
//
// Objects are hard links where the file system allows it. No hook and no template of the user's gets
// into the clone; settings that decide what a checkout looks like do.
import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { removeTree } from '../git/clean.js'
import { git, GitError, splitZ } from '../git/git.js'
import { adoptIndex, asIgnoreLine, NEVER_ADDED } from '../git/index-file.js'
import { bringLfsOfTree } from '../git/lfs.js'
import { savedExcludes } from '../git/mend.js'
import type { Repo } from '../git/repo.js'
import { cloneRepo, inRepo, resolve } from '../git/repo.js'
import { listTree } from '../git/tree-diff.js'
import { textOf } from '../text-of.js'

/** Local settings of the user's that decide what a checkout looks like. */
const CARRIED = String.raw`^(core\.(autocrlf|eol|symlinks|filemode|ignorecase|precomposeunicode|attributesfile|excludesfile|checkroundtripencoding|sparsecheckout|sparsecheckoutcone)|filter\..*)$`

/** Settings of the clone. Agents commit in it, so it needs an identity; its clean-up would race with steps. */
const OWN_CONFIG = {
  'user.name': 'Ratchet agent', 'user.email': 'ratchet@localhost', 'commit.gpgSign': 'false', 'tag.gpgSign': 'false',
  'gc.auto': '0', 'maintenance.auto': 'false', 'push.default': 'nothing', 'advice.detachedHead': 'false',
  'lfs.skipDownloadErrors': 'true', // what the user's store lacks stays a pointer
}

/**
 * A repository of another owner, as in a container, was refused before, unless the user calls its work tree safe. Git
 * asks once more for the directory behind it, which nobody names there.
 */
const OWNED_BY_ANOTHER = ['-c', 'safe.directory=*']
const UPLOAD_PACK = ['--upload-pack', "git -c 'safe.directory=*' upload-pack"]

/** Never part of a commit in a workspace, in gitignore syntax. */
const EXCLUDES = [...NEVER_ADDED.map((name) => `${name}/`), '*.pyc', '.pytest_cache/', '.venv/', 'venv/']

/**
 * Makes the clone at `root`, with `branch` checked out at `base`. It appears there whole or not at all
 * but for its files; a root that exists is replaced.
 */
export async function makeClone(user: Repo, root: string, { branch, base, signal }: { branch: string; base: string; signal?: AbortSignal }): Promise<Repo> {
  await removeTree(root)
  const fresh = path.join(path.dirname(root), `clone-${randomBytes(4).toString('hex')}`)
  await mkdir(path.dirname(root), { recursive: true, mode: 0o700 })
  // The user's own hooks folder, set globally, must not apply to the clone.
  const settings = { ...OWN_CONFIG, 'core.hooksPath': path.join(root, '.git', 'hooks') }
  await cloneTo(user, fresh, [...Object.entries(settings).flatMap(([name, value]) => ['--config', `${name}=${value}`]), '--branch', branch], signal)
  await rename(fresh, root)
  const repo = cloneRepo(root)
  await inRepo(repo, ['remote', 'remove', 'origin'])
  if ((await resolve(repo, base)) === undefined) await inRepo(repo, ['fetch', '--quiet', ...UPLOAD_PACK, '--no-tags', '--no-write-fetch-head', '--update-shallow', user.commonDir, branch])
  await carryOver(user, repo)
  await writeExcludes(user, repo)
  await bringLfsOfTree(user, repo, await listTree(repo, base))
  await inRepo(repo, ['update-ref', `refs/heads/${branch}`, base])
  await inRepo(repo, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
  await checkOut(user, repo, base)
  await adoptIndex(repo)
  return repo
}

async function checkOut(user: Repo, repo: Repo, base: string): Promise<void> {
  try {
    await inRepo(repo, ['reset', '--hard', '--quiet', base])
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new RefusalError('UnsupportedRepository', `the files of ${base.slice(0, 10)} cannot be checked out: ${reasonIn(error)}`, user.root, 'see whether "git fsck" is content; in a partial clone check the commit out once, so that its files are there')
  }
}

function reasonIn({ stderr }: GitError): string {
  return stderr.split('\n').find((line) => /^(fatal|error): /.test(line)) ?? stderr
}

async function cloneTo(user: Repo, target: string, options: string[], signal: AbortSignal | undefined): Promise<void> {
  const clone = (how: string) => git(path.dirname(target), [
    ...OWNED_BY_ANOTHER, 'clone', '--quiet', how, ...UPLOAD_PACK, '--no-checkout', '--no-recurse-submodules', '--single-branch', ...options, '--origin', 'origin', '--template=', '--', user.commonDir, target,
  ], { ...(signal && { signal }) })
  try {
    await clone('--local')
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    // Objects behind symlinks, odd file systems: through a pack instead of links.
    await removeTree(target)
    await clone('--no-local').catch((second: unknown) => {
      if (!(second instanceof GitError)) throw second
      throw new RefusalError('UnsupportedRepository', `the repository cannot be cloned: ${reasonIn(second)}`, user.root, 'see whether "git fsck" is content with it')
    })
  }
}

async function carryOver(user: Repo, repo: Repo): Promise<void> {
  await mkdir(path.join(repo.gitDir, 'hooks'), { recursive: true })
  const carried = await git(user.root, ['config', '-z', '--show-scope', '--get-regexp', CARRIED], { env: user.env, okCodes: [1] })
  const items = splitZ(carried.stdout)
  const seen = new Set<string>()
  for (let i = 0; i + 1 < items.length; i += 2) {
    const [name = '', ...rest] = (items[i + 1] ?? '').split('\n')
    if (items[i] !== 'local' && items[i] !== 'worktree') continue
    await inRepo(repo, ['config', '--local', seen.has(name) ? '--add' : '--replace-all', name, rest.length === 0 ? 'true' : rest.join('\n')])
    seen.add(name)
  }
  await carryFile(path.join(user.commonDir, 'info', 'attributes'), path.join(repo.gitDir, 'info', 'attributes'))
  await carryFile(path.join(user.gitDir, 'info', 'sparse-checkout'), path.join(repo.gitDir, 'info', 'sparse-checkout'))
  await promiseMissing(user, repo)
}

async function carryFile(from: string, to: string): Promise<void> {
  const text = await textOf(from)
  if (text === undefined) return
  await mkdir(path.dirname(to), { recursive: true })
  await writeFile(to, text)
}

// What a partial clone has not fetched is no damage in a clone of it: the user's repository would have to fetch it.
async function promiseMissing(user: Repo, repo: Repo): Promise<void> {
  const promisors = await git(user.root, ['config', '--type=bool', '--get-regexp', String.raw`^remote\..*\.promisor$`], { env: user.env, okCodes: [1] })
  if (!/ true$/m.test(promisors.stdout)) return
  for (const [name, value] of Object.entries({ url: user.commonDir, pushurl: '/dev/null', promisor: 'true', partialCloneFilter: 'blob:none' }))
    await inRepo(repo, ['config', `remote.user.${name}`, value])
}

async function writeExcludes(user: Repo, repo: Repo): Promise<void> {
  const own = (await textOf(path.join(user.commonDir, 'info', 'exclude'))) ?? ''
  await saveExcludes(repo, [...own.split('\n').filter((line) => line !== '' && !line.startsWith('#')), ...EXCLUDES])
}

/** Adds paths to what the workspace ignores: what set-up commands have made. */
export async function excludePaths(repo: Repo, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const lines = ((await textOf(savedExcludes(repo.root))) ?? '').split('\n').filter((line) => line !== '')
  await saveExcludes(repo, [...lines, ...paths.map(asIgnoreLine)])
}

async function saveExcludes(repo: Repo, lines: readonly string[]): Promise<void> {
  const text = `${[...new Set(lines)].join('\n')}\n`
  await mkdir(path.join(repo.gitDir, 'info'), { recursive: true })
  await writeFile(savedExcludes(repo.root), text, { mode: 0o600 })
  await writeFile(path.join(repo.gitDir, 'info', 'exclude'), text)
}
