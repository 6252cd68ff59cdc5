// Everything a turn keeps of what its agent said: answer, transcript, standard error. Redacted on
// the way in, so that nothing that is cut to a size can show half a secret.
import { appendFileSync, existsSync, statSync } from 'node:fs'
import type { FileRef } from '../../../contract/files.js'
import {
  contextOf,
  eventLabel,
  readUpdate,
  type AgentEvent,
} from '../../../core/agents/agent-events.js'
import { lastError } from '../../../core/agents/last-error.js'
import { addTokens, type Tokens } from '../../../core/agents/tokens.js'
import type { Redactor } from '../../../core/text/redact.js'
import { refTo } from '../../files/file-ref.js'
import { replaceFileSync } from '../../files/replace-file.js'
import { BoundedText } from './bounded-text.js'
import { SideWrites } from './side-writes.js'
import { Transcript, saidBefore } from './transcript.js'
import type { turnFiles } from './turn-store.js'

const STDERR_BYTES = 1 << 20
/** Characters of standard error in which the cause of a death is looked for. */
const LAST_WORDS = 4_000
/** Characters of standard error in which the cause of a failure is looked for. */
const PROMPT_WORDS = 1_000
/** Characters of the answer that travel with the result. */
const TAIL_CHARS = 500

export class TurnLog {
  /** Sum of what the agent reported on its chunks since the last prompt. */
  chunkTokens: Tokens | undefined
  /** Characters said since the last prompt. */
  saidChars = 0
  /** Last cumulative cost that was reported since the last prompt. */
  costUsd: number | undefined
  /** Last use of the session's context that was reported. */
  context: ReturnType<typeof contextOf>
  private readonly answer = new BoundedText()
  private readonly transcript: Transcript
  private readonly streams: Record<'text' | 'thought' | 'stderr', ReturnType<Redactor['stream']>>
  private stderrBytes: number
  private lastStderr = ''
  /** The same of the process or the prompt that began last. */
  private newStderr = ''

  /** Continues where an earlier attempt of the same turn stopped. */
  constructor(
    private readonly files: ReturnType<typeof turnFiles>,
    private readonly redactor: Redactor,
    private readonly side = new SideWrites(),
  ) {
    this.answer.push(saidBefore(files.transcript))
    this.transcript = new Transcript(files.transcript, redactor, undefined, side)
    this.streams = {
      text: redactor.stream(),
      thought: redactor.stream(),
      stderr: redactor.stream(),
    }
    this.stderrBytes = existsSync(files.stderr) ? statSync(files.stderr).size : 0
  }

  /** Keeps an update of the agent and says what it was. */
  update(raw: unknown): AgentEvent {
    const event = readUpdate(raw)
    this.context = contextOf(raw) ?? this.context
    if (event.kind === 'text' || event.kind === 'thought') {
      this.say(event.kind, this.streams[event.kind].push(event.text))
      if (event.kind === 'text') this.saidChars += event.text.length
      if (event.kind === 'text' && event.tokens)
        this.chunkTokens = addTokens(this.chunkTokens, event.tokens)
      return event
    }
    if (event.kind === 'cost') this.costUsd = event.usd
    this.transcript.event('update', raw)
    return event
  }

  stderr(text: string): void {
    this.writeStderr(this.streams.stderr.push(text))
  }

  /** The error at the end of what the agent's process wrote to standard error, in one line. */
  lastWords(): string {
    this.writeStderr(this.streams.stderr.flush())
    return lastError(this.lastStderr)
  }

  /**
   * The end of what it wrote to standard error since the last process was started, or the last
   * prompt sent.
   */
  wordsOfPrompt(): string {
    this.writeStderr(this.streams.stderr.flush())
    return this.newStderr
  }

  /** A process is started. */
  started(): void {
    this.forgetWords()
    this.lastStderr = ''
  }

  /** Starts the counts of a new prompt. */
  prompt(attempt: number, text: string): void {
    this.forgetWords()
    this.transcript.mark('prompt', { attempt, prompt: text })
    this.chunkTokens = undefined
    this.costUsd = undefined
    this.saidChars = 0
  }

  mark(name: string, fields: Record<string, unknown>): void {
    this.transcript.mark(name, fields)
  }

  /** Writes what is joined so far, so that a killed worker loses a second of text at most. */
  tick(): void {
    this.transcript.flush()
  }

  redact(text: string): string {
    return this.redactor.text(text)
  }

  /** A value of the agent with every string redacted. */
  redactAll<T>(value: T): T {
    return this.redactor.json(value) as T
  }

  /** A short label for a heartbeat. Redacted before it is cut, as half a secret is not found. */
  label(event: AgentEvent): string {
    return eventLabel(
      event.kind === 'tool' || event.kind === 'other' ? this.redactAll(event) : event,
    )
  }

  /** Writes the answer; the turn's texts are complete. */
  finish(): { answer: FileRef; tail: string } {
    this.close()
    // The pieces of several drivers may have become one
    const text = this.redactor.text(this.answer.toString())
    replaceFileSync(this.files.answer, text, { mode: 0o600 })
    return { answer: refTo(this.files.answer, text), tail: text.slice(-TAIL_CHARS) }
  }

  close(): void {
    this.flushText()
    this.writeStderr(this.streams.stderr.flush())
    this.transcript.close()
  }

  // At the end only: what comes in between, as a tool call does, would stand between the halves of
  // a secret.
  private flushText(): void {
    for (const kind of ['text', 'thought'] as const) this.say(kind, this.streams[kind].flush())
    this.transcript.flush()
  }

  private say(kind: 'text' | 'thought', text: string): void {
    if (kind === 'text') this.answer.push(text)
    this.transcript.said(kind, text)
  }

  private forgetWords(): void {
    this.wordsOfPrompt()
    this.newStderr = ''
  }

  private writeStderr(text: string): void {
    this.lastStderr = (this.lastStderr + text).slice(-LAST_WORDS)
    this.newStderr = (this.newStderr + text).slice(-PROMPT_WORDS)
    if (text === '' || this.stderrBytes > STDERR_BYTES) return
    this.stderrBytes += Buffer.byteLength(text)
    const kept =
      this.stderrBytes > STDERR_BYTES
        ? `\n[more than ${STDERR_BYTES} bytes: the rest is not kept]\n`
        : text
    this.side.try(() => appendFileSync(this.files.stderr, kept, { mode: 0o600 }))
  }
}
