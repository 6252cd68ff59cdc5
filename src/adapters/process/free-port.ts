// Chooses ports of 127.0.0.1 that nothing uses on any interface: a port that is taken on 0.0.0.0
// only is not ours to shadow.
import getPort, { clearLockedPorts, portNumbers } from 'get-port'

/** Number of ports that are tried in order. */
const PORTS = 60

/** Returns the wanted port if it is free, else the first free one from `first` on. */
export async function freePort(first: number, wanted?: number): Promise<number> {
  clearLockedPorts() // it remembers what it gave for 15 s; a restarted server wants its port back
  return getPort({ port: [...(wanted ? [wanted] : []), ...portNumbers(first, first + PORTS)] })
}

/** Returns the wanted port if it is free, else any free one. */
export async function anyPort(wanted?: number): Promise<number> {
  clearLockedPorts()
  return getPort(wanted ? { port: wanted } : {})
}
