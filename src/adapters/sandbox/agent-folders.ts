// The folder of a known agent as a run sees it: a copy with settings and login, in which its
// sessions stay. What it writes there is never run outside of the sandbox.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { KnownName } from '../../contract/known-agents.js'
import { AGENT_FOLDERS } from '../../core/sandbox/hidden-paths.js'

/** What an agent keeps of earlier work: not copied. */
const OF_EARLIER_WORK =
  /^(projects|sessions|archived_sessions|todos|tasks|shell-snapshots|statsig|telemetry|file-history|history.*|debug|tmp|cache|paste-cache|logs?|log|snapshot|storage|backups|.*\.sqlite.*|opencode\.db.*)$/
/** A larger file is no setting. */
const MOST_BYTES = 4 << 20

/**
 * Makes the copies, once for a workspace, and returns where each is seen.
 *
 * @param into directory of the workspace for them
 */
export function agentFolders(
  known: KnownName | undefined,
  env: NodeJS.ProcessEnv,
  into: string,
): { path: string; from: string }[] {
  if (known === undefined) return []
  const home = env['HOME'] ?? os.homedir()
  return AGENT_FOLDERS[known]
    .filter((name) => !name.endsWith('.json'))
    .map((name) => {
      const [at, from] = [path.join(home, name), path.join(into, name.replaceAll('/', '_'))]
      if (!existsSync(from)) copySettings(at, from)
      // The place where it is seen must be there.
      mkdirSync(at, { recursive: true, mode: 0o700 })
      return { path: at, from }
    })
}

function copySettings(source: string, target: string): void {
  const unfinished = `${target}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  for (const name of existsSync(source) ? readdirSync(source) : []) {
    if (OF_EARLIER_WORK.test(name)) continue
    cpSync(path.join(source, name), path.join(unfinished, name), {
      recursive: true,
      filter: (file) => {
        const stat = statSync(file, { throwIfNoEntry: false })
        return (
          stat !== undefined && (stat.isDirectory() || (stat.isFile() && stat.size <= MOST_BYTES))
        )
      },
      dereference: true,
    })
  }
  cpSync(unfinished, target, { recursive: true })
  rmSync(unfinished, { recursive: true, force: true })
}
