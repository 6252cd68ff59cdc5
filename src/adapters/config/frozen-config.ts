// A run keeps the configuration it began with: a file saved half-way, or changed by an agent, must
// not change what is measured. Kept by hash, readable by the user only.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import { loadConfig, type LoadedConfig } from './config.js'
import { RefusalError } from '../../contract/failures.js'
import { filesOfCommand } from '../../core/guard/command-files.js'
import { replaceFile } from '../files/replace-file.js'
import { packageScripts } from '../test-runners/detect.js'
import type { Dirs } from '../state-dir.js'

const HASH = /^[0-9a-f]{64}$/

function file(dirs: Dirs, hash: string): string {
  if (!HASH.test(hash)) throw new Error(`not a digest: ${hash}`)
  return path.join(dirs.state, 'configs', `${hash}.json`)
}

/**
 * Keeps a configuration for the run that begins with it. Scripts that its test command runs are
 * guarded from then on.
 */
export async function freezeConfig(
  dirs: Dirs,
  { config, hash }: LoadedConfig,
  project: string,
): Promise<void> {
  mkdirSync(path.join(dirs.state, 'configs'), { recursive: true, mode: 0o700 })
  const { command = ['npm', 'test'], guard } = config.test
  const test = { ...config.test, guard: [...guard, ...filesOfCommand(command, scriptsOf(project))] }
  await replaceFile(file(dirs, hash), JSON.stringify({ ...config, test }), { mode: 0o600 })
}

// One that cannot be read is refused where the tests are looked for.
function scriptsOf(project: string): Record<string, string> {
  try {
    return packageScripts(project)
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return {}
  }
}

/** Whether a configuration is kept. */
export function isFrozen(dirs: Dirs, hash: string): boolean {
  return existsSync(file(dirs, hash))
}

/** The configuration of that hash; where it was cleaned away, the project's of today. */
export function frozenConfig(dirs: Dirs, hash: string, project: string): Config {
  try {
    // Our own file, parsed when it was written
    return JSON.parse(readFileSync(file(dirs, hash), 'utf8')) as Config
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return loadConfig(project).config
  }
}
