// Whether VAS refuses a commit. What it refused once stays refused until something is committed: a
// later word about the same commit does not take it back.
import type { CycleRefusal, PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import type { TestRun } from '../../contract/test-run.js'
import { oneLine } from '../text/one-line.js'
import { holdsUp } from '../answers/severity.js'
import { repeatsFailure } from './answers/vas-claims.js'
import { ITEM_CHARS } from '../../contract/dev-cycle/phase-reading.js'

type Said = Pick<PhaseResult, 'status' | 'summary' | 'issues' | 'claimed'>

/**
 * Why VAS says no, in one line; `undefined` where it does not. A measured failure that it repeats
 * is no word of its own.
 */
export function refusalOf(
  { status, summary, issues, claimed }: Said,
  run: TestRun | undefined,
): string | undefined {
  const own = issues.filter(
    (text) => holdsUp(text) && !(run?.kind === 'measured' && repeatsFailure(text, run)),
  )
  const [first] = own
  if (first !== undefined) return oneLine(first, ITEM_CHARS)
  const critical = claimed?.criticalIssues ?? 0
  if (status !== 'partial' && status !== 'failed' && claimed?.ready !== false && critical === 0)
    return undefined
  const notReady = status === 'success' && claimed?.ready === false ? 'it is not ready' : ''
  const why = [notReady, summary].filter((one) => one !== '').join(': ')
  return oneLine(why === '' ? `its status was ${status}` : why, ITEM_CHARS)
}

/** What is refused after VAS has looked at a commit. */
export function refusedAfter(
  before: CycleRefusal | undefined,
  said: Said,
  { commit, iteration, run }: { commit: string; iteration: number; run: TestRun | undefined },
): CycleRefusal | undefined {
  if (before?.commit === commit) return before
  const why = refusalOf(said, run)
  return why === undefined ? undefined : { commit, iteration, why }
}
