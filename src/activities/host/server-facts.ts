// Activities of the workflow worker: facts that need neither the project's queue nor its files.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectQueue, SEARCH_ATTRIBUTES } from '../../contract/names.js'
import { RefusalError } from '../../contract/failures.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import type { ServerFactsInput } from '../../contract/step.js'
import { damagedRegistration, registeredProject } from '../../adapters/config/registry.js'
import { asFailure } from './failure.js'
import { LIGHT_INPUTS } from './input-schemas.js'
import { strictSchema } from './strict-schema.js'
import { onlyParsed } from './validate-input.js'
import { hostId, layout, type Dirs } from '../../adapters/state-dir.js'

export type LightDeps = {
  dirs: Dirs
  /** Names of the search attributes that the server knows. */
  knownSearchAttributes: () => Promise<string[]>
}

export type LightActivities = ReturnType<typeof lightActivities>

export const createLightActivities = (deps: LightDeps) =>
  onlyParsed(
    lightActivities(deps),
    { serverFacts: strictSchema(LIGHT_INPUTS.serverFacts) },
    'the workflow worker',
  )

const lightActivities = ({ dirs, knownSearchAttributes }: LightDeps) => ({
  /**
   * Where the project's activities run, and what the server can index. Wakes the project's worker.
   */
  async serverFacts({ project }: ServerFactsInput): Promise<ServerFacts> {
    const entry = registeredProject(dirs, project)
    if (entry === undefined) {
      const damaged = damagedRegistration(dirs, project)
      const where = damaged === undefined ? project : `${project}\n${damaged} is damaged`
      throw asFailure(
        new RefusalError(
          'ProjectNotRegistered',
          `project: ${project} is not registered on this host`,
          where,
          'run "ratchet fix" or "ratchet dev" in it once',
        ),
      )
    }
    const wanted = layout.wanted(dirs, entry.key)
    mkdirSync(path.dirname(wanted), { recursive: true, mode: 0o700 })
    writeFileSync(wanted, '', { mode: 0o600 })
    const known = await knownSearchAttributes()
    return {
      searchAttributes: Object.keys(SEARCH_ATTRIBUTES).filter((name) => known.includes(name)),
      queue: projectQueue(hostId(dirs), entry.key),
      project: entry.path,
      projectKey: entry.key,
    }
  },
})
