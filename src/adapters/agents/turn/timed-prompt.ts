// One prompt under the two clocks and the run's budget: it ends by itself, or is interrupted and
// given a grace to end.
import type { OpenAgent } from '../agent-port.js'
import type { Ticker, TurnClock } from './turn-clock.js'

export type Interruption = 'timed_out' | 'stalled' | 'stopped' | 'over_budget'

/**
 * How a prompt ended. `interrupted` is set even if the agent answered; without an `answer` it
 * ignored the interruption for the whole grace period and must be ended.
 */
export type PromptEnd = {
  interrupted?: Interruption
  answer?: { response: unknown } | { error: unknown }
}

type Options = {
  agent: OpenAgent
  text: string
  clock: TurnClock
  ticker: Ticker
  signal: AbortSignal
  graceMs: number
  onInterrupt: () => void
  /** Looked at with each tick. */ isOverBudget?: () => boolean
}

export async function timedPrompt({
  agent,
  text,
  clock,
  ticker,
  signal,
  graceMs,
  onInterrupt,
  isOverBudget = () => false,
}: Options): Promise<PromptEnd> {
  let offTick = () => {}
  const limit = new Promise<Interruption>((resolve) => {
    offTick = ticker.onTick((countedMs) => {
      const verdict = clock.tick(countedMs) ?? (isOverBudget() ? 'over_budget' : undefined)
      if (verdict !== undefined) resolve(verdict)
    })
  })
  const asked = new Promise<Interruption>((resolve) => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
  const answer = agent.prompt(text).then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  )
  const first = await Promise.race([answer, limit, asked])
  offTick()
  if (typeof first !== 'string') return { answer: first }

  onInterrupt()
  agent.cancel()
  const grace = ticker.delay(graceMs)
  const late = await Promise.race([answer, grace.over.then(() => undefined)])
  grace.cancel()
  return { interrupted: first, ...(late !== undefined && { answer: late }) }
}

/** Why a turn was cut, in one sentence. */
export function limitReason(
  which: 'timed_out' | 'stalled',
  { limitMs, idleMs }: { limitMs: number; idleMs: number },
  heeded: boolean,
): string {
  const what =
    which === 'timed_out'
      ? `the limit of ${shown(limitMs)} was reached`
      : `the agent did nothing for ${shown(idleMs)}`
  return `${what}; it ${heeded ? 'stopped when it was asked to' : 'did not stop when it was asked to and was ended'}`
}

function shown(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`
}
