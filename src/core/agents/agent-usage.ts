// Determines the cost of one turn from what the agent reports. The first source counts, as all of
// them count the same calls.
import type { Usage } from '../../contract/turn.js'
import { at, readTokens } from './agent-events.js'
import { sumOfKnown, type Tokens } from './tokens.js'

/** Characters of text that count as one token where the agent reports none. */
export const CHARS_PER_TOKEN = 4

/** What is known of one prompt after its end. */
export type PromptUsage = {
  /** Answer to `session/prompt`; `undefined` where there was none. */
  response?: unknown
  /** Sum of what came on empty chunks. */
  chunkTokens?: Tokens | undefined
  costUsd?: number | undefined
  promptChars: number
  answerChars: number
}

/** Usage of one prompt: the agent's own numbers, else an estimate that is marked as one. */
export function promptUsage(p: PromptUsage): Usage {
  // No prompt is without tokens: who reports none at all does not count them.
  const reported = [
    readTokens(at(p.response, 'usage')),
    readTokens(at(p.response, '_meta', 'quota', 'token_count')),
    p.chunkTokens,
  ].find((one) => one !== undefined && one.input + one.output > 0)
  const tokens: Tokens = reported ?? {
    input: Math.ceil(p.promptChars / CHARS_PER_TOKEN),
    output: Math.ceil(p.answerChars / CHARS_PER_TOKEN),
  }
  return {
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    ...(tokens.cached !== undefined && { cachedTokens: tokens.cached }),
    ...(p.costUsd !== undefined && { costUsd: p.costUsd }),
    estimated: reported === undefined,
  }
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }

/** The sum of two; estimated where one of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = sumOfKnown(a.costUsd, b.costUsd)
  const cached = sumOfKnown(a.cachedTokens, b.cachedTokens)
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(cost !== undefined && { costUsd: cost }),
    estimated: a.estimated || b.estimated,
  }
}

/**
 * Money spent since `before`, both cumulative.
 *
 * Some agents count per process and begin at 0 after a resume: a lower number is a new count.
 */
export function costSince(before: number, now: number): number {
  return now >= before ? now - before : now
}
