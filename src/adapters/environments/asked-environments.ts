// The environments of runs as a project's worker knows them: what it remembers, compared at each
// activity and every few seconds with what the supervisor holds; its own where nothing is known.
import type { EnvFrom } from '../../contract/result.js'
import { self } from '../process/identity.js'
import type { Dirs } from '../state-dir.js'
import { callSupervisor, recordedSupervisor } from '../supervisor/supervisor-call.js'
import {
  EnvironmentReply,
  type EnvironmentsBack,
  type HeldEnvironment,
} from './environment-messages.js'
import { given } from './given-variables.js'

export type RunEnvironment = { env: NodeJS.ProcessEnv; from: EnvFrom }

export type RunEnvironments = {
  /**
   * Returns the environment of a run.
   *
   * @throws SilentSupervisorError where nothing is remembered and the supervisor does not answer
   */
  of: (run: string) => Promise<RunEnvironment>
  /** Remembers what the supervisor holds for the runs of the project, as it may die. */
  take: () => Promise<void>
  /** Gives what is remembered to the supervisor that lives now. */
  handOver: () => Promise<void>
}

/**
 * @param own environment of the worker; `from` where a supervisor has it from, absent without one
 */
export function askedEnvironments(
  dirs: Dirs,
  {
    project,
    own,
    from,
  }: { project: string; own: NodeJS.ProcessEnv; from?: 'project' | 'supervisor' },
): RunEnvironments {
  const remembered = new Map<string, HeldEnvironment>()
  const back = (): EnvironmentsBack => ({
    worker: self(),
    project,
    runs: [...remembered].map(([run, held]) => ({ run, ...held })),
    ...(from === 'project' ? { own: given(own) } : {}),
  })

  async function handOver(): Promise<void> {
    const supervisor = recordedSupervisor(dirs)
    if (supervisor !== undefined && from !== undefined)
      await callSupervisor(supervisor, 'POST /environments/back', back())
  }

  // Takes what the supervisor holds for the runs of this project; a run that is asked for gets one.
  async function take(run?: string): Promise<void> {
    const supervisor = from === undefined ? undefined : recordedSupervisor(dirs)
    if (supervisor === undefined) return
    const known = Object.fromEntries([...remembered].map(([id, { version }]) => [id, version]))
    const reply = await callSupervisor(supervisor, 'POST /environments/of', { project, run, known })
    if (reply?.code !== 200) return
    const { held, over } = EnvironmentReply.parse(reply.body)
    for (const one of over) remembered.delete(one)
    let knowsLess = false
    for (const { run: id, ...one } of held)
      // A supervisor that has just started knows only what no command has sent.
      if (one.from !== 'command' && remembered.has(id)) knowsLess = true
      else remembered.set(id, one)
    if (knowsLess) await handOver()
  }

  async function of(run: string): Promise<RunEnvironment> {
    await take(run).catch((error: unknown) => {
      if (!remembered.has(run)) throw error
    })
    return remembered.get(run) ?? { env: own, from: 'worker' }
  }

  return { of, take: () => take(), handOver }
}
