// One agent process, spoken to in the Agent Client Protocol. The only file on this side of the wire
// that knows the SDK, which changes often; the wire itself (version 1) has stayed compatible.
//
// What agents answer is not validated by the SDK, so it is read as `unknown`.
import {
  client,
  methods,
  PROTOCOL_VERSION,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../../contract/registry.js'
import { at } from '../../../core/agents/agent-events.js'
import { endingOfError, failureIn } from '../../../core/agents/agent-outcome.js'
import { MARKERS } from '../../../contract/names.js'
import { endGroup, endMarked } from '../../process/end.js'
import type { GroupProcess } from '../../process/spawn-group.js'
import { relayMarker } from '../leftovers.js'
import { NO_TOOLS, type SessionTools } from '../tools/session-tools.js'
import { AgentGoneError, AgentRefusedError, NotAcpError } from '../errors.js'
import { GEMINI, untilLoadable } from './gemini-minute.js'
import { promptBlocks } from './prompt-blocks.js'
import { AUTH_REQUIRED, chooseIn, SHOWN_CHARS, type ChoosingAgent } from './session-choice.js'
import { stdioStream } from './stdio-stream.js'
import type { AgentListener, OpenAgent, SessionChoice, StartOptions } from '../agent-port.js'

/** Longest id of a session; every record of a turn has it. */
const SESSION_CHARS = 1_000
/**
 * Codex then says in a field what went wrong; without it a failed model call looks like an answer.
 * The name is the extension's.
 */
const TYPED_FAILURES = { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } } }

export class AcpAgent implements OpenAgent {
  sessionId = ''
  /** Set for the duration of each turn: a kept process serves several. */
  listener: AgentListener | undefined
  private capabilities: unknown
  private name: unknown
  private prompting = false
  private cancelled = new AbortController()
  private broken: Error | undefined
  private readonly connection: ClientConnection

