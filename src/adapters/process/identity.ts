// A pid alone is reused; pid + start time + boot id is one process for ever.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../contract/registry.js'

let bootId: string | undefined

/** Id of the current boot of this machine. */
export function currentBootId(): string {
  bootId ??=
    process.platform === 'linux'
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      : execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
  return bootId
}

/** Identity of a living process, or `undefined`; a zombie does not live. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = process.platform === 'linux' ? linuxStartTime(pid) : psStartTime(pid)
  return startTime === undefined ? undefined : { pid, startTime, bootId: currentBootId() }
}

/** Whether exactly this process still lives. */
export function isAlive(identity: ProcessIdentity): boolean {
  return (
    identity.bootId === currentBootId() && identify(identity.pid)?.startTime === identity.startTime
  )
}

/**
 * Identity of a child that was started in this very turn of the event loop.
 *
 * It may be a zombie already, but its pid cannot be another's yet: it was not waited for.
 */
export function identifyStarted(pid: number): ProcessIdentity | undefined {
  const startTime =
    process.platform === 'linux' ? linuxStat(pid)?.[19] : (psStartTime(pid) ?? 'gone')
  return startTime === undefined ? undefined : { pid, startTime, bootId: currentBootId() }
}

/** This process. */
export function self(): ProcessIdentity {
  const own = identify(process.pid)
  if (own === undefined) throw new Error('cannot read the start time of this process')
  return own
}

function linuxStartTime(pid: number): string | undefined {
  const fields = linuxStat(pid)
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[19]
}

// Fields 3 and on of /proc/PID/stat; the 20th is the start, in clock ticks since boot. The command
// name (field 2) may hold blanks and brackets.
function linuxStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function psStartTime(pid: number): string | undefined {
  try {
    const out = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim()
    return out === '' || out.startsWith('Z') ? undefined : out.replace(/^\S+\s+/, '')
  } catch (error) {
    if ((error as { status?: number }).status === 1) return undefined // there is no such process
    throw error
  }
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ESRCH'
}
