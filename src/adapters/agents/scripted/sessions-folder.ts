// Where the playbook agent keeps its sessions: with the workspace of the run. One that a person
// starts by hand keeps them in the temporary directory, which other users of the machine share.
import { lstatSync, mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { AgentDefinition } from '../../../contract/config/agent-config.js'
import type { Workspace } from '../../../contract/workspace.js'

/** Variable that names the folder. */
export const SESSIONS_VARIABLE = 'RATCHET_PLAYBOOK_STATE'

/** Makes the folder for an agent of a run; `undefined` for one that is not scripted. */
export function scriptedSessions(
  { protocol }: Pick<AgentDefinition, 'protocol'>,
  { keep, root }: Pick<Workspace, 'keep' | 'root'>,
): string | undefined {
  if (protocol !== 'playbook') return undefined
  const folder = path.join(keep ?? path.dirname(root), 'playbook')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Makes the folder that the variable names, or that of this user in the temporary directory.
 *
 * @throws Error if the latter is a link, belongs to another user or is open to others: its name can
 * be guessed
 */
export function sessionsFolder(env: NodeJS.ProcessEnv): string {
  const named = env[SESSIONS_VARIABLE]
  const uid = process.getuid?.() ?? 0
  const folder = named ?? path.join(os.tmpdir(), `ratchet-playbook-${uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (named !== undefined) return folder
  const is = lstatSync(folder)
  if (is.isDirectory() && is.uid === uid && (is.mode & 0o077) === 0) return folder
  throw new Error(
    `${folder} is not a directory of this user alone; remove it, or set ${SESSIONS_VARIABLE} to a directory for the sessions of the playbook agent`,
  )
}
