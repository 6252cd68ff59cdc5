// Small real repositories for tests, and fingerprints that show whether one was touched.
//
// Everything is in a temporary directory that is removed when the test ends. The machine's
// configuration has no effect.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { jsonOf } from '../../../src/core/text/json.js'
import { digest, type Dirs } from '../../../src/adapters/state-dir.js'
import {
  prepareWorkspace,
  type PreparedWorkspace,
  type PrepareInput,
} from '../../../src/adapters/workspace/prepare.js'
import { copyOf, copyTree, placeOf } from './templates.js'

// Also for the code under test, which keeps these two.
process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
process.env['GIT_CONFIG_NOSYSTEM'] = '1'
// Tests commit the configuration of their agents; test/adapters/trust shows what is asked.
process.env['RATCHET_TRUST'] = '1'

/** Time of every snapshot and step in tests. */
export const AT = Date.UTC(2026, 10, 20, 12, 0, 0)
/**
 * Workflow id of tests, unique per process: files run in parallel, and a run ends every process
 * with its marker.
 */
export const RUN = `WFS-test-login.${process.pid.toString(16).padStart(6, '0').slice(-6)}`

/** A temporary directory, its real path; removed when the test ends. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-test-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** State and cache directories for one test. */
export function tempDirs(): Dirs {
  return dirsIn(tempDir())
}

function dirsIn(dir: string): Dirs {
  const dirs = { state: path.join(dir, 'state'), cache: path.join(dir, 'cache') }
  for (const one of Object.values(dirs)) mkdirSync(one)
  return dirs
}

/** Runs git as a user would; returns what it printed, without the last newline. */
export function runGit(cwd: string, ...args: string[]): string {
  const who = {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...who },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '')
}

/**
 * Contents by path: a text, `null` to remove, or an object for links and executables. A path without
 * a content is left out: rows of a table have the paths of all.
 */
export type Files = Record<
  string,
  string | Buffer | null | undefined | { link: string } | { script: string }
>

/** Writes files below a directory. */
export function writeFiles(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(dir, name)
    if (content === undefined) continue
    if (content === null) {
      rmSync(file, { recursive: true })
      continue
    }
    mkdirSync(path.dirname(file), { recursive: true })
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(file, content)
    else if ('link' in content) symlinkSync(content.link, file)
    else {
      writeFileSync(file, content.script)
      chmodSync(file, 0o755)
    }
  }
}

/** Adds everything and commits it; returns the commit. */
export function commitAll(dir: string, subject: string): string {
  runGit(dir, 'add', '-A')
  runGit(dir, 'commit', '-q', '--allow-empty', '--no-verify', '-m', subject)
  return runGit(dir, 'rev-parse', 'HEAD')
}

export const SAMPLE: Files = {
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'test/add.test.js': 'test add\n',
  'package.json': '{ "name": "sample", "scripts": { "test": "vitest run" } }\n',
  '.gitignore': '*.log\n.env\n',
}

/** A repository on branch `main` with one commit of these files. */
export function makeRepo(files: Files = SAMPLE): string {
  const root = path.join(tempDir(), 'project')
  copyOf(JSON.stringify(files), root, (dir) => startRepo(dir, files))
  runGit(root, 'update-index', '-q', '--refresh') // it knows the times of the copied files
  return root
}

function startRepo(dir: string, files: Files): void {
  runGit(dir, 'init', '-q', '-b', 'main', '--template=')
  writeFiles(dir, files)
  runGit(dir, 'add', '-A')
  runGit(dir, 'commit', '-q', '--allow-empty', '--no-verify', '-m', 'Start')
}

/** Prepares a workspace for a project, with the defaults of a fresh config. */
export function prepare(
  project: string,
  dirs: Dirs,
  input: Partial<PrepareInput> & { workspaceConfig?: Record<string, unknown> } = {},
): Promise<PreparedWorkspace> {
  const { workspaceConfig = {}, ...rest } = input
  const config = Config.parse({ workspace: workspaceConfig })
  return prepareWorkspace(
    { dirs },
    {
      project,
      name: 'WFS-test-login',
      run: RUN,
      chain: 'chain-1',
      at: AT,
      config,
      env: process.env,
      ...rest,
    },
  )
}

export type Made = { project: string; workspace: Workspace; dirs: Dirs }

/** A prepared workspace of a repository with `SAMPLE` or the given files. */
export function makeWorkspace(files: Files = SAMPLE): Promise<Made> {
  return placeOf(JSON.stringify(files), (dir) => makeWorkspaceIn(dir, files))
}

/**
 * The same in a directory, for what `placeOf` copies.
 *
 * @param more what else the project gets before it is prepared
 */
export async function makeWorkspaceIn(
  dir: string,
  files: Files = SAMPLE,
  more: (project: string) => void = () => undefined,
): Promise<Made> {
  const project = path.join(dir, 'project')
  copyOf(JSON.stringify(files), project, (template) => startRepo(template, files))
  more(project)
  const dirs = dirsIn(dir)
  const given = files['ratchet.config.json']
  const config = (typeof given === 'string' ? jsonOf(given) : undefined) as
    { workspace?: Record<string, unknown> } | undefined
  const { workspace } = await prepare(project, dirs, { workspaceConfig: config?.workspace ?? {} })
  return { project, workspace, dirs }
}

/** Copies a workspace, so that one start can be used several times. */
export function copyWorkspace(workspace: Workspace): Workspace {
  const dir = tempDir()
  copyTree(path.dirname(workspace.root), path.join(dir, 'ws'))
  const root = path.join(dir, 'ws', path.basename(workspace.root))
  return { ...workspace, root, cwd: path.join(root, path.relative(workspace.root, workspace.cwd)) }
}

