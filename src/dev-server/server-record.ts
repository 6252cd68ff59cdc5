// `server/server.json`: the server process that Ratchet has started, and how to reach it.
import { z } from 'zod'
import { isAlive } from '../adapters/process/identity.js'
import { storedJson } from '../adapters/files/stored-json.js'
import { layout, type Dirs } from '../adapters/state-dir.js'
import { ProcessIdentity } from '../contract/registry.js'
import { ApiAddress } from './api/server-api.js'

export const serverFile = layout.serverRecord

export const ServerRecord = z.object({
  identity: ProcessIdentity,
  nonce: z.string(),
  address: z.string(),
  api: ApiAddress.optional(),
  uiPort: z.number().int(),
  version: z.string(),
  dbFile: z.string(),
  /** The program that was started; a record of before there was this field names none. */
  binary: z.string().optional(),
  durable: z.boolean().optional(),
  /** Workers and clients need signatures. */
  private: z.boolean().optional(),
})
export type ServerRecord = z.infer<typeof ServerRecord>

/** The server named in the state file, if that process lives; nothing is asked of it. */
export function recordedServer(dirs: Dirs): ServerRecord | undefined {
  const record = lastServer(dirs)
  return record !== undefined && isAlive(record.identity) ? record : undefined
}

/** The same; also one that has died. */
export function lastServer(dirs: Dirs): ServerRecord | undefined {
  return storedJson(serverFile(dirs), ServerRecord)
}
