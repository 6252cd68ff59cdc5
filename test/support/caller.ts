// A connection with a fake client for handles.
import type { Client } from '@temporalio/client'
import type { Caller } from '../../src/client/connection.js'

/** Uses this client; waits end at once. */
export function callerOf(client: Client): Caller {
  return {
    signingKey: () => undefined,
    where: 'SERVER, namespace ratchet',
    call: (ask) => ask(client),
    pause: () => Promise.resolve(),
  }
}
