// Before any test that needs a server: both servers are there, and every test process knows where.
import { userDirs } from '../../src/adapters/state-dir.js'
import { findOrGetTemporal } from '../../src/local/temporal-binary.js'
import { findOrGetTestServer } from './test-server.js'

/** Gets both servers into the user's cache once. Missing = every test of the project fails, with the reason. */
export default async function setup(): Promise<void> {
  const { env } = process
  const dirs = userDirs(env)
  const temporal = await findOrGetTemporal(dirs, { env, onProgress: (text) => process.stderr.write(`${text}\n`) })
  env['TEMPORAL_CLI_PATH'] = temporal.path
  env['RATCHET_TEST_SERVER_PATH'] = await findOrGetTestServer(dirs, env)
}
