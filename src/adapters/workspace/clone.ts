// A workspace's clone: files of the run's base, a git directory of Ratchet's own next to it, and a
// `.git` for agents.
//
// What decides how files are checked out and staged (filters, line ends, attributes, excludes) is
// copied from the user's configuration once, by name and value. Objects of the user's are borrowed
// by Ratchet's git directory, and copied for agents.
import { realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { cloneTemplate, leaveClone } from '../git/agent-clone.js'
import { removeTree } from '../git/user-repository/clean.js'
import { git, GitError, splitZ } from '../git/git.js'
import { asIgnoreLine, keepIndex, NEVER_ADDED, withOwnIndex } from '../git/index-file.js'
import { bringLfsOfTree } from '../git/lfs.js'
import { ownRepo, type Repo } from '../git/repo.js'
import { listTree } from '../git/tree-diff.js'
import { textOf } from '../files/read-text.js'
import { fromHome, homeOf } from '../home.js'

/**
 * Settings of the user's, from any file of the configuration, that decide what a checkout looks
 * like; and which remotes a partial clone has.
 */
const CARRIED = String.raw`^(core\.(autocrlf|eol|symlinks|filemode|ignorecase|precomposeunicode|attributesfile|excludesfile|checkroundtripencoding|sparsecheckout|sparsecheckoutcone)|filter\..*|lfs\.[a-z]+|remote\..*\.promisor)$`
/** Names where files of LFS are, which each repository says for itself. */
const LFS_PLACES = new Set(['lfs.storage', 'lfs.url', 'lfs.pushurl'])

/**
 * Settings of the agents' `.git`. Agents commit in it, so it needs an identity; its clean-up would
 * race with steps.
 */
const FOR_AGENTS = {
  'user.name': 'Ratchet agent',
  'user.email': 'ratchet@localhost',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'push.default': 'nothing',
  'advice.detachedHead': 'false',
}

/** Never part of a commit in a workspace, in gitignore syntax. */
const EXCLUDES = [
  ...NEVER_ADDED.map((name) => `${name}/`),
  '*.pyc',
  '.pytest_cache/',
  '.venv/',
  'venv/',
]

type Settings = (readonly [name: string, value: string])[]

/**
 * Makes the clone at `root`, with `branch` checked out at `base`, and answers Ratchet's repository
 * of it. What is there is replaced.
 *
 * @throws RefusalError `UnsupportedRepository` where the files of `base` cannot be checked out
 */
export async function makeClone(
  user: Repo,
  root: string,
  { branch, base, signal }: { branch: string; base: string; signal?: AbortSignal },
): Promise<Repo> {
  const repo = ownRepo(root)
  await removeTree(root)
  await removeTree(repo.gitDir)
  await mkdir(root, { recursive: true, mode: 0o700 })
  await writeGitDir(user, repo, branch, base)
  await bringLfsOfTree(user, repo, await listTree(repo, base))
  await checkOut(user, repo, base, signal)
  await leaveClone(repo, { branch }, base)
  return repo
}

async function checkOut(
  user: Repo,
  repo: Repo,
  base: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await withOwnIndex(repo, base, async (index) => {
      await git(repo.root, ['read-tree', '--reset', '-u', base], {
        env: { ...repo.env, ...index.env },
        ...(signal && { signal }),
      })
      await keepIndex(repo, index, base)
    })
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new RefusalError(
      'UnsupportedRepository',
      `the files of ${base.slice(0, 10)} cannot be checked out: ${reasonIn(error)}`,
      user.root,
      'check the repository with "git fsck"; in a partial clone, check out the commit once to fetch its files',
    )
  }
}

function reasonIn({ stderr }: GitError): string {
  return stderr.split('\n').find((line) => /^(fatal|error): /.test(line)) ?? stderr
}

async function writeGitDir(user: Repo, repo: Repo, branch: string, base: string): Promise<void> {
  const { gitDir } = repo
  const ref = path.join(gitDir, 'refs', 'heads', branch)
  for (const dir of [
    'objects/info',
    'objects/pack',
    'info',
    path.relative(gitDir, path.dirname(ref)),
  ])
    await mkdir(path.join(gitDir, dir), { recursive: true, mode: 0o700 })
  await writeFile(path.join(gitDir, 'HEAD'), `ref: refs/heads/${branch}\n`)
  await writeFile(ref, `${base}\n`)
  await writeFile(
    path.join(gitDir, 'objects', 'info', 'alternates'),
    `${asAlternate(realpathSync(path.join(user.commonDir, 'objects')))}\n`,
  )
  await copyText(path.join(user.commonDir, 'shallow'), path.join(gitDir, 'shallow'))
  await copyText(
    path.join(user.commonDir, 'info', 'attributes'),
    path.join(gitDir, 'info', 'attributes'),
  )
  await copyText(
    path.join(user.gitDir, 'info', 'sparse-checkout'),
    path.join(gitDir, 'info', 'sparse-checkout'),
  )
  const exclude = (await textOf(path.join(user.commonDir, 'info', 'exclude'))) ?? ''
  await saveExcludes(repo, [
    ...exclude.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    ...EXCLUDES,
  ])

  const { settings, isPartial } = await settingsOf(user)
  const basic: Settings = [
    ['core.repositoryformatversion', base.length === 64 ? '1' : '0'],
    ...(base.length === 64 ? [['extensions.objectformat', 'sha256'] as const] : []),
    ['core.bare', 'false'],
    ['lfs.skipDownloadErrors', 'true'], // what the user's store lacks stays a pointer
    ...(isPartial ? missingObjects(user) : []),
  ]
  // Also where the user names none: git has a default in the home directory.
  const copies = FILES.map(([name, file]) => [name, path.join(gitDir, file)] as const)
  for (const [name, file] of copies) await copyText(fileNamed(user, name, settings), file, '')
  await writeFile(
    path.join(gitDir, 'config'),
    asConfig([
      ...basic,
      ...settings.filter(([name]) => !FILES.some(([one]) => one === name)),
      ...copies,
    ]),
    { mode: 0o600 },
  )
  await writeTemplate(repo, [
    ...basic,
    ...settings,
    ...Object.entries(FOR_AGENTS),
    ['core.hooksPath', path.join(repo.root, '.git', 'hooks')],
  ])
}

