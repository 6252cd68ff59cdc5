// Ids of a run's trace, made from the run alone.
//
// So every worker, attempt and process that touches a run finds the same trace, and nothing has to
// travel through workflows: an interceptor there draws random numbers, and histories without it no
// longer replay.
import { createHash } from 'node:crypto'

export type TraceIds = {
  /** 32 hex digits. */
  trace: string
  /** Of the run's own span, 16 hex digits. */
  run: string
  iteration: (n: number) => string
}

/** @param chain run id of the first execution: another one where the id of the run is used again */
export function traceIds(workflowId: string, chain: string): TraceIds {
  const id = (part: string, digits: number): string =>
    createHash('sha256')
      .update(JSON.stringify([workflowId, chain, part]))
      .digest('hex')
      .slice(0, digits)
  return { trace: id('trace', 32), run: id('run', 16), iteration: (n) => id(`iteration ${n}`, 16) }
}
