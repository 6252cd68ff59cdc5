// ratchet stop: ends a run for good and waits until it has ended. The exit code is 0, as `stopped`
// is the requested outcome.
import type { Context } from '../context.js'
import { ID, REASON, type Definition } from '../definition.js'

export const command: Definition = {
  text: ['Waits until no process of the run is left.'],
  arguments: [ID],
  options: [REASON, ['--detach', 'Return at once']],
  examples: ['ratchet stop WFS-test-shop --reason "wrong branch"'],
  run,
}

async function run(
  context: Context,
  [typed]: string[],
  options: { reason?: string; detach?: boolean },
): Promise<number> {
  const { out } = context
  const [{ findRun }, { answerStarted, refuseClosed }, { requireWorker, tryStartWorker }] =
    await Promise.all([
      import('../find/find-run.js'),
      import('../options.js'),
      import('../start/start-worker.js'),
    ])
  const found = await findRun(context, typed)
  refuseClosed(found, 'so there is nothing to stop')
  await found.handle.stop(options.reason)
  if (options.detach === true) {
    await tryStartWorker(context, found)
    return answerStarted(out, found)
  }
  await requireWorker(context, found, 'the stop was sent')
  const { follow, showEnd } = await import('../follow/follow.js')
  showEnd(out, found, await follow(out, found))
  return 0
}
