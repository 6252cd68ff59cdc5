// Before any test that needs a server: both servers are there, and every test process knows where.
import { getServers } from './servers.js'

/** Missing = every test of the project fails, with the reason. */
export default async function setup(): Promise<void> {
  Object.assign(process.env, await getServers())
}
