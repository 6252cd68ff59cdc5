// Refuses activities on a private server that no run of its user has scheduled.
import { RawValue } from '@temporalio/common'
import type { ActivityInterceptorsFactory, WorkerOptions } from '@temporalio/worker'
import type { SignedUpdate } from '../../activities/host/deps.js'
import { asFailure } from '../../activities/host/failure.js'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { signedPayload } from '../../adapters/signing/payload-signature.js'
import { activityPurpose, signedValue, updatePurpose } from '../../core/signing/signed-purpose.js'
import { readingCodec, signingCodec } from './signing-codec.js'
import { signedRuns, type Histories } from './signed-runs.js'

/** What a worker on a private server has besides. */
export type Signing = {
  dataConverter: NonNullable<WorkerOptions['dataConverter']>
  interceptor: ActivityInterceptorsFactory
}

/**
 * Returns the parts of a worker that needs signatures; nothing without a key.
 *
 * @param role the workflow worker signs what its workflows send
 */
export function signing(
  connection: Histories,
  { namespace, role }: { namespace: string; role: 'workflows' | 'project' },
  key: string | undefined,
): Signing | undefined {
  if (key === undefined) return undefined
  const codec = role === 'workflows' ? signingCodec(key) : readingCodec(key)
  return {
    dataConverter: { payloadCodecs: [codec] },
    interceptor: onlySigned(signedRuns(connection, namespace, key)),
  }
}

/**
 * An activity runs with an input that the workflow worker has signed for it, in a run whose start
 * was signed. The first prevents that a stolen workflow task schedules anything, the second that a
 * workflow of anybody does.
 */
function onlySigned(problemOf: ReturnType<typeof signedRuns>): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const { workflowId, runId } = info.workflowExecution ?? { workflowId: '', runId: '' }
        const { value, purpose } = signedValue(input.args[0])
        if (purpose !== activityPurpose(info.activityId))
          throw refused(`the input of ${info.activityType} is not signed`, workflowId)
        const problem = await problemOf({ workflowId, runId })
        if (problem !== undefined) throw refused(`the start of this run is ${problem}`, workflowId)
        return next({ ...input, args: [value] })
      },
    },
  })
}

/** Signs what a step of a run asks it. */
export const signUpdate =
  (key: string): SignedUpdate =>
  (run, { name, id }, argument) =>
    RawValue.fromPayload(signedPayload(key, run, updatePurpose(name, id, Date.now()), argument))

function refused(problem: string, workflowId: string): unknown {
  return asFailure(
    new RefusalError(
      BAD_INPUT,
      problem,
      `${workflowId}, private server`,
      'use the form behind "ratchet ui", or "ratchet fix"',
    ),
  )
}
