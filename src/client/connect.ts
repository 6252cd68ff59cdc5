// The entry point for scripts: a Temporal server with Ratchet's workers.
import { randomBytes } from 'node:crypto'
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type ScheduleHandle,
} from '@temporalio/client'
import type { CycleInput } from '../contract/dev-cycle/cycle-input.js'
import { testFixWorkflowId } from '../contract/ids.js'
import { TestFixInput } from '../contract/test-fix/test-fix-input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import type { PrepInput } from '../contract/prep/prep-input.js'
import type { LoopInput } from '../contract/dev-loop/loop-input.js'
import { MAIN_QUEUE, WORKFLOW_TYPES, type Kind } from '../contract/names.js'
import { Door, type ConnectOptions } from './connection.js'
import { toClientError } from './errors.js'
import { runHandle, type RunHandle } from './handle.js'
import { listRuns, type ListedRun } from './list.js'
import type { ListOptions } from './list-query.js'
import { keyHere, resolveRun, stateOf } from './resolve.js'
import { scheduleRuns, type SchedulePlan } from './schedule.js'
import { sessionName } from './session-name.js'
import {
  checkedInput,
  cycleStart,
  loopStart,
  prepStart,
  startDetails,
  summaryLine,
} from './starts.js'

/** What a run of each kind works on. */
const NOUN: Record<Kind, string> = {
  'test-fix': 'session',
  'dev-cycle': 'cycle',
  'dev-loop': 'loop',
  prep: 'preparation',
}

/**
 * A connection. It keeps a script alive until it is closed, with `close()` or by `await using`;
 * runs continue without it.
 */
