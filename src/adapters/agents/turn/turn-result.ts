// The result of a turn, from its record.
import type { FileRef } from '../../../contract/files.js'
import type { SessionFacts } from '../../../contract/test-fix/agent-session.js'
import type { TurnResult } from '../../../contract/turn.js'
import { addUsage, NO_USAGE, promptUsage } from '../../../core/agents/agent-usage.js'
import { layout, type Dirs } from '../../state-dir.js'
import { turnFiles, type Claim } from './turn-store.js'
import type { LedgerEntry } from './usage-ledger.js'

/** Changed files that travel with a result. */
const FILES_SHOWN = 50

/** @param claim of a turn that has ended */
export function turnResult(
  dirs: Dirs,
  claim: Claim,
  texts: { answer: FileRef; tail: string },
  rest: {
    changedFiles: readonly string[]
    leftovers: number
    promptChars: number
    session?: SessionFacts | undefined
    denied?: readonly string[]
    unfinished?: Pick<TurnResult, 'limitedUntil' | 'outage' | 'over'>
  },
): TurnResult {
  const { outcome, reason, cause }: NonNullable<Claim['ended']> = claim.ended ?? {
    outcome: 'failed',
    reason: 'the turn has no end',
  }
  // The numbers of a prompt whose driver died are lost with it.
  const usages = claim.attempts.map(
    (a) => a.usage ?? promptUsage({ promptChars: rest.promptChars, answerChars: 0 }),
  )
  return {
    outcome,
    agent: claim.agent,
    ...(claim.sessionId !== undefined && { sessionId: claim.sessionId }),
    ...(rest.session !== undefined && { session: rest.session }),
    usage: usages.reduce(addUsage, NO_USAGE),
    ...texts,
    transcript: turnFiles(layout.turn(dirs, claim.key)).transcript,
    changedFiles: rest.changedFiles.slice(0, FILES_SHOWN),
    attempts: claim.attempts.length,
    crashes: claim.agentDeaths + claim.driverDeaths,
    leftovers: rest.leftovers,
    durationMs: Math.round(claim.spentMs),
    ...(claim.tests !== undefined && { tests: claim.tests }),
    ...(rest.denied !== undefined && rest.denied.length > 0 && { denied: [...rest.denied] }),
    ...(reason !== undefined && { reason }),
    ...(cause !== undefined && { cause }),
    ...rest.unfinished,
  }
}

/**
 * What the prompts of an unfinished turn have used: as it was written down while the last one ran,
 * else as its attempts say.
 */
export function usedBy(
  { attempts, spentMs }: Claim,
  live: Pick<LedgerEntry, 'usage'> | undefined,
): Pick<TurnResult, 'usage' | 'attempts' | 'durationMs'> {
  const known = attempts.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), NO_USAGE)
  return {
    usage: live?.usage ?? { ...known, estimated: true },
    attempts: attempts.length,
    durationMs: Math.round(spentMs),
  }
}