  private constructor(
    private readonly process: GroupProcess,
    private readonly options: StartOptions,
  ) {
    this.listener = options.listener
    const { child } = process
    if (child.stdin === null || child.stdout === null || child.stderr === null)
      throw new Error('an agent needs all three streams')
    // A dying agent breaks the pipe; what matters is its exit. As words of the agent, EPIPE would
    // read as a provider that is away.
    child.stdin.on('error', () => undefined)
    child.stdout.on('error', (error) => (this.broken ??= error))
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.note(text))
    const stream = stdioStream(child.stdin, child.stdout, {
      ...(options.maxMessageBytes !== undefined && { maxMessageBytes: options.maxMessageBytes }),
      onRubbish: (line) => this.note(`[stdout, not a message] ${line.slice(0, 500)}\n`),
      onNotification: (method, params) => this.notified(method, params),
      // The SDK closes a broken connection without a word of the cause to those who wait for an
      // answer.
      onBroken: (error) => (this.broken ??= error),
    })
    this.connection = client({ name: 'ratchet' })
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.permission(params))
      .connect(stream as unknown as Stream)
    void process.exited.then(() => this.closeAfterExit())
  }

  /**
   * Starts the program and initializes the connection.
   *
   * @throws CommandNotFoundError, NotAcpError, AgentGoneError, AgentRefusedError; the signal's
   * reason
   */
  static async start(options: StartOptions): Promise<AcpAgent> {
    options.signal.throwIfAborted()
    const { argv, cwd, env, markers, spawn } = options
    const process = await spawn({ argv, cwd, env, markers, stdin: 'pipe', stdout: 'pipe' })
    options.onProcess(process.identity)
    const agent = new AcpAgent(process, options)
    try {
      await agent.initialize()
    } catch (error) {
      await agent.kill()
      throw error
    }
    return agent
  }

  get identity(): ProcessIdentity {
    return this.process.identity
  }

  /** Settles when the process has exited. */
  get exited(): Promise<unknown> {
    return this.process.exited
  }

  /** The step marker its processes carry: that of the turn it was started for. */
  get step(): string {
    return this.options.markers.step
  }

  /** Opens a new session in the agent's directory and chooses mode and model. */
  async newSession(choice: SessionChoice): Promise<string> {
    const answer = await this.open(methods.agent.session.new, { cwd: this.options.cwd })
    const id = at(answer, 'sessionId')
    if (typeof id !== 'string' || id === '')
      throw new NotAcpError('the agent answered session/new without a session id')
    if (id.length > SESSION_CHARS)
      throw new NotAcpError(
        `the agent answered session/new with a session id of ${id.length} characters, ${SESSION_CHARS} at most can be kept`,
      )
    this.sessionId = id
    await this.choose(choice, answer, false)
    return id
  }

  /**
   * Resumes a session of an earlier process, by `session/resume`, else `session/load`.
   *
   * @returns false if the agent cannot, or does not know the session
   */
  async resumeSession(id: string, choice: SessionChoice): Promise<boolean> {
    const params = { sessionId: id, cwd: this.options.cwd }
    const ways = [
      ...(at(this.capabilities, 'sessionCapabilities', 'resume')
        ? [methods.agent.session.resume]
        : []),
      ...(at(this.capabilities, 'loadSession') === true ? [methods.agent.session.load] : []),
    ]
    if (this.name === GEMINI) await untilLoadable(id, this.options.env, this.options)
    for (const way of ways) {
      try {
        const answer = await this.open(way, params)
        // Some replay the history after they have answered
        await sleep(this.options.timing.replayQuietMs)
        this.sessionId = id
        await this.choose(choice, answer, true)
        return true
      } catch (error) {
        // Some announce a way that they do not have; the next one is tried. Without a key, or a
        // provider, none will do.
        if (!isRefusal(error)) throw error
        this.note(`[ratchet] ${way}: ${error.message}\n`)
      }
    }
    return false
  }

  /**
   * Sends a prompt and waits for its end. One at a time: agents differ on more. Throws
   * AgentRefusedError, AgentGoneError.
   */
  async prompt(text: string): Promise<unknown> {
    if (this.prompting) throw new Error('a prompt is running in this session')
    this.prompting = true
    this.cancelled = new AbortController()
    try {
      const answer = await this.call(methods.agent.session.prompt, {
        sessionId: this.sessionId,
        prompt: promptBlocks(text, this.name),
      })
      const failure = failureIn(answer)
      if (failure !== undefined) throw new AgentRefusedError(failure)
      return answer
    } finally {
      this.prompting = false
    }
  }

  /**
   * Asks the agent to stop. Every permission it waits for, or asks for from now on, is answered
   * `cancelled`, else some never stop.
   */
  cancel(): void {
    this.cancelled.abort()
    // Not waited for: an agent that does not read its input would block it. One that is gone is
    // seen at the prompt.
    this.connection.agent
      .notify(methods.agent.session.cancel, { sessionId: this.sessionId })
      .catch(() => undefined)
  }

  /** Lets the agent end by itself, and ends it if it does not. */
  async close(): Promise<void> {
    const { closeMs } = this.options.timing
    this.listener = undefined
    if (at(this.capabilities, 'sessionCapabilities', 'close') && this.sessionId !== '') {
      const closing = this.call(methods.agent.session.close, { sessionId: this.sessionId })
      await Promise.race([
        closing.catch(() => undefined),
        sleep(closeMs, undefined, { ref: false }),
      ])
    }
    this.process.child.stdin?.end()
    await Promise.race([this.process.exited, sleep(closeMs, undefined, { ref: false })])
    await this.kill()
  }

  /** Ends the agent's process group: TERM, grace, KILL. */
  async kill(): Promise<void> {
    const { timing, tools } = this.options
    const graceMs = timing.endGraceMs
    await endGroup(this.identity, { graceMs })
    if (tools.mcpServers.length > 0)
      await endMarked(MARKERS.step, relayMarker(this.step), { graceMs })
    this.process.child.stdout?.destroy()
    this.process.child.stderr?.destroy()
    this.connection.close()
  }

  private async initialize(): Promise<void> {
    const answer = await this.starting(
      'initialize',
      this.call(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'ratchet', version: '1' },
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          _meta: TYPED_FAILURES,
        },
      }),
    )
    if (at(answer, 'protocolVersion') !== PROTOCOL_VERSION)
      throw new NotAcpError(
        `the agent speaks version ${String(JSON.stringify(at(answer, 'protocolVersion'))).slice(0, SHOWN_CHARS)} of the Agent Client Protocol, Ratchet needs ${PROTOCOL_VERSION}`,
      )
    this.capabilities = at(answer, 'agentCapabilities')
    this.name = at(answer, 'agentInfo', 'name')
  }

  /**
   * Opens a session with the tools. An agent that refuses it gets it without: some cannot start the
   * server of tools, and work all the same.
   */
  private async open(way: string, params: Record<string, unknown>): Promise<unknown> {
    const { tools } = this.options
    const opened = (given: SessionTools): Promise<unknown> =>
      this.starting(way, this.call(way, { ...params, ...given }))
    try {
      return await opened(tools)
    } catch (error) {
      if (tools.mcpServers.length === 0 || !isRefusal(error)) throw error
      this.note(`[ratchet] ${way} with the tools of Ratchet: ${error.message}\n`)
      return opened(NO_TOOLS)
    }
  }

  private choose(choice: SessionChoice, session: unknown, resumed: boolean): Promise<void> {
    const { sessionId } = this
    const { session: calls } = methods.agent
    const agent: ChoosingAgent = {
      setMode: (modeId) => this.call(calls.setMode, { sessionId, modeId }),
      setOption: (configId, value) =>
        this.call(calls.setConfigOption, { sessionId, configId, value }),
      setModel: (modelId) => this.call('session/set_model', { sessionId, modelId }),
      starting: (what, answer) => this.starting(what, answer),
    }
    return chooseIn(agent, choice, session, { resumed })
  }

  // Everything before the prompt has one limit each: an agent that hangs there would never be
  // noticed.
  private async starting<T>(what: string, answer: Promise<T>): Promise<T> {
    const { ticker, signal, timing } = this.options
    const limit = ticker.delay(timing.startMs)
    const aborted = once(signal, 'abort')
    aborted.catch(() => undefined)
    try {
      const late = limit.over.then(() =>
        Promise.reject(
          new NotAcpError(
            `the agent did not answer ${what} within ${timing.startMs / 1000} s; does it speak the Agent Client Protocol on its standard input?`,
          ),
        ),
      )
      const ended = signal.aborted
        ? Promise.reject(signal.reason as Error)
        : aborted.then(() => Promise.reject(signal.reason as Error))
      return await Promise.race([answer, late, ended])
    } finally {
      limit.cancel()
    }
  }

  private async call(method: string, params: Record<string, unknown>): Promise<unknown> {
    try {
      return await this.connection.agent.request<unknown, unknown>(method, params)
    } catch (error) {
      const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown }
      if (typeof code === 'number')
        throw new AgentRefusedError({ code, message: message ?? '', data })
      throw this.broken ?? (await this.gone())
    }
  }

  private async gone(): Promise<AgentGoneError> {
    const exit = await Promise.race([this.process.exited, sleep(2_000, undefined, { ref: false })])
    await drained(this.process.child.stderr) // its last words tell why
    return new AgentGoneError(exit)
  }

  private async closeAfterExit(): Promise<void> {
    await drained(this.process.child.stdout)
    this.connection.close()
  }

  private notified(method: string, params: unknown): boolean {
    if (method !== methods.client.session.update) return false
    if (this.prompting && at(params, 'sessionId') === this.sessionId)
      this.listener?.onUpdate(at(params, 'update'))
    return true
  }

  private async permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { signal } = this.cancelled
    if (!this.prompting || signal.aborted || this.listener === undefined)
      return { outcome: { outcome: 'cancelled' } }
    const { toolCallId, title, kind, rawInput, locations } = request.toolCall
    const cancelled = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const verdict = await Promise.race([
      cancelled,
      this.listener.onPermission({
        id: toolCallId,
        title: title ?? toolCallId,
        kind: kind ?? 'other',
        input: rawInput,
        paths: (locations ?? []).map(({ path }) => path),
      }),
    ])
    if (verdict === undefined) return { outcome: { outcome: 'cancelled' } }
    const want = verdict === 'allow' ? 'allow' : 'reject'
    // By kind, never by id: ids differ between agents.
    const option =
      request.options.find((o) => o.kind === `${want}_once`) ??
      request.options.find((o) => o.kind === `${want}_always`)
    return option === undefined
      ? { outcome: { outcome: 'cancelled' } }
      : { outcome: { outcome: 'selected', optionId: option.optionId } }
  }

  private note(text: string): void {
    this.listener?.onStderr(text)
  }
}

/** Not for a missing key or provider: nothing else would be answered either. */
function isRefusal(error: unknown): error is AgentRefusedError {
  return (
    error instanceof AgentRefusedError &&
    error.error.code !== AUTH_REQUIRED &&
    endingOfError(error.error).outcome !== 'unavailable'
  )
}

// What a process wrote last may still be in the pipe; a child of it may hold the pipe for ever.
async function drained(pipe: Readable | null): Promise<void> {
  if (pipe !== null && !pipe.readableEnded && !pipe.destroyed)
    await Promise.race([
      once(pipe, 'close').catch(() => undefined),
      sleep(500, undefined, { ref: false }),
    ])
}
