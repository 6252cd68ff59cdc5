// The servers that tests need, got once a run: the Temporal CLI and the time-skipping server.
import { userDirs } from '../../src/adapters/state-dir.js'
import { findOrGetTemporal } from '../../src/local/temporal-binary.js'
import type { Servers } from './servers-file.js'
import { findOrGetTestServer } from './test-server.js'

/** Gets both servers into the user's cache, at once: the one is compiled where the other is loaded. */
export async function getServers(): Promise<Servers> {
  const { env } = process
  const dirs = userDirs(env)
  const [temporal, testServer] = await Promise.all([
    findOrGetTemporal(dirs, { env, onProgress: (text) => process.stderr.write(`${text}\n`) }),
    findOrGetTestServer(dirs, env),
  ])
  return { TEMPORAL_CLI_PATH: temporal.path, RATCHET_TEST_SERVER_PATH: testServer }
}
