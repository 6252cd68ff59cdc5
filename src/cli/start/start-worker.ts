// Starts the project's worker after a request was sent to the run. The worker may fail to start, as
// the directory is gone or the configuration is broken; that must not keep the request from the
// run.
import type { Context, ServerChoice } from '../context.js'
import { CommandError, EXIT, describeError, type Problem } from '../output/errors.js'
import type { FoundRun } from '../find/find-run.js'
import { ensureWorker, workerState } from './server.js'

type RunOfProject = Pick<FoundRun, 'overview' | 'server' | 'project'>

const WAITS = 'the run waits for a worker'
/** A running worker does the work, even if another one cannot start. */
const STAYS = 'the running worker continues, but another one cannot start'

/** Tries to start a worker; reports what is missing if there is none. */
export async function tryStartWorker(
  { server, out }: Pick<Context, 'server' | 'out'>,
  run: RunOfProject,
): Promise<void> {
  const problem = await workerProblem(server, run)
  if (problem !== undefined) out.warn(warning((await hasWorker(run)) ? STAYS : WAITS, problem))
}

/**
 * Ensures that a worker runs, for a command that waits for the run.
 *
 * @param sent what has already been done, as in "the stop was sent"; empty for nothing
 * @throws CommandError with exit code 3 if no worker runs and none can start
 */
export async function requireWorker(
  { server, out }: Pick<Context, 'server' | 'out'>,
  run: RunOfProject,
  sent: string,
): Promise<void> {
  const problem = await workerProblem(server, run)
  if (problem === undefined) return
  if (await hasWorker(run)) return out.warn(warning(STAYS, problem))
  throw new CommandError(EXIT.unavailable, {
    type: 'NoWorker',
    message: `${sent === '' ? '' : `${sent}, but `}${WAITS}: ${problem.message}`,
    where: problem.where,
    next: problem.next,
  })
}

async function hasWorker({ server, project }: RunOfProject): Promise<boolean> {
  return (await workerState(server, project)) === 'running'
}

async function workerProblem(
  choice: ServerChoice,
  { overview, server, project }: RunOfProject,
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

function warning(what: string, { message, where, next }: Problem): string {
  return `warning: ${what}: ${message}\n  where  ${where}\n  next   ${next}`
}
