// Ties a worker to one namespace of one server for its whole life.
//
// Addresses are reused: when the server has ended, the next one on that port may belong to another
// user, and a remaining worker would take its tasks. The id of the namespace survives restarts of
// its server and differs on every other.
import type { NativeConnection } from '@temporalio/worker'

const CHECK_MS = 5_000

/**
 * Calls `onOther` once the namespace of that name is another one. Returns the function that ends
 * the watch.
 */
export async function watchNamespace(
  connection: NativeConnection,
  namespace: string,
  onOther: () => void,
): Promise<() => void> {
  const id = async () =>
    (await connection.workflowService.describeNamespace({ namespace })).namespaceInfo?.id
  const own = await id()
  const timer = setInterval(() => {
    id().then(
      (now) => {
        if (now !== own) onOther()
      },
      () => undefined,
    ) // a server that is away comes back
  }, CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
