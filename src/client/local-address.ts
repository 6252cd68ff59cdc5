// Finds the address of the user's own server for scripts. Only the server named in Ratchet's state
// file is used: any other process on port 7233 is ignored.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { dirsOf, layout } from '../adapters/state-dir.js'
import { ProcessIdentity } from '../contract/registry.js'

/** The needed part of `server/server.json`. */
const Server = z.object({
  identity: ProcessIdentity,
  address: z.string(),
  private: z.boolean().optional(),
})

/** No address was given, and this user's own server is not running. */
export class NoLocalServerError extends Error {
  override readonly name = 'NoLocalServerError'
  constructor() {
    super('no local server is running; start it with: ratchet dev, or pass an address')
  }
}

/**
 * Returns the address of the local server if its process lives; sends nothing to it.
 *
 * @throws {NoLocalServerError}
 */
export function localAddress(env: NodeJS.ProcessEnv = process.env): string {
  const server = runningServer(env)
  if (server === undefined) throw new NoLocalServerError()
  return server.address
}

/** Returns the local server if its process lives. */
export function runningServer(env: NodeJS.ProcessEnv): z.infer<typeof Server> | undefined {
  const server = Server.safeParse(read(layout.serverRecord(dirsOf(env))))
  return server.success && isAlive(server.data.identity) ? server.data : undefined
}

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError)
      return undefined
    throw error
  }
}
