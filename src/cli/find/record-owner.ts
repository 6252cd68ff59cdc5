// Which run has the record of a session: the file that src/adapters/owner.ts writes when one takes
// it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Dirs } from '../../adapters/state-dir.js'

/**
 * Workflow id of the run that last took the record of this name, `undefined` where none did. The
 * name is checked before.
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
