// What a one-shot command says: `text`, where its standard output is the answer, and `json`, one
// document. Lines of JSON are read in exec-stream.ts. Fields are read under every name that is in
// use, and nothing throws: what is not known is left out.
import { amountOf, at } from './agent-events.js'
import { cachedTokens, sumOfKnown, type Tokens } from './tokens.js'
import type { AgentError } from './agent-outcome.js'

export type ExecOutput = 'text' | 'json' | 'stream-json'

/**
 * One thing that was read. An `update` has the shape of ACP's `session/update`; `costUsd` is the
 * prompt's so far.
 */
export type ExecNews =
  { update: unknown } | { session: string } | { costUsd: number } | { rubbish: string }

/** What is known at the end of the output. */
export type ExecSummary = {
  /** The command said that it is through. Never of `text`. */
  whole: boolean
  /** Nothing follows any more: its last event was read. Only of `stream-json`. */
  last?: boolean
  /** Text was said, or a tool was used. */
  active: boolean
  /** There was something in the form that was promised. */
  readable: boolean
  error?: AgentError
  /** Anything but the usual end, as ACP names it. */
  stopReason?: string
  tokens?: Tokens
  /** The tokens are those of the session so far, with what was spent before this prompt. */
  sinceBegin?: boolean
  /** The last text, for a message. */
  tail: string
}

/** Reads an output piece by piece: of `stream-json` a line, of the others any piece. */
export interface ExecReader {
  take(piece: string): ExecNews[]
  /** What only the end shows; then the summary is complete. */
  end(): ExecNews[]
  readonly summary: ExecSummary
}

export const newSummary = (): ExecSummary => ({
  whole: false,
  active: false,
  readable: false,
  tail: '',
})

const TAIL_CHARS = 300
const AUTH_REQUIRED = -32000
const INTERNAL_ERROR = -32603
/** An id goes into an argument list: nothing that could be an option, or break out of its place. */
const SESSION = /^[A-Za-z0-9][\w.:-]{0,199}$/

/** The answer is what it prints; blanks alone are none. */
export class TextReader implements ExecReader {
  readonly summary = newSummary()

  take(piece: string): ExecNews[] {
    const { summary } = this
    const said = summary.readable || piece.trim() !== ''
    const news = say(summary, piece)
    summary.readable = summary.active = said
    return news
  }

  end(): ExecNews[] {
    return []
  }
}

/** One JSON document; lines before and after it are passed over. */
export class DocumentReader implements ExecReader {
  readonly summary = newSummary()
  private text = ''

  take(piece: string): ExecNews[] {
    this.text += piece
    return []
  }

  end(): ExecNews[] {
    const { summary } = this
    const document = parsed(this.text) ?? lastObject(this.text)
    if (document === undefined) return this.text.trim() === '' ? [] : [{ rubbish: this.text }]
    summary.readable = true
    summary.whole = true
    const session = sessionOf(document)
    const error = errorOf(document)
    if (error !== undefined) summary.error = error
    const tokens = tokensOf(document)
    if (tokens !== undefined) summary.tokens = tokens
    const cost = amountOf(at(document, 'total_cost_usd')) ?? amountOf(at(document, 'cost'))
    const answer = ['result', 'response', 'text', 'message']
      .map((name) => at(document, name))
      .find((value) => typeof value === 'string')
    return [
      ...(session === undefined ? [] : [{ session }]),
      ...say(summary, answer ?? ''),
      ...(cost === undefined ? [] : [{ costUsd: cost }]),
    ]
  }
}

/** The news of a piece of text; none of an empty one. */
export function say(
  summary: ExecSummary,
  text: string,
  kind: 'agent_message_chunk' | 'agent_thought_chunk' = 'agent_message_chunk',
): ExecNews[] {
  if (text === '') return []
  summary.active = true
  if (kind === 'agent_message_chunk') summary.tail = (summary.tail + text).slice(-TAIL_CHARS)
  return [{ update: { sessionUpdate: kind, content: { type: 'text', text } } }]
}

/** The session's id, or `undefined` where there is none that may go into an argument list. */
export function sessionOf(raw: unknown): string | undefined {
  return ['session_id', 'sessionId', 'thread_id', 'sessionID']
    .map((name) => at(raw, name))
    .find((id): id is string => typeof id === 'string' && SESSION.test(id))
}

/**
 * Returns the error of a document or a last event, or `undefined` if there is none. `data` holds
 * its fields as they came, those of `error` and those around it, so that a rate limit and its reset
 * time are found.
 */
export function errorOf(raw: unknown): AgentError | undefined {
  const given = at(raw, 'error')
  const failed = at(raw, 'is_error') === true || at(raw, 'status') === 'error'
  if (!failed && (given === undefined || given === null || given === false || given === ''))
    return undefined
  const said = ['result', 'response', 'message', 'text']
    .map((name) => at(raw, name))
    .find((value) => typeof value === 'string')
  return agentError(given, {
    message: typeof said === 'string' && said !== '' ? said : undefined,
    reset: raw,
  })
}

/**
 * Builds an error from the fields that agents give it.
 *
 * @param given the error as it came: an object, a text, or a text that is an object
 * @param message what the agent said instead: its answer, of which only the words count
 * @param reset another place for a reset time
 */
