// A worker serves one namespace of one server for its whole life.
//
// Addresses are reused: when the server has ended, the next one on that port may be somebody
// else's, and a worker left behind would take its work. The namespace's id outlives restarts of its
// server and differs on every other.
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
