// ratchet stop: ends a run for good and waits until it has ended. The exit code is 0, as `stopped`
// is the requested outcome.
import type { Context } from '../context.js'
import { findRun } from '../find/find-run.js'
import { follow, showEnd } from '../follow/follow.js'
import { answerStarted, refuseClosed } from '../options.js'
import { requireWorker, tryStartWorker } from '../start/start-worker.js'

export async function run(
  context: Context,
  [typed]: string[],
  options: { reason?: string; detach?: boolean },
): Promise<number> {
  const { out } = context
  const found = await findRun(context, typed)
  refuseClosed(found, 'so there is nothing to stop')
  await found.handle.stop(options.reason)
  if (options.detach === true) {
    await tryStartWorker(context, found)
    return answerStarted(out, found)
  }
  await requireWorker(context, found, 'the stop was sent')
  showEnd(out, found, await follow(out, found))
  return 0
}
