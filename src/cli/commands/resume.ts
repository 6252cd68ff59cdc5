// ratchet resume: goes on after a pause, then follows the run.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { followToEnd } from '../follow.js'
import { answerStarted, refuseClosed } from '../options.js'

export async function run(context: Context, [typed]: string[], options: { detach?: boolean }): Promise<number> {
  const found = await findRun(context, typed)
  refuseClosed(found, 'and resuming a closed run is not there yet')
  await found.handle.resume()
  return options.detach === true ? answerStarted(context, found) : followToEnd(context, found)
}
