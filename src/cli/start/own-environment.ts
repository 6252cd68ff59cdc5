// Gives a run the environment of the command that starts or continues it. It goes through the local
// supervisor, in memory; elsewhere a run has that of its worker.
import { recordedSupervisor } from '../../adapters/supervisor/supervisor-call.js'
import { withSandboxChoice } from '../../adapters/sandbox/sandbox-choice.js'
import type { SandboxUse } from '../../contract/sandbox.js'
import type { ServerChoice } from '../context.js'
import type { FoundRun } from '../find/find-run.js'
import { ensureWorker, type Server } from './server.js'

export type BegunRun = { project: string; run: string; sandbox: SandboxUse | undefined }

/** Starts a run with what its command gives it besides the input: sandbox and environment. */
export function startWithOwn<T>(
  { env }: ServerChoice,
  { dirs, local }: Pick<Server, 'dirs' | 'local'>,
  { project, run, sandbox }: BegunRun,
  start: () => Promise<T>,
): Promise<T> {
  return withSandboxChoice(dirs, run, sandbox, async () => {
    if (!local) return start()
    const { inOwnEnvironment } = await import('../../dev-server/index.js')
    return inOwnEnvironment(dirs, { project, run, env }, start)
  })
}

/** Gives an open run the environment of this command, before the run is asked to continue. */
export async function giveOwn(
  choice: ServerChoice,
  { id, server, project }: Pick<FoundRun, 'id' | 'server' | 'project'>,
): Promise<void> {
  if (!server.local || project === undefined) return
  if (recordedSupervisor(server.dirs) === undefined) {
    // What is in the way is said when the command needs the worker.
    await ensureWorker(choice, server, project, id).catch(() => undefined)
    return
  }
  const { giveEnvironment } = await import('../../dev-server/index.js')
  await giveEnvironment(server.dirs, { project, run: id, env: choice.env })
}