// What a fresh `.git` of the agents starts from.
async function writeTemplate(repo: Repo, settings: Settings): Promise<void> {
  const template = cloneTemplate(repo)
  await mkdir(path.join(template, 'info'), { recursive: true, mode: 0o700 })
  await writeFile(path.join(template, 'config'), asConfig(settings))
  for (const file of ['shallow', 'info/attributes', 'info/sparse-checkout'])
    await copyText(path.join(repo.gitDir, file), path.join(template, file))
}

/** Settings that name a file, and the copy of it. */
const FILES = [
  ['core.attributesfile', 'user-attributes'],
  ['core.excludesfile', 'user-excludes'],
] as const

function fileNamed(user: Repo, name: (typeof FILES)[number][0], settings: Settings): string {
  const home = homeOf(process.env)
  const value = settings.findLast(([one]) => one === name)?.[1]
  if (value === undefined)
    return path.join(
      process.env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'),
      'git',
      name === 'core.attributesfile' ? 'attributes' : 'ignore',
    )
  return path.resolve(user.root, fromHome(value, home))
}

async function settingsOf(user: Repo): Promise<{ settings: Settings; isPartial: boolean }> {
  const items = splitZ(
    (
      await git(user.root, ['config', '-z', '--get-regexp', CARRIED], {
        env: user.env,
        okCodes: [1],
      })
    ).stdout,
  )
  const all = items.map((item) => {
    const at = item.indexOf('\n') // without a value: true
    return at < 0 ? ([item, 'true'] as const) : ([item.slice(0, at), item.slice(at + 1)] as const)
  })
  return {
    settings: all.filter(([name]) => !name.startsWith('remote.') && !LFS_PLACES.has(name)),
    isPartial: all.some(
      ([name, value]) => name.startsWith('remote.') && /^(true|yes|on|1)$/i.test(value),
    ),
  }
}

// What a partial clone has not fetched is no damage in a clone of it: the user's repository would
// have to fetch it.
function missingObjects(user: Repo): Settings {
  return [
    ['remote.user.url', user.commonDir],
    ['remote.user.pushurl', '/dev/null'],
    ['remote.user.promisor', 'true'],
    ['remote.user.partialclonefilter', 'blob:none'],
  ]
}

function asConfig(settings: Settings): string {
  return settings
    .map(([name, value]) => {
      const [section, key] = [
        name.slice(0, name.indexOf('.')),
        name.slice(name.lastIndexOf('.') + 1),
      ]
      const subsection = name.slice(section.length + 1, -key.length - 1)
      const head =
        subsection === ''
          ? `[${section}]`
          : `[${section} "${subsection.replaceAll(/["\\]/g, String.raw`\$&`)}"]`
      return `${head}\n\t${key} = "${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"\n`
    })
    .join('')
}

// A path with a line break, or one that looks quoted.
function asAlternate(store: string): string {
  return /["\n]/.test(store) || store.startsWith('#') ? JSON.stringify(store) : store
}

async function copyText(from: string, to: string, otherwise?: string): Promise<void> {
  const content = await readFile(from).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  })
  if (content !== undefined || otherwise !== undefined)
    await writeFile(to, content ?? (otherwise as string))
}

const excludeFile = ({ gitDir }: Repo): string => path.join(gitDir, 'info', 'exclude')

/** Adds paths to what the workspace ignores: what set-up commands have made. */
export async function excludePaths(repo: Repo, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const lines = ((await textOf(excludeFile(repo))) ?? '').split('\n').filter((line) => line !== '')
  await saveExcludes(repo, [...lines, ...paths.map(asIgnoreLine)])
}

async function saveExcludes(repo: Repo, lines: readonly string[]): Promise<void> {
  await writeFile(excludeFile(repo), `${[...new Set(lines)].join('\n')}\n`, { mode: 0o600 })
}
