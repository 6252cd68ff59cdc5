// Determines the cost of one turn from what the agent reports. The first source counts, as all of
// them count the same calls.
import type { Usage } from '../../contract/turn.js'
import { at, readTokens } from './agent-events.js'
import { addTokens, sumOfKnown, tokensSince, type Tokens } from './tokens.js'

/** Characters of text that count as one token where the agent reports none. */
export const CHARS_PER_TOKEN = 4

/** What is known of one prompt after its end. */
export type PromptUsage = {
  /** Answer to `session/prompt`; `undefined` where there was none. */
  response?: unknown
  /** Sum of what came on empty chunks. */
  chunkTokens?: Tokens | undefined
  /** What the answers in its session have reported before; absent for reports of one prompt. */
  session?: { before: Tokens | undefined; isDeclared: boolean } | undefined
  costUsd?: number | undefined
  promptChars: number
  answerChars: number
}

/** Usage of one prompt: the agent's own numbers, else an estimate that is marked as one. */
export function promptUsage(p: PromptUsage): Usage {
  // No prompt is without tokens: who reports none at all does not count them.
  const reported = [ownTokens(p), p.chunkTokens].find(isCounted)
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

/** Tokens that the answer to a prompt reports, of the prompt or of its session. */
export function answeredTokens(response: unknown): Tokens | undefined {
  return [
    readTokens(at(response, 'usage')),
    readTokens(at(response, '_meta', 'quota', 'token_count')),
  ].find(isCounted)
}

/**
 * Whether an answer reports the tokens of its whole session: the agent is declared to, or it also
 * reported each model call of the prompt, and the answer has these and exactly what was before.
 */
export function countsOverSession({ response, chunkTokens, session }: PromptUsage): boolean {
  if (session === undefined || session.isDeclared) return session !== undefined
  const now = answeredTokens(response)
  if (now === undefined || chunkTokens === undefined || !isCounted(session.before)) return false
  const both = addTokens(session.before, chunkTokens)
  return now.input === both.input && now.output === both.output
}

function ownTokens(prompt: PromptUsage): Tokens | undefined {
  const now = answeredTokens(prompt.response)
  return now !== undefined && countsOverSession(prompt)
    ? tokensSince(prompt.session?.before, now)
    : now
}

function isCounted(tokens: Tokens | undefined): tokens is Tokens {
  return tokens !== undefined && tokens.input + tokens.output > 0
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
