// What Ratchet needs from its server and what it asks of it: the namespace with its retention, the
// search attributes, open runs and schedules. The client is loaded on first use: it costs 180 ms.
import type { Connection } from '@temporalio/client'
import {
  NAMESPACE,
  RETENTION_DAYS,
  SEARCH_ATTRIBUTES,
  type SearchAttribute,
} from '../contract/names.js'
import { hasGrpcCode, isServerUnavailable } from '../core/grpc.js'

/** Under this key the namespace holds the nonce of the server process that serves it. */
const NONCE_KEY = 'ratchet.server'
const RPC_MS = 5_000
const SECONDS_PER_DAY = 86_400
/** gRPC `NOT_FOUND`: the namespace is not there yet, or the server's caches do not know it yet. */
const NOT_FOUND = 5
const ALREADY_EXISTS = 6
/** `IndexedValueType` of the server's API. */
const VALUE_TYPES = { KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5 } as const

/** Opens a connection, runs `use` and closes it. Each call in it has a deadline. */
export async function withServer<T>(
  address: string,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { Connection } = await import('@temporalio/client')
  const connection = Connection.lazy({ address, connectTimeout: RPC_MS })
  try {
    return await connection.withDeadline(Date.now() + RPC_MS, () => use(connection))
  } finally {
    await connection.close()
  }
}

/** Whether the server answers on its health service. */
export async function isHealthy(address: string): Promise<boolean> {
  return withServer(address, async (connection) => {
    const { status } = await connection.healthService.check({
      service: 'temporal.api.workflowservice.v1.WorkflowService',
    })
    return (status as number) === 1 // SERVING
  }).catch(whenUnavailable(false))
}

/**
 * Nonce of the server process at `address`, `undefined` where nothing answers or it is not ours.
 */
export async function servedNonce(address: string): Promise<string | undefined> {
  return withServer(
    address,
    async (connection) => (await describe(connection))?.namespaceInfo?.data?.[NONCE_KEY],
  ).catch(whenUnavailable(undefined))
}

/**
 * Makes the namespace what runs rely on: retention of a year, every search attribute, the nonce.
 *
 * Idempotent. Returns what is still missing, as the server learns of changes a little later; call
 * it again until that is empty.
 */
export async function prepareNamespace(address: string, nonce: string): Promise<string[]> {
  return withServer(address, async (connection) => {
    const found = await describe(connection)
    // The type wants a Long, the encoder takes a plain number as well.
    const retention = { seconds: RETENTION_DAYS * SECONDS_PER_DAY } as unknown as Retention
    if (found === undefined) {
      await connection.workflowService.registerNamespace({
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: retention,
      })
      return ['the namespace']
    }
    const missing: string[] = []
    const kept = Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0)
    if (
      kept !== RETENTION_DAYS * SECONDS_PER_DAY ||
      found.namespaceInfo?.data?.[NONCE_KEY] !== nonce
    ) {
      await connection.workflowService.updateNamespace({
        namespace: NAMESPACE,
        config: { workflowExecutionRetentionTtl: retention },
        updateInfo: { data: { [NONCE_KEY]: nonce } },
      })
      missing.push('the retention')
    }
    const unregistered = await unregisteredAttributes(connection)
    if (Object.keys(unregistered).length > 0) {
      await connection.operatorService.addSearchAttributes({
        namespace: NAMESPACE,
        searchAttributes: unregistered,
      })
      missing.push(...Object.keys(unregistered))
    }
    return missing
  }).catch((error: unknown) => {
    if (hasGrpcCode(error, ALREADY_EXISTS, NOT_FOUND) || isServerUnavailable(error))
      return [(error as Error).message]
    throw error
  })
}

/**
 * Search attributes that a server lacks, and those it has with another type; `undefined` where it
 * does not answer.
 */
export async function attributeProblems(
  address: string,
): Promise<{ missing: string[]; otherType: string[] } | undefined> {
  return withServer(address, async (connection) => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({
      namespace: NAMESPACE,
    })
    const names = Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[]
    return {
      missing: names.filter((name) => !(name in customAttributes)),
      otherType: names.filter(
        (name) =>
          name in customAttributes &&
          (customAttributes[name] as number | undefined) !== VALUE_TYPES[SEARCH_ATTRIBUTES[name]],
      ),
    }
  }).catch(whenUnavailable(undefined))
}

/** Ids of open runs, at most a hundred. */
export async function openRuns(address: string): Promise<string[]> {
  return withServer(address, async (connection) => {
    const { executions } = await connection.workflowService.listWorkflowExecutions({
      namespace: NAMESPACE,
      query: 'ExecutionStatus="Running"',
      pageSize: 100,
    })
    return executions.flatMap((e) => e.execution?.workflowId ?? [])
  })
}

/**
 * Real paths of the projects that open runs are about, each once; a run that has just begun is not
 * indexed yet.
 */
export async function projectsOfOpenRuns(address: string): Promise<string[]> {
  return withServer(address, async (connection) => {
    const found = new Set<string>()
    let nextPageToken: Uint8Array | undefined
    do {
      const page = await connection.workflowService.listWorkflowExecutions({
        namespace: NAMESPACE,
        query: 'ExecutionStatus="Running"',
        pageSize: 500,
        nextPageToken,
      })
      for (const { searchAttributes } of page.executions) {
        const data =
          searchAttributes?.indexedFields?.['RatchetProject' satisfies SearchAttribute]?.data
        const project: unknown =
          data == null ? undefined : JSON.parse(new TextDecoder().decode(data))
        if (typeof project === 'string') found.add(project)
      }
      nextPageToken = page.nextPageToken.length === 0 ? undefined : page.nextPageToken
    } while (nextPageToken !== undefined)
    return [...found]
  })
}

/** Open runs and schedules that are not paused: what the idle stop must wait for. */
export async function activity(
  address: string,
): Promise<{ openRuns: number; unpausedSchedules: number }> {
  return withServer(address, async (connection) => {
    const { count } = await connection.workflowService.countWorkflowExecutions({
      namespace: NAMESPACE,
      query: 'ExecutionStatus="Running"',
    })
    const { schedules } = await connection.workflowService.listSchedules({
      namespace: NAMESPACE,
      maximumPageSize: 1_000,
    })
    return {
      openRuns: Number(count),
      unpausedSchedules: schedules.filter((s) => s.info?.paused !== true).length,
    }
  })
}

type Description = Awaited<ReturnType<Connection['workflowService']['describeNamespace']>>
type Retention = NonNullable<NonNullable<Description['config']>['workflowExecutionRetentionTtl']>

async function describe(connection: Connection): Promise<Description | undefined> {
  try {
    return await connection.workflowService.describeNamespace({ namespace: NAMESPACE })
  } catch (error) {
    if (hasGrpcCode(error, NOT_FOUND)) return undefined
    throw error
  }
}

async function unregisteredAttributes(connection: Connection): Promise<Record<string, number>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({
    namespace: NAMESPACE,
  })
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !(name in customAttributes))
  return Object.fromEntries(missing.map(([name, type]) => [name, VALUE_TYPES[type]]))
}

function whenUnavailable<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasGrpcCode(error, NOT_FOUND) || isServerUnavailable(error)) return value
    throw error
  }
}
