// ratchet resume: goes on after a pause, or with a session or cycle whose run has ended, then follows the run.
import type { Context } from '../context.js'
import { followToEnd } from '../follow.js'
import { findResumable, startCycleAgain, startSession } from '../go-on.js'
import { answerStarted, askingMode, raiseIterations, wholeNumber } from '../options.js'
import type { ModeOptions } from '../options.js'
import { needWorker, wishWorker } from '../wake.js'

type Options = ModeOptions & { detach?: boolean; maxIterations?: string }

export async function run(context: Context, [typed]: string[], options: Options): Promise<number> {
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const mode = askingMode(options, 'ratchet resume')
  const found = await findResumable(context, typed)
  const wishes = maxIterations === undefined ? {} : { maxIterations }
  if (!('open' in found)) {
    const started = 'session' in found ? await startSession(context, found.session, wishes) : await startCycleAgain(context, found.cycle, { ...mode, ...wishes })
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
