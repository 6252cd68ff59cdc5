// `supervisor-children.json`: the workers a supervisor has started, so that the next one can end
// them when it was killed. They live on without it, in the environment they were started with.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { replaceFileSync } from '../adapters/files/replace-file.js'
import type { Dirs } from '../adapters/state-dir.js'
import { storedJson } from '../adapters/files/stored-json.js'
import { ProcessIdentity } from '../contract/registry.js'

const Child = z.object({
  name: z.enum(['workflows', 'projects']),
  /** Keys of the projects that it has open. */
  keys: z.array(z.string()),
  identity: ProcessIdentity,
})
export type Child = z.infer<typeof Child>

const file = (dirs: Dirs): string => path.join(dirs.state, 'supervisor-children.json')

/** Records the workers; at once, as the supervisor may be killed in the next moment. */
export function recordChildren(dirs: Dirs, children: Child[]): void {
  replaceFileSync(file(dirs), JSON.stringify(children, null, 2), { mode: 0o600 })
}

/** Forgets them; possible on a full disk as well. */
export function forgetChildren(dirs: Dirs): void {
  rmSync(file(dirs), { force: true })
}

/**
 * The recorded workers that still live. A file that a power loss left damaged names none; marks
 * find what it named.
 */
export function livingChildren(dirs: Dirs): Child[] {
  return (storedJson(file(dirs), z.array(Child)) ?? []).filter((child) => isAlive(child.identity))
}
