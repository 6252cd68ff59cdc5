// Where the user's own server listens, for scripts. Only the server named in our own state file is
// ever meant: whatever else answers on 7233 is somebody else's.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { dirsOf, layout } from '../adapters/state-dir.js'
import { ProcessIdentity } from '../contract/registry.js'

/** What of `server/server.json` is needed. */
const Server = z.object({ identity: ProcessIdentity, address: z.string() })

/** No address was given, and this user's own server does not run. */
export class NoLocalServerError extends Error {
  override readonly name = 'NoLocalServerError'
  constructor() {
    super('no local server is running; start it with: ratchet dev, or pass an address')
  }
}

/**
 * Address of the local server, if that very process lives; nothing is asked of it.
 *
 * @throws {NoLocalServerError}
 */
export function localAddress(env: NodeJS.ProcessEnv = process.env): string {
  const server = Server.safeParse(read(layout.serverRecord(dirsOf(env))))
  if (!server.success || !isAlive(server.data.identity)) throw new NoLocalServerError()
  return server.data.address
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
