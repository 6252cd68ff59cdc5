// Runs a one-shot command as an agent: one process for each prompt, in its own process group. No
// process runs between prompts; a session continues if the command can resume one.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecAgent as Definition } from '../../../contract/config/agent-config.js'
import type { ProcessIdentity } from '../../../contract/registry.js'
import { reportedTokens, tokensSince, type Tokens } from '../../../core/agents/tokens.js'
import {
  DocumentReader,
  TextReader,
  type ExecNews,
  type ExecReader,
} from '../../../core/agents/exec-output.js'
import { StreamReader } from '../../../core/agents/exec-stream.js'
import { execVerdict, isSessionLost } from '../../../core/agents/exec-verdict.js'
import { endGroup } from '../../process/end.js'

import type { GroupProcess } from '../../process/spawn-group.js'
import { definitionToArgv } from '../agent-command.js'
import { NO_PROCESS, type AgentListener, type OpenAgent, type StartOptions } from '../agent-port.js'
import { AgentGoneError, AgentRefusedError, NoAnswerError, SessionLostError } from '../errors.js'
import { LastWord, Silence } from './exec-silence.js'
import type { SessionCounts } from '../turn/session-counts.js'
import { MAX_MESSAGE_BYTES, MessageTooLongError, readLines } from '../acp/stdio-stream.js'

export type ExecOptions = Omit<StartOptions, 'argv'> & {
  definition: Definition
  /** Where a relative path of the definition begins. */
  project: string
  /** Private folder for the prompt's file. */
  folder: string
  counts: SessionCounts
}

type Exit = Awaited<GroupProcess['exited']>

const PROMPT_FILE = 'prompt.md'
/** A session that only we call so: the command has not named one. */
const OURS = 'unnamed-'
/**
 * How long a process that still holds the pipes of an ended command may be silent before we stop
 * waiting for it.
 */
const QUIET_MS = 500
/** Characters of standard error that may tell why it failed. */
const LAST_WORDS = 1_000
/** One that keeps printing, such as a server left running, is not waited for either. */
const NOISY_MS = 5_000

export class ExecAgent implements OpenAgent {
  sessionId = ''
  listener: AgentListener | undefined
  identity: ProcessIdentity = NO_PROCESS
  readonly exited: Promise<void>
  private closed: () => void = () => {}
  private child: GroupProcess['child'] | undefined
  /** The session exists: a prompt continues it. */
  private begun = false
  private cancelled = false
  /** The end of what the prompt's process wrote to standard error. */
  private stderr = ''
  /** Of the session, when the prompt began. */
  private before: { costUsd: number; tokens: Tokens | undefined } = {
    costUsd: 0,
    tokens: undefined,
  }

  private constructor(private readonly options: ExecOptions) {
    this.listener = options.listener
    this.exited = new Promise((resolve) => (this.closed = resolve))
  }

  /** Starts nothing yet. Throws the signal's reason. */
  static start(options: ExecOptions): Promise<ExecAgent> {
    return options.signal.aborted
      ? Promise.reject(options.signal.reason as Error)
      : Promise.resolve(new ExecAgent(options))
  }

  get step(): string {
    return this.options.markers.step
  }

  /** The id is new where `args` name `{session}`, for the command to take. */
  newSession(): Promise<string> {
    this.begun = false
    this.sessionId = this.options.definition.args.some((arg) => arg.includes('{session}'))
      ? randomUUID()
      : `${OURS}${randomUUID()}`
    return Promise.resolve(this.sessionId)
  }

  /** Whether the command knows the session shows only with the prompt. */
  resumeSession(id: string): Promise<boolean> {
    this.sessionId = id
    this.begun = true
    return Promise.resolve(this.resumable())
  }

  async prompt(text: string): Promise<unknown> {
    if (this.child !== undefined) throw new Error('a prompt is running in this session')
    this.cancelled = false
    this.stderr = ''
    if (this.begun && !this.resumable()) await this.newSession()
    const {
      begun: resumed,
      options: {
        counts,
        markers,
        definition: { output },
      },
    } = this
    await this.kill(false) // what the prompt before has left in its group
    const { costUsd = 0, tokens } = counts.of(markers.run, this.sessionId)
    this.before = { costUsd, tokens: resumed ? tokens : { input: 0, output: 0 } }
    const reader = readerOf(output)
    const exit = await this.run(text, reader).finally(() => this.end())
    const { summary } = reader
    const { code } = exit
    const usage = this.usage(reader)
    this.begun = true
    const verdict = execVerdict({ output, summary, code, cancelled: this.cancelled })
    if (resumed && isSessionLost(verdict, { summary, code, stderr: this.stderr }))
      throw new SessionLostError(
        `the agent could not resume its session: it ended with code ${code} and had done nothing`,
      )
    if (verdict.kind === 'gone') throw new AgentGoneError(exit)
    if (verdict.kind === 'refused') throw new AgentRefusedError(verdict.error, code)
    if (verdict.kind === 'unreadable') throw new NoAnswerError(output)
    return { stopReason: verdict.stopReason, ...(usage !== undefined && { usage }) }
  }

  /**
   * As a person would, with an interrupt for the whole group: some are a wrapper around the program
   * that works.
   */
  cancel(): void {
    this.cancelled = true
    const { child } = this
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGINT')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  close(): Promise<void> {
    this.listener = undefined
    return this.kill()
  }

