// Responses, as codex speaks it.
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

const usage = {
  input_tokens: CALL_TOKENS.input,
  input_tokens_details: { cached_tokens: CALL_TOKENS.cached },
  output_tokens: CALL_TOKENS.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: CALL_TOKENS.input + CALL_TOKENS.output,
}
const event = (type: string, data: Record<string, unknown>) => sse({ type, ...data }, type)
const message = (n: number, text: string) => ({
  type: 'message',
  role: 'assistant',
  id: `msg_${n}`,
  content: [{ type: 'output_text', text, annotations: [] }],
})

function item(n: number, answer: Answer) {
  if ('text' in answer) return message(n, answer.text)
  const { name, namespace, input } = answer.tool
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${n}`, call_id: `call_${n}`, name, input }
    : {
        type: 'function_call',
        id: `fc_${n}`,
        call_id: `call_${n}`,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        arguments: JSON.stringify(input),
      }
}

function turnOf(raw: Record<string, unknown>): Turn {
  if (raw['type'] === 'function_call_output' || raw['type'] === 'custom_tool_call_output')
    return {
      from: 'tool',
      text:
        typeof raw['output'] === 'string'
          ? raw['output']
          : textOf(json(raw['output'])['content'] ?? raw['output']),
    }
  return { from: raw['role'] === 'user' ? 'user' : 'model', text: textOf(raw['content']) }
}

export const responses: Wire = {
  read(body) {
    const { model, stream, tools, input } = json(body)
    const turns =
      typeof input === 'string' ? [{ from: 'user' as const, text: input }] : list(input).map(turnOf)
    return {
      model: String(model),
      stream: stream === true,
      tools: list(tools).map((t) => String(t['name'] ?? t['type'])),
      turns,
    }
  },
  begin: (_, n) =>
    event('response.created', {
      response: { id: `resp_${n}`, status: 'in_progress', output: [] },
    }) + event('response.output_item.added', { output_index: 0, item: message(n, '') }),
  piece: (_, n, text) =>
    event('response.output_text.delta', {
      item_id: `msg_${n}`,
      output_index: 0,
      content_index: 0,
      delta: text,
    }),
  end: (_, n, answer) =>
    event('response.output_item.done', { output_index: 0, item: item(n, answer) }) +
    event('response.completed', {
      response: { id: `resp_${n}`, status: 'completed', output: [], usage },
    }),
  whole: ({ model }, n, answer) => ({
    id: `resp_${n}`,
    object: 'response',
    status: 'completed',
    model,
    output: [item(n, answer)],
    usage,
  }),
  failure: ({ status, message: words = `the stub failed with ${status}`, resetsInS }) => ({
    headers: present({ 'retry-after': resetsInS?.toString() }),
    // Of a subscription that is used up the vendor tells the reset time in the body.
    body: {
      error:
        status === 429 && resetsInS !== undefined
          ? {
              type: 'usage_limit_reached',
              message: words,
              plan_type: 'plus',
              resets_at: Math.floor(Date.now() / 1_000) + resetsInS,
              resets_in_seconds: resetsInS,
            }
          : {
              message: words,
              type: status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error',
              code: status === 429 ? 'rate_limit_exceeded' : `status_${status}`,
            },
    },
  }),
}
