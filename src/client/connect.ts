// The door to a Temporal server with Ratchet's workers behind it.
import { randomBytes } from 'node:crypto'
import { Client, Connection, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { CycleInput } from '../contract/cycle-input.js'
import { testFixWorkflowId } from '../contract/ids.js'
import { TestFixInput } from '../contract/input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import type { LoopInput } from '../contract/loop-input.js'
import { MAIN_QUEUE, NAMESPACE, WORKFLOW_TYPES } from '../contract/names.js'
import type { Kind } from '../contract/names.js'
import { projectKey as keyOf } from '../adapters/state-dir.js'
import { runHandle } from './handle.js'
import type { RunHandle } from './handle.js'
import { localAddress } from './local-address.js'
import { sessionName } from './session-name.js'
import { checkedInput, cycleStart, loopStart } from './starts.js'

/** What a run of each kind works on. */
const NOUN: Record<Kind, string> = { 'test-fix': 'session', 'dev-cycle': 'cycle', 'dev-loop': 'loop' }

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
  /**
   * Starts a dev cycle: a new one with a task, or one that has ended again, with its `cycleId`.
   *
   * The project must be registered on the host that has it, as for `startTestFix`.
   *
   * @param options.id of the run and of a new record (default: the `cycleId`, else `cycle-v1-<time>-<random>`)
   * @throws RefusalError `BadInput`, also where the cycle already runs
   */
  startCycle: (input: CycleInput, options?: { id?: string }) => Promise<RunHandle>
  /**
   * Starts a dev loop: a new one with a task, or one that has ended again, with its `loopId`. It is
   * interactive where no mode is given: it asks what to do next, see `questions` and `answer` of its handle.
   *
   * The project must be registered on the host that has it, as for `startTestFix`.
   *
   * @param options.id of the run and of a new record (default: the `loopId`, else `loop-b-<time>-<random>`)
   * @throws RefusalError `BadInput`, also where the loop already runs
   */
  startLoop: (input: LoopInput, options?: { id?: string }) => Promise<RunHandle>
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
  const start = async (kind: Kind, workflowId: string, input: object, staticSummary: string, name = workflowId): Promise<RunHandle> => {
    try {
      await client.workflow.start(WORKFLOW_TYPES[kind], {
        workflowId, taskQueue: MAIN_QUEUE, args: [input], workflowIdConflictPolicy: 'FAIL', workflowIdReusePolicy: 'ALLOW_DUPLICATE', staticSummary,
      })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      throw new RefusalError(BAD_INPUT, `the ${NOUN[kind]} ${name} is already running`, workflowId, `follow it with: ratchet watch ${name}`)
    }
    return runHandle(client, workflowId)
  }
  return {
    client,
    async startTestFix(raw, projectKey, ownId) {
      const input = checkedInput(TestFixInput, raw)
      // Under an id of its own a run may do without a session: its record is called like it.
      const session = input.session ?? (ownId === undefined ? sessionName(input.project, `-${randomBytes(2).toString('hex')}`) : undefined)
      const workflowId = ownId ?? testFixWorkflowId(session ?? '', projectKey ?? keyHere(input.project))
      return start('test-fix', workflowId, { ...input, ...(session === undefined ? {} : { session }) }, `fix the tests of ${input.project}`, session)
    },
    async startCycle(raw, { id } = {}) {
      const { workflowId, input, summary } = cycleStart(raw, id)
      return start('dev-cycle', workflowId, input, summary)
    },
    async startLoop(raw, { id } = {}) {
      const { workflowId, input, summary } = loopStart(raw, id)
      return start('dev-loop', workflowId, input, summary)
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
