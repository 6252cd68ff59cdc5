// The door to a Temporal server with Ratchet's workers behind it.
import { randomBytes } from 'node:crypto'
import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { testFixWorkflowId } from '../contract/ids.js'
import { TestFixInput, parseInput } from '../contract/input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { MAIN_QUEUE, NAMESPACE, WORKFLOW_TYPES } from '../contract/names.js'
import type { Kind } from '../contract/names.js'
import { projectKey as keyOf } from '../adapters/state-dir.js'
import { runHandle } from './handle.js'
import type { RunHandle } from './handle.js'
import { localAddress } from './local-address.js'
import { sessionName } from './session-name.js'

/** Without an address the local server is meant. */
export type ConnectOptions = { address?: string; namespace?: string; apiKey?: string; tls?: boolean | object }

/** One line of the list of runs. */
export type ListedRun = { id: string; kind: Kind; open: boolean; startedAt: Date; closedAt?: Date; project?: string }

export type Ratchet = {
  client: Client
  /**
   * Starts a test-fix run. Without a session it gets a name of its own, `WFS-test-<directory>-<random>`.
   *
   * The project must be registered on the host that has it: any ratchet command there does that.
   *
   * A session that has ended is started again in the same way, by its name; what it had reached is in its
   * record.
   *
   * @param projectKey needed where the project is on another host
   * @param workflowId where the run has an id that is not that of its session
   * @throws RefusalError `BadInput`, also where the session already runs
   */
  startTestFix: (input: TestFixInput, projectKey?: string, workflowId?: string) => Promise<RunHandle>
  /** The run of a workflow id, open or closed. It is not looked up before it is used. */
  attach: (id: string) => RunHandle
  /** Whether there is a run of that id, open or closed. */
  find: (id: string) => Promise<'open' | 'closed' | undefined>
  /** Newest first, one entry per id. */
  list: (options?: { limit?: number }) => Promise<ListedRun[]>
  close: () => Promise<void>
}

/**
 * Connects to the local server, wherever it listens, or to the one at `address`; unencrypted unless told otherwise.
 *
 * @throws {NoLocalServer} where no address is given and none runs: nothing else on the usual port is taken for it
 */
export async function connect(options: ConnectOptions = {}): Promise<Ratchet> {
  const connection = await Connection.connect({
    address: options.address ?? localAddress(), connectTimeout: '5s',
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }), ...(options.tls === undefined ? {} : { tls: options.tls }),
  })
  const client = new Client({ connection, namespace: options.namespace ?? NAMESPACE })
  return {
    client,
    async startTestFix(raw, projectKey, ownId) {
      const input = parseInput(TestFixInput, raw)
      if (!input.ok) throw new RefusalError(BAD_INPUT, input.problem, 'input', 'correct it')
      // Under an id of its own a run may do without a session: its record is called like it.
      const session = input.value.session ?? (ownId === undefined ? sessionName(input.value.project, `-${randomBytes(2).toString('hex')}`) : undefined)
      const workflowId = ownId ?? testFixWorkflowId(session ?? '', projectKey ?? keyHere(input.value.project))
      try {
        await client.workflow.start(WORKFLOW_TYPES['test-fix'], {
          workflowId, taskQueue: MAIN_QUEUE, args: [{ ...input.value, ...(session === undefined ? {} : { session }) }],
          workflowIdConflictPolicy: 'FAIL', workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `fix the tests of ${input.value.project}`,
        })
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
        throw new RefusalError(BAD_INPUT, `the session ${session ?? workflowId} is already running`, workflowId, `follow it with: ratchet watch ${session ?? workflowId}`)
      }
      return runHandle(client, workflowId)
    },
    attach: (id) => runHandle(client, id),
    async find(id) {
      try {
        return (await client.workflow.getHandle(id).describe()).status.name === 'RUNNING' ? 'open' : 'closed'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined
        throw error
      }
    },
    async list({ limit = 50 } = {}) {
      const types = Object.values(WORKFLOW_TYPES).map((t) => `'${t}'`).join(',')
      const runs = new Map<string, ListedRun>()
      for await (const w of client.workflow.list({ query: `WorkflowType IN (${types})`, pageSize: 100 })) {
        if (runs.has(w.workflowId)) continue // an older link of the same chain
        const kind = (Object.keys(WORKFLOW_TYPES) as Kind[]).find((k) => WORKFLOW_TYPES[k] === w.type)
        if (kind === undefined) continue
        const project = w.searchAttributes['RatchetProject']?.[0]
        runs.set(w.workflowId, {
          id: w.workflowId, kind, open: w.status.name === 'RUNNING', startedAt: w.startTime,
          ...(w.closeTime === undefined ? {} : { closedAt: w.closeTime }), ...(typeof project === 'string' ? { project } : {}),
        })
        if (runs.size >= limit) break
      }
      return [...runs.values()]
    },
    close: () => connection.close(),
  }
}

function keyHere(project: string): string {
  try {
    return keyOf(project)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new RefusalError(BAD_INPUT, `project: there is no directory ${project} on this machine`, 'input', 'correct it, or pass the key of the project on its host')
  }
}
