// The payload codecs of workers on a private server. They run outside of the workflow sandbox, so
// no workflow sees the key, and a replay reads the same values.
import { asyncLocalStorage } from '@temporalio/activity'
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common'
import { markPayloads, purposeOf, signPayloads } from '../../adapters/signing/payload-signature.js'
import { activityPurpose, CONTINUED } from '../../core/signing/signed-purpose.js'

/** Reads signatures. What is signed for whom is compared where it is used. */
const decode =
  (key: string): PayloadCodec['decode'] =>
  (payloads, context) =>
    Promise.resolve(
      markPayloads(
        payloads,
        context?.workflowId === undefined
          ? undefined
          : purposeOf(key, context.workflowId, payloads),
      ),
    )

/** For a project's worker: it signs nothing, so no answer of an activity is good for something. */
export const readingCodec = (key: string): PayloadCodec => ({
  encode: (payloads) => Promise.resolve(payloads),
  decode: decode(key),
})

/**
 * For the workflow worker: it signs the inputs of activities, and what a run continues with. It
 * signs neither results, those of its own activities included, nor the summary of an activity,
 * which is a text.
 */
export const signingCodec = (key: string): PayloadCodec => ({
  encode: (payloads, context) => {
    const purpose = context === undefined ? undefined : purposeFor(payloads, context)
    return Promise.resolve(
      purpose === undefined || context?.workflowId === undefined
        ? payloads
        : signPayloads(key, context.workflowId, purpose, payloads),
    )
  },
  decode: decode(key),
})

const OBJECT = '{'.charCodeAt(0)

// Nothing but input and state is a pair.
function purposeFor(
  payloads: readonly Payload[],
  context: SerializationContext,
): string | undefined {
  const isResult = asyncLocalStorage.getStore() !== undefined
  if (isResult || !payloads.every(({ data }) => data?.[0] === OBJECT)) return undefined
  if (context.type === 'activity') return activityPurpose(context.activityId ?? '')
  return payloads.length === 2 ? CONTINUED : undefined
}
