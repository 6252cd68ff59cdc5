// A model for tests of real agents: one HTTP server on 127.0.0.1 that speaks the four wire formats
// and follows the script of a test.
//
// Prompts carry a mark, `MARK:name`; the newest mark in a request selects the script. The number of
// tool results since that mark determines the step. So a repeated call gets the same answer, and
// the stub keeps no state for agents that retry, resume or repeat.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { chat } from './chat.js'
import {
  json,
  list,
  type Answer,
  type Asked,
  type Failure,
  type Turn,
  type Wire,
} from './conversation.js'
import { gemini } from './gemini.js'
import { messages } from './messages.js'
import { responses } from './responses.js'
import { toolCall } from './tools.js'

/** The actions of the model, one per step; after the last step it says `Done.` */
export type Step =
  | { say: string }
  /** With the agent's own tool for new files; a relative path is below its working directory. */
  | { write: string; content?: string }
  | { shell: string }
  | { read: string }
  /** A tool of the MCP server `ratchet`. */
  | { mcp: string; input: Record<string, unknown> }
  /**
   * With its tool for existing files. Whole lines; most agents require that the file was read
   * before.
   */
  | { edit: string; find: string; replace: string }
  /** Says `tick` four times a second, for so long; `first` before that. */
  | { slowS: number; first?: string }
  /** Says so many megabytes. */
  | { flood: number }
  /** `times`: only the first calls fail, then the next step is due. */
  | { fail: Failure; times?: number }

/** Steps, or a function that derives them from all earlier messages. */
export type Script = Step[] | ((turns: readonly Turn[]) => Step[])

/** One request as the stub saw it. */
export type Seen = {
  path: string
  asked: Asked
  mark: string | undefined
  marks: string[]
  step: Step | undefined
  /** What the model reads, in the order in which providers cache it: tools, system, messages. */
  pieces: string[]
  /** The agent hung up before the answer was complete. */ cut: boolean
}

const MARK = /MARK:([\w-]+)/g
/** Milliseconds between two pieces of a slow answer. */
const TICK_MS = 250
/** Characters in a piece of a flood. */
const FLOOD_PIECE = 1 << 16

export class ModelStub {
  readonly seen: Seen[] = []
  private readonly scripts = new Map<string, Script>()
  private readonly failures = new Map<Step, number>()
  private server!: Server
  private count = 0

  private constructor(private readonly mark: RegExp) {}

  /**
   * @param mark finds the mark of a prompt, as its first group; for Ratchet's own prompts it is one
   * of their words
   */
  static async start(mark: RegExp = MARK): Promise<ModelStub> {
    const stub = new ModelStub(mark)
    stub.server = createServer(
      (req, res) =>
        void stub.serve(req, res).catch((error: unknown) => res.destroy(error as Error)),
    )
    stub.server.listen(0, '127.0.0.1')
    await once(stub.server, 'listening')
    return stub
  }

  /** `http://127.0.0.1:<port>`, without a path. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Sets the script for prompts with this mark; a second call replaces it. */
  script(mark: string, script: Script): void {
    this.scripts.set(mark, script)
  }

  /** Calls for a mark, without side calls such as those for titles. */
  calls(mark: string): Seen[] {
    return this.seen.filter((s) => s.mark === mark && s.asked.tools.length > 0)
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '/'
    const body = await bodyOf(req)
    const wire = wireOf(path)
    if (wire === undefined || req.method !== 'POST') return answerRest(req, res, path)
    const n = ++this.count
    const asked = wire.read(body, path)
    const marks = asked.turns.filter((t) => t.from === 'user').flatMap((t) => this.marksIn(t.text))
    const mark = marks.at(-1)
    const step = asked.tools.length === 0 ? undefined : this.stepOf(mark, asked.turns)
    const seen: Seen = { path, asked, mark, marks, step, pieces: piecesOf(body), cut: false }
    this.seen.push(seen)
    res.on('close', () => (seen.cut = !res.writableFinished))
    if (step !== undefined && 'fail' in step) return fail(res, wire, step.fail)
    await speak(res, wire, asked, n, step)
  }

  private marksIn(text: string): string[] {
    return [...text.matchAll(this.mark)].map((found) => found[1] as string)
  }

