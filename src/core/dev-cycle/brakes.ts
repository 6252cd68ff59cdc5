// When a cycle that is not done ends before its limit: another iteration would cost turns and
// change nothing.
import type { CycleState, PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import { PHASES } from '../../contract/dev-cycle/discovery.js'
import type { OpenItem } from '../run/open-evidence.js'
import { cannotRunReason } from '../dev-loop/stalled.js'
import { textDigest } from '../text/text-digest.js'

export type BrakeCase = {
  results: CycleState['results']
  run: CycleState['lastRun']
  items: readonly OpenItem[]
  /** This iteration committed something. */
  committed: boolean
  /** From the iteration before. */
  idleWith?: string | undefined
}

/** Why no further iteration is worth its turns, in one sentence. */
export function brake({ results, run, items, committed, idleWith }: BrakeCase): string | undefined {
  const alike = failedAlike(PHASES.flatMap((phase) => results[phase] ?? []))
  if (alike !== undefined) return `every agent failed for the same reason: ${alike}`
  if (run?.kind === 'cannot_execute' && results.cd !== undefined && results.cd.synthetic !== true)
    return cannotRunReason(run)
  if (!committed && idleWith !== undefined && idleWith === idleKey(items))
    return 'two iterations in a row committed nothing and left the same items open'
  return undefined
}

/** What is open, as the next iteration compares it. */
export function idleKey(items: readonly OpenItem[]): string {
  return textDigest(
    items
      .map(({ text }) => text)
      .sort()
      .join('\n'),
  )
}

function failedAlike(results: readonly PhaseResult[]): string | undefined {
  const reasons = results.map(({ synthetic, note }) => (synthetic === true ? note : undefined))
  const [first] = reasons
  return first !== undefined &&
    first !== '' &&
    reasons.length > 1 &&
    reasons.every((one) => one === first)
    ? first
    : undefined
}
