// Continues a loop in another mode.
//
// The limits of an automatic mode do not apply while a person decides: so iterations count from
// here, and so do loop-backs and workers that ran out of time.
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { LoopMode } from '../../contract/dev-loop/loop-input.js'

/** Workers of a loop, or rounds in parallel mode. */
export function iterationLimit(
  { limits }: Pick<LoopState['prepared'], 'limits'>,
  mode: LoopMode | undefined,
): number {
  return mode === 'parallel' ? limits.parallel.maxIterations : limits.maxIterations
}

/** The fields of the state that another mode changes. */
export function inMode(state: LoopState, mode: LoopMode): Partial<LoopState> {
  if (state.mode !== 'interactive') return { mode }
  const { iteration, maxIterations, input, prepared } = state
  const limit = input.maxIterations ?? iterationLimit(prepared, mode)
  return {
    mode,
    loopBacks: [],
    timeouts: 0,
    ...(iteration < maxIterations ? {} : { maxIterations: iteration + limit }),
  }
}
