// Reads what an agent reports during a turn. Agents differ and change, so nothing here may throw:
// an unknown update is an event of no further meaning.
import { cachedTokens, type Tokens } from './tokens.js'

export type AgentEvent =
  | { kind: 'text'; text: string; tokens?: Tokens }
  | { kind: 'thought'; text: string }
  /** `running` false: it completed or failed. */
  | { kind: 'tool'; id: string; title: string; running: boolean }
  /** Cumulative money; per process or per session, depending on the agent. */
  | { kind: 'cost'; usd: number }
  | { kind: 'other'; name: string }

/**
 * More tokens, or US dollars, than any session has: a number beyond it is none. Beyond it a sum
 * could become one that JSON has no word for.
 */
const MOST = 1e12

/** A number that can be an amount of tokens or of money, or `undefined`. */
export function amountOf(raw: unknown): number | undefined {
  return typeof raw === 'number' && raw >= 0 && raw <= MOST ? raw : undefined
}

/** Reads the `update` of a `session/update` notification. */
export function readUpdate(update: unknown): AgentEvent {
  const name = text(at(update, 'sessionUpdate')) ?? 'unknown'
  if (name === 'agent_message_chunk' || name === 'agent_thought_chunk') {
    const said = text(at(update, 'content', 'text')) ?? ''
    if (name === 'agent_thought_chunk') return { kind: 'thought', text: said }
    // Qwen reports each model call on an empty chunk
    const tokens = readTokens(at(update, '_meta', 'usage'))
    return { kind: 'text', text: said, ...(tokens && { tokens }) }
  }
  if (name === 'tool_call' || name === 'tool_call_update') {
    const status = text(at(update, 'status'))
    const id = text(at(update, 'toolCallId')) ?? ''
    // An update without a status says nothing new about whether it runs; a call without one is
    // pending.
    if (name === 'tool_call_update' && status === undefined) return { kind: 'other', name }
    return {
      kind: 'tool',
      id,
      title: text(at(update, 'title')) ?? id,
      running: status !== 'completed' && status !== 'failed',
    }
  }
  const amount = amountOf(at(update, 'cost', 'amount'))
  if (
    name === 'usage_update' &&
    amount !== undefined &&
    text(at(update, 'cost', 'currency')) === 'USD'
  )
    return { kind: 'cost', usd: amount }
  return { kind: 'other', name }
}

/** Updates of a session in which its agent does no work. */
const STATE_UPDATES = new Set([
  'available_commands_update',
  'config_option_update',
  'current_mode_update',
  'session_info_update',
  'usage_update',
  'user_message_chunk',
])

/** Whether an event shows that the agent works on its prompt, or may do so. */
export function isWork(event: AgentEvent): boolean {
  if (event.kind === 'text') return event.text !== '' || event.tokens !== undefined
  if (event.kind === 'thought') return event.text !== ''
  return event.kind === 'tool' || (event.kind === 'other' && !STATE_UPDATES.has(event.name))
}

/** Tokens in the context of a session and the most it holds, where an update reports them. */
export function contextOf(update: unknown): { used: number; size: number } | undefined {
  if (at(update, 'sessionUpdate') !== 'usage_update') return undefined
  const [used, size] = [amountOf(at(update, 'used')), amountOf(at(update, 'size'))]
  return used === undefined || size === undefined || size === 0 ? undefined : { used, size }
}

/** One short label for a heartbeat: `tool write src/a.ts`, `text`, `plan`. */
export function eventLabel(event: AgentEvent): string {
  if (event.kind === 'tool') return `tool ${event.title}`.slice(0, 80)
  return event.kind === 'other' ? event.name.slice(0, 80) : event.kind
}

/** Reads token counts as the agents write them, or `undefined` where there are none. */
export function readTokens(raw: unknown): Tokens | undefined {
  const input = first(raw, ['inputTokens', 'input_tokens', 'promptTokens', 'prompt_tokens'])
  const output = first(raw, [
    'outputTokens',
    'output_tokens',
    'completionTokens',
    'completion_tokens',
  ])
  if (input === undefined && output === undefined) return undefined
  const read = first(raw, ['cachedReadTokens', 'cached_read_tokens'])
  const cached = (read ?? 0) + (first(raw, ['cachedWriteTokens']) ?? 0)
  const thought = first(raw, ['thoughtTokens']) ?? 0
  // Some count these inside of the two main numbers, others apart from them: the total tells which.
  const room =
    (first(raw, ['totalTokens', 'total_tokens']) ?? Infinity) - (input ?? 0) - (output ?? 0)
  const apart = (tokens: number, left: number) => (tokens <= left ? tokens : 0)
  const addCached = apart(cached, room)
  return {
    input: (input ?? 0) + addCached,
    output: (output ?? 0) + apart(thought, room - addCached),
    ...cachedTokens(read),
  }
}

function first(raw: unknown, names: string[]): number | undefined {
  return names.map((name) => amountOf(at(raw, name))).find((v) => v !== undefined)
}

/** The value at a path of keys, or `undefined`. */
export function at(raw: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[key]
        : undefined,
    raw,
  )
}

function text(raw: unknown): string | undefined {
  return typeof raw === 'string' ? raw : undefined
}
