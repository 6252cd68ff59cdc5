// Lists what a repository brings that makes this machine run programs besides its tests: agents,
// set-up commands, hooks, variables of the user, permissions, telemetry, and files of a session.
import type { Config } from '../../contract/config/config.js'
import type { Executable } from '../../contract/trust.js'

/** Settings of an agent that choose a model, and nothing that runs. */
const HARMLESS = new Set(['model', 'extends'])
/** Settings at their default add nothing. */
const EMPTY = new Set(['[]', '{}'])

/** Returns what a configuration makes this machine run, one entry a setting, in a fixed order. */
export function executablesOf(config: Config): Executable[] {
  const { agents, hooks, workspace, permissions = 'deny', sandbox, telemetry } = config
  return [
    ...Object.entries(agents).flatMap(([name, entry]) =>
      settingsOf(`agents.${name}`, entry, HARMLESS),
    ),
    ...Object.entries(hooks).flatMap(([name, hook]) => settingsOf(`hooks.${name}`, hook)),
    ...settingsOf('workspace', { setup: workspace.setup, copy: workspace.copy }),
    ...(workspace.isolation === 'in-place'
      ? [{ what: 'workspace.isolation', value: 'in-place' }]
      : []),
    ...(permissions === 'deny' ? [] : [{ what: 'permissions', value: permissions }]),
    ...settingsOf('sandbox', {
      image: sandbox.image,
      network: sandbox.network,
      write: sandbox.write,
      read: sandbox.read,
    }),
    ...settingsOf('telemetry', telemetry),
  ].sort((a, b) => (a.what < b.what ? -1 : 1))
}

function settingsOf(
  at: string,
  settings: object | undefined,
  leaves: ReadonlySet<string> = new Set(),
): Executable[] {
  return Object.entries(settings ?? {}).flatMap(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return value === undefined || leaves.has(key) || EMPTY.has(text)
      ? []
      : [{ what: `${at}.${key}`, value: text }]
  })
}
