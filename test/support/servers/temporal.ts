// Temporal servers for tests: a real one in memory, and the time-skipping one.
import { defineSearchAttributeKey } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { NAMESPACE, SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import { newNamespace, sharedServer } from '../in-process/namespace.js'
import { TUNING } from '../../../src/dev-server/server.js'

/** Path of the Temporal CLI that the global set-up has found. */
export function temporalPath(): string {
  return fromSetup('TEMPORAL_CLI_PATH')
}

/** Path of the time-skipping server that the global set-up has found. */
export function testServerPath(): string {
  return fromSetup('RATCHET_TEST_SERVER_PATH')
}

/**
 * A real server in memory with Ratchet's namespace and search attributes, and a client for it.
 *
 * @param dynamicConfig further `KEY=VALUE` settings, as for an early continue-as-new
 */
export async function localEnv(dynamicConfig: string[] = []): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: temporalPath() },
      ip: '127.0.0.1',
      namespace: NAMESPACE,
      searchAttributes: Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) =>
        defineSearchAttributeKey(name, type),
      ),
      extraArgs: [...TUNING, ...dynamicConfig].flatMap((setting) => [
        '--dynamic-config-value',
        setting,
      ]),
    },
  })
}

/**
 * A namespace of its own on the server that all tests share, ready for runs, and a client for it.
 */
export async function sharedEnv(): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createFromExistingServer({
    address: sharedServer(),
    namespace: await newNamespace(),
  })
}

/**
 * A time-skipping server: timers pass at once while a result is awaited. No visibility, no search
 * attributes.
 */
export async function timeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: testServerPath() } },
  })
}

/** A real server for tests that start their own workers and clients as processes. */
export async function testServer(): Promise<{
  address: string
  namespace: string
  path: string
  stop: () => Promise<void>
}> {
  const env = await localEnv()
  return {
    address: env.address,
    namespace: NAMESPACE,
    path: temporalPath(),
    stop: () => env.teardown(),
  }
}

function fromSetup(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new Error(
      `${name} is not set: this test project lacks test/support/servers/await-servers.ts in vitest.config.ts`,
    )
  return value
}