  private stepOf(mark: string | undefined, turns: Turn[]): Step | undefined {
    const script = mark === undefined ? [] : (this.scripts.get(mark) ?? [])
    const steps = typeof script === 'function' ? script(turns) : script
    const from = turns.findLastIndex(
      (t) => t.from === 'user' && this.marksIn(t.text).includes(mark ?? ''),
    )
    let due = turns.slice(from + 1).filter((t) => t.from === 'tool').length
    for (const step of steps) {
      if (!('fail' in step)) {
        if (due-- === 0) return step
        continue
      }
      const failed = this.failures.get(step) ?? 0
      if (due > 0 || failed >= (step.times ?? Infinity)) continue
      this.failures.set(step, failed + 1)
      return step
    }
    return undefined
  }
}

/** Text of this length without repetition: some agents end an answer that repeats itself. */
export function varied(chars: number, seed = 1): string {
  let text = ''
  for (let n = seed * chars; text.length < chars; n++) text += `${n.toString(36)} `
  return text
}

/** Without the marks that say up to where a provider shall cache: they move from call to call. */
function piecesOf(body: unknown): string[] {
  const { tools, system, instructions, messages: said, input, contents } = json(body)
  return [tools, system ?? instructions, ...list(said ?? input ?? contents)].map((piece) =>
    JSON.stringify(piece ?? '', (key, value: unknown) =>
      key === 'cache_control' ? undefined : value,
    ),
  )
}

function wireOf(path: string): Wire | undefined {
  if (path.includes('/chat/completions')) return chat
  if (path.includes('/responses')) return responses
  if (/\/messages(\?|$)/.test(path)) return messages
  return /:(stream)?[gG]enerateContent/.test(path) ? gemini : undefined
}

// Questions around the model: lists of models, counts of tokens.
function answerRest(req: IncomingMessage, res: ServerResponse, path: string): void {
  res.writeHead(
    path.includes('count') || path.includes('models') || req.method === 'HEAD' ? 200 : 404,
    { 'content-type': 'application/json' },
  )
  res.end(
    JSON.stringify(
      path.includes('countTokens')
        ? { totalTokens: 1 }
        : path.includes('count_tokens')
          ? { input_tokens: 1 }
          : { object: 'list', data: [], models: [] },
    ),
  )
}

function fail(res: ServerResponse, wire: Wire, failure: Failure): void {
  const { headers, body } = wire.failure(failure)
  res.writeHead(failure.status, { 'content-type': 'application/json', ...headers })
  res.end(JSON.stringify(body))
}

async function speak(
  res: ServerResponse,
  wire: Wire,
  asked: Asked,
  n: number,
  step: Step | undefined,
): Promise<void> {
  const answer = answerTo(asked, step)
  if (!asked.stream) {
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify(wire.whole(asked, n, answer)))
    return
  }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(wire.begin(asked, n))
  let said = 'text' in answer ? answer.text : ''
  if (said !== '') res.write(wire.piece(asked, n, said))
  if (step !== undefined && 'flood' in step) {
    for (let left = step.flood * 16; left > 0 && !res.closed; left--) {
      if (!res.write(wire.piece(asked, n, varied(FLOOD_PIECE, left))))
        await Promise.race([once(res, 'drain'), once(res, 'close')])
    }
  }
  if (step !== undefined && 'slowS' in step) {
    for (let left = step.slowS * 1_000; left > 0 && !res.closed; left -= TICK_MS) {
      res.write(wire.piece(asked, n, 'tick '))
      said += 'tick '
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
  }
  if (!res.closed) res.end(wire.end(asked, n, 'tool' in answer ? answer : { text: said }))
}

function answerTo(asked: Asked, step: Step | undefined): Answer {
  if (asked.tools.length === 0) return { text: 'A short title' }
  if (step === undefined) return { text: 'Done.' }
  if ('say' in step) return { text: step.say }
  if ('slowS' in step) return { text: step.first ?? 'Thinking. ' }
  if ('flood' in step) return { text: 'Much to say. ' }
  if ('write' in step)
    return toolCall(asked, { write: step.write, content: step.content ?? 'hello\n' })
  if ('shell' in step || 'read' in step || 'edit' in step || 'mcp' in step)
    return toolCall(asked, step)
  return { text: '' }
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  if (raw.length === 0) return {}
  return JSON.parse(raw.toString('utf8')) as unknown
}
