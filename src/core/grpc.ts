// Interprets the gRPC codes of Temporal's answers.

/** `NOT_FOUND`: the server does not have it, or its caches do not know it yet. */
export const NOT_FOUND = 5

/** CANCELLED (a call whose deadline passed on the way), DEADLINE_EXCEEDED, UNAVAILABLE. */
const AWAY = [1, 4, 14]

/** Returns whether an error, or its cause, has one of the codes. */
export function hasGrpcCode(error: unknown, ...codes: readonly number[]): boolean {
  for (
    let at: unknown = error, depth = 0;
    at instanceof Error && depth < 5;
    at = at.cause, depth++
  ) {
    if (codes.includes((at as { code?: number }).code ?? -1)) return true
  }
  return false
}

/** Returns whether an error means that the server is away, or did not answer in time. */
export function isServerUnavailable(error: unknown): boolean {
  return (
    hasGrpcCode(error, ...AWAY) ||
    /Failed to connect before the deadline/.test((error as Error | undefined)?.message ?? '')
  )
}
