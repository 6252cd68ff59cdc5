// What copied dependencies say about where the project lies: a copy must lead into the workspace.
//
// Links, scripts and editable installs name the user's project by absolute path where a tool made
// them so. Only what has a counterpart in the workspace is moved; the rest is for the isolation
// probe to refuse.
import { existsSync } from 'node:fs'
import {
  lstat,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isInside } from './environment.js'

/** Top of the user's repository, and root of the workspace. */
type Move = { from: string; to: string }

/**
 * Scripts of a virtual environment name its interpreter by absolute path, as it was typed when it
 * was made: a copied `pip` would install into the user's environment.
 */
export async function relocateVenv(source: string, target: string): Promise<void> {
  const bin = path.join(target, 'bin')
  const scripts = existsSync(bin)
    ? (await readdir(bin, { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(bin, entry.name))
    : []
  const texts = new Map<string, string>()
  for (const file of [path.join(target, 'pyvenv.cfg'), ...scripts]) {
    const content = existsSync(file) ? await readFile(file) : Buffer.alloc(0)
    if (!content.includes(0)) texts.set(file, content.toString('utf8'))
  }
  const names = new Set([source])
  for (const text of texts.values()) {
    const typed = /^#!(\/.*)\/bin\/python[\d.]*$/m.exec(text)?.[1]
    if (
      typed !== undefined &&
      !names.has(typed) &&
      existsSync(typed) &&
      (await realpath(typed)) === (await realpath(source))
    )
      names.add(typed)
  }
  for (const [file, text] of texts) {
    const moved = [...names].reduce((changed, name) => changed.replaceAll(name, target), text)
    if (moved !== text) await writeFile(file, moved)
  }
}

/** Points editable installs of a copied virtual environment at the workspace. */
export async function relocateEditable(venv: string, move: Move): Promise<void> {
  for (const file of await editableFiles(venv)) {
    const text = await readFile(file, 'utf8')
    const moved = file.endsWith('.json') ? await movedUrl(text, move) : await movedPaths(text, move)
    if (moved !== text) await writeFile(file, moved)
  }
}

async function editableFiles(venv: string): Promise<string[]> {
  const found: string[] = []
  const lib = path.join(venv, 'lib')
  for (const python of existsSync(lib) ? await readdir(lib) : []) {
    const site = path.join(lib, python, 'site-packages')
    for (const name of existsSync(site) ? await readdir(site) : []) {
      if (/\.(pth|egg-link)$|^_.*editable.*\.py$/.test(name)) found.push(path.join(site, name))
      const url = path.join(site, name, 'direct_url.json')
      if (name.endsWith('.dist-info') && existsSync(url)) found.push(url)
    }
  }
  return found
}

async function movedPaths(text: string, move: Move): Promise<string> {
  let moved = text
  // The longest first: one may be the beginning of another.
  for (const named of [...new Set(pathsIn(text))].sort((a, b) => b.length - a.length)) {
    const there = await counterpart(named, move)
    if (there !== undefined) moved = replacePath(moved, named, there)
  }
  return moved
}

// Only where it stands alone: /a/src is no part of /a/src-old.
function replacePath(text: string, named: string, there: string): string {
  const [first = '', ...rest] = text.split(named)
  return rest.reduce(
    (done, part) =>
      `${done}${/(^|[\s'"])$/.test(done) && /^($|[\s'"])/.test(part) ? there : named}${part}`,
    first,
  )
}

/** Lines of a .pth file, and strings of an `__editable__` finder, that are absolute paths. */
export function pathsIn(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('/'))
  const quoted = [...text.matchAll(/'(\/[^'\n]*)'|"(\/[^"\n]*)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return [...lines, ...quoted]
}

async function movedUrl(text: string, move: Move): Promise<string> {
  const url = /"url"\s*:\s*"(file:\/\/[^"]*)"/.exec(text)?.[1]
  if (url === undefined || !URL.canParse(url)) return text
  const there = await counterpart(decodeURIComponent(new URL(url).pathname), move)
  return there === undefined ? text : text.replace(url, () => pathToFileURL(there).href)
}

/** Points the absolute links of a copied directory that lead into the project at the workspace. */
export async function relocateLinks(dir: string, move: Move): Promise<void> {
  for (const link of await linksBelow(dir)) {
    const target = await readlink(link)
    const there = path.isAbsolute(target) ? await counterpart(target, move) : undefined
    if (there === undefined) continue
    await rm(link)
    await symlink(there, link)
  }
}

/** Every link below a directory; none is followed. */
export async function linksBelow(dir: string): Promise<string[]> {
  const found: string[] = []
  const left = [dir]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) found.push(path.join(next, entry.name))
      else if (entry.isDirectory()) left.push(path.join(next, entry.name))
    }
  }
  return found
}

// A path in the user's repository as one in the workspace, where there is something.
async function counterpart(file: string, { from, to }: Move): Promise<string | undefined> {
  const inside = isInside(file, from) ? path.relative(from, file) : await throughLink(file, from)
  if (inside === undefined) return undefined
  const there = path.join(to, inside)
  try {
    await lstat(there)
    return there
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function throughLink(file: string, from: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined
  const real = await realpath(file)
  return isInside(real, from) ? path.relative(from, real) : undefined
}
