// Parts of files whose writer was killed: see `replaceFile`, which gives them their names.
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { identify } from '../process/identity.js'

/** What the name of a part adds to that of its file: the writer's pid, and chance. */
const PART = /^\.(\d{1,10})\.[0-9a-f]{8}$/

/** Removes what killed writers of a file left next to it. */
export function removeDeadParts(file: string): void {
  const [dir, base] = [path.dirname(file), path.basename(file)]
  for (const name of readdirSync(dir)) {
    const pid = name.startsWith(base) ? PART.exec(name.slice(base.length))?.[1] : undefined
    if (pid !== undefined && identify(Number(pid)) === undefined)
      rmSync(path.join(dir, name), { force: true })
  }
}
