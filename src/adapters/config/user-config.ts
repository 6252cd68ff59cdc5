// Reads the user's own configuration, which no project can bring.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { UserConfig } from '../../contract/config/user-config.js'
import { RefusalError } from '../../contract/failures.js'
import { homeOf } from '../home.js'

/** Where it is, after XDG. */
export function userConfigFile(env: NodeJS.ProcessEnv): string {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  const base = path.isAbsolute(named) ? named : path.join(homeOf(env), '.config')
  return path.join(base, 'ratchet', 'config.json')
}

/**
 * Returns the configuration; the defaults without a file.
 *
 * @throws RefusalError `BadConfig`
 */
export function userConfig(env: NodeJS.ProcessEnv): UserConfig {
  const file = userConfigFile(env)
  const read = UserConfig.safeParse(contentOf(file))
  if (read.success) return read.data
  throw new RefusalError('BadConfig', z.prettifyError(read.error), file, 'correct it')
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (error instanceof SyntaxError)
      throw new RefusalError('BadConfig', error.message, file, 'correct the JSON')
    throw error
  }
}