export type Ratchet = {
  /** Temporal's own client, for anything else. */
  readonly client: Client
  /**
   * Starts a test-fix run. Without a session it gets a name of its own,
   * `WFS-test-<directory>-<random>`. The project must be registered on the host that has it: any
   * ratchet command there does that. A session that has ended is started again in the same way, by
   * its name; what it had reached is in its record.
   *
   * @param projectKey needed where the project is on another host
   * @param workflowId where the run has an id that is not that of its session
   * @throws RefusalError `BadInput`, also where the session already runs
   */
  startTestFix: (
    input: TestFixInput,
    projectKey?: string,
    workflowId?: string,
  ) => Promise<RunHandle>
  /**
   * Starts a dev cycle: a new one with a task, or one that has ended again, with its `cycleId`. The
   * project must be registered on the host that has it, as for `startTestFix`.
   *
   * @param options.id of the run and of a new record (default: the `cycleId`, else
   * `cycle-v1-<time>-<random>`)
   * @throws RefusalError `BadInput`, also where the cycle already runs
   */
  startCycle: (input: CycleInput, options?: { id?: string }) => Promise<RunHandle>
  /**
   * Starts a dev loop: a new one with a task, or one that has ended again, with its `loopId`. It is
   * interactive where no mode is given: it asks what to do next, see `questions` and `answer` of
   * its handle. The project must be registered on the host that has it, as for `startTestFix`.
   *
   * @param options.id of the run and of a new record (default: the `loopId`, else
   * `loop-b-<time>-<random>`)
   * @throws RefusalError `BadInput`, also where the loop already runs
   */
  startLoop: (input: LoopInput, options?: { id?: string }) => Promise<RunHandle>
  /**
   * Starts a preparation, which writes the prep package of a cycle or loop. It asks a person unless
   * `auto` is set, see `questions` and `answer` of its handle. The project must be registered on
   * the host that has it, as for `startTestFix`.
   *
   * @param options.id of the run and of its record (default: `prep-<time>-<random>`)
   * @throws RefusalError `BadInput`
   */
  startPrep: (input: PrepInput, options?: { id?: string }) => Promise<RunHandle>
  /** The run of a workflow id, open or closed. It is not looked up before it is used. */
  attach: (id: string) => RunHandle
  /**
   * The run of a workflow id or of a session name, looked up.
   *
   * @param options.project directory of the session, where several projects have one of that name
   * @throws RunNotFoundError; RefusalError `BadInput` where several runs are meant
   */
  run: (idOrSession: string, options?: { project?: string }) => Promise<RunHandle>
  /** Whether there is a run of that id, open or closed. */
  find: (id: string) => Promise<'open' | 'closed' | undefined>
  /**
   * The runs that fit every filter, newest first, one entry per id. The server's index follows a
   * run within about a second.
   *
   * @throws RefusalError `BadInput` for a filter that is none
   */
  list: (options?: ListOptions) => Promise<ListedRun[]>
  /**
   * Starts runs at set times: creates the schedule, or gives the one of that id another plan. The
   * local server stays up while a schedule is there that is not paused; it does not start by itself
   * after a reboot.
   *
   * @returns Temporal's handle: `trigger`, `pause`, `unpause`, `describe`, `delete`
   * @throws RefusalError `BadInput`
   */
  schedule: (id: string, plan: SchedulePlan) => Promise<ScheduleHandle>
  /** Ends everything that is asked and awaited here, with ConnectionClosedError. */
  close: () => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Connects to the local server at any address, also after a restart, or to the one at `address`;
 * unencrypted by default.
 *
 * @param env of which user and state directory the local server is
 * @throws {NoLocalServerError} if no address is given and no local server runs; no other server on
 * the usual port is used
 * @throws {ServerUnavailableError} if the address does not answer within five seconds
 */
export async function connect(
  options: ConnectOptions = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ratchet> {
  const door = await Door.open(options, env)
  const start = async (
    kind: Kind,
    workflowId: string,
    input: object,
    staticSummary: string,
    name = workflowId,
  ): Promise<RunHandle> => {
    try {
      await door.call((client) =>
        client.workflow.start(WORKFLOW_TYPES[kind], {
          workflowId,
          taskQueue: MAIN_QUEUE,
          args: [input],
          workflowIdConflictPolicy: 'FAIL',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          staticSummary,
          staticDetails: startDetails(kind, workflowId),
        }),
      )
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError))
        throw toClientError(error, workflowId, door.where)
      throw new RefusalError(
        BAD_INPUT,
        `the ${NOUN[kind]} ${name} is already running`,
        workflowId,
        `follow it with: ratchet watch ${name}`,
      )
    }
    return runHandle(door, workflowId)
  }
  return {
    get client() {
      return door.client
    },
    async startTestFix(raw, projectKey, ownId) {
      const input = checkedInput(TestFixInput, raw)
      // Under an id of its own a run may do without a session: its record is called like it.
      const session =
        input.session ??
        (ownId === undefined
          ? sessionName(input.project, `-${randomBytes(2).toString('hex')}`)
          : undefined)
      const workflowId =
        ownId ?? testFixWorkflowId(session ?? '', projectKey ?? keyHere(input.project))
      return start(
        'test-fix',
        workflowId,
        { ...input, ...(session === undefined ? {} : { session }) },
        summaryLine(`fix the tests of ${input.project}`),
        session,
      )
    },
    async startCycle(raw, { id } = {}) {
      const { workflowId, input, summary } = cycleStart(raw, id)
      return start('dev-cycle', workflowId, input, summary)
    },
    async startLoop(raw, { id } = {}) {
      const { workflowId, input, summary } = loopStart(raw, id)
      return start('dev-loop', workflowId, input, summary)
    },
    async startPrep(raw, { id } = {}) {
      const { workflowId, input, summary } = prepStart(raw, id)
      return start('prep', workflowId, input, summary)
    },
    attach: (id) => runHandle(door, id),
    run: async (name, { project } = {}) => runHandle(door, await resolveRun(door, name, project)),
    find: (id) => stateOf(door, id),
    list: (options) => listRuns(door, options),
    schedule: (id, plan) => scheduleRuns(door, id, plan),
    close: () => door.close(),
    [Symbol.asyncDispose]: () => door.close(),
  }
}
