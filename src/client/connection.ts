// The connection of a script's handles. It follows the local server to its address after a restart,
// ends pending calls when it is closed, and turns errors into those of errors.ts.
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, Connection, type ConnectionOptions } from '@temporalio/client'
import { NAMESPACE } from '../contract/names.js'
import { ConnectionClosedError, isUnavailable, ServerUnavailableError } from './errors.js'
import { localAddress, runningServer } from './local-address.js'
import { retriesUntil } from './retries.js'
import { keyFor, signingInterceptor } from './signing.js'

/** Without an address, the local server is used. */
export type ConnectOptions = {
  address?: string
  namespace?: string
  apiKey?: string
  tls?: boolean | object
}

/** What a handle needs from a connection. */
export type Caller = {
  /** Address and namespace for error messages. */
  where: string
  /**
   * Calls the current server.
   *
   * @throws the reason of `signal` or ConnectionClosedError, as soon as either applies
   */
  call: <T>(ask: (client: Client) => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Waits, and throws like `call`. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Signs what a private server is asked; `undefined` for any other. */
  signingKey: () => string | undefined
}

const CONNECT_TIMEOUT = '5s'

export class Door implements Caller {
  readonly #closed: AbortController
  private current: Client
  readonly #old: Connection[] = []

  private constructor(
    readonly options: ConnectOptions,
    private address: string,
    private connection: Connection,
    closed: AbortController,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.#closed = closed
    setMaxListeners(0, closed.signal) // one for each pending call
    this.current = this.#clientOf(connection)
  }

  /**
   * Connects to the local server, or to the one at `address`.
   *
   * @param env says where the state directory is
   */
  static async open(options: ConnectOptions, env: NodeJS.ProcessEnv = process.env): Promise<Door> {
    const address = options.address ?? localAddress(env)
    const closed = new AbortController()
    try {
      const connection = await Connection.connect(
        connectionOptions(options, address, closed.signal),
      )
      return new Door(options, address, connection, closed, env)
    } catch (error) {
      closed.abort()
      if (!isUnavailable(error)) throw error
      throw new ServerUnavailableError(
        `no Temporal server answers: ${(error as Error).message}`,
        address,
        { cause: error },
      )
    }
  }

  get client(): Client {
    return this.current
  }

  get where(): string {
    return `${this.address}, namespace ${this.options.namespace ?? NAMESPACE}`
  }

  signingKey(): string | undefined {
    return keyFor(this.address, this.env)
  }

  async call<T>(ask: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#check(signal)
    this.#follow()
    const client = this.current
    try {
      return await this.#until(signal, (ended) => client.withAbortSignal(ended, () => ask(client)))
    } catch (error) {
      this.#check(signal) // an aborted call ends as cancelled
      throw error
    }
  }

  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    try {
      await this.#until(signal, (ended) => delay(ms, undefined, { signal: ended }))
    } catch (error) {
      this.#check(signal)
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#closed.abort(new ConnectionClosedError())
    await Promise.all([this.connection, ...this.#old].map((connection) => connection.close()))
  }

  #check(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted()
    this.#closed.signal.throwIfAborted()
  }

  // A signal for each call: the Temporal client adds a listener for every request and never removes
  // it.
  async #until<T>(
    signal: AbortSignal | undefined,
    ask: (ended: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController()
    const end = (): void => ended.abort()
    const sources = signal === undefined ? [this.#closed.signal] : [this.#closed.signal, signal]
    setMaxListeners(0, ended.signal)
    for (const source of sources) source.addEventListener('abort', end)
    try {
      return await ask(ended.signal)
    } finally {
      for (const source of sources) source.removeEventListener('abort', end)
    }
  }

  // The local server uses the next free port if another process has its own.
  #follow(): void {
    if (this.options.address !== undefined) return
    const address = addressNow(this.env)
    if (address === undefined || address === this.address) return
    this.#old.push(this.connection)
    this.address = address
    this.connection = Connection.lazy(connectionOptions(this.options, address, this.#closed.signal))
    this.current = this.#clientOf(this.connection)
  }

  #clientOf(connection: Connection): Client {
    const { namespace = NAMESPACE } = this.options
    const workflow = [signingInterceptor(() => this.signingKey())]
    return new Client({ connection, namespace, interceptors: { workflow } })
  }
}

// Between two servers, or gone for good: the call reports it
const addressNow = (env: NodeJS.ProcessEnv): string | undefined => runningServer(env)?.address

function connectionOptions(
  { apiKey, tls }: ConnectOptions,
  address: string,
  closed: AbortSignal,
): ConnectionOptions {
  return {
    address,
    connectTimeout: CONNECT_TIMEOUT,
    interceptors: retriesUntil(closed),
    apiKey,
    tls,
  }
}
