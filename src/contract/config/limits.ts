// Limits of each kind of run: defaults, and what the configuration sets instead.
import type { Config, KindLimits } from './config.js'
import type { z } from 'zod'

/** Limits in force for one kind of run, times in milliseconds. */
export type Limits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  idleMs: number
  analysisMs: number
}

/**
 * Defaults of the test-fix cycle: 5 iterations, 40 min for an analysis, 30 + 3 min for other turns.
 */
export const TEST_FIX_LIMITS: Limits = {
  maxIterations: 5,
  agentTurnMs: 30 * 60_000,
  convergeMs: 3 * 60_000,
  idleMs: 10 * 60_000,
  analysisMs: 40 * 60_000,
}

/** Returns the kind's defaults, overridden by the configuration. */
export function limitsFor(config: Config, defaults: Limits): Limits {
  const { maxIterations, agentTurn, converge, idle, analysis } = config.limits
  return {
    maxIterations: maxIterations ?? defaults.maxIterations,
    agentTurnMs: agentTurn ?? defaults.agentTurnMs,
    convergeMs: converge ?? defaults.convergeMs,
    idleMs: idle ?? defaults.idleMs,
    analysisMs: analysis ?? defaults.analysisMs,
  }
}

/** Limits of a dev cycle. */
export type CycleLimits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  feedbackTurnMs: number
  idleMs: number
}

/**
 * Defaults of the dev cycle: 5 iterations, 30 minutes for a turn and 3 to converge, 15 minutes for
 * feedback.
 */
export const CYCLE_LIMITS: CycleLimits = {
  maxIterations: 5,
  agentTurnMs: 30 * 60_000,
  convergeMs: 3 * 60_000,
  feedbackTurnMs: 15 * 60_000,
  idleMs: 10 * 60_000,
}

/** Returns the cycle's defaults, overridden by the configuration; `limits.cycle` comes first. */
export function cycleLimitsFor({ limits }: Config): CycleLimits {
  return {
    ...withNamed(CYCLE_LIMITS, limits, limits.cycle),
    feedbackTurnMs: limits.feedbackTurn ?? CYCLE_LIMITS.feedbackTurnMs,
  }
}

/**
 * Limits of a dev loop. `parallel`: rounds, limits of the parallel workers, and `edgeMs` for init
 * and complete.
 */
export type LoopLimits = {
  maxIterations: number
  agentTurnMs: number
  convergeMs: number
  idleMs: number
  parallel: { maxIterations: number; edgeMs: number; agentTurnMs: number; convergeMs: number }
}

/**
 * Defaults of the dev loop: 10 iterations, 10 minutes and 5 to converge; in parallel mode 5 for
 * init and complete, 15 for all others, 60 s to converge.
 */
export const LOOP_LIMITS: LoopLimits = {
  maxIterations: 10,
  agentTurnMs: 10 * 60_000,
  convergeMs: 5 * 60_000,
  idleMs: 10 * 60_000,
  parallel: { maxIterations: 10, edgeMs: 5 * 60_000, agentTurnMs: 15 * 60_000, convergeMs: 60_000 },
}

/**
 * Returns the loop's defaults, overridden by the configuration; `limits.loop` and, in parallel
 * mode, `limits.parallel` come first.
 */
export function loopLimitsFor({ limits }: Config): LoopLimits {
  const { maxIterations, agentTurnMs, convergeMs } = withNamed(
    { ...LOOP_LIMITS, ...LOOP_LIMITS.parallel },
    limits,
    limits.parallel,
  )
  return {
    ...withNamed(LOOP_LIMITS, limits, limits.loop),
    parallel: {
      maxIterations,
      agentTurnMs,
      convergeMs,
      edgeMs: limits.parallel?.agentTurn ?? limits.agentTurn ?? LOOP_LIMITS.parallel.edgeMs,
    },
  }
}

type Named = Pick<LoopLimits, 'maxIterations' | 'agentTurnMs' | 'convergeMs' | 'idleMs'>

function withNamed<L extends Named>(
  defaults: L,
  limits: Config['limits'],
  own: Partial<z.infer<typeof KindLimits>> = {},
): L {
  return {
    ...defaults,
    maxIterations: own.maxIterations ?? limits.maxIterations ?? defaults.maxIterations,
    agentTurnMs: own.agentTurn ?? limits.agentTurn ?? defaults.agentTurnMs,
    convergeMs: own.converge ?? limits.converge ?? defaults.convergeMs,
    idleMs: own.idle ?? limits.idle ?? defaults.idleMs,
  }
}
