// Messages, as claude speaks it.
import {
  CALL_TOKENS,
  json,
  list,
  sse,
  textOf,
  type Answer,
  type Turn,
  type Wire,
} from './conversation.js'
import { present } from '../present.js'

const tokens = {
  input_tokens: CALL_TOKENS.input - CALL_TOKENS.cached,
  cache_read_input_tokens: CALL_TOKENS.cached,
  cache_creation_input_tokens: 0,
}
const event = (type: string, data: Record<string, unknown>) => sse({ type, ...data }, type)
const block = (n: number, answer: Answer) =>
  'text' in answer
    ? { type: 'text', text: answer.text }
    : { type: 'tool_use', id: `toolu_${n}`, name: answer.tool.name, input: answer.tool.input }
const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

function turnsOf(message: Record<string, unknown>): Turn[] {
  const { role, content } = message
  if (role !== 'user') return [{ from: 'model', text: textOf(content) }]
  if (typeof content === 'string') return [{ from: 'user', text: content }]
  return list(content).map((part): Turn => ({
    from: part['type'] === 'tool_result' ? 'tool' : 'user',
    text: textOf([part]),
  }))
}

export const messages: Wire = {
  read(body) {
    const { model, stream, tools, messages: said } = json(body)
    return {
      model: String(model),
      stream: stream === true,
      tools: list(tools).map((t) => String(t['name'])),
      turns: list(said).flatMap(turnsOf),
    }
  },
  begin: ({ model }, n) =>
    event('message_start', {
      message: {
        id: `msg_${n}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...tokens, output_tokens: 1 },
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  piece: (_, _n, text) =>
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end(_, n, answer) {
    const tool =
      'tool' in answer
        ? event('content_block_start', {
            index: 1,
            content_block: { ...block(n, answer), input: {} },
          }) +
          event('content_block_delta', {
            index: 1,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(answer.tool.input) },
          }) +
          event('content_block_stop', { index: 1 })
        : ''
    return (
      event('content_block_stop', { index: 0 }) +
      tool +
      event('message_delta', {
        delta: { stop_reason: tool === '' ? 'end_turn' : 'tool_use', stop_sequence: null },
        usage: { ...tokens, output_tokens: CALL_TOKENS.output },
      }) +
      event('message_stop', {})
    )
  },
  whole: ({ model }, n, answer) => ({
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [block(n, answer)],
    stop_reason: 'tool' in answer ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { ...tokens, output_tokens: CALL_TOKENS.output },
  }),
  failure({ status, message = `the stub failed with ${status}`, resetsInS }) {
    const reset =
      resetsInS === undefined ? undefined : String(Math.floor(Date.now() / 1_000) + resetsInS)
    return {
      headers: present(
        reset === undefined
          ? {}
          : {
              'retry-after': String(resetsInS),
              'anthropic-ratelimit-unified-status': 'rejected',
              'anthropic-ratelimit-unified-reset': reset,
              'anthropic-ratelimit-unified-representative-claim': 'five_hour',
            },
      ),
      body: { type: 'error', error: { type: TYPES[status] ?? 'api_error', message } },
    }
  },
}
