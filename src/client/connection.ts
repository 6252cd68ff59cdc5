// The connection of a script's handles. It follows the local server to its address after a restart,
// ends pending calls when it is closed, and turns errors into those of errors.ts.
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, Connection, type ConnectionOptions } from '@temporalio/client'
import { NAMESPACE } from '../contract/names.js'
import { ConnectionClosedError, isUnavailable, ServerUnavailableError } from './errors.js'
import { localAddress, NoLocalServerError } from './local-address.js'
import { retriesUntil } from './retries.js'

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
}

const CONNECT_TIMEOUT = '5s'

export class Door implements Caller {
  readonly #closed: AbortController
  readonly #old: Connection[] = []

  private constructor(
    readonly options: ConnectOptions,
    private address: string,
    private connection: Connection,
    private current: Client,
    closed: AbortController,
  ) {
    this.#closed = closed
    setMaxListeners(0, closed.signal) // one for each pending call
  }

  /** Connects to the local server, or to the one at `address`. */
  static async open(options: ConnectOptions): Promise<Door> {
    const address = options.address ?? localAddress()
    const closed = new AbortController()
    try {
      const connection = await Connection.connect(
        connectionOptions(options, address, closed.signal),
      )
      return new Door(options, address, connection, clientOf(connection, options), closed)
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
    const address = addressNow()
    if (address === undefined || address === this.address) return
    this.#old.push(this.connection)
    this.address = address
    this.connection = Connection.lazy(connectionOptions(this.options, address, this.#closed.signal))
    this.current = clientOf(this.connection, this.options)
  }
}

function addressNow(): string | undefined {
  try {
    return localAddress()
  } catch (error) {
    // Between two servers, or gone for good: the call reports it
    if (error instanceof NoLocalServerError) return undefined
    throw error
  }
}

function clientOf(connection: Connection, { namespace = NAMESPACE }: ConnectOptions): Client {
  return new Client({ connection, namespace })
}

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
