// A turn as it travels: what it asks about and what is read in its answer share the last test run,
// which may take 8 kB. It goes over the wire once.
import type { AgentTurnInput, SentTurn } from '../../contract/turn-input.js'

/** Leaves the run out of `read` where `ask` has it. */
export function sentTurn(input: AgentTurnInput): SentTurn {
  const { read, ask, ...rest } = input
  if (read === undefined || !('lastRun' in read) || !('lastRun' in ask)) return input
  const { lastRun: _, ...small } = read
  return { ...rest, ask, read: small }
}

/** Puts it back. */
export function wholeTurn(sent: SentTurn): AgentTurnInput {
  const { read, ask, ...rest } = sent
  if (
    read === undefined ||
    'lastRun' in read ||
    read.as === 'gate' ||
    read.as === 'plan' ||
    !('lastRun' in ask)
  )
    return sent as AgentTurnInput
  return {
    ...rest,
    ask,
    read: { ...read, lastRun: ask.lastRun } as NonNullable<AgentTurnInput['read']>,
  }
}
