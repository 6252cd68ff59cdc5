// Memory with a limit, for what a process knows of many runs.

/** A map that forgets what was set longest ago once it has more than `most` entries. */
export class Recent<T> {
  readonly #entries = new Map<string, T>()

  constructor(readonly most: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: T): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.most && oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
