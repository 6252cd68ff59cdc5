// Scans files and folders of a workspace that git does not see.
import { chmod, lstat, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { inBatches } from '../files/in-batches.js'
import { statsOf } from '../files/stats-of.js'

/** Times in milliseconds. `kept`: the user's tree does not hold the same file. */
export const Entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dir') }),
  z.object({ type: z.literal('link'), target: z.string() }),
  z.object({
    type: z.literal('file'),
    size: z.number(),
    mtimeMs: z.number(),
    ctimeMs: z.number(),
    mode: z.number(),
    kept: z.boolean().optional(),
  }),
  z.object({ type: z.literal('other') }),
])
export type Entry = z.infer<typeof Entry>
export type FileEntry = Extract<Entry, { type: 'file' }>

/** Returns whether a file is as an entry says. */
export function isSame(entry: Entry, now: Entry | undefined): boolean {
  if (entry.type === 'file' && now?.type === 'file')
    return (
      entry.size === now.size &&
      entry.mtimeMs === now.mtimeMs &&
      entry.ctimeMs === now.ctimeMs &&
      entry.mode === now.mode
    )
  return entry.type === 'link' && now?.type === 'link'
    ? entry.target === now.target
    : entry.type === now?.type
}

export const isBelow = (file: string, dir: string) => file === dir || file.startsWith(`${dir}/`)

/**
 * Returns the roots whose folders are still folders: nothing is written through a link, and git
 * sees that one.
 */
export async function reachable(root: string, roots: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const dir of roots) {
    const parts = path.posix.dirname(dir) === '.' ? [] : path.posix.dirname(dir).split('/')
    const above = await Promise.all(
      parts.map((_, i) => entryOf(path.join(root, ...parts.slice(0, i + 1)))),
    )
    if (above.every((entry) => entry === undefined || entry.type === 'dir')) found.push(dir)
  }
  return found
}

export async function scan(
  root: string,
  roots: readonly string[],
  {
    repair = false,
    isOurs = () => true,
  }: { repair?: boolean; isOurs?: (file: string) => boolean } = {},
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  let level = [...roots]
  while (level.length > 0) {
    const next: string[] = []
    await inBatches(level, async (file) => {
      const at = path.join(root, file)
      const entry = await entryOf(at)
      if (entry === undefined) return
      if (isOurs(file)) found.set(file, entry)
      if (entry.type !== 'dir') return
      if (repair) await makeReadable(at)
      next.push(...(await readdir(at)).map((name) => path.posix.join(file, name)))
    })
    level = next
  }
  return found
}

/** Gives the owner access: an agent's folder without rights would hide its files. */
export async function makeReadable(dir: string): Promise<void> {
  const { mode } = await lstat(dir)
  if ((mode & 0o700) !== 0o700) await chmod(dir, (mode & 0o7777) | 0o700)
}

export async function entryOf(file: string): Promise<Entry | undefined> {
  const stats = await statsOf(file)
  if (stats === undefined) return undefined
  if (stats.isDirectory()) return { type: 'dir' }
  if (stats.isSymbolicLink()) return { type: 'link', target: await readlink(file) }
  return stats.isFile()
    ? {
        type: 'file',
        size: stats.size,
        mtimeMs: stats.mtimeMs,
        ctimeMs: stats.ctimeMs,
        mode: stats.mode & 0o7777,
      }
    : { type: 'other' }
}