/** Ratchet's own git directory of a clone. */
export const gitOf = ({ root }: Pick<Workspace, 'root'>): string =>
  path.join(path.dirname(root), 'git')

/** The refs of the repository by name. */
export function refs(dir: string): Record<string, string> {
  const lines = runGit(dir, 'for-each-ref', '--format=%(refname) %(objectname)')
    .split('\n')
    .filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
}

/**
 * Files of a work tree without `.git`: content, link target or `dir/` of empty directories,
 * executables marked.
 */
export function filesOf(dir: string, skip: readonly string[] = []): Record<string, string> {
  const found: Record<string, string> = {}
  walk(dir, '', (name, file) => {
    if (name === '.git' || skip.includes(path.basename(name))) return false
    const stats = lstatSync(file)
    if (stats.isSymbolicLink()) found[name] = `-> ${readlinkSync(file)}`
    else if (!stats.isDirectory())
      found[name] = `${stats.mode & 0o100 ? '* ' : ''}${readFileSync(file, 'utf8')}`
    else if (readdirSync(file).length === 0) found[`${name}/`] = ''
    return true
  })
  return found
}

/** Files of a commit with their contents, as git has them. */
export function filesIn(dir: string, commit: string): Record<string, string> {
  const blobs = runGit(dir, 'ls-tree', '-r', '-z', commit)
    .split('\0')
    .map((line) => /^\d+ blob (\S+)\t([^]*)$/.exec(line))
    .filter((found) => found !== null)
  const files: Record<string, string> = {}
  // Each entry is a line with the size, then the content and a line end.
  let rest = execFileSync('git', ['cat-file', '--batch=%(objectsize)'], {
    cwd: dir,
    input: blobs.map(([, sha]) => `${sha}\n`).join(''),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  for (const [, , name = ''] of blobs) {
    const begin = rest.indexOf('\n') + 1
    const end = begin + Number(rest.subarray(0, begin))
    files[name] = rest.subarray(begin, end).toString('utf8')
    rest = rest.subarray(end + 1)
  }
  return files
}

const OURS = /^\.git\/(objects|lfs|(logs\/)?refs\/(ratchet|heads\/ratchet|heads\/ratchet-runs))$/

/**
 * Every file of a project with content, mode and time, including `.git`, but without what Ratchet
 * may add: objects, LFS files, its own refs and their logs.
 */
export function fingerprint(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  walk(root, '', (name, file) => {
    if (OURS.test(name)) return false
    const stats = lstatSync(file)
    if (stats.isSymbolicLink()) found[name] = `link ${readlinkSync(file)}`
    else if (stats.isDirectory()) found[`${name}/`] = `${stats.mode}`
    else found[name] = `${stats.mode} ${stats.mtimeMs} ${digest(readFileSync(file))}`
    return true
  })
  return found
}

/** Fingerprint of the user's repository, without the records of runs. */
export function outsideOfRecord(project: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fingerprint(project)).filter(([file]) => !file.startsWith('.workflow')),
  )
}

// `visit` says whether to go into a directory.
function walk(root: string, folder: string, visit: (name: string, file: string) => boolean): void {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const name = path.join(folder, entry.name)
    if (visit(name, path.join(root, name)) && entry.isDirectory()) walk(root, name, visit)
  }
}

/** Hooks that fail every git command in the repository and record that they ran. */
export function installFailingHooks(root: string): { ran: () => boolean } {
  const hooks = path.join(root, '.git', 'hooks')
  const trace = path.join(tempDir(), 'hook-ran')
  for (const name of [
    'pre-commit',
    'commit-msg',
    'prepare-commit-msg',
    'post-commit',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'post-rewrite',
    'pre-push',
  ])
    writeFiles(hooks, { [name]: { script: `#!/bin/sh\necho ${name} >> '${trace}'\nexit 1\n` } })
  return {
    ran: () => {
      try {
        return readFileSync(trace, 'utf8') !== ''
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    },
  }
}

// A program that starts fast, as git runs it for each file.
const LFS = `#!/bin/sh
set -e
objects=$(git rev-parse --git-common-dir)/lfs/objects
content=$(mktemp)
trap 'rm -f "$content"' EXIT
cat > "$content"
oid=$(sed -n '1 { /^version https:..git-lfs/! q; }; s/^oid sha256://p' "$content")
if [ -n "$oid" ]; then
  file=$objects/$(echo "$oid" | sed 's,^\\(..\\)\\(..\\),\\1/\\2/&,')
  if [ "$1" = clean ]; then cat "$content"; else cat "$file"; fi
elif [ "$1" = smudge ]; then cat "$content"
else
  oid=$( (sha256sum || shasum -a 256) < "$content" 2> /dev/null | cut -c 1-64)
  file=$objects/$(echo "$oid" | sed 's,^\\(..\\)\\(..\\),\\1/\\2/&,')
  mkdir -p "$(dirname "$file")"
  cp "$content" "$file"
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$oid" "$(wc -c < "$content" | tr -d ' ')"
fi
`

/** Imitates LFS: a required filter with its own store in the git directory. */
export function installFakeLfs(root: string): void {
  const program = path.join(tempDir(), 'lfs')
  writeFiles(path.dirname(program), { lfs: { script: LFS } })
  for (const what of ['clean', 'smudge'])
    runGit(root, 'config', `filter.lfs.${what}`, `'${program}' ${what}`)
  runGit(root, 'config', 'filter.lfs.required', 'true')
}
