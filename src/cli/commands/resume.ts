// ratchet resume: goes on after a pause, then follows the run.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { followToEnd } from '../follow.js'
import { answerStarted, raiseIterations, refuseClosed, wholeNumber } from '../options.js'
import { needWorker, wishWorker } from '../wake.js'

export async function run(context: Context, [typed]: string[], options: { detach?: boolean; maxIterations?: string }): Promise<number> {
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const found = await findRun(context, typed)
  refuseClosed(found, 'and resuming a closed run is not there yet')
  // Before it goes on: the pause may have come in its last iteration.
  if (maxIterations !== undefined) await raiseIterations(found, maxIterations)
  await found.handle.resume()
  if (options.detach === true) {
    await wishWorker(context, found)
    return answerStarted(context, found)
  }
  await needWorker(context, found, 'the resume was sent')
  return followToEnd(context, found)
}
