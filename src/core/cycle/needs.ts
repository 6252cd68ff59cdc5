// Who works in the next iteration. CD and VAS always; RA and EP where an item is theirs, or where CD waits for an answer.
import { PHASES } from '../../contract/discovery.js'
import type { Phase } from '../../contract/discovery.js'
import type { OpenItem } from '../open-items.js'
import { holdsUp } from '../severity.js'
import type { Issue } from './issues.js'

/** `issues`, `items`: what the last iteration left. */
export function needsOf(issues: readonly Issue[], items: readonly OpenItem[]): Phase[] {
  const theirs = (phase: Phase): boolean => issues.some(({ to, text }) => to === phase && holdsUp(text)) || (phase === 'ra' && items.some(({ kind }) => kind === 'blocker'))
  return PHASES.filter((phase) => phase === 'cd' || phase === 'vas' || theirs(phase))
}
