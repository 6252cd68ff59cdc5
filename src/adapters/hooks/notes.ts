// Notes of sent events: each event of a run has one file. It is written before and after the hook
// is called, so an event is sent again only if this process died in between.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../files/replace-file.js'
import { layout, type Dirs } from '../state-dir.js'
import { storedJson } from '../files/stored-json.js'

const HookNote = z.object({
  event: z.string(),
  hook: z.string(),
  state: z.enum(['begun', 'told']),
  problem: z.string().optional(),
})
export type HookNote = z.infer<typeof HookNote>

/** The file of an event. A running command's output is next to it. */
export function noteFile(dirs: Dirs, run: string, eventId: string): string {
  return path.join(layout.hooks(dirs, run), `${eventId}.json`)
}

/** The note of an event, where there is one that can be read. */
export function readHookNote(file: string): HookNote | undefined {
  return storedJson(file, HookNote)
}

/** Writes the note of an event, for the user only. */
export async function writeHookNote(file: string, note: HookNote): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(note), { mode: 0o600 })
}
