// What a container needs on the host while it runs: a socket on which its first process hangs, so
// that it ends with this process, and its engine to end it by name.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { digest } from '../state-dir.js'

export type Lifeline = { close(): void }

const run = promisify(execFile)
/** An engine that does not answer for longer is not waited for; the lifeline ends its container. */
const PATIENCE_MS = 10_000
/** Exit codes from here on are of a signal. */
const SIGNALLED = 128

/** Opens the socket of a container. It must not exist yet. */
export async function openLifeline(socket: string): Promise<Lifeline> {
  const open = new Set<Socket>()
  const server = net.createServer((one) => {
    open.add(one)
    one.on('error', () => one.destroy()).on('close', () => open.delete(one))
  })
  server.listen(socket)
  await once(server, 'listening')
  return {
    close() {
      for (const one of open) one.destroy()
      server.close()
    },
  }
}

/** A name that says which run and step a container belongs to. */
export function containerName({ run, step }: { run: string; step: string }): string {
  return `ratchet-${digest(`${run} ${step}`).slice(0, 16)}-${randomBytes(4).toString('hex')}`
}

/**
 * Ends a container whose command was ended from outside, and waits until it is gone. The engine's
 * program may be dead while its container lives.
 */
export async function endContainer(
  program: string,
  name: string,
  env: NodeJS.ProcessEnv,
  exit: { code: number | null },
): Promise<void> {
  if (exit.code !== null && exit.code < SIGNALLED) return
  await run(program, ['rm', '--force', name], { env, timeout: PATIENCE_MS }).catch(() => undefined)
}
