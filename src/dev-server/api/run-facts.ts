// Asks the user's own server, and through it the workflows, about open runs. No answer is older
// than its question.
import { z } from 'zod'
import { kindOfType, QUERIES, SIDE_ACTIVITIES } from '../../contract/names.js'
import { StatusReply, type PendingActivity, type RunFacts } from '../../contract/result.js'
import type { RunsRequest } from '../control.js'
import { Executions, indexedProject, SearchAttributes } from './executions.js'
import type { KeptAnswers, Told } from './kept-answers.js'
import { payloadValue, withApi, type ApiAddress, type ServerApi } from './server-api.js'

/** A command asks in another way after twice this time. */
const WITHIN_MS = 1_000

/**
 * Returns open runs in the order of the server or of the ids; fewer than were asked for if they
 * are not open.
 *
 * @throws for a run that ended meanwhile, that cannot be described, or whose workflow does not
 * answer at once: a command then asks with Temporal's client, which has patience
 */
export async function runFacts(
  { api, namespace, kept }: { api: ApiAddress | undefined; namespace: string; kept: KeptAnswers },
  asked: RunsRequest,
): Promise<RunFacts[]> {
  return withApi(
    api,
    async (server) => {
      const looks = new Looks(server, namespace, kept)
      if ('ids' in asked) {
        const run = await looks.firstOpen(asked.ids)
        return run === undefined ? [] : [await looks.facts(run, { isWhole: true })]
      }
      return Promise.all(
        (await looks.list(asked)).map(async (id) => {
          const run = await looks.describe(id)
          if (run === undefined || !isOpen(run))
            throw new Error(`the run ${id} is not open any more`)
          return looks.facts(run)
        }),
      )
    },
    WITHIN_MS,
  )
}

// An answer leaves out what is empty or zero.
const Activity = z.object({
  activityType: z.object({ name: z.string() }),
  state: z.string().optional(),
  attempt: z.number().default(1),
  lastStartedTime: z.string().optional(),
  heartbeatDetails: z.object({ payloads: z.array(z.unknown()).default([]) }).optional(),
  lastFailure: z
    .object({
      message: z.string().default(''),
      applicationFailureInfo: z.object({ type: z.string().default('') }).optional(),
    })
    .optional(),
})
const Described = z.object({
  workflowExecutionInfo: z.object({
    execution: z.object({ workflowId: z.string(), runId: z.string() }),
    type: z.object({ name: z.string() }),
    status: z.string(),
    startTime: z.string(),
    historyLength: z.string(),
    firstRunId: z.string().default(''),
    searchAttributes: SearchAttributes.optional(),
  }),
  pendingActivities: z.array(Activity).default([]),
})
type Described = z.infer<typeof Described>
const Answer = z.object({ queryResult: z.object({ payloads: z.array(z.unknown()).min(1) }) })

const RUNNING_STATES = ['PENDING_ACTIVITY_STATE_STARTED', 'PENDING_ACTIVITY_STATE_CANCEL_REQUESTED']

function isOpen({ workflowExecutionInfo }: Described): boolean {
  return workflowExecutionInfo.status === 'WORKFLOW_EXECUTION_STATUS_RUNNING'
}

class Looks {
  readonly #place: string

  constructor(
    readonly server: ServerApi,
    namespace: string,
    readonly kept: KeptAnswers,
  ) {
    this.#place = `/namespaces/${namespace}/workflows`
  }

  async list({ query, limit }: { query: string; limit: number }): Promise<string[]> {
    const { executions } = Executions.parse(
      await this.server.get(this.#place, { query, pageSize: String(limit) }),
    )
    return executions.map(({ execution }) => execution.workflowId)
  }

  async firstOpen(ids: readonly string[]): Promise<Described | undefined> {
    for (const id of ids) {
      const run = await this.describe(id)
      if (run !== undefined && isOpen(run)) return run
    }
    return undefined
  }

  async describe(id: string, runId?: string): Promise<Described | undefined> {
    return Described.optional().parse(
      await this.server.find(
        `${this.#place}/${encodeURIComponent(id)}`,
        runId === undefined ? {} : { 'execution.runId': runId },
      ),
    )
  }

  async facts(run: Described, { isWhole = false } = {}): Promise<RunFacts> {
    const { execution, type, searchAttributes, historyLength } = run.workflowExecutionInfo
    const id = execution.workflowId
    const kind = kindOfType(type.name)
    if (kind === undefined) throw new Error(`${id} is no run of Ratchet`)
    const project = indexedProject(searchAttributes)
    const [startedAt, told, state] = await Promise.all([
      this.#began(run),
      this.kept.of(execution.runId, historyLength, () => this.#told(id)),
      isWhole ? this.#query(id, QUERIES.state) : undefined,
    ])
    return {
      id,
      kind,
      ...(project === undefined ? {} : { project }),
      startedAt,
      pending: pendingOf(run),
      ...told,
      state,
    }
  }

  // The server may have deleted the first iteration.
  async #began({ workflowExecutionInfo }: Described): Promise<string> {
    const { execution, startTime, firstRunId } = workflowExecutionInfo
    if (firstRunId === '' || firstRunId === execution.runId) return startTime
    const first = await this.describe(execution.workflowId, firstRunId)
    return first?.workflowExecutionInfo.startTime ?? startTime
  }

  async #told(id: string): Promise<Told> {
    const status = StatusReply.parse(await this.#query(id, QUERIES.status))
    const questions = status.questions > 0 ? await this.#query(id, QUERIES.questions) : []
    return { status, questions: questions as RunFacts['questions'] }
  }

  async #query(id: string, name: string): Promise<unknown> {
    const { queryResult } = Answer.parse(
      await this.server.post(`${this.#place}/${encodeURIComponent(id)}/query/${name}`, {
        query: {},
      }),
    )
    return payloadValue(queryResult.payloads[0])
  }
}

function pendingOf({ pendingActivities }: Described): PendingActivity[] {
  return pendingActivities
    .filter(({ activityType }) => !SIDE_ACTIVITIES.includes(activityType.name))
    .map(({ activityType, state, attempt, lastStartedTime, heartbeatDetails, lastFailure }) => {
      const details = heartbeatDetails?.payloads[0]
      const progress = details === undefined ? undefined : payloadValue(details)
      const type = lastFailure?.applicationFailureInfo?.type
      return {
        name: activityType.name,
        attempt,
        started: lastStartedTime !== undefined,
        running: RUNNING_STATES.includes(state ?? ''),
        ...(lastStartedTime === undefined ? {} : { startedAt: Date.parse(lastStartedTime) }),
        progress:
          typeof progress === 'object' && progress !== null
            ? (progress as Record<string, unknown>)
            : undefined,
        ...(lastFailure?.message ? { lastFailure: lastFailure.message } : {}),
        ...(type ? { lastFailureType: type } : {}),
      }
    })
}
