// Gives a run the environment of the command that starts or continues it.
import { given } from '../../adapters/environments/given-variables.js'
import { OfferReply } from '../../adapters/environments/environment-messages.js'
import { projectKey, type Dirs } from '../../adapters/state-dir.js'
import { callSupervisor, recordedSupervisor } from '../../adapters/supervisor/supervisor-call.js'
import { registeredProject } from '../../adapters/config/registry.js'

export type Giving = { project: string; run: string; env: NodeJS.ProcessEnv }

/**
 * Starts a run in the environment of this command. If the start fails, an open run of this id keeps
 * its own. The supervisor answers no worker before it knows.
 */
export async function inOwnEnvironment<T>(
  dirs: Dirs,
  giving: Giving,
  start: () => Promise<T>,
): Promise<T> {
  const { run, env } = giving
  const project = projectKey(giving.project)
  const made = await call(dirs, 'POST /environments', { project, run, env: given(env) })
  const offer = made === undefined ? undefined : OfferReply.parse(made).offer
  const decide = (isTaken: boolean): Promise<unknown> =>
    offer === undefined
      ? Promise.resolve(undefined)
      : call(dirs, 'POST /environments/decision', { offer, isTaken })
  let started: T
  try {
    started = await start()
  } catch (error) {
    await decide(false)
    throw error
  }
  // Another supervisor knows nothing of the offer.
  if ((await decide(true)) === undefined) await giveEnvironment(dirs, giving)
  return started
}

/** Gives an open run the environment of this command, where a supervisor lives. */
export async function giveEnvironment(dirs: Dirs, { project, run, env }: Giving): Promise<void> {
  const path = registeredProject(dirs, project)?.path
  if (path !== undefined) await call(dirs, 'POST /projects', { path, env: given(env), run })
}

// The body of an answer; `undefined` where no supervisor has taken it.
async function call(dirs: Dirs, route: string, body: unknown): Promise<unknown> {
  const supervisor = recordedSupervisor(dirs)
  const reply = supervisor === undefined ? undefined : await callSupervisor(supervisor, route, body)
  return reply?.code === 200 ? reply.body : undefined
}
