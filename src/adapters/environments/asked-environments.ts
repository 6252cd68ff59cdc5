// The environments of runs as the worker of the projects knows them: what it remembers, compared at
// each activity and every few seconds with what the supervisor holds; else its own.
import type { EnvFrom } from '../../contract/result.js'
import { self } from '../process/identity.js'
import type { Dirs } from '../state-dir.js'
import { callSupervisor, recordedSupervisor } from '../supervisor/supervisor-call.js'
import { EnvironmentReply, type EnvironmentsBack } from './environment-messages.js'

export type RunEnvironment = { env: NodeJS.ProcessEnv; from: EnvFrom }

/** What a worker asks for one project. */
export type RunEnvironments = {
  /**
   * Returns the environment of a run.
   *
   * @throws SilentSupervisorError where nothing is remembered and the supervisor does not answer
   */
  of: (run: string) => Promise<RunEnvironment>
}

export type AskedEnvironments = {
  /** Begins with a project; its last command's environment is known afterwards. */
  open: (project: string) => Promise<RunEnvironments & { ofProject: () => NodeJS.ProcessEnv }>
  /** Forgets a project that has no open run. */
  close: (project: string) => void
  /** Remembers what the supervisor holds, as it may die. */
  take: () => Promise<void>
  /** Gives what is remembered to the supervisor that lives now. */
  handOver: () => Promise<void>
}

type Back = Omit<EnvironmentsBack, 'worker'>

/** Characters of one message: the supervisor refuses a body of more than 4 MB. */
const PORTION = 1_000_000

/**
 * @param own environment of the worker
 * @param supervised whether a supervisor has started it
 */
export function askedEnvironments(
  dirs: Dirs,
  { own, supervised }: { own: NodeJS.ProcessEnv; supervised: boolean },
): AskedEnvironments {
  const open = new Set<string>()
  const runs = new Map<string, Back['runs'][number]>()
  const projects = new Map<string, Back['projects'][number]>()
  const versions = (known: ReadonlyMap<string, { version: string }>): Record<string, string> =>
    Object.fromEntries([...known].map(([id, { version }]) => [id, version]))

  async function handOver(): Promise<void> {
    const supervisor = recordedSupervisor(dirs)
    if (supervisor === undefined || !supervised) return
    const send = async (back: EnvironmentsBack): Promise<void> => {
      const reply = await callSupervisor(supervisor, 'POST /environments/back', back)
      if (reply !== undefined && reply.code !== 200)
        throw new Error(`the supervisor refused environments: ${JSON.stringify(reply.body)}`)
    }
    for (const portion of portions([...runs.values()])) await send({ runs: portion, projects: [] })
    for (const portion of portions([...projects.values()]))
      await send({ runs: [], projects: portion })
    await send({ worker: self(), runs: [], projects: [] })
  }

  // Takes what the supervisor holds for the open projects; a run that is asked for gets one.
  async function take(run?: { id: string; project: string }): Promise<void> {
    const supervisor = supervised ? recordedSupervisor(dirs) : undefined
    if (supervisor === undefined || open.size === 0) return
    const reply = await callSupervisor(supervisor, 'POST /environments/of', {
      projects: [...open],
      run,
      known: { runs: versions(runs), projects: versions(projects) },
    })
    if (reply?.code !== 200) return
    const { held, over, projects: sent } = EnvironmentReply.parse(reply.body)
    for (const one of over) runs.delete(one)
    for (const one of sent) projects.set(one.project, one)
    // A supervisor that has just started knows only what no command has sent.
    const knowsLess = held.filter((one) => one.from !== 'command' && runs.has(one.run))
    for (const one of held) if (!knowsLess.includes(one)) runs.set(one.run, one)
    if (knowsLess.length > 0) await handOver()
  }

  return {
    open: async (project) => {
      open.add(project)
      await take().catch(() => undefined) // each run asks again
      const ofProject = () => projects.get(project)?.env ?? own
      return {
        ofProject,
        of: async (run) => {
          await take({ id: run, project }).catch((error: unknown) => {
            if (!runs.has(run)) throw error
          })
          return runs.get(run) ?? { env: ofProject(), from: 'worker' }
        },
      }
    },
    close: (project) => {
      open.delete(project)
      projects.delete(project)
      for (const one of runs.values()) if (one.project === project) runs.delete(one.run)
    },
    take: () => take(),
    handOver,
  }
}

function portions<T>(all: readonly T[]): T[][] {
  const made: T[][] = []
  let size = Infinity
  for (const one of all) {
    const own = JSON.stringify(one).length
    if (size + own > PORTION) {
      made.push([])
      size = 0
    }
    made.at(-1)?.push(one)
    size += own
  }
  return made
}
