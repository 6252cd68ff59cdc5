// Starts the project's worker after a request was sent to the run. The worker may fail to start, as
// the directory is gone or the configuration is broken; that must not keep the request from the
// run.
import type { Context, ServerChoice } from '../context.js'
import { CommandError, EXIT, describeError, type Problem } from '../output/errors.js'
import type { FoundRun } from '../find/find-run.js'
import { ensureWorker, workerState } from './server.js'

type Woken = Pick<FoundRun, 'overview' | 'server' | 'project'>

/** Tries to start a worker; reports what is missing if there is none. */
export async function tryStartWorker(
  { server, out }: Pick<Context, 'server' | 'out'>,
  run: Woken,
): Promise<void> {
  const problem = await tryWorker(server, run)
  if (problem !== undefined) out.warn(warning(problem))
}

/**
 * Ensures that a worker runs, for a command that waits for the run.
 *
 * @param sent what has already been done, as in "the stop was sent"; empty for nothing
 * @throws CommandError with exit code 3 if no worker runs and none can start
 */
export async function requireWorker(
  { server, out }: Pick<Context, 'server' | 'out'>,
  run: Woken,
  sent: string,
): Promise<void> {
  const problem = await tryWorker(server, run)
  if (problem === undefined) return
  // A running worker does the work, even if another one could not start.
  if ((await workerState(run.server, run.project)) === 'running') return out.warn(warning(problem))
  const message = `${sent === '' ? '' : `${sent}, but `}no worker of the project can start: ${problem.message}`
  throw new CommandError(EXIT.unavailable, {
    type: 'NoWorker',
    message,
    where: problem.where,
    next: problem.next,
  })
}

async function tryWorker(
  choice: ServerChoice,
  { overview, server, project }: Woken,
): Promise<Problem | undefined> {
  if (!overview.open || project === undefined) return undefined
  try {
    await ensureWorker(choice, server, project)
    return undefined
  } catch (error) {
    const { problem } = describeError(error)
    if (problem.type === 'InternalError') throw error
    return problem
  }
}

function warning({ message, where, next }: Problem): string {
  return `warning: no worker of the project can start: ${message}\n  where  ${where}\n  next   ${next}`
}
