// Decides whether the programs that a repository brings may run.
import type { Executable } from '../../contract/trust.js'

/** `changes` compares with what was trusted before; absent if nothing was. */
export type TrustDecision =
  | { state: 'nothing' }
  | { state: 'trusted' }
  | { state: 'untrusted'; items: readonly Executable[]; changes?: TrustChanges }

export type TrustChanges = {
  added: Executable[]
  changed: (Executable & { before: string })[]
}

/**
 * Decides by what a repository brings now and what its user has trusted. What was removed since
 * needs no question.
 */
export function trustDecision(
  now: readonly Executable[],
  trusted: readonly Executable[] | undefined,
): TrustDecision {
  if (now.length === 0) return { state: 'nothing' }
  if (trusted === undefined) return { state: 'untrusted', items: now }
  const before = new Map(trusted.map(({ what, value }) => [what, value]))
  const added = now.filter(({ what }) => !before.has(what))
  const changed = now.flatMap((item) => {
    const old = before.get(item.what)
    return old === undefined || old === item.value ? [] : [{ ...item, before: old }]
  })
  return added.length + changed.length === 0
    ? { state: 'trusted' }
    : { state: 'untrusted', items: now, changes: { added, changed } }
}
