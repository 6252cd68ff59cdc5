// What a cycle has come to at its end. Upstream writes "completed" however much is open; here only
// what `open-items` leaves empty is complete.
import type { TestRun } from '../../contract/test-run.js'
import type { Open } from '../run/open-evidence.js'
import { brokenCount } from './broken-tests.js'
import { note, shortList } from '../text/short-text.js'

export type CycleOutcome = 'completed' | 'completed_with_issues' | 'failed' | 'stopped'

export type OutcomeCase = {
  open: Open
  committed: boolean
  /** The last full run, and whether the suite ran at the baseline. */
  run?: TestRun | undefined
  hadBaseline: boolean
  /** Why the gate of a prep package is not reached; absent where it is, and without a package. */
  gate?: string | undefined
  /** Why no further iteration follows, where items are open. */
  why: string
}

/**
 * Outcome of a cycle that was not stopped, and its reason where it is not plain. Items that are
 * left, and a gate that is not reached, make it complete with issues only where something was
 * committed and no test is worse than before the cycle.
 */
export function cycleOutcome({
  open: { items, review, known, removed },
  committed,
  run,
  hadBaseline,
  gate,
  why,
}: OutcomeCase): { outcome: Exclude<CycleOutcome, 'stopped'>; reason?: string } {
  if (items.length === 0 && gate === undefined) {
    const reason = note([...review, known])
    return { outcome: 'completed', reason }
  }
  const texts = items.map(({ text }) => text)
  const left =
    texts.length === 0
      ? undefined
      : `${texts.length} item${texts.length === 1 ? ' is' : 's are'} open: ${shortList(texts, texts.length, 3)}`
  const worse = isWorse(run, hadBaseline, removed?.passed ?? 0)
  return {
    outcome: committed && worse === undefined ? 'completed_with_issues' : 'failed',
    reason: note([why === '' ? undefined : why, gate, worse, left, known]) ?? '',
  }
}

function isWorse(
  run: TestRun | undefined,
  hadBaseline: boolean,
  removed: number,
): string | undefined {
  if (run?.kind === 'measured') {
    const broken = brokenCount(run, removed)
    return broken === 0
      ? undefined
      : `${broken} test${broken === 1 ? '' : 's'} that passed before ${broken === 1 ? 'fails or is' : 'fail or are'} missing now`
  }
  return hadBaseline ? 'the suite ran before the cycle and does not now' : undefined
}
