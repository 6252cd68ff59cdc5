// Gemini's generateContent.
import { CALL_TOKENS, json, list, sse, type Answer, type Turn, type Wire } from './conversation.js'

const usageMetadata = {
  promptTokenCount: CALL_TOKENS.input,
  candidatesTokenCount: CALL_TOKENS.output,
  totalTokenCount: CALL_TOKENS.input + CALL_TOKENS.output,
  cachedContentTokenCount: CALL_TOKENS.cached,
}
const parts = (answer: Answer, n: number) =>
  'text' in answer
    ? [{ text: answer.text }]
    : [{ functionCall: { id: `call_${n}`, name: answer.tool.name, args: answer.tool.input } }]
const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

function turnsOf(content: Record<string, unknown>): Turn[] {
  return list(content['parts']).map((part): Turn =>
    part['functionResponse'] !== undefined
      ? { from: 'tool', text: JSON.stringify(json(part['functionResponse'])['response']) }
      : {
          from: content['role'] === 'model' ? 'model' : 'user',
          text: typeof part['text'] === 'string' ? part['text'] : '',
        },
  )
}

export const gemini: Wire = {
  read(body, path) {
    const { contents, tools, generationConfig } = json(body)
    const schema =
      json(generationConfig)['responseJsonSchema'] ?? json(generationConfig)['responseSchema']
    const offered = list(tools)
      .flatMap((t) => list(t['functionDeclarations']))
      .map((f) => String(f['name']))
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      stream: path.includes(':streamGenerateContent'),
      tools: offered,
      turns: list(contents).flatMap(turnsOf),
      ...(schema !== undefined && { schema }),
    }
  },
  begin: () => '',
  piece: (_, _n, text) =>
    sse({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] }),
  end: ({ model }, n, answer) =>
    sse({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: 'tool' in answer ? parts(answer, n) : [{ text: '' }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata,
      modelVersion: model,
    }),
  whole: ({ model, schema }, n, answer) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts:
            schema === undefined ? parts(answer, n) : [{ text: JSON.stringify(example(schema)) }],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata,
    modelVersion: model,
  }),
  failure: ({ status, message = `the stub failed with ${status}`, resetsInS }) => ({
    headers: {},
    body: {
      error: {
        code: status,
        status: STATUSES[status] ?? 'UNKNOWN',
        message,
        details:
          resetsInS === undefined
            ? []
            : // prettier-ignore
              [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests', quotaId: 'GenerateRequestsPerMinutePerProjectPerModel' }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${resetsInS}s` },
    ],
      },
    },
  }),
}

// The router asks which model to take and wants JSON of a schema; anything of that form will do.
function example(schema: unknown): unknown {
  const { type, properties, enum: values } = json(schema)
  if (Array.isArray(values)) return values[0]
  if (String(type).toLowerCase() === 'object')
    return Object.fromEntries(
      Object.entries(json(properties)).map(([name, inner]) => [name, example(inner)]),
    )
  return ['number', 'integer'].includes(String(type).toLowerCase()) ? 1 : 'flash'
}
