// What a cycle has come to at its end. Upstream writes "completed" whatever is open; here the outcome tells
// complete from complete with issues from failed. Source: 000 §3.7; ccw §1.7 "Phase 4"; architecture §2.
import { note, shortList } from '../test-fix-view.js'
import { issueTexts } from './issues.js'
import type { Issue } from './issues.js'

export type CycleOutcome = 'completed' | 'completed_with_issues' | 'failed' | 'stopped'

/**
 * Outcome of a cycle that was not stopped, and its reason where it is not plain.
 *
 * @param o.developed CD succeeded in some iteration, or there is a commit
 * @param o.limit the iterations are spent; where it neither converged nor spent them, somebody ended it
 */
export function cycleOutcome(o: { converged: boolean; issues: readonly Issue[] | readonly string[]; developed: boolean; limit: boolean }): { outcome: Exclude<CycleOutcome, 'stopped'>; reason?: string } {
  const texts = o.issues.map((issue) => (typeof issue === 'string' ? issue : issueTexts([issue])[0] ?? ''))
  const open = texts.length === 0 ? undefined : `${texts.length} issue${texts.length === 1 ? ' is' : 's are'} open: ${shortList(texts, texts.length, 3)}`
  if (!o.developed) return { outcome: 'failed', reason: note(['no iteration developed anything', open]) ?? '' }
  if (o.converged && open === undefined) return { outcome: 'completed' }
  const why = o.converged ? undefined : o.limit ? 'the iterations are spent' : 'it was ended before it converged'
  return { outcome: 'completed_with_issues', reason: note([why, open]) ?? '' }
}
