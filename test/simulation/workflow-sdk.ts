// The part of @temporalio/workflow that the workflows use, without Temporal: activities are the functions of a host,
// a run that continues as new throws what it carries on. vitest.simulate.config.ts puts it in the place of the package.
import { CancelledFailure } from '@temporalio/common'

export { ActivityFailure, ApplicationFailure, CancelledFailure } from '@temporalio/common'
export const isCancellation = (error: unknown): boolean => error instanceof CancelledFailure

export type Host = { id: string; now: () => number; activities: Record<string, (input: never) => unknown> }

let host: Host | undefined

/** Runs a body with the activities of a host. */
export async function onHost<T>(one: Host, body: () => Promise<T>): Promise<T> {
  host = one
  const { now } = Date
  Date.now = one.now
  try {
    return await body()
  } finally {
    Date.now = now
    host = undefined
  }
}

const here = (): Host => {
  if (host === undefined) throw new Error('no host')
  return host
}

/** What a run carries into its next iteration. */
export class ContinuedAsNew extends Error {
  constructor(readonly carried: unknown[]) {
    super('continued as new')
  }
}

export const ActivityCancellationType = { WAIT_CANCELLATION_COMPLETED: 'wait' } as const
export const workflowInfo = () => ({ workflowId: here().id, runId: 'run', firstExecutionRunId: 'run', historyLength: 0 })
export const continueAsNew = (...carried: unknown[]): Promise<never> => Promise.reject(new ContinuedAsNew(structuredClone(carried)))
export const proxyActivities = (): unknown => new Proxy({}, { get: (_target, name: string) => (input: never) => {
  const activity = here().activities[name]
  if (activity === undefined) throw new Error(`the host has no activity ${name}`)
  return Promise.resolve(activity(input))
} })

/** Nothing here ever waits for a signal. */
export const condition = (is: () => boolean): Promise<boolean> => (is() ? Promise.resolve(true) : Promise.reject(new Error('the run waits for ever')))
export const allHandlersFinished = () => true
export class CancellationScope {
  readonly consideredCancelled = false
  static current = () => new CancellationScope()
  static nonCancellable = <T>(body: () => Promise<T>): Promise<T> => body()
  run = <T>(body: () => Promise<T>): Promise<T> => body()
  cancel = (): void => undefined
}
const nothing = (): void => undefined
export const [setHandler, setDefaultSignalHandler, setCurrentDetails, upsertSearchAttributes] = [nothing, nothing, nothing, nothing]
const named = (name: string) => name
export const [defineQuery, defineSignal, defineUpdate] = [named, named, named]
export const log = { info: nothing, warn: nothing, error: nothing, debug: nothing }
