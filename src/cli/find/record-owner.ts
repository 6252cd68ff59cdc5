// Finds the run that owns the record of a session, by the file that src/adapters/owner.ts writes.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dirs } from '../../adapters/state-dir.js'

/**
 * Returns the workflow id of the run that last claimed the record of this name, or `undefined`. The
 * caller has checked the name.
 */
export function ownerOf(dirs: Dirs, projectKey: string, name: string): string | undefined {
  try {
    const file = path.join(dirs.state, 'owners', projectKey, `${name}.json`)
    return (JSON.parse(readFileSync(file, 'utf8')) as { workflowId?: string }).workflowId
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
