// The worker of a run's project, after what was asked of the run has been sent: it may not be to be
// had, as the directory is gone or its config is broken, and that must not keep a signal from its
// run.
import type { Context } from '../context.js'
import { CommandError, EXIT, describeError, type Problem } from '../output/errors.js'
import type { FoundRun } from '../find/find-run.js'
import { ensureWorker, workerState } from './server.js'

type Woken = Pick<FoundRun, 'overview' | 'server' | 'project'>

/** Tries to have a worker; says what is missing where there is none, and leaves it at that. */
export async function tryStartWorker(context: Context, run: Woken): Promise<void> {
  const problem = await tryWorker(context, run)
  if (problem !== undefined) context.warn(warning(problem))
}

/**
 * Makes sure of a worker for a command that waits for the run.
 *
 * @param sent what has been done already, as in "the stop was sent"; empty for nothing
 * @throws CommandError with exit code 3 where no worker runs and none can be had
 */
export async function requireWorker(context: Context, run: Woken, sent: string): Promise<void> {
  const problem = await tryWorker(context, run)
  if (problem === undefined) return
  // One that runs already does the work, whatever is wrong with starting another.
  if ((await workerState(run.server, run.project)) === 'running')
    return context.warn(warning(problem))
  const message = `${sent === '' ? '' : `${sent}, but `}no worker of the project can be had: ${problem.message}`
  throw new CommandError(EXIT.unavailable, {
    type: 'NoWorker',
    message,
    where: problem.where,
    next: problem.next,
  })
}

async function tryWorker(
  context: Context,
  { overview, server, project }: Woken,
): Promise<Problem | undefined> {
  if (!overview.open || project === undefined) return undefined
  try {
    await ensureWorker(context, server, project)
    return undefined
  } catch (error) {
    const { problem } = describeError(error)
    if (problem.type === 'InternalError') throw error
    return problem
  }
}

function warning({ message, where, next }: Problem): string {
  return `warning: no worker of the project can be had: ${message}\n  where  ${where}\n  next   ${next}`
}
