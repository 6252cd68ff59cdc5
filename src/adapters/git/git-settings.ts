// Settings of the user's repository, for runs in place: an agent may write into `.git`, and git
// runs what the configuration, hooks, attributes and alternates there name. They are noted before a
// turn and compared after it.
//
// A setting that the user changes while a turn or a test run is under way is taken for the agent's
// and undone too.
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Workspace } from '../../contract/workspace.js'
import { replaceFile } from '../files/replace-file.js'
import { statsOf } from '../files/stats-of.js'
import { textOf } from '../files/read-text.js'
import { removeTree } from './user-repository/clean.js'
import { findRepo } from './repo.js'

/**
 * Below the directory that all worktrees share. `info` holds attributes, excludes and sparse
 * patterns.
 */
const GUARDED = ['config', 'config.worktree', 'hooks', 'info', 'objects/info'] as const
/** Removed where it changed: git makes it again. */
const CACHE = /^(info\/refs|objects\/info\/(?!(http-)?alternates$))/

/** `cache`: what git can make again, known by its times and size. `file` is base64. */
const Entry = z.union([
  z.object({ file: z.string(), mode: z.number() }),
  z.object({ link: z.string() }),
  z.object({ dir: z.literal(true) }),
  z.object({ cache: z.string() }),
])
type Entry = z.infer<typeof Entry>

/**
 * `commonDir`: kept, as git would read the settings to find it. `restored`: not named yet; `named`:
 * by step.
 */
const Note = z.object({
  schema: z.literal(1),
  commonDir: z.string(),
  entries: z.record(z.string(), Entry),
  restored: z.array(z.string()),
  named: z.record(z.string(), z.array(z.string())),
})
type Note = z.infer<typeof Note>

/** Notes the settings as they are, before an agent has its turn. Does nothing for a clone. */
export async function noteGitSettings(workspace: Workspace): Promise<void> {
  const file = noteOf(workspace)
  if (file === undefined) return
  const known = await readNote(file)
  const commonDir = known?.commonDir ?? (await findRepo(workspace.root)).commonDir
  const entries = await entriesOf(commonDir)
  if (known === undefined || !isDeepStrictEqual(known.entries, entries))
    await write(file, {
      schema: 1,
      commonDir,
      restored: known?.restored ?? [],
      named: known?.named ?? {},
      entries,
    })
}

/** Restores the settings that were noted. What was changed is named by the next step. */
export async function restoreGitSettings(workspace: Workspace): Promise<void> {
  const file = noteOf(workspace)
  const note = file === undefined ? undefined : await readNote(file)
  if (file === undefined || note === undefined) return
  const now = await entriesOf(note.commonDir)
  const names = [...new Set([...Object.keys(now), ...Object.keys(note.entries)])].sort()
  const changed = names.filter((name) => !isDeepStrictEqual(now[name], note.entries[name]))
  if (changed.length === 0) return
  // First: an attempt that is killed below finds nothing more to name the next time.
  await write(file, {
    ...note,
    restored: [...new Set([...note.restored, ...changed.map((name) => `.git/${name}`)])],
  })
  for (const name of changed) await removeTree(path.join(note.commonDir, name))
  for (const name of names) await restore(path.join(note.commonDir, name), note.entries[name])
}

/** What was restored since the step before. A repeated attempt of a step answers the same. */
export async function restoredSettings(workspace: Workspace, step: string): Promise<string[]> {
  const file = noteOf(workspace)
  const note = file === undefined ? undefined : await readNote(file)
  if (file === undefined || note === undefined) return []
  const all = [...new Set([...(note.named[step] ?? []), ...note.restored])].sort()
  if (note.restored.length > 0)
    await write(file, { ...note, restored: [], named: { ...note.named, [step]: all } })
  return all
}

function noteOf({ isolation, keep }: Workspace): string | undefined {
  return isolation === 'in-place' && keep !== undefined
    ? path.join(keep, 'git-settings.json')
    : undefined
}

async function entriesOf(commonDir: string): Promise<Record<string, Entry>> {
  const found: Record<string, Entry> = {}
  const visit = async (name: string): Promise<void> => {
    const file = path.join(commonDir, name)
    const stats = await statsOf(file)
    if (stats === undefined) return
    if (stats.isSymbolicLink()) found[name] = { link: await readlink(file) }
    else if (stats.isFile() && CACHE.test(name))
      found[name] = { cache: `${stats.ino} ${stats.size} ${stats.ctimeMs}` }
    else if (stats.isFile())
      found[name] = { file: await readFile(file, 'base64'), mode: stats.mode & 0o7777 }
    else if (stats.isDirectory()) {
      found[name] = { dir: true }
      for (const inner of (await readdir(file)).sort()) await visit(`${name}/${inner}`)
    } else found[name] = { cache: 'other' }
  }
  for (const name of GUARDED) await visit(name)
  return found
}

async function restore(file: string, entry: Entry | undefined): Promise<void> {
  if (entry === undefined || 'cache' in entry || (await isThere(file))) return
  if ('dir' in entry) await mkdir(file, { recursive: true })
  else if ('link' in entry) await symlink(entry.link, file)
  else await writeFile(file, Buffer.from(entry.file, 'base64'), { mode: entry.mode })
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}

async function write(file: string, note: Note): Promise<void> {
  await replaceFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 })
}

async function readNote(file: string): Promise<Note | undefined> {
  const text = await textOf(file)
  return text === undefined ? undefined : Note.parse(JSON.parse(text))
}
