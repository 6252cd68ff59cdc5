// The door to a Temporal server with Ratchet's workers behind it.
import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import { testFixWorkflowId } from '../contract/ids.js'
import { TestFixInput, parseInput } from '../contract/input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { MAIN_QUEUE, NAMESPACE, WORKFLOW_TYPES } from '../contract/names.js'
import type { Kind } from '../contract/names.js'
import { runHandle } from './handle.js'
import type { RunHandle } from './handle.js'

export type ConnectOptions = { address?: string; namespace?: string; apiKey?: string; tls?: boolean | object }

/** One line of the list of runs. */
export type ListedRun = { id: string; kind: Kind; open: boolean; startedAt: Date; closedAt?: Date; project?: string }

export type Ratchet = {
  client: Client
  /** Starts a test-fix run of a session; refuses where the session already runs. */
  startTestFix: (input: TestFixInput & { session: string }, projectKey: string) => Promise<RunHandle>
  /** The run of a workflow id, open or closed. It is not looked up before it is used. */
  attach: (id: string) => RunHandle
  /** Whether there is a run of that id, open or closed. */
  find: (id: string) => Promise<'open' | 'closed' | undefined>
  /** Newest first, one entry per id. */
  list: (options?: { limit?: number }) => Promise<ListedRun[]>
  close: () => Promise<void>
}

/** Connects to a server; local and unencrypted unless told otherwise. */
export async function connect(options: ConnectOptions = {}): Promise<Ratchet> {
  const connection = await Connection.connect({
    address: options.address ?? '127.0.0.1:7233', connectTimeout: '5s',
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }), ...(options.tls === undefined ? {} : { tls: options.tls }),
  })
  const client = new Client({ connection, namespace: options.namespace ?? NAMESPACE })
  return {
    client,
    async startTestFix(raw, projectKey) {
      const input = parseInput(TestFixInput, raw)
      if (!input.ok) throw new RefusalError(BAD_INPUT, input.problem, 'input', 'correct it')
      const workflowId = testFixWorkflowId(raw.session, projectKey)
      try {
        await client.workflow.start(WORKFLOW_TYPES['test-fix'], {
          workflowId, taskQueue: MAIN_QUEUE, args: [input.value],
          workflowIdConflictPolicy: 'FAIL', workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary: `fix the tests of ${input.value.project}`,
        })
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
        throw new RefusalError(BAD_INPUT, `the session ${raw.session} is already running`, workflowId, `follow it with: ratchet watch ${raw.session}`)
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
