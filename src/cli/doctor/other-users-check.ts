// Whether other people can reach the ports of the local server on this machine.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { otherUsers } from '../../core/other-users.js'
import { pass, warn, type Check } from './check.js'

const NAME = 'other users'
/** Names that are said. */
const SAID = 5

/** @param isPrivate whether the local server is, or will be at its next start */
export function otherUsersCheck(isPrivate: boolean): Check {
  const others = process.platform === 'darwin' ? macUsers() : linuxUsers()
  if (others.length === 0) return pass(NAME, 'no other person can log in to this machine')
  const more = others.length > SAID ? ` and ${others.length - SAID} more` : ''
  const who = `${others.slice(0, SAID).join(', ')}${more} can log in to this machine`
  return isPrivate
    ? pass(NAME, `${who}; the local server is private`)
    : warn(
        NAME,
        `${who}, and can start and steer runs as you`,
        'ratchet dev --private, or for every start: "local": { "private": true } in ~/.config/ratchet/config.json',
      )
}

function linuxUsers(): string[] {
  try {
    return otherUsers(readFileSync('/etc/passwd', 'utf8'), process.getuid?.() ?? -1)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

// Their accounts are in a directory service; each person has a home.
function macUsers(): string[] {
  return readdirSync('/Users').filter((name) => {
    const { uid } = statSync(path.join('/Users', name))
    return uid > 500 && uid !== process.getuid?.()
  })
}
