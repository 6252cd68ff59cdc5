// Continues a loop in another mode.
//
// The limits of an automatic mode do not apply while a person decides: so iterations count from
// here. Parallel mode counts rounds and not workers: its limit counts from here in any case, and so
// does that of the mode after it. What brakes a mode is its own: loop-backs, workers that ran out
// of time and validations that found the same count from here.
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
  const { iteration, maxIterations, input, prepared } = state
  const limit = input.maxIterations ?? iterationLimit(prepared, mode)
  const isOtherUnit = (mode === 'parallel') !== (state.mode === 'parallel')
  const isSpent = state.mode === 'interactive' && iteration >= maxIterations
  return {
    mode,
    loopBacks: [],
    timeouts: 0,
    stalled: undefined,
    validationMark: undefined,
    roundMark: undefined,
    ...(isOtherUnit || isSpent ? { maxIterations: iteration + limit } : {}),
  }
}
