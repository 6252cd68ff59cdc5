// Reads who else can log in to this machine.

/** Ids below are of the system, those above of containers and of no person. */
const FIRST_UID = 1_000
const LAST_UID = 60_000
const NO_LOGIN = /(^|\/)(nologin|false|sync|shutdown|halt)$/

/**
 * Returns the names of the people in an `/etc/passwd` of Linux, but for one.
 *
 * @param own the user id of the person who asks
 */
export function otherUsers(passwd: string, own: number): string[] {
  return passwd.split('\n').flatMap((line) => {
    const [name = '', , id = '', , , , shell = ''] = line.split(':')
    const uid = Number(id)
    const isPerson = id !== '' && uid >= FIRST_UID && uid <= LAST_UID && uid !== own && shell !== ''
    return isPerson && !NO_LOGIN.test(shell) ? [name] : []
  })
}
