// Chat Completions, as qwen and opencode speak it.
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
  prompt_tokens: CALL_TOKENS.input,
  completion_tokens: CALL_TOKENS.output,
  total_tokens: CALL_TOKENS.input + CALL_TOKENS.output,
  prompt_tokens_details: { cached_tokens: CALL_TOKENS.cached },
}
const chunk = (n: number, model: string, delta: unknown, finish: string | null = null) =>
  sse({
    id: `chat-${n}`,
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
const calls = (n: number, answer: Answer) =>
  'tool' in answer
    ? [
        {
          index: 0,
          id: `call_${n}`,
          type: 'function',
          function: { name: answer.tool.name, arguments: JSON.stringify(answer.tool.input) },
        },
      ]
    : []

export const chat: Wire = {
  read(body) {
    const { model, stream, tools, messages } = json(body)
    const turns = list(messages).map((m): Turn => ({
      from:
        m['role'] === 'tool'
          ? 'tool'
          : m['role'] === 'assistant'
            ? 'model'
            : m['role'] === 'user'
              ? 'user'
              : 'model',
      text: textOf(m['content']),
    }))
    return {
      model: String(model),
      stream: stream === true,
      tools: list(tools).map((t) => String(json(t['function'])['name'])),
      turns,
    }
  },
  begin: ({ model }, n) => chunk(n, model, { role: 'assistant', content: '' }),
  piece: ({ model }, n, text) => chunk(n, model, { content: text }),
  end({ model }, n, answer) {
    const done =
      'tool' in answer
        ? chunk(n, model, { tool_calls: calls(n, answer) }) + chunk(n, model, {}, 'tool_calls')
        : chunk(n, model, {}, 'stop')
    return `${done}${sse({ id: `chat-${n}`, object: 'chat.completion.chunk', created: 1, model, choices: [], usage })}data: [DONE]\n\n`
  },
  whole: ({ model }, n, answer) => ({
    id: `chat-${n}`,
    object: 'chat.completion',
    created: 1,
    model,
    usage,
    choices: [
      {
        index: 0,
        finish_reason: 'tool' in answer ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: 'text' in answer ? answer.text : null,
          ...('tool' in answer && { tool_calls: calls(n, answer) }),
        },
      },
    ],
  }),
  failure: ({ status, message = `the stub failed with ${status}`, resetsInS }) => ({
    headers: present({
      'retry-after': resetsInS?.toString(),
      'x-ratelimit-reset-requests': resetsInS === undefined ? undefined : `${resetsInS}s`,
    }),
    body: {
      error: {
        message,
        type:
          status === 429
            ? 'rate_limit_exceeded'
            : status === 401
              ? 'authentication_error'
              : 'invalid_request_error',
        code: status === 429 ? 'rate_limit_exceeded' : `status_${status}`,
        param: null,
      },
    },
  }),
}
