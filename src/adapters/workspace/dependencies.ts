// Dependencies of a workspace: copied from the project or newly installed, never linked. `npm ci`
// through a linked node_modules would empty the user's own.
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { VENV_MARK } from '../git/index-file.js'
import { GITLINK, type Entry } from '../git/tree-diff.js'
import { runSetup, type CommandContext } from './workspace-command.js'
import { relocateEditable, relocateLinks, relocateVenv } from './relocate.js'

/** Folders deeper than this are not looked at for dependencies. */
const MAX_DEPTH = 6
const MANIFESTS = new Set([
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'go.mod',
  'composer.json',
  'Gemfile',
])
export const DEPENDENCY_DIRS = ['node_modules', '.venv', 'venv', 'vendor']

export type Places = {
  /** Top of the user's repository. */
  from: string
  /** Root of the workspace. */
  to: string
  /** The project's folder below both. */
  folder: string
  /** Files of the workspace's base, relative to its root. */
  files: readonly string[]
  /** Folders where the base has a submodule, with the commit that it names. */
  submodules: ReadonlyMap<string, string>
}

/** Places of a workspace whose base has these files. */
export function placesOf(
  where: Pick<Places, 'from' | 'to' | 'folder'>,
  base: ReadonlyMap<string, Entry>,
): Places {
  const submodules = [...base].flatMap(([file, { mode, sha }]) =>
    mode === GITLINK ? [[file, sha] as const] : [],
  )
  return { ...where, files: [...base.keys()], submodules: new Map(submodules) }
}

/**
 * Returns folders that may contain dependencies: root, project, and every folder with a tracked
 * manifest.
 */
export function dependencyFolders({ folder, files }: Pick<Places, 'folder' | 'files'>): string[] {
  const found = files
    .filter(
      (file) =>
        MANIFESTS.has(path.posix.basename(file)) && !file.split('/').includes('node_modules'),
    )
    .map((file) => path.posix.dirname(file))
  return [...new Set(['.', folder === '' ? '.' : folder, ...found])]
    .filter((dir) => dir.split('/').length <= MAX_DEPTH)
    .sort()
}

/**
 * Copies every untracked dependency directory of the project that the workspace lacks. Returns what
 * was copied.
 */
export async function copyDependencies(places: Places, context: CommandContext): Promise<string[]> {
  const { from, to, files } = places
  const copied: string[] = []
  for (const folder of dependencyFolders(places)) {
    for (const name of [...DEPENDENCY_DIRS, ...(await environmentsIn(path.join(from, folder)))]) {
      const relative = path.posix.join(folder, name)
      const source = path.join(from, relative)
      const target = path.join(to, relative)
      if (
        files.some((file) => file.startsWith(`${relative}/`)) ||
        existsSync(target) ||
        !(await isDirectory(source))
      )
        continue
      await mkdir(path.dirname(target), { recursive: true })
      await copyTree(await realpath(source), target, context)
      if (existsSync(path.join(source, VENV_MARK))) {
        await relocateVenv(source, target)
        await relocateEditable(target, places)
      }
      copied.push(relative)
    }
  }
  // After all of them: a link may lead from one to another.
  for (const dir of copied)
    if (path.posix.basename(dir) === 'node_modules') await relocateLinks(path.join(to, dir), places)
  return copied
}

/** Returns the untracked dependency directories that a workspace has, relative to its root. */
export async function dependencyDirs(
  root: string,
  places: Pick<Places, 'folder' | 'files'>,
): Promise<string[]> {
  const found: string[] = []
  for (const folder of dependencyFolders(places)) {
    for (const name of [...DEPENDENCY_DIRS, ...(await environmentsIn(path.join(root, folder)))]) {
      const dir = path.posix.join(folder, name)
      if (
        !places.files.some((file) => file.startsWith(`${dir}/`)) &&
        (await isDirectory(path.join(root, dir)))
      )
        found.push(dir)
    }
  }
  return found
}

// Virtual environments by another name than the usual ones.
async function environmentsIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter((name) => !DEPENDENCY_DIRS.includes(name))
  return names.filter((name) => existsSync(path.join(folder, name, VENV_MARK)))
}

const COPY_FAILED =
  'make the folder readable, or set workspace.dependencies to "install" or "none" in ratchet.config.json'

/** Copies a directory; shares blocks where the file system can. */
export async function copyTree(
  source: string,
  target: string,
  context: CommandContext,
): Promise<void> {
  const argv =
    process.platform === 'darwin'
      ? (['cp', '-a', '-c', source, target] as const)
      : (['cp', '-a', '--reflink=auto', source, target] as const)
  try {
    await runSetup(argv, context, COPY_FAILED)
  } catch (error) {
    // BusyBox knows no --reflink.
    if (!(error instanceof RefusalError) || !/(unrecognized|unknown) option/.test(error.message))
      throw error
    await runSetup(['cp', '-a', source, target], context, COPY_FAILED)
  }
}

const LOCK_FILES: readonly (readonly [string, readonly [string, ...string[]]])[] = [
  ['package-lock.json', ['npm', 'ci', '--no-audit', '--no-fund']],
  ['npm-shrinkwrap.json', ['npm', 'ci', '--no-audit', '--no-fund']],
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
]

/** Names of files that say which packages are installed. */
export const LOCK_NAMES: ReadonlySet<string> = new Set(LOCK_FILES.map(([name]) => name))

/**
 * Installs the dependencies of Node packages by their lock files: in the root, the project, and
 * every folder with a lock file of its own. Other languages need a `workspace.setup` command.
 *
 * @param only the folders to look at; all where nothing is said
 */
export async function installDependencies(
  places: Places,
  context: CommandContext,
  onProgress: (text: string) => void,
  only?: (folder: string) => boolean,
): Promise<void> {
  const tracked = new Set(places.files)
  const project = path.posix.join('.', places.folder)
  for (const folder of dependencyFolders(places).filter((one) => only?.(one) ?? true)) {
    if (!tracked.has(path.posix.join(folder, 'package.json'))) continue
    const locked = LOCK_FILES.find(([name]) => tracked.has(path.posix.join(folder, name)))?.[1]
    if (locked === undefined && folder !== '.' && folder !== project) continue
    const argv =
      locked?.[0] === 'yarn' && tracked.has(path.posix.join(folder, '.yarnrc.yml'))
        ? (['yarn', 'install', '--immutable'] as const)
        : (locked ?? (['npm', 'install', '--no-audit', '--no-fund'] as const))
    onProgress(`${argv.join(' ')}${folder === '.' ? '' : ` in ${folder}`}`)
    await runSetup(
      [...argv],
      { ...context, cwd: path.join(places.to, folder) },
      'make the same command work in the project, or set workspace.dependencies to "copy"',
    )
  }
}

/**
 * Yarn's Plug'n'Play names packages by their way from the project, which a copy would lead
 * elsewhere: those are installed.
 */
export async function installPlugAndPlay(
  places: Places,
  context: CommandContext,
  onProgress: (text: string) => void,
): Promise<void> {
  const isMissing = (folder: string) =>
    existsSync(path.join(places.from, folder, PNP_FILE)) &&
    !existsSync(path.join(places.to, folder, PNP_FILE))
  await installDependencies(places, context, onProgress, isMissing)
}

const PNP_FILE = '.pnp.cjs'

/** Whether a directory is there, maybe through a link. */
export async function isDirectory(file: string): Promise<boolean> {
  try {
    const stats = await lstat(file)
    return stats.isSymbolicLink()
      ? (await lstat(await realpath(file))).isDirectory()
      : stats.isDirectory()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