  async kill(forGood = true): Promise<void> {
    await endGroup(this.identity, { graceMs: this.options.timing.endGraceMs })
    if (!forGood) return
    this.child?.stdout?.destroy()
    this.child?.stderr?.destroy()
    this.closed()
  }

  private resumable(): boolean {
    return this.options.definition.resumeArgs !== undefined && !this.sessionId.startsWith(OURS)
  }

  private get promptFile(): string {
    return path.join(this.options.folder, PROMPT_FILE)
  }

  private async run(text: string, reader: ExecReader): Promise<Exit> {
    const { definition, project, cwd, env, markers, onProcess } = this.options
    const { args, resumeArgs = args } = definition
    const chosen = this.begun ? resumeArgs : args
    const inFile = chosen.some((arg) => arg.includes('{promptFile}'))
    const filled = chosen.map((arg) =>
      arg
        .replaceAll('{promptFile}', () => this.promptFile)
        .replaceAll('{session}', () => this.sessionId),
    )
    if (inFile) writeFileSync(this.promptFile, text, { mode: 0o600 })
    const process = await this.options.spawn({
      argv: definitionToArgv({ ...definition, args: filled }, project),
      cwd,
      env,
      markers,
      stdin: inFile ? 'ignore' : 'pipe',
      stdout: 'pipe',
    })
    this.identity = process.identity
    this.child = process.child
    onProcess(process.identity)
    if (this.cancelled) this.cancel()
    const { stdin } = process.child
    stdin?.on('error', (error: NodeJS.ErrnoException) => {
      // Not to read all of it is its right
      if (error.code !== 'EPIPE') this.note(`stdin: ${error.message}\n`)
    })
    stdin?.end(text)
    return this.finish(process, reader)
  }

  private async finish(
    { child, exited, identity }: GroupProcess,
    reader: ExecReader,
  ): Promise<Exit> {
    if (child.stdout === null || child.stderr === null) throw new Error('an agent needs its output')
    const { definition, ticker, timing } = this.options
    const silence = new Silence(definition, (update) => this.listener?.onUpdate(update))
    const lastWord = new LastWord(ticker, timing.lingerMs, () => {
      this.note('[ratchet] it kept running after its last event, and is ended\n')
      endGroup(identity, { graceMs: timing.endGraceMs }).catch((error: unknown) =>
        this.note(`[ratchet] it could not be ended: ${String(error)}\n`),
      )
    })
    let heard = 0
    const closed = once(child, 'close')
    child.stdout.on('data', () => heard++)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      heard++
      this.stderr = (this.stderr + text).slice(-LAST_WORDS)
      this.note(text)
    })
    let cut = false
    const reading = this.read(child.stdout, reader, { silence, lastWord }).catch(
      async (error: unknown) => {
        if (cut) return
        await endGroup(identity, { graceMs: timing.endGraceMs })
        throw error
      },
    )
    reading.catch(() => undefined) // looked at below
    const exit = await exited
    lastWord.over()
    const noisy = performance.now() + NOISY_MS
    for (let before = -1; before !== heard && performance.now() < noisy;) {
      before = heard
      if (await Promise.race([closed.then(() => true), sleep(QUIET_MS, false, { ref: false })]))
        break
    }
    cut = true
    child.stdout.destroy()
    child.stderr.destroy()
    await reading
    this.tell(reader.end())
    silence.over()
    return exit
  }

  private async read(
    stdout: NonNullable<GroupProcess['child']['stdout']>,
    reader: ExecReader,
    { silence, lastWord }: { silence: Silence; lastWord: LastWord },
  ): Promise<void> {
    const max = this.options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    const { output } = this.options.definition
    if (output === 'stream-json') {
      for await (const line of readLines(stdout, max, { rest: true })) {
        this.tell(reader.take(line))
        if (reader.summary.last === true) lastWord.said()
      }
      return
    }
    let length = 0
    for await (const piece of stdout.setEncoding('utf8') as AsyncIterable<string>) {
      length += piece.length
      if (output === 'json' && length > max) throw new MessageTooLongError(max, 'a document')
      if (output === 'text') silence.over()
      this.tell(reader.take(piece))
    }
  }

  private tell(news: readonly ExecNews[]): void {
    for (const one of news) {
      if ('update' in one) this.listener?.onUpdate(one.update)
      else if ('rubbish' in one) this.note(`[stdout, not JSON] ${one.rubbish.slice(0, 500)}\n`)
      else if ('session' in one) this.name(one.session)
      // The driver counts the cost of a session, as agents over the protocol report it.
      else
        this.listener?.onUpdate({
          sessionUpdate: 'usage_update',
          cost: { amount: this.before.costUsd + one.costUsd, currency: 'USD' },
        })
    }
  }

  private name(id: string): void {
    if (id === this.sessionId) return
    this.sessionId = id
    this.listener?.onSession?.(id)
  }

  private usage({
    summary: { tokens, sinceBegin = false },
  }: ExecReader): ReturnType<typeof reportedTokens> | undefined {
    if (tokens === undefined) return undefined
    if (sinceBegin) this.options.counts.set(this.options.markers.run, this.sessionId, { tokens })
    const own = sinceBegin ? tokensSince(this.before.tokens, tokens) : tokens
    return own && reportedTokens(own)
  }

  private end(): void {
    this.child = undefined
    rmSync(this.promptFile, { force: true })
  }

  private note(text: string): void {
    this.listener?.onStderr(text)
  }
}

function readerOf(output: Definition['output']): ExecReader {
  if (output === 'text') return new TextReader()
  return output === 'json' ? new DocumentReader() : new StreamReader()
}
