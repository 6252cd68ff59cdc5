// The command line of bubblewrap for a set of rules. Source: bwrap(1), version 0.8.
import type { Mount } from './sandbox-mounts.js'

/** Emptied for each program: sockets of other programs and their temporary files are there. */
export const EMPTY_DIRS = ['/tmp', '/var/tmp', '/run'] as const

export type BwrapInput = {
  program: string
  /** In the order they are made; each exists. */
  mounts: readonly (Mount & { isDirectory: boolean })[]
  cwd: string
}

/**
 * The arguments in front of a command. It has its own processes, its own loopback network and no
 * capability. All of its processes end with it, and it ends with the process that started it.
 */
export function bwrapCommand({ program, mounts, cwd }: BwrapInput): [string, ...string[]] {
  return [
    program,
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-net',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    ...EMPTY_DIRS.flatMap((dir) => ['--tmpfs', dir]),
    ...mounts.flatMap(argumentsOf),
    '--chdir',
    cwd,
    '--',
  ]
}

function argumentsOf({
  path,
  kind,
  from = path,
  isDirectory,
}: BwrapInput['mounts'][number]): string[] {
  if (kind === 'hide') return isDirectory ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]
  return [kind === 'read' ? '--ro-bind' : '--bind', from, path]
}
