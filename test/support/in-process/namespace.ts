// A namespace of the one server that all tests share, ready for runs.
import type { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { Connection } from '@temporalio/client'
import { SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import type { ApiAddress } from '../../../src/dev-server/api/server-api.js'
import { waitFor } from '../wait.js'

/** `IndexedValueType` of the server's API. */
const VALUE_TYPES = { KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5 } as const
const DAY_S = 86_400

/** Address of the shared server, as begin-servers.ts has found it. */
export function sharedServer(): string {
  const address = process.env['RATCHET_TEST_ADDRESS']
  if (address === undefined || address === '')
    throw new Error(
      'RATCHET_TEST_ADDRESS is not set: this test project lacks test/support/servers/await-servers.ts in vitest.config.ts',
    )
  return address
}

/** The JSON API of the shared server. */
export function sharedApi(): ApiAddress {
  return { port: Number(process.env['RATCHET_TEST_API_PORT']), host: '127.0.0.1' }
}

/** Registers a namespace with the search attributes of runs; returns its name. */
export async function newNamespace(): Promise<string> {
  const namespace = `test-${randomBytes(6).toString('hex')}`
  const connection = await Connection.connect({ address: sharedServer() })
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: DAY_S } as never,
    })
    const searchAttributes = Object.fromEntries(
      Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, VALUE_TYPES[type]]),
    )
    // The server's own caches learn of a namespace a moment later.
    await waitFor(
      () =>
        connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).then(
          () => true,
          () => false,
        ),
      { what: `the search attributes of ${namespace}`, timeoutMs: 10_000, everyMs: 20 },
    )
    return namespace
  } finally {
    await connection.close()
  }
}

/** Runs `act` as code whose local server is this namespace. */
export function inNamespace<T>(namespace: string, act: () => T): T {
  const storage = (globalThis as { ratchetNamespace?: AsyncLocalStorage<string> }).ratchetNamespace
  if (storage === undefined)
    throw new Error('this test project lacks test/support/in-process/names.ts in vitest.config.ts')
  return storage.run(namespace, act)
}
