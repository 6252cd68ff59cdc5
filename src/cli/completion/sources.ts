// Names for completion, only from the files of this user and project: contacts and starts no
// server.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { KNOWN_NAMES } from '../../contract/known-agents.js'
import { recordNames } from '../../adapters/records/test-fix/session-paths.js'
import { cycleNames } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { loopNames } from '../../adapters/records/dev-loop/loop-paths.js'
import { userDirs } from '../../adapters/state-dir.js'
import type { Candidate, Sources } from './complete.js'

/** More than a person would look through. */
const MOST = 200

/**
 * Returns the names known in this directory. Unreadable sources have none: a completion never
 * fails.
 */
export function sourcesIn(project: string, env: NodeJS.ProcessEnv): Sources {
  return {
    runs: () => {
      const own = orNone(() => [
        ...recordNames(project)
          .filter((name) => /^WFS-/.test(name))
          .map((value) => ({ value, about: 'session' })),
        ...cycleNames(project).map((value) => ({ value, about: 'cycle' })),
        ...loopNames(project).map((value) => ({ value, about: 'loop' })),
      ])
      return [
        ...own.reverse(),
        ...orNone(() => takenRuns(path.join(userDirs(env).state, 'owners'))),
      ].slice(0, MOST)
    },
    agents: () =>
      [...new Set([...orNone(() => configured(project)), ...KNOWN_NAMES, 'playbook'])].map(
        (value) => ({ value }),
      ),
  }
}

// Runs of every project, by the notes that say which run owns which record.
function takenRuns(owners: string): Candidate[] {
  return readdirSync(owners).flatMap((key) =>
    readdirSync(path.join(owners, key))
      .filter((name) => name.endsWith('.json'))
      .slice(-MOST)
      .flatMap((name) =>
        orNone(() => {
          const { workflowId } = JSON.parse(readFileSync(path.join(owners, key, name), 'utf8')) as {
            workflowId?: unknown
          }
          return typeof workflowId === 'string' ? [{ value: workflowId, about: 'run' }] : []
        }),
      ),
  )
}

// Only the names, as checking a configuration would load its whole schema.
function configured(project: string): string[] {
  const { agents } = JSON.parse(
    readFileSync(path.join(project, 'ratchet.config.json'), 'utf8'),
  ) as { agents?: object }
  return Object.keys(agents ?? {})
}

function orNone<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}
