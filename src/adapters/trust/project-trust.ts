// What the user has agreed to, by directory, in the state directory.
import { mkdir, rm } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { StoredTrust, type Executable } from '../../contract/trust.js'
import { shortList } from '../../core/text/short-text.js'
import { trustDecision, type TrustDecision } from '../../core/trust/trust-decision.js'
import type { LoadedConfig } from '../config/config.js'
import { replaceFile } from '../files/replace-file.js'
import { storedJson } from '../files/stored-json.js'
import { layout, projectKey, type Dirs } from '../state-dir.js'
import { broughtPrograms } from './brought-programs.js'

/** Answers yes for every repository, as in a CI. */
const YES = 'RATCHET_TRUST'

/**
 * Decides whether what a project brings may run.
 *
 * @param loaded see `broughtPrograms`
 * @throws RefusalError `BadConfig`
 */
export async function projectTrust(
  dirs: Dirs,
  project: string,
  env: NodeJS.ProcessEnv,
  loaded?: LoadedConfig,
): Promise<TrustDecision> {
  if (env[YES] === '1') return { state: 'trusted' }
  return trustDecision(await broughtPrograms(project, loaded), storedTrust(dirs, project)?.items)
}

/** Returns what was agreed to; `undefined` if nothing was. */
export function storedTrust(dirs: Dirs, project: string): StoredTrust | undefined {
  const stored = storedJson(layout.trust(dirs, projectKey(project)), StoredTrust)
  return stored?.path === realpathSync(project) ? stored : undefined
}

/** Stores that these may run, in place of what was agreed to before. */
export async function trustProject(
  dirs: Dirs,
  project: string,
  items: readonly Executable[],
): Promise<void> {
  const file = layout.trust(dirs, projectKey(project))
  const stored: StoredTrust = {
    path: realpathSync(project),
    items: [...items],
    trustedAt: new Date().toISOString(),
  }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(stored, null, 2), { mode: 0o600 })
}

/** Forgets it. Returns whether there was anything to forget. */
export async function revokeTrust(dirs: Dirs, project: string): Promise<boolean> {
  const known = storedTrust(dirs, project) !== undefined
  await rm(layout.trust(dirs, projectKey(project)), { force: true })
  return known
}

/**
 * Refuses to run anything that an untrusted repository brings.
 *
 * @param loaded see `broughtPrograms`
 * @throws RefusalError `NotTrusted`
 */
export async function requireTrust(
  dirs: Dirs,
  project: string,
  env: NodeJS.ProcessEnv,
  loaded?: LoadedConfig,
): Promise<void> {
  const trust = await projectTrust(dirs, project, env, loaded)
  if (trust.state === 'untrusted') throw notTrusted(project, trust)
}

/** The refusal, with what the repository wants to run. */
export function notTrusted(
  project: string,
  { items, changes }: Extract<TrustDecision, { state: 'untrusted' }>,
): RefusalError {
  const names = (changes === undefined ? items : [...changes.added, ...changes.changed]).map(
    ({ what }) => what,
  )
  return new RefusalError(
    'NotTrusted',
    `${changes === undefined ? 'the repository brings programs and settings that you have not trusted' : 'the repository has changed what it runs since you trusted it'}: ${shortList(names)}`,
    project,
    `look at them with: ratchet trust --show; if you trust them: ratchet trust, or --trust once`,
  )
}
