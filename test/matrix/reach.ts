// A run whose server is killed at times: each call goes to the current server.
import { connect, type Ratchet, type RunHandle, type RunResult } from '../../src/client/index.js'
import { recordedServer } from '../../src/dev-server/server-record.js'
import type { RealUser } from '../support/runs/real-run.js'

const POLL_MS = 250

export class Reach {
  #at: { address: string; ratchet: Ratchet } | undefined

  /** @param deadline epoch milliseconds, the end of the case */
  constructor(
    private readonly user: RealUser,
    private readonly id: string,
    private readonly deadline: number,
  ) {}

  /** Retries a call until it is answered or the time of the case is up. */
  async call<T>(act: (run: RunHandle, ratchet: Ratchet) => Promise<T>, what: string): Promise<T> {
    for (;;) {
      try {
        const ratchet = await this.#there()
        return await act(ratchet.attach(this.id), ratchet)
      } catch (error) {
        await this.close()
        if (Date.now() > this.deadline)
          throw new Error(
            `in vain: ${what}: ${error instanceof Error ? error.message : String(error)}`,
            { cause: error },
          )
        await this.#pause()
      }
    }
  }

  /** Retries until the answer is the expected one. */
  async until(
    look: (run: RunHandle, ratchet: Ratchet) => Promise<boolean>,
    what: string,
  ): Promise<void> {
    while (!(await this.call(look, what))) {
      if (Date.now() > this.deadline) throw new Error(`in vain: ${what}`)
      await this.#pause()
    }
  }

  /**
   * Answers the questions of the run until it ends, except the one that is to stay open now.
   */
  async end(
    answers: Readonly<Record<string, string>>,
    leftOpen: () => string | undefined,
  ): Promise<RunResult> {
    const given = new Set<string>()
    const asks = Object.keys(answers).length > 0
    while (
      (await this.call((_, ratchet) => ratchet.find(this.id), 'the end of the run')) !== 'closed'
    ) {
      if (Date.now() > this.deadline)
        throw new Error(`in vain: the end of the run: ${JSON.stringify(await this.#last())}`)
      for (const { id } of asks
        ? await this.call((run) => run.questions().catch(() => []), 'the questions')
        : []) {
        const choice = answers[id]
        if (choice === undefined || given.has(id) || leftOpen() === id) continue
        // A refusal means that an earlier call, whose answer was lost, was accepted.
        await this.call(
          (run) =>
            run.answer({ questionId: id, choice }).catch((error: unknown) => {
              if (!String(error).includes('not open')) throw error
            }),
          `the answer to ${id}`,
        )
        given.add(id)
      }
      await this.#pause()
    }
    const end = await this.call((run) => run.result(), 'the result')
    if ('ended' in end) throw new Error(`the run ended as ${end.ended.kind}: ${end.ended.message}`)
    return end.result
  }

  async close(): Promise<void> {
    const at = this.#at
    this.#at = undefined
    await at?.ratchet.close().catch(() => undefined)
  }

  async #last(): Promise<unknown> {
    return this.#at?.ratchet
      .attach(this.id)
      .status()
      .catch((error: unknown) => String(error))
  }

  async #there(): Promise<Ratchet> {
    const address = recordedServer(this.user.dirs)?.address
    if (address === undefined) throw new Error('there is no server')
    if (this.#at?.address !== address) {
      await this.close()
      this.#at = { address, ratchet: await connect({ address }) }
    }
    return this.#at.ratchet
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
