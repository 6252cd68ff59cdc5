// Whether tests in the workspace would test the workspace: packages that are links to the user's
// project, or installed from there in editable mode, would be tested instead.
//
// It looks at what is installed. A test that names the user's tree by absolute path is not found.
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { execFile } from 'node:child_process'
import which from 'which'
import { RefusalError } from '../../contract/failures.js'
import { dependencyFolders, type Places } from './dependencies.js'
import { isInside } from './environment.js'
import { linksBelow, pathsIn } from './relocate.js'

/**
 * A package that resolves to the user's project; `through` is the file or link that leads there.
 */
export type Leak = { name: string; resolvesTo: string; through: string }

/**
 * Checks Node and Python packages of a workspace.
 *
 * @param env the environment of the tests
 * @throws RefusalError `WorkspaceNotIsolated`
 */
export async function checkIsolation(places: Places, env: NodeJS.ProcessEnv): Promise<void> {
  const project = await realpath(places.from)
  const linked = await probeNodeModules(places, project)
  if (linked !== undefined)
    throw notIsolated(linked, 'set workspace.dependencies to "install" in ratchet.config.json')
  const cwd = path.join(places.to, places.folder)
  const python = await pythonOf(places, env)
  const editable =
    python === undefined ? undefined : await probePython({ python: [python], project, cwd, env })
  if (editable !== undefined)
    throw notIsolated(
      editable,
      'install it into an environment inside the project, like .venv, which is copied and pointed at the workspace; or without -e; or set workspace.isolation to "in-place" in ratchet.config.json',
    )
}

function notIsolated({ name, resolvesTo, through }: Leak, next: string): RefusalError {
  return new RefusalError(
    'WorkspaceNotIsolated',
    'the tests would run against your own tree, not the workspace',
    `${name} resolves to ${resolvesTo} through ${through}`,
    next,
  )
}

async function probeNodeModules(places: Places, project: string): Promise<Leak | undefined> {
  for (const folder of dependencyFolders(places)) {
    const modules = path.join(places.to, folder, 'node_modules')
    for (const link of existsSync(modules) ? await linksBelow(modules) : []) {
      const target = await targetOf(link)
      if (target !== undefined && isInside(target, project))
        return { name: path.relative(modules, link), resolvesTo: target, through: link }
    }
  }
  return undefined
}

async function targetOf(link: string): Promise<string | undefined> {
  try {
    return await realpath(link)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ELOOP') return undefined // leads nowhere
    throw error
  }
}

const PYTHON_MARKS = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'pytest.ini',
  'tox.ini',
  'requirements.txt',
  'Pipfile',
]

/**
 * Interpreter of the tests: the workspace's own environment, else the one on PATH; `undefined`
 * where it is no Python project.
 */
export async function pythonOf(
  { to, folder, files }: Pick<Places, 'to' | 'folder' | 'files'>,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const prefix = folder === '' ? '' : `${folder}/`
  const own = files
    .filter((file) => file.startsWith(prefix))
    .map((file) => file.slice(prefix.length))
  const isPython = own.some(
    (file) => PYTHON_MARKS.includes(file) || /^(tests?\/.*|[^/]*)\.py$/.test(file),
  )
  if (!isPython) return undefined
  for (const dir of [path.join(to, folder), to]) {
    for (const name of ['.venv', 'venv']) {
      const python = path.join(dir, name, 'bin', 'python')
      if (existsSync(python)) return python
    }
  }
  const search = { path: env['PATH'] ?? '', nothrow: true } as const
  return (await which('python3', search)) ?? (await which('python', search)) ?? undefined
}

/** Prints what could lead an import out of the workspace, as JSON. */
const PROBE = `
import importlib.metadata as metadata, json, os, site, sys, sysconfig
found = {"prefixes": [sys.prefix, sys.base_prefix], "path": [p for p in sys.path if p], "editable": [], "finders": []}
for dist in metadata.distributions():
    try:
        url = json.loads(dist.read_text("direct_url.json") or "{}")
    except ValueError:
        continue
    if url.get("dir_info", {}).get("editable"):
        found["editable"].append([dist.metadata["Name"] or "?", url.get("url", "")])
for folder in found["path"]:
    if not os.path.isdir(folder):
        continue
    for name in sorted(os.listdir(folder)):
        file = os.path.join(folder, name)
        if name.endswith(".pth") or (name.startswith("__editable__") and name.endswith(".py")):
            with open(file, encoding="utf-8", errors="replace") as text:
                found["finders"].append([file, text.read()])
print("\\n" + json.dumps(found))
`

type Found = {
  prefixes: string[]
  path: string[]
  editable: [string, string][]
  finders: [string, string][]
}

/**
 * Asks an interpreter whether it imports from the user's project.
 *
 * @param input.python the interpreter with its arguments, e.g. `['uv', 'run', 'python']`
 * @param input.project real path of the user's repository or project
 * @returns the first package found to do so; `undefined` where none does, or the interpreter does
 * not start
 */
export async function probePython({
  python,
  project,
  cwd,
  env,
}: {
  python: string[]
  project: string
  cwd: string
  env: NodeJS.ProcessEnv
}): Promise<Leak | undefined> {
  const [program, ...args] = python
  if (program === undefined) return undefined
  const out = await printed(program, [...args, '-c', PROBE], cwd, env)
  if (out === undefined) return undefined
  const found = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Found
  const inProject = async (file: string) => isInside((await targetOf(file)) ?? file, project)
  for (const [name, url] of found.editable) {
    const target = url.startsWith('file://') ? decodeURIComponent(new URL(url).pathname) : ''
    if (target !== '' && (await inProject(target)))
      return { name, resolvesTo: target, through: 'an editable install' }
  }
  for (const [file, text] of found.finders) {
    const named = pathsIn(text)
    for (const target of named)
      if (await inProject(target))
        return { name: path.basename(file), resolvesTo: target, through: file }
  }
  const prefixes = await Promise.all(
    found.prefixes.map(async (prefix) => (await targetOf(prefix)) ?? prefix),
  )
  for (const entry of found.path) {
    const target = (await targetOf(entry)) ?? entry
    // An environment inside the project holds packages, not the project.
    if (
      isInside(target, project) &&
      !prefixes.some((prefix) => isInside(target, prefix) && prefix !== project)
    )
      return { name: 'sys.path', resolvesTo: entry, through: program }
  }
  return undefined
}

/** Longest time for the interpreter to answer, in milliseconds. */
const PROBE_MS = 60_000

// Output of a program, or `undefined` where it does not start or fails: then the tests will say so
// too.
function printed(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const options = {
    cwd,
    env: { ...env, PWD: cwd, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: PROBE_MS,
    maxBuffer: 64 << 20,
    encoding: 'utf8',
  } as const
  return new Promise((resolve) =>
    execFile(program, args, options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    ),
  )
}
