// What a run remembers of its environment on disk: a digest of each variable, under a key of this
// host, so that a run whose environment was lost can say what differs. Values cannot be guessed
// from it without the key, which is a file of the state directory.
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { EnvFrom } from '../../contract/result.js'
import { comparedNames, lostVariables, type Lost } from '../../core/run/run-environment.js'
import { replaceFileSync } from '../files/replace-file.js'
import { madeSecret } from '../files/secret-file.js'
import { storedJson } from '../files/stored-json.js'
import { isNoRoom } from '../files/write-obstacle.js'
import { layout, type Dirs } from '../state-dir.js'
import type { RunEnvironment } from './asked-environments.js'

/** `digests`: by the name of the variable. */
const Noted = z.object({ from: EnvFrom, digests: z.record(z.string(), z.string()) })
type Noted = z.infer<typeof Noted>

const DIGITS = 32

/**
 * Notes the environment that a run begins with, or that a command gave it. Of another one it
 * returns what is not as noted.
 *
 * @param begins the run prepares its workspace: what an earlier run of its id had counts no more
 */
export function noteEnvironment(
  dirs: Dirs,
  run: string,
  { env, from }: RunEnvironment,
  begins = false,
): Lost {
  const before = storedJson(layout.environment(dirs, run), Noted)
  const now: Noted = { from, digests: digestsOf(dirs, env) }
  if (before !== undefined && from !== 'command' && !begins)
    return lostVariables(before.digests, now.digests)
  if (!isDeepStrictEqual(before, now)) write(dirs, run, now)
  return { missing: [], changed: [] }
}

// On a full disk the run continues: it only could not say what differs.
function write(dirs: Dirs, run: string, noted: Noted): void {
  const file = layout.environment(dirs, run)
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    replaceFileSync(file, JSON.stringify(noted), { mode: 0o600 })
  } catch (error) {
    if (!isNoRoom(error)) throw error
  }
}

/** The digest of a variable; `undefined` where the disk is full. */
export function variableDigest(dirs: Dirs, name: string, value: string): string | undefined {
  const key = hostKey(dirs)
  return key === undefined ? undefined : digestOf(key, name, value)
}

function digestsOf(dirs: Dirs, env: NodeJS.ProcessEnv): Record<string, string> {
  const key = hostKey(dirs)
  if (key === undefined) return {}
  return Object.fromEntries(
    comparedNames(env).map((name) => [name, digestOf(key, name, env[name] ?? '')]),
  )
}

function digestOf(key: string, name: string, value: string): string {
  return createHmac('sha256', key).update(`${name}=${value}`).digest('hex').slice(0, DIGITS)
}

// Made on first use; `undefined` where the disk is full.
function hostKey(dirs: Dirs): string | undefined {
  const file = path.join(path.dirname(layout.environment(dirs, '')), 'key')
  try {
    return madeSecret(file)
  } catch (error) {
    if (isNoRoom(error)) return undefined
    throw error
  }
}
