// The environments of runs as a project's worker knows them: what it remembers, compared at every
// activity with what the supervisor holds, and its own where nothing is known.
import type { z } from 'zod'
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

  async function ask(run: string): Promise<z.infer<typeof EnvironmentReply> | undefined> {
    const supervisor = from === undefined ? undefined : recordedSupervisor(dirs)
    if (supervisor === undefined) return undefined
    const reply = await callSupervisor(supervisor, 'POST /environments/of', {
      run,
      project,
      version: remembered.get(run)?.version,
      known: [...remembered.keys()],
    })
    return reply?.code === 200 ? EnvironmentReply.parse(reply.body) : undefined
  }

  async function of(run: string): Promise<RunEnvironment> {
    const reply = await ask(run).catch((error: unknown) => {
      if (!remembered.has(run)) throw error
    })
    for (const one of reply?.over ?? []) remembered.delete(one)
    const mine = remembered.get(run)
    // A supervisor that has just started knows only what no command has sent.
    if (reply?.held !== undefined && mine !== undefined && reply.held.from !== 'command')
      await handOver()
    else if (reply?.held !== undefined) remembered.set(run, reply.held)
    return remembered.get(run) ?? { env: own, from: 'worker' }
  }

  return { of, handOver }
}
