// Begins to get the servers, and starts the one that all files share, while the tests that need
// none run: a compiled one takes three minutes. Each file that needs them waits in
// await-servers.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { replaceFile } from '../../../src/adapters/files/replace-file.js'
import { SERVERS_FILE, type ServersAnswer } from './servers-file.js'
import { getServers } from './servers.js'
import { startSharedServer } from './shared-server.js'

/** Once a run, for whichever project comes first. Returns the way to end it. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SERVERS_FILE] !== undefined) return undefined
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-servers-'))
  const file = path.join(dir, 'servers.json')
  process.env[SERVERS_FILE] = file
  const shared = getServers().then(async (servers) => ({
    servers,
    ...(await startSharedServer(servers.TEMPORAL_CLI_PATH)),
  }))
  const known = shared
    .then(
      ({ servers, address, apiPort }) => ({
        ...servers,
        RATCHET_TEST_ADDRESS: address,
        RATCHET_TEST_API_PORT: String(apiPort),
      }),
      (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
    )
    .then((answer: ServersAnswer) => replaceFile(file, JSON.stringify(answer)))
  return async () => {
    await known
    await shared.then(
      ({ end }) => end(),
      () => undefined,
    )
    await rm(dir, { recursive: true, force: true })
  }
}
