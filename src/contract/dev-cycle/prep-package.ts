// `.workflow/.cycle/prep-package.json`: what was worked out about a task before its cycle.
// Optional.
import { z } from 'zod'
import { PHASES } from './discovery.js'

export const SourceRef = z.object({
  path: z.string().min(1),
  type: z.enum(['local_file', 'url', 'auto_detected']),
  status: z.enum(['verified', 'linked', 'not_found']),
  preview: z.string().optional(),
})
export type SourceRef = z.infer<typeof SourceRef>

/** Minimum pass rate and coverage in percent, maximum of critical bugs and open issues. */
export const Convergence = z.object({
  test_pass_rate: z.number(),
  coverage: z.number(),
  max_critical_bugs: z.number().default(0),
  max_open_issues: z.number().default(3),
})
export type Convergence = z.infer<typeof Convergence>

const Gate = z.object({
  iterations: z.array(z.number().int()),
  exit_criteria: z.record(z.string(), z.unknown()).default({}),
})

export const PhaseGates = z.object({ zero_to_one: Gate, one_to_hundred: Gate })
export type PhaseGates = z.infer<typeof PhaseGates>

const Focus = z
  .object(
    Object.fromEntries(PHASES.map((p) => [p, z.string()])) as Record<
      (typeof PHASES)[number],
      z.ZodString
    >,
  )
  .partial()

/** Focus keys by phase gate and agent. */
export const AgentFocus = z.object({ zero_to_one: Focus, one_to_hundred: Focus })
export type AgentFocus = z.infer<typeof AgentFocus>

/** What a cycle carries of a package that passed its six checks. */
export const Prep = z.object({
  convergence: Convergence,
  phase_gates: PhaseGates,
  agent_focus: AgentFocus,
  source_refs: z.array(SourceRef),
})
export type Prep = z.infer<typeof Prep>
