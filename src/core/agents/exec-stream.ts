// One JSON object a line, as `claude -p`, `qwen`, `codex exec --json`, `gemini -o stream-json` and
// `opencode run --format json` print them. They differ in their names, which never mean two things,
// so all are read by one reader; a program of one's own may print any of them, or ACP's updates as
// they are.
import { amountOf, at } from './agent-events.js'
import { addTokens, cachedTokens, reportedTokens, type Tokens } from './tokens.js'
import {
  agentError,
  errorOf,
  newSummary,
  parsed,
  record,
  say,
  sessionOf,
  text,
  tokensOf,
  usageTokens,
  type ExecNews,
  type ExecReader,
} from './exec-output.js'

/** What a CLI says of its limits is an update of this name. */
const RATE_LIMIT = 'rate_limit_event'
const MODEL_ERROR = /^\[API Error: [^]*\]$/

export class StreamReader implements ExecReader {
  readonly summary = newSummary()
  private session: string | undefined
  /** Of the model calls so far. */
  private calls: Tokens = { input: 0, output: 0 }
  private readonly counted = new Set<unknown>()
  private costUsd = 0
  private said = ''
  /** What an event said of a failure before the end says whether it was one. */
  private failing: { error?: unknown; type?: string; limit?: unknown } = {}

  take(line: string): ExecNews[] {
    if (line.trim() === '') return []
    const event = parsed(line)
    if (event === undefined) return [{ rubbish: line }]
    this.summary.readable = true
    const id = sessionOf(event)
    const named: ExecNews[] = id === undefined || id === this.session ? [] : [{ session: id }]
    this.session = id ?? this.session
    return [...named, ...this.read(event)]
  }

  end(): ExecNews[] {
    const { summary, failing } = this
    // It ended without its last word.
    if (
      !summary.whole &&
      summary.error === undefined &&
      (failing.error !== undefined || failing.limit !== undefined)
    )
      summary.error = this.error(failing.error, undefined)
    return []
  }

  private read(event: Record<string, unknown>): ExecNews[] {
    if (typeof event['sessionUpdate'] === 'string') return this.update(event)
    const type = text(event['type']) ?? 'unknown'
    const part = event['part']
    switch (type) {
      case 'assistant':
        return this.assistant(event)
      case 'user':
        return blocks(event).flatMap((block) =>
          at(block, 'type') === 'tool_result'
            ? this.tool(
                at(block, 'tool_use_id'),
                undefined,
                at(block, 'is_error') === true ? 'failed' : 'completed',
                block,
              )
            : [],
        )
      case 'result':
        return this.result(event)
      case RATE_LIMIT:
        return this.limit(event)
      case 'message':
        return event['role'] === 'assistant'
          ? this.says(text(event['content']) ?? '')
          : other(type, event)
      case 'text':
        return this.says(`${text(at(part, 'text')) ?? text(event['text']) ?? ''}\n`)
      case 'reasoning':
        return say(this.summary, `${text(at(part, 'text')) ?? ''}\n`, 'agent_thought_chunk')
      case 'tool_use':
        return part === undefined
          ? this.tool(event['tool_id'], text(event['tool_name']), 'in_progress', event)
          : this.tool(
              at(part, 'callID'),
              text(at(part, 'state', 'title')) ?? text(at(part, 'tool')),
              at(part, 'state', 'status') === 'error' ? 'failed' : 'completed',
              part,
            )
      case 'tool_result':
        return this.tool(
          event['tool_id'],
          undefined,
          event['status'] === 'error' ? 'failed' : 'completed',
          event,
        )
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.item(type, event['item'])
      case 'step_finish':
        return this.step(part)
      case 'turn.completed':
        return this.completed(event)
      case 'turn.failed':
        return this.failed(event['error'])
      case 'error':
        return this.complaint(event)
      default:
        return other(type, event)
    }
  }

  private update(event: Record<string, unknown>): ExecNews[] {
    if (event['sessionUpdate'] === 'agent_message_chunk')
      this.said = text(at(event, 'content', 'text')) ?? this.said
    this.summary.active = true
    return [{ update: event }]
  }

