// Requests and answers of the stub, independent of the wire format.

/** One call of a model. `texts` and `results` determine the newest prompt. */
export type Asked = {
  model: string
  stream: boolean
  /** Names of the offered tools; none: a side call, such as for a title. */
  tools: string[]
  turns: Turn[]
  /** JSON schema of the answer. */
  schema?: unknown
}

/** Messages of the user, the model and tools. */
export type Turn = { from: 'user' | 'model' | 'tool'; text: string }

/** Tokens as the stub counts them: every call costs the same. `cached` is part of `input`. */
export const CALL_TOKENS = { input: 120, cached: 20, output: 7 }

/** The next action of the model; a tool call ends its answer, and the tool's result asks again. */
export type Answer =
  | { text: string }
  /** `namespace`: of codex, where a tool of an MCP server has its own name. */
  | { tool: { name: string; namespace?: string; input: Record<string, unknown> | string } }

/** Writes an answer as events of the wire format, piece by piece. */
export type Wire = {
  read(body: unknown, path: string): Asked
  /**
   * Events before the text, one for a piece of text, and those of the end. `n` makes ids differ.
   */
  begin(asked: Asked, n: number): string
  piece(asked: Asked, n: number, text: string): string
  end(asked: Asked, n: number, answer: Answer): string
  /** The whole answer, for a call without streaming. */
  whole(asked: Asked, n: number, answer: Answer): unknown
  /** Body and headers of an error in this vendor's format. */
  failure(failure: Failure): { headers: Record<string, string>; body: unknown }
}

/** An error answer of the stub; `resetsInS` is sent in the vendor's format. */
export type Failure = { status: number; message?: string; resetsInS?: number }

/** One server-sent event. */
export function sse(data: unknown, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}

export type Json = Record<string, unknown>

export function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

/** All text in a content that is a string, or parts with one. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) =>
      typeof part['text'] === 'string'
        ? part['text']
        : part['content'] === undefined
          ? ''
          : textOf(part['content']),
    )
    .join('\n')
}
