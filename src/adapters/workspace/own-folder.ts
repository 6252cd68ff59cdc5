// Whether a measurement has removed the folder with Ratchet's own copies from a workspace. Until
// the next turn lays it out again, what is missing in it was removed by no agent.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OWN_DIR } from '../records/workspace-copies.js'
import { placeOf } from './prepared-note.js'

/** In the state directory, where no agent writes. */
const markOf = (root: string) => path.join(placeOf(root), 'own-folder-removed')

/**
 * Notes that paths are about to be removed from a workspace, before they are.
 *
 * @param removed relative to the workspace's root
 */
export function noteOwnFolder(root: string, removed: readonly string[]): void {
  if (removed.some((file) => file.split('/').includes(OWN_DIR))) writeFileSync(markOf(root), '')
}

/** Whether the folder was removed, and has not been laid out since. */
export function isOwnFolderRemoved(root: string): boolean {
  return existsSync(markOf(root))
}

/** Notes that the folder is laid out. */
export function ownFolderLaidOut(root: string): void {
  rmSync(markOf(root), { force: true })
}
