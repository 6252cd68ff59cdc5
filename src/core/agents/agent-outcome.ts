// What the end of a prompt means for the turn. An agent's failure is an outcome, never an
// exception. Text is not searched for signs of failure: agents write about rate limits without
// having hit one.
import type { TurnOutcome } from '../../contract/turn.js'
import { at } from './agent-events.js'
import { outageIn, type Evidence, type Outage } from './agent-outage.js'

export type Ending = {
  outcome: TurnOutcome
  reason?: string | undefined
  /** Of `unavailable`. */
  outage?: Outage
  /** `login`: it failed because the agent has no login or no key, so every task would fail. */
  cause?: 'login' | undefined
}

/**
 * JSON-RPC error as the agent sent it. `spoken`: its message is what the agent said as its answer,
 * as there was no other.
 */
export type AgentError = { code: number; message: string; data?: unknown; spoken?: true }

/**
 * Judges a `stopReason` that came without our asking for it.
 *
 * An agent that ran into its own token or step limit has done some work: that is judged like any
 * other.
 */
export function endingOf(stopReason: unknown): Ending {
  if (
    stopReason === 'end_turn' ||
    stopReason === 'max_tokens' ||
    stopReason === 'max_turn_requests'
  )
    return { outcome: 'completed' }
  if (stopReason === 'refusal') return { outcome: 'failed', reason: 'the agent refused the task' }
  if (stopReason === 'cancelled')
    return {
      outcome: 'failed',
      reason: 'the agent cancelled the turn itself, as some do after a refused permission',
    }
  return { outcome: 'failed', reason: `the agent ended the turn with ${shown(stopReason)}` }
}

/**
 * The failure that an answer carries although its `stopReason` speaks of success, or `undefined`.
 *
 * Codex tells it in a field of the extension that the client asks for; its categories: `limit` (of
 * the rate or the quota; of the context where only a new session helps), `access`, `request`,
 * `service`, `connection`.
 */
export function failureIn(answer: unknown): AgentError | undefined {
  const failure = at(answer, '_meta', 'jetbrains', 'air', 'sessionFailure')
  if (at(failure, 'severity') !== 'error') return undefined
  const { category, actions, title } = failure as {
    category?: unknown
    actions?: unknown
    title?: unknown
  }
  const newSession = Array.isArray(actions) && actions.includes('new_session')
  const message = typeof title === 'string' ? title : 'the agent gave no reason'
  if (category === 'access') return { code: AUTH_REQUIRED, message }
  return {
    code: INTERNAL,
    message,
    data: { category, ...(category === 'limit' && !newSession && { errorKind: 'rate_limit' }) },
  }
}

const INTERNAL = -32603
const AUTH_REQUIRED = -32000
/** Gemini puts the HTTP status where the protocol has its own codes. */
const UNAUTHORIZED = 401

/**
 * Judges an error answer. Only a field makes it a rate limit.
 *
 * @param around how its process ended, and its standard error: the error itself may say nothing
 */
export function endingOfError(error: AgentError, around: Omit<Evidence, 'error'> = {}): Ending {
  const message = `${plain(error.message).slice(0, 300)}${detail(error)}`
  if (isLogin(error))
    return {
      outcome: 'failed',
      reason: `the agent is not logged in or has no key: ${message}`,
      cause: 'login',
    }
  if (isRateLimit(error))
    return {
      outcome: 'rate_limited',
      reason: `the agent's model provider limits the rate: ${message}`,
    }
  const outage = outageIn({ error, ...around })
  if (outage !== undefined)
    return {
      outcome: 'unavailable',
      reason: `the agent's model provider is unavailable, ${outageText(outage)}: ${message}`,
      outage,
    }
  return { outcome: 'failed', reason: `the agent answered with error ${error.code}: ${message}` }
}

/**
 * Judges a process that ended without an answer; `undefined` where nothing but its death is known.
 */
export function endingOfDeath(evidence: Omit<Evidence, 'error'>): Ending | undefined {
  const outage = outageIn(evidence)
  return outage === undefined
    ? undefined
    : {
        outcome: 'unavailable',
        reason: `the agent's model provider is unavailable, ${outageText(outage)}`,
        outage,
      }
}

/** "connection refused (127.0.0.1:9)", "HTTP 503". */
export function outageText({ error, address }: Pick<Outage, 'error' | 'address'>): string {
  return address === undefined ? error : `${error} (${address})`
}

const LOGIN_KINDS = new Set(['authentication_failed', 'authentication_error'])

function isLogin({ code, data }: AgentError): boolean {
  if (code === AUTH_REQUIRED || code === UNAUTHORIZED) return true
  const found = ['status', 'statusCode', 'type', 'errorKind'].flatMap((name) => [
    at(data, name),
    at(data, 'error', name),
  ])
  return found.some(
    (one) => one === UNAUTHORIZED || (typeof one === 'string' && LOGIN_KINDS.has(one)),
  )
}

/** HTTP's word for it; some write it as a text. */
const TOO_MANY = 429
const RATE_LIMIT_TYPES = new Set([
  'rate_limit',
  'rate_limit_error',
  'rate_limit_exceeded',
  'rate_limited',
  'too_many_requests',
  'RESOURCE_EXHAUSTED',
])

function isRateLimit(error: AgentError): boolean {
  const { data } = error
  const statuses = [
    error.code,
    ...['status', 'statusCode', 'httpStatus', 'code'].flatMap((k) => [
      at(data, k),
      at(data, 'error', k),
    ]),
  ]
  const types = ['type', 'code', 'status', 'errorKind'].flatMap((k) => [
    at(data, k),
    at(data, 'error', k),
  ])
  return (
    statuses.some((one) => one === TOO_MANY || one === String(TOO_MANY)) ||
    types.some((t) => typeof t === 'string' && RATE_LIMIT_TYPES.has(t))
  )
}

// Codex and gemini pass on the provider's whole answer, which says it in a field.
function plain(message: string): string {
  if (!message.startsWith('{')) return message
  try {
    const said = at(JSON.parse(message), 'error', 'message')
    return typeof said === 'string' ? said : message
  } catch {
    return message
  }
}

// Several agents answer "Internal error" and put what happened into the data.
function detail(error: AgentError): string {
  const more =
    at(error.data, 'details') ?? at(error.data, 'message') ?? at(error.data, 'error', 'message')
  return typeof more === 'string' && !error.message.includes(more) ? ` (${more.slice(0, 300)})` : ''
}

function shown(raw: unknown): string {
  return raw === undefined ? 'no stop reason' : JSON.stringify(raw).slice(0, 80)
}
