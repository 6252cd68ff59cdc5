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
  return identity.bootId === currentBootId() && identify(identity.pid)?.startTime === identity.startTime
}

/** This process. */
export function self(): ProcessIdentity {
  const own = identify(process.pid)
  if (own === undefined) throw new Error('cannot read the start time of this process')
  return own
}

// Field 22 of /proc/PID/stat, in clock ticks since boot. The command name (field 2) may hold blanks and brackets.
function linuxStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function psStartTime(pid: number): string | undefined {
  try {
    const out = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return out === '' || out.startsWith('Z') ? undefined : out.replace(/^\S+\s+/, '')
  } catch {
    return undefined // ps exits 1 when there is no such process
  }
}

function isGone(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ESRCH'
}
