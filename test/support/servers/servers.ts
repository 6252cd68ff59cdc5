// The servers that tests need, got once a run: the Temporal CLI and the time-skipping server.
import { userDirs } from '../../../src/adapters/state-dir.js'
import { startProgress } from '../../../src/cli/output/start-progress.js'
import { findOrGetTemporal } from '../../../src/dev-server/temporal-binary.js'
import type { Programs } from './servers-file.js'
import { findOrGetTestServer } from './test-server.js'

/**
 * Gets both servers into the user's cache, at once: the one is compiled where the other is loaded.
 */
export async function getServers(): Promise<Programs> {
  const { env } = process
  const dirs = userDirs(env)
  const progress = startProgress({ say: (line) => void process.stderr.write(`${line}\n`) })
  const [temporal, testServer] = await Promise.all([
    findOrGetTemporal(dirs, { env, onProgress: progress.tell }).finally(progress.end),
    findOrGetTestServer(dirs, env),
  ])
  return { TEMPORAL_CLI_PATH: temporal.path, RATCHET_TEST_SERVER_PATH: testServer }
}
