// What of this machine no sandboxed program may reach: the ports of the server, and other projects.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RegisteredProject } from '../../contract/registry.js'
import { storedJson } from '../files/stored-json.js'
import { layout, type Dirs } from '../state-dir.js'

const Server = z.object({ address: z.string(), uiPort: z.number() })
/** Of Temporal's server and of the Web UI's gateway. */
const USUAL_PORTS = [7233, 8233]

/** Ports of the local Temporal server and its Web UI. */
export function serverPorts(dirs: Dirs): number[] {
  const server = storedJson(layout.serverRecord(dirs), Server)
  if (server === undefined) return USUAL_PORTS
  return [...USUAL_PORTS, Number(server.address.split(':')[1]), server.uiPort]
}

/** Directories of the other projects that are registered here. */
export function otherProjects(dirs: Dirs, project: string): string[] {
  const folder = path.dirname(layout.project(dirs, 'any'))
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return names.flatMap((name) => {
    const known = storedJson(path.join(folder, name), RegisteredProject)
    return known === undefined || known.path === project ? [] : [known.path]
  })
}
