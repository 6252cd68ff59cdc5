// Parts of files whose writer was killed.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { identify } from '../process/identity.js'
import { PART } from './replace-file.js'

/** Removes what killed writers of a file left next to it. */
export function removeDeadParts(file: string): void {
  const [dir, base] = [path.dirname(file), path.basename(file)]
  for (const name of readdirSync(dir)) {
    const pid = name.startsWith(base) ? PART.exec(name.slice(base.length))?.[1] : undefined
    if (pid !== undefined && identify(Number(pid)) === undefined)
      rmSync(path.join(dir, name), { force: true })
  }
}