  // claude, qwen. What an agent below it says is no answer.
  private assistant(event: Record<string, unknown>): ExecNews[] {
    const own = event['parent_tool_use_id'] === undefined || event['parent_tool_use_id'] === null
    const type = text(event['error'])
    if (type !== undefined) this.failing.type = type
    const id = at(event, 'message', 'id')
    // One message may come in several events
    const used = this.counted.has(id) ? undefined : usageTokens(at(event, 'message', 'usage'))
    this.counted.add(id)
    return [
      ...blocks(event).flatMap((block) => this.block(block, own)),
      ...(used === undefined ? [] : this.call(used)),
    ]
  }

  private block(block: unknown, own: boolean): ExecNews[] {
    const type = at(block, 'type')
    if (type === 'text')
      return own
        ? this.says(`${text(at(block, 'text')) ?? ''}\n`)
        : say(this.summary, `${text(at(block, 'text')) ?? ''}\n`, 'agent_thought_chunk')
    if (type === 'thinking')
      return say(this.summary, text(at(block, 'thinking')) ?? '', 'agent_thought_chunk')
    return type === 'tool_use'
      ? this.tool(at(block, 'id'), text(at(block, 'name')), 'in_progress', block)
      : []
  }

  // claude, qwen, gemini: the last event.
  private result(event: Record<string, unknown>): ExecNews[] {
    const { summary } = this
    summary.whole = true
    summary.last = true
    const subtype = text(event['subtype']) ?? ''
    const words = text(event['result'])
    if (subtype === 'error_max_turns') summary.stopReason = 'max_turn_requests'
    else if (subtype.startsWith('error') || errorOf(event) !== undefined)
      summary.error = this.error(event['error'] ?? subtypeError(event, subtype), words, event)
    // qwen ends well where its model did not answer: then no call of this prompt has put anything
    // out.
    else if (words !== undefined && MODEL_ERROR.test(words.trim()) && this.calls.output === 0)
      summary.error = agentError(undefined, { message: words })
    const tokens = tokensOf(event)
    if (tokens !== undefined) summary.tokens = tokens
    // Qwen alone sums it up
    if (amountOf(at(event, 'usage', 'total_tokens')) !== undefined) summary.sinceBegin = true
    const cost = amountOf(event['total_cost_usd'])
    return [
      ...(this.said === '' && words !== undefined ? this.says(words) : []),
      ...(cost === undefined ? [] : [{ costUsd: cost }]),
    ]
  }

  private limit(event: Record<string, unknown>): ExecNews[] {
    const info = event['rate_limit_info']
    if (at(info, 'status') === 'rejected') this.failing.limit = info
    return [{ update: { sessionUpdate: RATE_LIMIT, rate_limit_info: info } }]
  }

  // codex
  private item(event: string, item: unknown): ExecNews[] {
    const type = text(at(item, 'type')) ?? text(at(item, 'item_type')) ?? 'item'
    const done = event === 'item.completed'
    if (type === 'agent_message' || type === 'assistant_message')
      return done ? this.says(`${text(at(item, 'text')) ?? ''}\n`) : []
    if (type === 'reasoning')
      return done
        ? say(this.summary, `${text(at(item, 'text')) ?? ''}\n`, 'agent_thought_chunk')
        : []
    if (type === 'error' || type === 'todo_list') return other(type, record(item))
    const failed = at(item, 'status') === 'failed' || at(item, 'status') === 'declined'
    return this.tool(
      at(item, 'id'),
      title(type, item),
      done ? (failed ? 'failed' : 'completed') : 'in_progress',
      item,
    )
  }

  private completed(event: Record<string, unknown>): ExecNews[] {
    const { summary } = this
    summary.whole = true
    summary.last = true
    const tokens = tokensOf(event)
    if (tokens === undefined) return []
    summary.tokens = tokens
    summary.sinceBegin = true // over the thread, also after a resume
    return []
  }