export function agentError(
  given: unknown,
  {
    message,
    type,
    reset,
  }: { message?: string | undefined; type?: string | undefined; reset?: unknown } = {},
): AgentError {
  const inner = typeof given === 'string' ? (parsed(given) ?? { message: given }) : (given ?? {})
  const fields = record(at(inner, 'error') ?? inner)
  const data = record(at(inner, 'data'))
  const status = [fields, record(inner), data]
    .flatMap((one) => ['status', 'statusCode', 'status_code', 'code'].map((name) => at(one, name)))
    .map(whole)
    .find((n) => n !== undefined)
  const kind = type ?? text(fields['type']) ?? text(fields['name'])
  const told = text(fields['message']) ?? text(data['message']) ?? text(record(inner)['message'])
  const words = told ?? message ?? kind ?? 'the agent only said that it failed'
  const error = {
    ...data,
    ...fields,
    ...(kind !== undefined && { type: kind }),
    ...(status !== undefined && { status }),
  }
  const code = isLogin(kind, status) ? AUTH_REQUIRED : (status ?? INTERNAL_ERROR)
  return {
    code,
    message: words,
    data: { ...resetFields(reset), ...error, error },
    ...(told === undefined && message !== undefined && { spoken: true }),
  }
}

const LOGIN_TYPES = new Set([
  'authentication_failed',
  'authentication_error',
  'FatalAuthenticationError',
  'ProviderAuthError',
])

function isLogin(type: string | undefined, status: number | undefined): boolean {
  return status === 401 || (type !== undefined && LOGIN_TYPES.has(type))
}

function resetFields(raw: unknown): Record<string, unknown> {
  const names = ['rate_limit_info', 'retry_after', 'retryAfter', 'resets_at', 'resetsAt', 'headers']
  return Object.fromEntries(
    names.flatMap((name) => (at(raw, name) === undefined ? [] : [[name, at(raw, name)]])),
  )
}

/**
 * Tokens of a document or a last event, under every name in use; `undefined` where there are none.
 */
export function tokensOf(raw: unknown): Tokens | undefined {
  return (
    usageTokens(at(raw, 'usage')) ??
    usageTokens(at(raw, 'stats')) ??
    modelTokens(at(raw, 'stats', 'models'))
  )
}

/**
 * Input includes tokens read from a cache: some agents report them within the input, some
 * separately.
 */
export function usageTokens(usage: unknown): Tokens | undefined {
  const find = (...names: string[]) =>
    names.map((name) => amountOf(at(usage, name))).find((n) => n !== undefined)
  const input = find('input_tokens', 'inputTokens', 'prompt_tokens', 'promptTokens', 'input')
  const output = find(
    'output_tokens',
    'outputTokens',
    'completion_tokens',
    'completionTokens',
    'output',
  )
  if (input === undefined && output === undefined) return undefined
  const read = find('cache_read_input_tokens', 'cachedReadTokens')
  const apart = (read ?? 0) + (find('cache_creation_input_tokens', 'cachedWriteTokens') ?? 0)
  // Where a total is given, it tells which.
  const within = find('total_tokens', 'totalTokens') === (input ?? 0) + (output ?? 0)
  return {
    input: (input ?? 0) + (within ? 0 : apart),
    output: (output ?? 0) + (find('thoughtTokens') ?? 0),
    ...cachedTokens(read ?? find('cached_input_tokens', 'cached')),
  }
}

// gemini -o json: per model, { prompt, candidates, thoughts, cached, total }.
function modelTokens(models: unknown): Tokens | undefined {
  const each = Object.values(record(models))
    .map((model) => at(model, 'tokens'))
    .filter((tokens) => tokens !== undefined)
  if (each.length === 0) return undefined
  const sum = (...names: string[]) =>
    each.reduce<number>(
      (total, tokens) =>
        total + names.reduce((n, name) => n + (amountOf(at(tokens, name)) ?? 0), 0),
      0,
    )
  const cached = each.map((tokens) => amountOf(at(tokens, 'cached'))).reduce(sumOfKnown, undefined)
  return { input: sum('prompt'), output: sum('candidates', 'thoughts'), ...cachedTokens(cached) }
}

/** A JSON object, or `undefined` where the text is none. */
export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The fields of an object; none of anything else. */
export function record(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
    ? (raw as Record<string, unknown>)
    : {}
}

// Warnings stand before it, on lines of their own.
function lastObject(text: string): Record<string, unknown> | undefined {
  for (let from = text.indexOf('{'), tries = 0; from !== -1 && tries < 50; tries++) {
    const found = parsed(text.slice(from, text.lastIndexOf('}') + 1))
    if (found !== undefined) return found
    const next = text.indexOf('\n{', from)
    from = next === -1 ? -1 : next + 1
  }
  return undefined
}

/** A text that says something. */
export function text(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw : undefined
}

function whole(raw: unknown): number | undefined {
  const n = typeof raw === 'string' && /^\d{3}$/.test(raw) ? Number(raw) : raw
  return typeof n === 'number' && Number.isInteger(n) ? n : undefined
}
