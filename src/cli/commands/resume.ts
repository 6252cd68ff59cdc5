// ratchet resume: goes on after a pause, or with a session whose run has ended, then follows the run.
import type { Context } from '../context.js'
import { followToEnd } from '../follow.js'
import { findResumable, startSession } from '../go-on.js'
import { answerStarted, raiseIterations, wholeNumber } from '../options.js'
import { needWorker, wishWorker } from '../wake.js'

export async function run(context: Context, [typed]: string[], options: { detach?: boolean; maxIterations?: string }): Promise<number> {
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const found = await findResumable(context, typed)
  if ('session' in found) {
    const started = await startSession(context, found.session, maxIterations === undefined ? {} : { maxIterations })
    return options.detach === true ? answerStarted(context, started) : followToEnd(context, started)
  }
  const { open } = found
  // Before it goes on: the pause may have come in its last iteration.
  if (maxIterations !== undefined) await raiseIterations(open, maxIterations)
  await open.handle.resume()
  if (options.detach === true) {
    await wishWorker(context, open)
    return answerStarted(context, open)
  }
  await needWorker(context, open, 'the resume was sent')
  return followToEnd(context, open)
}
