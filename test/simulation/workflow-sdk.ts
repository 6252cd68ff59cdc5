// The part of @temporalio/workflow that the workflows use, without Temporal: activities are the
// functions of a host, they answer one after the other, and between two of them every condition is
// looked at. A run that continues as new throws what it carries on. vitest.simulate.config.ts puts
// it in the place of the package.
import { expectParsed } from '../support/hosts/parsed-host.js'
import { setImmediate } from 'node:timers/promises'
import { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common'

export { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common'
export const isCancellation = (error: unknown): boolean =>
  error instanceof CancelledFailure ||
  (error instanceof ActivityFailure && error.cause instanceof CancelledFailure)

/**
 * What steers a run from outside: its signals, updates and queries by name. An update that is
 * refused throws.
 */
export type Steering = {
  signal: (name: string, argument?: unknown) => void
  update: (name: string, argument?: unknown) => unknown
  query: <T>(name: string) => T
}

export type Host = {
  id: string
  activities: Record<string, (input: never, cancelled: boolean) => unknown>
  /** Called before each activity answers; `n` counts them. */
  before?: (n: number, run: Steering, activity: string) => void
  /** Called where nothing is under way; `false`: there is nothing to do either. */
  idle?: (run: Steering) => boolean
}

type Pending = {
  name: string
  input: never
  scope: CancellationScope
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
  cancelled: boolean
}
type Waiter = { is: () => boolean; at: number | undefined; resolve: (is: boolean) => void }
type Handler = { run: (argument: unknown) => unknown; validator?: (argument: unknown) => void }

/** Activities of a run, and answers of a person: one that makes more does not end. */
const MOST = 5_000

class Open {
  pending: Pending[] = []
  waiters: Waiter[] = []
  readonly handlers = new Map<string, Handler>()
  clock = 1_000
  run = 1
  scope = new CancellationScope()

  constructor(readonly host: Host) {}

  readonly steering: Steering = {
    signal: (name, argument) => void this.#handler(name).run(argument),
    update: (name, argument) => {
      const { run, validator } = this.#handler(name)
      validator?.(argument)
      return run(argument)
    },
    query: <T>(name: string) => this.#handler(name).run(undefined) as T,
  }

  #handler(name: string): Handler {
    const handler = this.handlers.get(name)
    if (handler === undefined) throw new Error(`the run has no handler ${name}`)
    return handler
  }

  async drive(isOver: () => boolean): Promise<void> {
    for (let [n, answers] = [1, 1]; ;) {
      await setImmediate() // what the last answer has set going
      if (isOver()) return
      const met = this.waiters.filter(({ is }) => is())
      if (met.length > 0) this.#let(met, true)
      else if (this.pending.length > 0) {
        if (n > MOST) throw new Error(`the run does not end: ${MOST} activities`)
        this.host.before?.(n++, this.steering, this.pending[0]?.name ?? '')
        await this.#answer(this.pending.shift() as Pending)
      } else if (!this.#timer()) {
        if (answers++ > MOST) throw new Error(`the run does not end: ${MOST} answers`)
        if (this.host.idle?.(this.steering) !== true) throw new Error('the run waits for ever')
      }
    }
  }

  #let(met: readonly Waiter[], is: boolean): void {
    this.waiters = this.waiters.filter((one) => !met.includes(one))
    for (const { resolve } of met) resolve(is)
  }

  #timer(): boolean {
    const [next] = this.waiters
      .filter(({ at }) => at !== undefined)
      .sort((a, b) => (a.at as number) - (b.at as number))
    if (next?.at === undefined) return false
    this.clock = Math.max(this.clock, next.at)
    this.#let([next], false)
    return true
  }

  async #answer({ name, input, resolve, reject, cancelled }: Pending): Promise<void> {
    const activity = this.host.activities[name]
    if (activity === undefined) throw new Error(`the host has no activity ${name}`)
    expectParsed(name, input)
    try {
      resolve(await activity(input, cancelled))
    } catch (error) {
      if (!(error instanceof ApplicationFailure) && !(error instanceof CancelledFailure))
        throw error
      reject(
        new ActivityFailure(
          'Activity task failed',
          name,
          undefined,
          'NON_RETRYABLE_FAILURE',
          undefined,
          error,
        ),
      )
    }
  }
}

