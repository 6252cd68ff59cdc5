// A loop that goes on in another mode.
//
// What bounds a loop that decides by itself bound nobody while a person decided: a limit that was
// spent there counts anew from here, and so do ways back and workers that ran out of time.
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
