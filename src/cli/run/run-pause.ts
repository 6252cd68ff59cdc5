// ratchet pause: pauses a run by a signal, which is idempotent and survives every crash.
import type { Context } from '../context.js'
import { findRun } from '../find/find-run.js'
import { refuseClosed } from '../options.js'
import { tryStartWorker } from '../start/start-worker.js'

export async function run(
  context: Context,
  [typed]: string[],
  options: { now?: boolean; reason?: string },
): Promise<number> {
  const found = await findRun(context, typed)
  refuseClosed(found, 'so there is nothing to pause')
  const mode = options.now === true ? 'now' : 'turn'
  await found.handle.pause({ mode, reason: options.reason ?? '' })
  await tryStartWorker(context, found)
  context.out.answer({ id: found.id, uiUrl: found.uiUrl, sent: 'pause', mode }, [
    mode === 'now'
      ? 'the running step is interrupted; then the run pauses'
      : 'the run pauses when the running step ends',
    `continue with: ratchet resume ${found.id}`,
  ])
  return 0
}
