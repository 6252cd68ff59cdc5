// What Ratchet needs from its server and what it asks of it: the namespace with its retention, the
// search attributes, open runs and schedules.
import { z } from 'zod'
import {
  NAMESPACE,
  RETENTION_DAYS,
  SEARCH_ATTRIBUTES,
  type SearchAttribute,
} from '../../contract/names.js'
import { hasGrpcCode, isServerUnavailable, NOT_FOUND } from '../../core/grpc.js'
import { Executions, indexedProject } from './executions.js'
import { withApi, type ApiAddress, type ServerApi } from './server-api.js'
import type { ServerRecord } from '../server-record.js'

/** Under this key the namespace holds the nonce of the server process that serves it. */
const NONCE_KEY = 'ratchet.server'
const RPC_MS = 5_000
const SECONDS_PER_DAY = 86_400
const ALREADY_EXISTS = 6
/** `IndexedValueType` of the server's API. */
const VALUE_TYPES = { KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5 } as const
const RETENTION = `${RETENTION_DAYS * SECONDS_PER_DAY}s`
const PLACE = `/namespaces/${NAMESPACE}`
const OPEN = 'ExecutionStatus="Running"'

type Api = ApiAddress | undefined

/** Whether the server answers. */
export async function isHealthy(api: Api): Promise<boolean> {
  return withApi(api, async ({ get }) => {
    await get('/system-info')
    return true
  }).catch(whenUnavailable(false))
}

/**
 * Nonce of the server process that answers, `undefined` where nothing answers or it is not ours.
 */
export async function servedNonce(api: Api): Promise<string | undefined> {
  return withApi(
    api,
    async (server) => (await describe(server))?.namespaceInfo.data[NONCE_KEY],
  ).catch(whenUnavailable(undefined))
}

/**
 * Makes the namespace what runs rely on: retention of a year, every search attribute, the nonce.
 *
 * Idempotent. Returns what is still missing, as the server learns of changes a little later; call
 * it again until that is empty.
 */
export async function prepareNamespace({
  api,
  address,
  nonce,
}: Pick<ServerRecord, 'api' | 'address' | 'nonce'>): Promise<string[]> {
  return withApi(api, async (server) => {
    const found = await describe(server)
    if (found === undefined) {
      await server.post('/namespaces', {
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: RETENTION,
      })
      return ['the namespace']
    }
    const missing: string[] = []
    if (
      found.config.workflowExecutionRetentionTtl !== RETENTION ||
      found.namespaceInfo.data[NONCE_KEY] !== nonce
    ) {
      await server.post(`${PLACE}/update`, {
        config: { workflowExecutionRetentionTtl: RETENTION },
        updateInfo: { data: { [NONCE_KEY]: nonce } },
      })
      missing.push('the retention')
    }
    const known = await knownAttributes(server)
    const unregistered = NAMES.filter((name) => !(name in known))
    if (unregistered.length > 0) await register(address, unregistered)
    return [...missing, ...unregistered]
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
  api: Api,
): Promise<{ missing: string[]; otherType: string[] } | undefined> {
  return withApi(api, async (server) => {
    const known = await knownAttributes(server)
    return {
      missing: NAMES.filter((name) => !(name in known)),
      otherType: NAMES.filter(
        (name) => name in known && known[name] !== `INDEXED_VALUE_TYPE_${SEARCH_ATTRIBUTES[name]}`,
      ),
    }
  }).catch(whenUnavailable(undefined))
}

/** Ids of open runs, at most a hundred. */
export async function openRuns(api: Api): Promise<string[]> {
  return withApi(api, async ({ get }) => {
    const { executions } = Executions.parse(
      await get(`${PLACE}/workflows`, { query: OPEN, pageSize: '100' }),
    )
    return executions.map(({ execution }) => execution.workflowId)
  })
}

/**
 * Real paths of the projects that open runs are about, each once; a run that has just begun is not
 * indexed yet.
 */
export async function projectsOfOpenRuns(api: Api): Promise<string[]> {
  return withApi(api, async ({ get }) => {
    const found = new Set<string>()
    let nextPageToken = ''
    do {
      const page = Executions.parse(
        await get(`${PLACE}/workflows`, { query: OPEN, pageSize: '500', nextPageToken }),
      )
      for (const { searchAttributes } of page.executions) {
        const project = indexedProject(searchAttributes)
        if (project !== undefined) found.add(project)
      }
      nextPageToken = page.nextPageToken
    } while (nextPageToken !== '')
    return [...found]
  })
}

/** Open runs and schedules that are not paused: what the idle stop must wait for. */
export async function activity(api: Api): Promise<{ openRuns: number; unpausedSchedules: number }> {
  return withApi(api, async ({ get }) => {
    const { count } = Count.parse(await get(`${PLACE}/workflow-count`, { query: OPEN }))
    const { schedules } = Schedules.parse(
      await get(`${PLACE}/schedules`, { maximumPageSize: '1000' }),
    )
    return {
      openRuns: Number(count),
      unpausedSchedules: schedules.filter(({ info }) => info?.paused !== true).length,
    }
  })
}

// An answer leaves out what is empty or zero.
const Count = z.object({ count: z.string().default('0') })
const Schedules = z.object({
  schedules: z
    .array(z.object({ info: z.object({ paused: z.boolean().optional() }).optional() }))
    .default([]),
})
const Description = z.object({
  namespaceInfo: z.object({ data: z.record(z.string(), z.string()).default({}) }),
  config: z.object({ workflowExecutionRetentionTtl: z.string().optional() }),
})
const Attributes = z.object({ customAttributes: z.record(z.string(), z.string()).default({}) })
const NAMES = Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[]

async function describe({ find }: ServerApi): Promise<z.infer<typeof Description> | undefined> {
  return Description.optional().parse(await find(PLACE))
}

async function knownAttributes({ get }: ServerApi): Promise<Record<string, string>> {
  return Attributes.parse(await get(`${PLACE}/search-attributes`)).customAttributes
}

// The JSON API has no such call. A server that Ratchet has started has the attributes, and
// Temporal's client is not loaded.
async function register(address: string, names: readonly SearchAttribute[]): Promise<void> {
  const { Connection } = await import('@temporalio/client')
  const connection = Connection.lazy({ address, connectTimeout: RPC_MS })
  try {
    await connection.withDeadline(Date.now() + RPC_MS, () =>
      connection.operatorService.addSearchAttributes({
        namespace: NAMESPACE,
        searchAttributes: Object.fromEntries(
          names.map((name) => [name, VALUE_TYPES[SEARCH_ATTRIBUTES[name]]]),
        ),
      }),
    )
  } finally {
    await connection.close()
  }
}

function whenUnavailable<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasGrpcCode(error, NOT_FOUND) || isServerUnavailable(error)) return value
    throw error
  }
}
