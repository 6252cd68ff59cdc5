// The Temporal server of a whole test run: in memory, on 127.0.0.1, a namespace for each who asks.
import { createServer, type AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import { TUNING } from '../../../src/dev-server/server.js'
import { isHealthy } from '../../../src/dev-server/api/namespace.js'
import { waitFor } from '../wait.js'

/** Starts it; it ends with `end`. */
export async function startSharedServer(
  temporal: string,
): Promise<{ address: string; apiPort: number; end: () => Promise<void> }> {
  const port = await freePort()
  const apiPort = await freePort()
  const server = spawn(
    temporal,
    [
      'server',
      'start-dev',
      '--headless',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      '--http-port',
      String(apiPort),
      '--log-level',
      'never',
      ...TUNING.flatMap((setting) => ['--dynamic-config-value', setting]),
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const address = `127.0.0.1:${port}`
  await waitFor(
    () => {
      if (server.exitCode !== null)
        throw new Error(`the shared Temporal server ended with code ${server.exitCode}`)
      return isHealthy({ port: apiPort, host: '127.0.0.1' })
    },
    { what: 'the shared Temporal server', timeoutMs: 60_000, everyMs: 50 },
  )
  return {
    address,
    apiPort,
    async end() {
      server.kill('SIGKILL')
      await ended
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const taken = createServer()
    taken.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = taken.address() as AddressInfo
      taken.close(() => resolve(port))
    })
  })
}
