// Reads refs and commits of an agent's `.git` as files. git never reads that directory on Ratchet's
// behalf, so links are not followed, every size is bounded, and what cannot be read is not there.
//
// Packed commits and ref tables are not read.
import { createHash } from 'node:crypto'
import { opendirSync } from 'node:fs'
import path from 'node:path'
import { inflateSync } from 'node:zlib'
import type { CloneCommit } from '../../../core/agents/left-branches.js'
import { isOwnDir, readBytes } from '../../records/safe-files.js'

/** Bytes of a commit, compressed or not, and of the list of packed refs. */
const COMMIT_BYTES = 64 * 1024
const PACKED_BYTES = 1024 * 1024
const REF_BYTES = 1024
/** Files and folders of refs that are looked at, and how deep they lie. */
const REFS = 5_000
const DEPTH = 12
/** Parents and characters of a commit that are kept. */
const PARENTS = 16
const CHARS = 200
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Returns the local branches of a `.git`, sorted by name. */
export function branchesIn(gitDir: string): { branch: string; commit: string }[] {
  const found = new Map<string, string>()
  for (const line of textIn(path.join(gitDir, 'packed-refs'), PACKED_BYTES).split('\n', REFS)) {
    const [, commit = '', branch = ''] = /^([0-9a-f]+) refs\/heads\/(.+)$/.exec(line) ?? []
    if (HASH.test(commit)) found.set(branch, commit)
  }
  for (const file of refFiles(path.join(gitDir, 'refs', 'heads'))) {
    const commit = textIn(path.join(gitDir, 'refs', 'heads', file), REF_BYTES).trim()
    if (HASH.test(commit)) found.set(file, commit)
  }
  return [...found]
    .map(([branch, commit]) => ({ branch, commit }))
    .sort((a, b) => (a.branch < b.branch ? -1 : 1))
}

/** Returns the commit that is checked out. */
export function headIn(
  gitDir: string,
  branches: readonly { branch: string; commit: string }[],
): string | undefined {
  const text = textIn(path.join(gitDir, 'HEAD'), REF_BYTES).trim()
  if (HASH.test(text)) return text
  const name = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1]
  return branches.find(({ branch }) => branch === name)?.commit
}

/** Returns a commit that lies in a file of its own, and is what its name says. */
export function commitIn(gitDir: string, hash: string): CloneCommit | undefined {
  const file = path.join(gitDir, 'objects', hash.slice(0, 2), hash.slice(2))
  const packed = bytesIn(file, COMMIT_BYTES)
  if (packed === undefined) return undefined
  const bytes = inflated(packed)
  if (bytes === undefined) return undefined
  const is = createHash(hash.length === 40 ? 'sha1' : 'sha256')
    .update(bytes)
    .digest('hex')
  const start = bytes.indexOf(0)
  if (is !== hash || !bytes.subarray(0, start).toString().startsWith('commit ')) return undefined
  const text = bytes.subarray(start + 1).toString('utf8')
  const end = text.indexOf('\n\n')
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n')
  const named = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  return {
    tree: named('tree')[0] ?? '',
    parents: named('parent')
      .filter((parent) => HASH.test(parent))
      .slice(0, PARENTS),
    subject: (end < 0 ? '' : text.slice(end)).trimStart().split('\n', 1).join('').slice(0, CHARS),
  }
}

function refFiles(top: string): string[] {
  const files: string[] = []
  let left = REFS
  const visit = (folder: string, depth: number): void => {
    if (depth > DEPTH) return
    const folders: string[] = []
    try {
      if (!isOwnDir(path.join(top, folder), 1)) return
      const dir = opendirSync(path.join(top, folder))
      try {
        for (let entry = dir.readSync(); entry !== null && left > 0; entry = dir.readSync()) {
          left--
          const name = path.posix.join(folder, entry.name)
          if (entry.isDirectory()) folders.push(name)
          else if (entry.isFile()) files.push(name)
        }
      } finally {
        dir.closeSync()
      }
    } catch {
      return
    }
    for (const one of folders) visit(one, depth + 1)
  }
  visit('', 0)
  return files
}

function textIn(file: string, most: number): string {
  return bytesIn(file, most)?.toString('utf8') ?? ''
}

/** The first bytes of a file, `undefined` where there is none that can be read. */
function bytesIn(file: string, most: number): Buffer | undefined {
  try {
    const read = readBytes(file, most)
    return read !== undefined && 'first' in read ? read.first : undefined
  } catch {
    return undefined
  }
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: COMMIT_BYTES })
  } catch {
    return undefined
  }
}
