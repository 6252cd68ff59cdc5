// An issue of an iteration: its kind, who reports it, and its text as one line.
import { type Phase, PHASES } from '../../contract/dev-cycle/discovery.js'
import type { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import type { TestRun } from '../../contract/test-run.js'
import type { OpenItem } from '../run/open-evidence.js'
import { oneLine } from '../text/one-line.js'
import { ITEMS_KEPT, ITEM_CHARS } from '../../contract/dev-cycle/phase-reading.js'

export type IssueKind =
  | 'test_failure'
  | 'not_measured'
  | 'false_claim'
  | 'validation'
  | 'blocker'
  | 'plan'
  | 'requirements'
  | 'missing_output'
  | 'agent_failed'
  | 'foreign_edit'
  | 'tampering'

/**
 * `source`: the agent that reports it, `tests` or `ratchet`. `to`: the agent that can solve it, if
 * there is one.
 */
export type Issue = {
  kind: IssueKind
  source: Phase | 'tests' | 'ratchet'
  text: string
  to?: Phase
}

/**
 * `measured`: from `measuredItems`, without tests that failed before the cycle. `validated`: VAS
 * has checked the commit that was measured; what it said before is about another tree.
 * `developed`: a commit of the cycle has changed a file. `foreign`, `tampered`: files that were
 * changed without permission, and restored.
 */
export type IssueFacts = {
  results: CycleState['results']
  run?: TestRun | undefined
  measured: readonly OpenItem[]
  tampered: readonly string[]
  foreign: readonly string[]
  validated: boolean
  developed: boolean
}

/**
 * Returns the issues as lines for the state and the record: a bounded list, and how many more there
 * are. A short list has one of each kind before a second of any.
 */
export function issueTexts(issues: readonly Issue[]): string[] {
  const lines = issues.map((issue) => ({
    issue,
    rank: issues.slice(0, issues.indexOf(issue)).filter(({ kind }) => kind === issue.kind).length,
  }))
  const shown =
    issues.length > ITEMS_KEPT ? lines.sort((a, b) => a.rank - b.rank).slice(0, ITEMS_KEPT) : lines
  const texts = shown.map(({ issue: { source, text } }) =>
    oneLine(isPhase(source) ? `${source.toUpperCase()}: ${text}` : text, ITEM_CHARS),
  )
  return issues.length > ITEMS_KEPT ? [...texts, `… and ${issues.length - ITEMS_KEPT} more`] : texts
}

function isPhase(source: Issue['source']): source is Phase {
  return PHASES.some((phase) => phase === source)
}

/** Returns a text as one line that starts no heading, quote or list. */
export function line(text: string): string {
  return oneLine(
    oneLine(text).replace(/^(?:#+\s*|>\s*|[-*+]\s+|~{3,}\s*|`{3,}\s*)+/, ''),
    ITEM_CHARS,
  )
}
