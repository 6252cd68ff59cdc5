// Finds in the output of tests what a sandbox kept from them. It reads the errors of Node, Python,
// Go, the C library and curl; what it finds is a hint for a person and decides nothing.

import { joinNames } from '../text/join-names.js'

/** `network`: `host`, `host:port` or `localhost:port`. `write`, `hide`: a path. */
export type Blocked = { kind: 'network' | 'write' | 'hide'; at: string }

const HOST = String.raw`[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])`
const FILE = String.raw`(\/[^\s'":,)]+)`
const QUOTED = String.raw`['"](\/[^'"]+)['"]`

/** Groups: a port of this machine. */
const LOCAL_PORTS = [
  /(?:ECONNREFUSED|connect to|dial tcp|connecting to) (?:127\.0\.0\.1|\[?::1\]?|localhost)[: ](\d+)/gi,
  /(?:localhost|127\.0\.0\.1|::1)\W{0,4},? port[= ](\d+)[^\n]*(?:refused|failed)/gi,
]
/** Groups: a host, perhaps with a port. */
const HOSTS = [
  new RegExp(String.raw`(?:EAI_AGAIN|ENOTFOUND) (${HOST})`, 'g'),
  new RegExp(String.raw`Could not resolve host: (${HOST})`, 'gi'),
  new RegExp(String.raw`Failed to resolve '(${HOST})'`, 'gi'),
  new RegExp(String.raw`HTTPS?ConnectionPool\(host='(${HOST})'`, 'g'),
  new RegExp(String.raw`dial tcp: lookup (${HOST})(?=[: ])`, 'g'),
  new RegExp(String.raw`(${HOST}:\d+) is not among the hosts that this sandbox may reach`, 'g'),
]
/** Groups: a file or directory that cannot be written. */
const WRITES = [
  new RegExp(String.raw`(?:EROFS|EPERM): [a-z -]+, \w+ ${QUOTED}`, 'g'),
  new RegExp(String.raw`Read-only file system: ${QUOTED}`, 'gi'),
  new RegExp(String.raw`${QUOTED}: Read-only file system`, 'gi'),
  new RegExp(String.raw`${FILE}: Read-only file system`, 'gi'),
]
/** Groups: a file that is not there. */
const MISSING = [
  new RegExp(String.raw`ENOENT[^\n]*? ${QUOTED}`, 'g'),
  new RegExp(String.raw`ENOENT ${FILE}`, 'g'),
  new RegExp(String.raw`No such file or directory: ${QUOTED}`, 'gi'),
  new RegExp(String.raw`${FILE}: no such file or directory`, 'gi'),
]

/**
 * Returns what was refused inside and not outside, each once.
 *
 * @param hidden paths that a sandbox hides
 */
export function blockedIn(inside: string, outside: string, hidden: readonly string[]): Blocked[] {
  const known = new Set(allIn(outside, hidden).map(keyOf))
  const found = new Map(allIn(inside, hidden).map((one) => [keyOf(one), one]))
  return [...found.values()].filter((one) => !known.has(keyOf(one)))
}

/** Says what was refused, in half a sentence. */
export function blockedText({ kind, at }: Blocked): string {
  if (kind === 'network') return `reach ${at}`
  return kind === 'write' ? `write ${at}` : `read ${at}, which every sandbox hides`
}

/** Says what failing tests could not do inside, where no run outside tells whether they could. */
export function blockedHint(blocked: readonly Blocked[], use: string): string {
  return `failing tests could not ${joinNames(blocked.map(blockedText))}, perhaps because of the sandbox (${use}); ratchet doctor --sandbox compares`
}

/**
 * Returns the setting that lets it through, as a line for ratchet.config.json; `undefined` if there
 * is none.
 *
 * @param home the home directory, of which no one should be given the whole
 */
export function letThrough(blocked: readonly Blocked[], home: string): string | undefined {
  const of = (kind: Blocked['kind']): string[] =>
    blocked.flatMap((one) => (one.kind === kind ? [one.at] : []))
  const [network, write] = [of('network'), of('write').flatMap((file) => folderOf(file, home))]
  if (network.length + write.length === 0) return undefined
  return `"sandbox": ${JSON.stringify({
    use: 'auto',
    ...(network.length === 0 ? {} : { network }),
    ...(write.length === 0 ? {} : { write: [...new Set(write)] }),
  })}`
}

// What is to be written may not be there yet, so that its directory is named.
function folderOf(file: string, home: string): string[] {
  const folder = file.slice(0, file.lastIndexOf('/'))
  if (folder === '' || `${home}/`.startsWith(`${folder}/`)) return []
  return [folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder]
}

function allIn(text: string, hidden: readonly string[]): Blocked[] {
  const every = (patterns: readonly RegExp[]): string[] =>
    patterns.flatMap((one) => [...text.matchAll(one)].map((match) => match[1] ?? ''))
  const isHidden = (file: string): boolean =>
    hidden.some((one) => file === one || file.startsWith(`${one}/`))
  return [
    ...every(LOCAL_PORTS).map((port): Blocked => ({ kind: 'network', at: `localhost:${port}` })),
    ...every(HOSTS).map((at): Blocked => ({ kind: 'network', at })),
    ...every(WRITES).map((at): Blocked => ({ kind: 'write', at })),
    ...every(MISSING)
      .filter(isHidden)
      .map((at): Blocked => ({ kind: 'hide', at })),
  ]
}

const keyOf = ({ kind, at }: Blocked): string => `${kind} ${at}`
