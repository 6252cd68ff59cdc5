// The question of an agent that asks before it acts, put to a person through its workflow.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import { UPDATES } from '../contract/names.js'
import type { Question } from '../contract/question.js'
import type { AgentTurnInput } from '../contract/turn-input.js'
import {
  permissionMark,
  permissionText,
  type PermissionFacts,
} from '../core/agents/permission-text.js'
import { answersHeard, noteHeard } from '../adapters/agents/turn/answers-heard.js'
import { digest } from '../adapters/state-dir.js'
import type { HostDeps } from './host/deps.js'
import type { Beat } from './host/with-heartbeat.js'

/** In which a turn is cancelled whose question was withdrawn, as its run is stopped. */
const WITHDRAWN_MS = 10_000
/** Between two tries to reach a server that is away with a question. */
const RECONNECT_MS = 1_000

/**
 * Policy `ask`: the question waits in the workflow, for days if need be; no answer means no.
 *
 * The id says what is asked, with the tool's input, not which call asks it: after a crash the
 * resumed turn joins its question, or gets the answer that came meanwhile.
 */
export async function askPerson(
  deps: HostDeps,
  input: AgentTurnInput,
  request: PermissionFacts,
  beat: Beat,
): Promise<'allow' | 'deny'> {
  const id = `permission-${digest(`${input.key}/${permissionMark(request)}`).slice(0, 8)}`
  const heard = await answersHeard(deps.dirs, input.key, id)
  const question: Question = {
    id,
    kind: 'permission',
    text: `${input.agent} (${input.role}) asks: ${permissionText(request)}`,
    options: ['allow', 'deny'],
    recommended: 'deny',
    askedAt: Date.now(),
    turn: input.key,
    heard,
  }
  beat.progress({
    role: input.role,
    agent: input.agent,
    state: 'waiting for a person',
    question: question.id,
  })
  const aborted = new Promise<''>((resolve) =>
    beat.signal.addEventListener('abort', () => resolve(''), { once: true }),
  )
  const updateId = `${question.id}-${randomUUID()}`
  const argument = (): unknown =>
    deps.signedUpdate?.(input.run, { name: UPDATES.ask, id: updateId }, question) ?? question
  beat.waits(true)
  try {
    while (!beat.signal.aborted) {
      try {
        const handle = deps.client.workflow.getHandle(input.run)
        const answer = await Promise.race([
          handle.executeUpdate<string, [unknown]>(UPDATES.ask, { args: [argument()], updateId }),
          aborted,
        ])
        if (answer !== '') await noteHeard(deps.dirs, input.key, id, heard + 1)
        // Not "no" at once: the agent would carry on with that until it is cancelled.
        else await unlessAborted(WITHDRAWN_MS, beat)
        return answer === 'allow' ? 'allow' : 'deny'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError)
          return 'deny'
        // The server is away
        await unlessAborted(RECONNECT_MS, beat)
      }
    }
    return 'deny'
  } finally {
    beat.waits(false)
  }
}

/** Waits so many milliseconds, or until the turn is cancelled. */
async function unlessAborted(ms: number, { signal }: Beat): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}
