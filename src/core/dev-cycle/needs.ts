// Who works in the next iteration. CD and VAS always; RA and EP where an item is theirs, where CD
// waits for an answer, or where they are blocked themselves.
import type { Blocker } from '../../contract/dev-cycle/cycle-record.js'
import { PHASES, type Phase } from '../../contract/dev-cycle/discovery.js'
import { holdsUp } from '../answers/severity.js'
import type { Issue } from './issue.js'

/**
 * `issues`, `blockers`: what the last iteration left. An agent that reported an open blocker works
 * again: only it can close the blocker.
 */
export function needsOf(issues: readonly Issue[], blockers: readonly Blocker[]): Phase[] {
  const open = blockers.filter(({ status }) => status === 'open')
  const theirs = (phase: Phase): boolean =>
    issues.some(({ to, text }) => to === phase && holdsUp(text)) ||
    open.some(({ reported_by: by }) => by === phase) ||
    (phase === 'ra' && open.length > 0)
  return PHASES.filter((phase) => phase === 'cd' || phase === 'vas' || theirs(phase))
}