  private failed(error: unknown): ExecNews[] {
    this.summary.whole = true
    this.summary.last = true
    this.summary.error = this.error(error, undefined)
    return other('turn.failed', { error })
  }

  // opencode: one model call has ended.
  private step(part: unknown): ExecNews[] {
    const raw = at(part, 'tokens')
    const cached =
      (amountOf(at(raw, 'cache', 'read')) ?? 0) + (amountOf(at(raw, 'cache', 'write')) ?? 0)
    const tokens = usageTokens(raw)
    const cost = amountOf(at(part, 'cost'))
    if (cost !== undefined) this.costUsd += cost
    this.summary.whole = at(part, 'reason') !== 'tool-calls'
    const used =
      tokens === undefined
        ? []
        : this.call({
            input: tokens.input + cached,
            output: tokens.output + (amountOf(at(raw, 'reasoning')) ?? 0),
            ...cachedTokens(amountOf(at(raw, 'cache', 'read'))),
          })
    if (tokens !== undefined) this.summary.tokens = { ...this.calls }
    return [...used, ...(cost === undefined ? [] : [{ costUsd: this.costUsd }])]
  }

  // opencode's is an object and the end; those of codex and gemini are notes, until the end says
  // otherwise.
  private complaint(event: Record<string, unknown>): ExecNews[] {
    const { error } = event
    if (typeof error === 'object' && error !== null) {
      this.summary.whole = true
      this.summary.error = this.error(error, undefined)
    } else if (event['severity'] !== 'warning') this.failing.error = event['message'] ?? error
    return other('error', event)
  }

  private error(given: unknown, message: string | undefined, reset?: unknown) {
    const { type, limit } = this.failing
    const about = limit === undefined ? reset : { ...record(reset), rate_limit_info: limit }
    return agentError(given, {
      message,
      type: limit === undefined ? type : 'rate_limit',
      reset: about,
    })
  }

  private says(words: string): ExecNews[] {
    if (words.trim() !== '') this.said = words
    return words === '\n' ? [] : say(this.summary, words)
  }

  // Live usage comes as qwen sends it over ACP: on a piece of text without text.
  private call(used: Tokens): ExecNews[] {
    this.calls = addTokens(this.calls, used)
    return [
      {
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: '' },
          _meta: { usage: reportedTokens(used) },
        },
      },
    ]
  }

  private tool(
    id: unknown,
    name: string | undefined,
    status: 'in_progress' | 'completed' | 'failed',
    raw: unknown,
  ): ExecNews[] {
    this.summary.active = true
    const sessionUpdate = status === 'in_progress' ? 'tool_call' : 'tool_call_update'
    return [
      {
        update: {
          sessionUpdate,
          toolCallId: text(id) ?? '',
          ...(name !== undefined && { title: name }),
          status,
          raw,
        },
      },
    ]
  }
}

const other = (sessionUpdate: string, event: unknown): ExecNews[] => [
  { update: { sessionUpdate, event } },
]

function blocks(event: unknown): unknown[] {
  const content = at(event, 'message', 'content')
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

// claude lists what went wrong in a field next to its subtype.
function subtypeError(event: unknown, subtype: string): unknown {
  const errors = at(event, 'errors')
  const status = at(event, 'api_error_status')
  const said = Array.isArray(errors)
    ? errors
        .map((one) => (typeof one === 'string' ? one : text(at(one, 'message'))))
        .filter((one) => one !== undefined)
        .join('; ')
    : ''
  return {
    ...(said !== '' && { message: said }),
    ...(subtype.startsWith('error') && { type: subtype }),
    ...(status !== undefined && { status }),
  }
}

function title(type: string, item: unknown): string {
  const changed = at(item, 'changes')
  const files = Array.isArray(changed)
    ? changed.map((change) => text(at(change, 'path'))).filter((file) => file !== undefined)
    : []
  return (
    text(at(item, 'command')) ??
    (files.length > 0
      ? `edit ${files.join(', ')}`
      : (text(at(item, 'tool')) ?? text(at(item, 'query')) ?? type))
  )
}
