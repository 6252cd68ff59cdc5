// ratchet stop: ends a run for good and waits until it has. That it then ended as `stopped` is what
// was asked for, so the exit code is 0.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { follow, showEnd } from '../follow.js'
import { answerStarted, refuseClosed } from '../options.js'
import { needWorker, wishWorker } from '../wake.js'

export async function run(context: Context, [typed]: string[], options: { reason?: string; detach?: boolean }): Promise<number> {
  const found = await findRun(context, typed)
  refuseClosed(found, 'so there is nothing to stop')
  await found.handle.stop(options.reason)
  if (options.detach === true) {
    await wishWorker(context, found)
    return answerStarted(context, found)
  }
  await needWorker(context, found, 'the stop was sent')
  showEnd(context, found, await follow(context, found))
  return 0
}
