// Collects what a record recovered from its other files no longer knows, one sentence each.

/** Returns a known value, or the given one with a note that the known one is lost. */
export type Lost = <T>(value: T | undefined, otherwise: T, note: string) => T

export function lostParts(kind: 'cycle' | 'loop') {
  const notes: string[] = []
  const lost: Lost = (value, otherwise, note) => {
    if (value !== undefined) return value
    notes.push(note)
    return otherwise
  }
  return {
    notes,
    lost,
    /** A run whose status is lost counts as failed. */
    standing<Status extends string>(found: {
      status?: Status | undefined
      failure_reason?: string | undefined
    }): { status: Status | 'failed'; failure_reason: string | undefined } {
      return {
        status: lost<Status | 'failed'>(
          found.status,
          'failed',
          `the status is not known: the ${kind} counts as failed, and can be resumed`,
        ),
        failure_reason:
          found.failure_reason ??
          (found.status === undefined
            ? `the record was damaged; how the ${kind} stood is not known`
            : undefined),
      }
    },
    created: (known: string | undefined, otherwise: string): string =>
      lost(known, otherwise, `when the ${kind} began is not known`),
    maxIterations: (known: number | undefined, least: number): number =>
      lost(known, least, `the most iterations are not known: ${least}`),
  }
}
