// The role texts, one Markdown file for each role, shipped in roles/ next to dist.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROLES, type Role } from '../../contract/config/agent-config.js'
import { packaged } from '../package.js'

const DIRECTORY = packaged('roles')

/** Returns the text of a role. Throws if the package has none. */
export function roleText(role: Role, directory = DIRECTORY): string {
  // Before it becomes a path
  if (!ROLES.includes(role)) throw new Error(`no such role: ${JSON.stringify(role)}`)
  const file = path.join(directory, `${role}.md`)
  if (!existsSync(file)) throw new Error(`no text for role ${role}: ${file} is missing`)
  return readFileSync(file, 'utf8').trim()
}