let open: Open | undefined
const here = (): Open => {
  if (open === undefined) throw new Error('no host')
  return open
}

/** Runs a body with the activities of a host. */
export async function onHost<T>(host: Host, body: () => Promise<T>): Promise<T> {
  const one = (open = new Open(host))
  const { now } = Date
  Date.now = () => (one.clock += 1_000)
  try {
    let isOver = false
    const end = body().finally(() => (isOver = true))
    end.catch(() => undefined) // told below
    await one.drive(() => isOver)
    return await end
  } finally {
    Date.now = now
    open = undefined
  }
}

/** What a run carries into its next iteration. */
export class ContinuedAsNew extends Error {
  constructor(readonly carried: unknown[]) {
    super('continued as new')
  }
}

export const ActivityCancellationType = { WAIT_CANCELLATION_COMPLETED: 'wait' } as const
export const workflowInfo = () => ({
  workflowId: here().host.id,
  runId: `run-${here().run}`,
  firstExecutionRunId: 'run-1',
  historyLength: 0,
})
export const continueAsNew = (...carried: unknown[]): Promise<never> =>
  Promise.reject(new ContinuedAsNew(structuredClone(carried)))
/** The next run of the same host has turn keys of its own, as one that was started again. */
export const startAgain = (): void => void here().run++
export const proxyActivities = (): unknown =>
  new Proxy(
    {},
    {
      get: (_target, name: string) => (input: never) =>
        new Promise((resolve, reject) => {
          const { scope, pending } = here()
          if (scope.consideredCancelled) reject(new CancelledFailure('the scope is cancelled'))
          else pending.push({ name, input, scope, resolve, reject, cancelled: false })
        }),
    },
  )

/** Resolves once it is so; with a time, at the latest then. */
export function condition(is: () => boolean, ms?: number): Promise<boolean> {
  if (is()) return Promise.resolve(true)
  const { waiters, clock } = here()
  return new Promise((resolve) =>
    waiters.push({ is, at: ms === undefined ? undefined : clock + ms, resolve }),
  )
}

export const allHandlersFinished = () => true
/** No server, so no update has an id. */
export const currentUpdateInfo = (): undefined => undefined

/**
 * Holds for what a body starts before its first await, which is where the workflows start their
 * activities.
 */
export class CancellationScope {
  consideredCancelled = false
  /** Rejects when the scope is cancelled. */
  readonly cancelRequested: Promise<never>
  #reject!: (reason: CancelledFailure) => void
  static current = (): CancellationScope => here().scope
  static nonCancellable = <T>(body: () => Promise<T>): Promise<T> =>
    new CancellationScope().run(body)

  constructor() {
    this.cancelRequested = new Promise((_, reject) => (this.#reject = reject))
    this.cancelRequested.catch(() => undefined) // not every scope is waited for
  }

  run<T>(body: () => Promise<T>): Promise<T> {
    const one = here()
    const before = one.scope
    one.scope = this
    try {
      return body()
    } finally {
      one.scope = before
    }
  }

  cancel(): void {
    this.consideredCancelled = true
    this.#reject(new CancelledFailure('the scope is cancelled'))
    for (const one of here().pending) if (one.scope === this) one.cancelled = true
  }
}

export function setHandler(
  name: string,
  run: Handler['run'],
  { validator }: { validator?: Handler['validator'] } = {},
): void {
  here().handlers.set(name, { run, ...(validator === undefined ? {} : { validator }) })
}
const nothing = (): void => undefined
export const [setDefaultSignalHandler, setCurrentDetails, upsertSearchAttributes] = [
  nothing,
  nothing,
  nothing,
]
const named = (name: string) => name
export const [defineQuery, defineSignal, defineUpdate] = [named, named, named]
export const log = { info: nothing, warn: nothing, error: nothing, debug: nothing }
