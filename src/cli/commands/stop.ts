// ratchet stop: ends a run for good and waits until it has. That it then ended as `stopped` is what
// was asked for, so the exit code is 0.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { follow, showEnd } from '../follow.js'
import { answerStarted, refuseClosed } from '../options.js'

export async function run(context: Context, [typed]: string[], options: { reason?: string; detach?: boolean }): Promise<number> {
  const found = await findRun(context, typed)
  refuseClosed(found, 'so there is nothing to stop')
  await found.handle.stop(options.reason)
  if (options.detach === true) return answerStarted(context, found)
  showEnd(context, found, await follow(context, found))
  return 0
}
