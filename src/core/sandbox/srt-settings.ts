// Settings of sandbox-runtime for a set of rules. Source: its README, version 0.0.78.
import type { Mount } from './sandbox-mounts.js'
import type { Allowed } from './sandbox-network.js'

export type SrtSettings = {
  network: { allowedDomains: string[]; deniedDomains: string[] }
  filesystem: {
    denyRead: string[]
    allowRead: string[]
    allowWrite: string[]
    denyWrite: string[]
  }
}

/** @param mounts none of them shows another directory than its own */
export function srtSettings(
  mounts: readonly Mount[],
  allowed: readonly Allowed[],
  refusedPorts: readonly number[],
): SrtSettings {
  const of = (kind: Mount['kind']) =>
    mounts.filter((one) => one.kind === kind).map(({ path }) => path)
  const written = of('write')
  return {
    network: {
      allowedDomains: allowed.map(({ host, port }) =>
        port === undefined ? host : `${host}:${port}`,
      ),
      deniedDomains: refusedPorts.map((port) => `*:${port}`),
    },
    filesystem: {
      denyRead: of('hide'),
      allowRead: [...of('read'), ...written],
      allowWrite: written,
      denyWrite: of('hide'),
    },
  }
}
