// How much room files take, by `du`: it counts a file of two names once, which clones share with
// their project.
import { existsSync } from 'node:fs'
import { execa } from 'execa'

const LIMIT_MS = 30_000

/**
 * Bytes on the disk of these files and directories together; missing ones take none. `undefined`
 * where it cannot be told in time.
 */
export async function diskUse(
  paths: readonly string[],
  limitMs = LIMIT_MS,
): Promise<number | undefined> {
  const there = paths.filter((one) => existsSync(one))
  if (there.length === 0) return 0
  const { stdout, exitCode } = await execa('du', ['-sk', '--', ...there], {
    reject: false,
    stdin: 'ignore',
    stderr: 'ignore',
    timeout: limitMs,
  })
  if (exitCode === undefined) return undefined
  return (
    stdout.split('\n').reduce((sum, line) => sum + Number(/^\d+/.exec(line)?.[0] ?? 0), 0) * 1024
  )
}

/** `12 kB`, `3.4 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
