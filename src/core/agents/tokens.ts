// Adds and subtracts the tokens that agents report.

/**
 * Tokens of one model call, or of one turn. `cached`: those of the input that the provider read
 * from its cache, if the agent reports them.
 */
export type Tokens = { input: number; output: number; cached?: number | undefined }

/** The sum of two; `cached` if one of them reports it. */
export function addTokens(a: Tokens | undefined, b: Tokens): Tokens {
  if (a === undefined) return b
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    ...cachedTokens(sumOfKnown(a.cached, b.cached)),
  }
}

/** The sum of what is known, or `undefined` if neither is. */
export function sumOfKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}

/** The field, if it is known. */
export function cachedTokens(cached: number | undefined): Pick<Tokens, 'cached'> {
  return cached === undefined ? {} : { cached }
}

/**
 * Returns the tokens of this prompt if the agent counts over the session.
 *
 * @param before `undefined` if unknown: then the prompt's share is unknown too
 */
export function tokensSince(before: Tokens | undefined, now: Tokens): Tokens | undefined {
  if (before === undefined) return undefined
  // A lower number is a new count.
  if (now.input < before.input || now.output < before.output) return now
  return {
    input: now.input - before.input,
    output: now.output - before.output,
    ...cachedTokens(
      now.cached === undefined ? undefined : Math.max(0, now.cached - (before.cached ?? 0)),
    ),
  }
}

/** Returns them under the names of ACP; the total says that cached ones are part of the input. */
export function reportedTokens({ input, output, cached }: Tokens): {
  inputTokens: number
  outputTokens: number
  totalTokens: number
  cachedReadTokens?: number
} {
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    ...(cached !== undefined && { cachedReadTokens: cached }),
  }
}
