// A connection for handles whose client is a stand-in.
import type { Client } from '@temporalio/client'
import type { Caller } from '../../src/client/connection.js'

/** Asks this client; waiting takes no time. */
export function callerOf(client: Client): Caller {
  return {
    where: 'SERVER, namespace ratchet',
    call: (ask) => ask(client),
    pause: () => Promise.resolve(),
  }
}
