// Asks once whether what a repository brings may run, before anything of it does.
import { userDirs } from '../../adapters/state-dir.js'
import { notTrusted, projectTrust, trustProject } from '../../adapters/trust/project-trust.js'
import type { Executable } from '../../contract/trust.js'
import { oneLine } from '../../core/text/one-line.js'
import type { TrustChanges } from '../../core/trust/trust-decision.js'
import type { Output, ProjectChoice } from '../context.js'

/** Of a value in a question, in characters. The rest is counted. */
const VALUE_CHARS = 120
const TRUST = 'trust'
const LEAVE = 'leave'

/**
 * Returns if everything that a project brings may run.
 *
 * @throws RefusalError `NotTrusted` if the person declines, or cannot be asked
 */
export async function askTrust(
  { trust: agreed = false, env }: Pick<ProjectChoice, 'trust' | 'env'>,
  out: Output,
  project: string,
): Promise<void> {
  const dirs = userDirs(env)
  const trust = await projectTrust(dirs, project, env)
  if (trust.state !== 'untrusted') return
  if (!agreed && !(await confirmed(out, trust))) throw notTrusted(project, trust)
  await trustProject(dirs, project, trust.items)
}

/**
 * Returns one line for each thing; of changed things alone if it was trusted before.
 *
 * @param most longest value, in characters
 */
export function broughtLines(
  { items, changes }: { items: readonly Executable[]; changes?: TrustChanges },
  most = Infinity,
): string[] {
  const text = (value: string): string => {
    const whole = oneLine(value)
    return whole.length <= most
      ? whole
      : `${whole.slice(0, most)}… (${whole.length - most} characters more: ratchet trust --show)`
  }
  const line = ({ what, value }: Executable): string => `  ${text(what)}  ${text(value)}`
  if (changes === undefined) return ['this repository brings', ...items.map(line)]
  return [
    'since you trusted this repository',
    ...changes.added.map((item) => `${line(item)}  (new)`),
    ...changes.changed.map((item) => `${line(item)}  (was ${text(item.before)})`),
  ]
}

async function confirmed(
  out: Output,
  brought: Parameters<typeof broughtLines>[0],
): Promise<boolean> {
  if (out.ask === undefined) return false
  for (const line of broughtLines(brought, VALUE_CHARS)) out.say(line)
  const given = await out.ask(
    {
      id: 'trust',
      kind: 'permission',
      text: 'These run as you, with your keys and files. Trust them?',
      options: [TRUST, LEAVE],
      recommended: LEAVE,
      askedAt: Date.now(),
    },
    out.interrupted,
  )
  return given !== 'left' && given?.choice === TRUST
}
