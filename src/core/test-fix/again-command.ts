// The command that continues a run after its end.

/** Iterations that a run gets if it has spent its own. */
const FURTHER = 3

/** `ratchet resume` is refused if the iterations are spent, so such a run needs more of them. */
export function againCommand({
  id,
  outcome,
  iterations = 0,
  maxIterations = Infinity,
}: {
  id: string
  outcome: string
  iterations?: number | undefined
  /** Absent if the run is no test-fix run. */
  maxIterations?: number | undefined
}): string {
  return outcome === 'failed' && iterations >= maxIterations
    ? `ratchet extend ${id} ${FURTHER}`
    : `ratchet resume ${id}`
}
