// Who owns a record: one workflow at a time. Two runs started under different ids with the same
// session name must not write the same files.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { fileName, idProblem } from '../contract/ids.js'
import { acquireLock } from './process/lock.js'
import { replaceFile } from './files/replace-file.js'
import { layout, type Dirs } from './state-dir.js'

/**
 * Takes a record for a workflow, from a predecessor that has ended. Of two that take it at once,
 * one gets it.
 *
 * @param isOpen tells whether a workflow of that id runs
 * @throws RefusalError `RecordOwned`
 */
export async function takeRecord(
  dirs: Dirs,
  projectKey: string,
  name: string,
  workflowId: string,
  isOpen: (workflowId: string) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const problem = idProblem(name)
  if (problem !== undefined)
    throw new RefusalError(BAD_INPUT, `session: ${problem}`, name, 'choose another session name')
  const file = ownerFile(dirs, projectKey, name)
  const release = await acquireLock(
    path.join(layout.locks(dirs), `owner-${projectKey}-${fileName(name)}`),
    signal && { signal },
  )
  try {
    const owner = read(file)
    if (owner !== undefined && owner !== workflowId && (await isOpen(owner)))
      throw new RefusalError(
        'RecordOwned',
        `the record of ${name} belongs to the open run ${owner}`,
        file,
        `follow it with: ratchet watch ${owner}, or choose another name`,
      )
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    await replaceFile(file, JSON.stringify({ workflowId }), { mode: 0o600 })
  } finally {
    await release()
  }
}

/** Workflow id that took a record last, or `undefined`. */
export function ownerOf(dirs: Dirs, projectKey: string, name: string): string | undefined {
  return read(ownerFile(dirs, projectKey, name))
}

// One file for all names of a record: its files have the name without colons.
function ownerFile(dirs: Dirs, projectKey: string, name: string): string {
  return path.join(dirs.state, 'owners', projectKey, `${fileName(name)}.json`)
}

function read(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { workflowId?: string }).workflowId
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
