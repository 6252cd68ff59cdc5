// Stops the retries of Temporal's client once the connection is closed. The client retries from a
// timer, and on a closed connection it throws "Channel has been shut down" there, which no code can
// catch and which ends the script.
import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client'

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number]
type Call = ReturnType<Interceptor>

/** gRPC's code of a cancelled call. */
const CANCELLED = 1

/** The retries of Temporal's client, which end once the connection is closed. */
export function retriesUntil(closed: AbortSignal): Interceptor[] {
  return [
    makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
    (options, nextCall) => (closed.aborted ? CLOSED : (nextCall(options) as Call)),
  ]
}

const nothing = (): void => undefined
/** A call that has ended before it began. */
const CLOSED = {
  start: (metadata, listener) =>
    listener?.onReceiveStatus?.({ code: CANCELLED, details: 'the connection is closed', metadata }),
  sendMessage: nothing,
  sendMessageWithContext: nothing,
  startRead: nothing,
  halfClose: nothing,
  cancelWithStatus: nothing,
  getPeer: () => 'none',
  getAuthContext: () => null,
} satisfies Partial<Call> as unknown as Call
