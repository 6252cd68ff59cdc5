// The folder of a known agent as a run sees it: a copy with settings and login, in which its
// sessions stay. What it writes there is never run outside of the sandbox.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { KnownName } from '../../contract/known-agents.js'
import { AGENT_FOLDERS, CLAUDE_FILE } from '../../core/sandbox/hidden-paths.js'
import { homeOf } from '../home.js'

/** What an agent keeps of earlier work: not copied. */
const OF_EARLIER_WORK =
  /^(projects|sessions|archived_sessions|todos|tasks|shell-snapshots|statsig|telemetry|file-history|history.*|debug|tmp|cache|paste-cache|logs?|log|snapshot|storage|backups|.*\.sqlite.*|opencode\.db.*)$/
/** A larger file is no setting. */
const MOST_BYTES = 4 << 20

export type AgentFolders = {
  /** Copies, and where each is seen. */
  shown: { path: string; from: string }[]
  /** Variables that lead the agent to them. */
  env: Record<string, string>
}

/**
 * Makes the copies, once for a workspace.
 *
 * @param env of the agent
 *
 * @param into directory of the workspace for them
 */
export function agentFolders(
  known: KnownName | undefined,
  env: Readonly<Record<string, string | undefined>>,
  into: string,
): AgentFolders {
  if (known === undefined) return { shown: [], env: {} }
  const home = homeOf(env)
  const shown = AGENT_FOLDERS[known].map(({ path: usual, variable, inside = '' }) => {
    const named = variable === undefined ? undefined : env[variable]
    const at = named === undefined ? path.join(home, usual) : path.join(named, inside)
    const from = path.join(into, usual.replaceAll('/', '_'))
    if (!existsSync(from)) {
      const unfinished = `${from}.unfinished`
      rmSync(unfinished, { recursive: true, force: true })
      mkdirSync(unfinished, { recursive: true, mode: 0o700 })
      copySettings(at, unfinished)
      const file = path.join(home, CLAUDE_FILE)
      if (known === 'claude' && named === undefined && existsSync(file))
        cpSync(file, path.join(unfinished, CLAUDE_FILE))
      renameSync(unfinished, from)
    }
    // The place where it is seen must be there.
    mkdirSync(at, { recursive: true, mode: 0o700 })
    return { path: at, from }
  })
  const [first] = shown
  return {
    shown,
    env: known === 'claude' && first !== undefined ? { CLAUDE_CONFIG_DIR: first.path } : {},
  }
}

function copySettings(source: string, target: string): void {
  for (const name of existsSync(source) ? readdirSync(source) : []) {
    if (OF_EARLIER_WORK.test(name)) continue
    cpSync(path.join(source, name), path.join(target, name), {
      recursive: true,
      dereference: true,
      filter: (file) => {
        const stat = statSync(file, { throwIfNoEntry: false })
        return (
          stat !== undefined && (stat.isDirectory() || (stat.isFile() && stat.size <= MOST_BYTES))
        )
      },
    })
  }
}
