// JSON-RPC over a process's stdio, as tolerant as foreign programs need it: a line that is no
// message is skipped and handed to `onRubbish` (the SDK's own stream would answer it with an
// error). Updates are taken out here, in the order in which they come, before anything that is
// awaited can reorder them.
import type { Readable, Writable } from 'node:stream'

/**
 * Maximum length of a message, in bytes. A longer one ends the connection, as its content is
 * unknown.
 */
export const MAX_MESSAGE_BYTES = 16 << 20

export type StdioOptions = {
  maxMessageBytes?: number
  onNotification(method: string, params: unknown): boolean
  onRubbish(line: string): void
  /** Reading has failed; the connection ends. */
  onBroken(error: Error): void
}

type Message = Record<string, unknown>

/** A connection's two halves, in the shape that the ACP SDK takes. */
export function stdioStream(
  stdin: Writable,
  stdout: Readable,
  options: StdioOptions,
): { readable: ReadableStream<Message>; writable: WritableStream<Message> } {
  const messages = readMessages(stdout, options)
  const readable = new ReadableStream<Message>(
    {
      async pull(controller) {
        try {
          const { value, done } = await messages.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          options.onBroken(error as Error)
          controller.error(error)
        }
      },
      cancel() {
        stdout.destroy()
      },
    },
    { highWaterMark: 0 },
  )
  const writable = new WritableStream<Message>({
    write: (message) =>
      new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),
  })
  return { readable, writable }
}

async function* readMessages(
  stdout: Readable,
  options: StdioOptions,
): AsyncGenerator<Message, void> {
  for await (const line of readLines(stdout, options.maxMessageBytes ?? MAX_MESSAGE_BYTES)) {
    if (line.trim() === '') continue
    const { messages, rubbish } = read(line)
    if (rubbish) options.onRubbish(line)
    for (const message of messages) {
      const { method } = message
      const taken =
        typeof method === 'string' &&
        !('id' in message) &&
        options.onNotification(method, message['params'])
      if (!taken) yield message
    }
  }
}

/**
 * Complete lines of a stream, as text.
 *
 * @param rest what follows the last line break is a line too
 * @throws MessageTooLongError
 */
export async function* readLines(
  stdout: Readable,
  maxBytes: number,
  { rest = false } = {},
): AsyncGenerator<string, void> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at))
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      length = 0
      from = at + 1
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxBytes) throw new MessageTooLongError(maxBytes)
  }
  if (rest && length > 0) yield Buffer.concat(parts).toString('utf8')
}

/** The agent sent a line, or a document, that no message may be. */
export class MessageTooLongError extends Error {
  override readonly name = 'MessageTooLong'
  constructor(maxBytes: number, what = 'a line') {
    super(
      `the agent wrote ${what} of more than ${Math.round(maxBytes / (1 << 20))} MB to its standard output`,
    )
  }
}

// A message, or several in an array: a batch of JSON-RPC 2.0, which ACP neither has nor forbids.
function read(line: string): { messages: Message[]; rubbish: boolean } {
  try {
    const parsed: unknown = JSON.parse(line)
    const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    const messages = all.filter(isMessage)
    return { messages, rubbish: messages.length === 0 || messages.length < all.length }
  } catch (error) {
    if (error instanceof SyntaxError) return { messages: [], rubbish: true }
    throw error
  }
}

function isMessage(value: unknown): value is Message {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (value as Message)['jsonrpc'] === '2.0'
  )
}
