// A client of the local server for the duration of a call.
import { Client, Connection } from '@temporalio/client'

/**
 * Calls `use` with a client of the server at `address` (host:port), and closes its connection
 * afterwards.
 */
export async function withClient<T>(
  address: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address })
  try {
    return await use(new Client({ connection, namespace: 'ratchet' }))
  } finally {
    await connection.close()
  }
}
