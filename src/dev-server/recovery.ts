// Recovers after a reboot, a crash or a forced stop: finds open runs whose project has no worker,
// and processes of steps whose worker has died.
import { existsSync } from 'node:fs'
import { abandonedRuns } from '../adapters/activity-journal.js'
import { endMarked } from '../adapters/process/end.js'
import { registeredProjects } from '../adapters/config/registry.js'
import type { Dirs } from '../adapters/state-dir.js'
import { MARKERS } from '../contract/names.js'
import type { RegisteredProject } from '../contract/registry.js'
import { isServerUnavailable } from '../core/grpc.js'
import { projectsOfOpenRuns } from './api/namespace.js'
import type { ApiAddress } from './api/server-api.js'

/**
 * Projects of this host with open runs. One whose directory is gone is none of them: its worker
 * would only die in a loop. `undefined`: the server is away, so no one knows.
 */
export async function projectsInUse(
  dirs: Dirs,
  api: ApiAddress | undefined,
): Promise<RegisteredProject[] | undefined> {
  const paths = await projectsOfOpenRuns(api).catch((error: unknown): undefined => {
    if (isServerUnavailable(error)) return undefined
    throw error
  })
  if (paths === undefined) return undefined
  return registeredProjects(dirs).filter(
    (project) => paths.includes(project.path) && existsSync(project.path),
  )
}

/** Ends agents and test runs whose worker is dead; the steps themselves run again. */
export async function endAbandoned(dirs: Dirs, log: (text: string) => void): Promise<void> {
  for (const run of abandonedRuns(dirs)) {
    const ended = await endMarked(MARKERS.run, run)
    if (ended > 0) log(`ended ${ended} processes of the run ${run}, whose worker had died`)
  }
}
