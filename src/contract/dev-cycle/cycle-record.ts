// `.workflow/.cycle/{cycleId}.json`: the public state of a dev cycle.
import { z } from 'zod'
import { PHASES, type Phase } from './discovery.js'
import { AgentFocus, Convergence, PhaseGates, SourceRef } from './prep-package.js'

const Text = z.string()

export const CycleStatus = z.enum(['created', 'running', 'paused', 'completed', 'failed'])
export type CycleStatus = z.infer<typeof CycleStatus>

export const CurrentPhase = z.enum(['init', ...PHASES, 'aggregation', 'complete'])
export type CurrentPhase = z.infer<typeof CurrentPhase>

export const AgentState = z.object({
  status: z.enum(['idle', 'running', 'waiting', 'completed', 'failed']),
  started_at: Text.optional(),
  completed_at: Text.optional(),
  output_files: z.array(Text),
  last_message: Text.optional(),
  error: Text.optional(),
  iterations_completed: z.number().int(),
})
export type AgentState = z.infer<typeof AgentState>

/** `assigned_to` and the titles come from the plan; the statuses are Ratchet's. */
export const PlanTask = z.object({
  id: Text,
  title: Text.optional(),
  description: Text,
  effort: z.enum(['small', 'medium', 'large']),
  depends_on: z.array(Text),
  status: z.enum(['pending', 'in_progress', 'completed', 'blocked']),
  assigned_to: Text.optional(),
  files: z.array(Text),
})
export type PlanTask = z.infer<typeof PlanTask>

export const ChangeLog = z.object({
  timestamp: Text,
  file: Text,
  action: z.enum(['create', 'modify', 'delete']),
  iteration: z.number().int(),
  agent: Text,
  description: Text,
})
export type ChangeLog = z.infer<typeof ChangeLog>

export const IterationRecord = z.object({
  number: z.number().int(),
  extension: Text.optional(),
  started_at: Text,
  /** Absent until the iteration has ended. */
  completed_at: Text.optional(),
  agent_results: z.record(Text, z.object({ status: Text, files_modified: z.number().int() })),
  issues_found: z.array(Text),
  resolved: z.boolean(),
})
export type IterationRecord = z.infer<typeof IterationRecord>

export const FeedbackEntry = z.object({
  timestamp: Text,
  source: Text,
  target: Text,
  content: Text,
  type: z.enum(['requirement_update', 'bug_report', 'issue_fix', 'clarification']),
})
export type FeedbackEntry = z.infer<typeof FeedbackEntry>

export const Decision = z.object({
  id: Text,
  description: Text,
  options: z.array(Text),
  made_by: Text.optional(),
  chosen_option: Text.optional(),
  status: z.enum(['pending', 'made', 'implemented']),
})
export type Decision = z.infer<typeof Decision>

export const Blocker = z.object({
  id: Text,
  description: Text,
  reported_by: Text,
  status: z.enum(['open', 'resolved', 'workaround']),
  resolution: Text.optional(),
})
export type Blocker = z.infer<typeof Blocker>

export const Requirements = z.object({
  version: Text,
  specification: Text,
  edge_cases: z.array(Text),
  last_updated: Text,
})
export const Exploration = z.object({
  version: Text,
  architecture_summary: Text,
  integration_points: z.array(Text),
  identified_risks: z.array(Text),
  last_updated: Text,
})
export const Plan = z.object({
  version: Text,
  tasks: z.array(PlanTask),
  total_estimated_effort: Text,
  critical_path: z.array(Text),
  last_updated: Text,
})
export const Changes = z.object({
  total_files: z.number().int(),
  changes: z.array(ChangeLog),
  iteration_markers: z.record(Text, Text),
})
/**
 * Measured by Ratchet. `coverage` is reported by VAS, the only source; `claimed` is the pass rate
 * it reported.
 */
export const TestResults = z.object({
  version: Text,
  pass_rate: z.number().nullable(),
  coverage: z.number().nullable(),
  failed_tests: z.array(Text),
  total_tests: z.number().int(),
  last_run: Text,
  claimed: z.number().nullable().optional(),
})
export type TestResults = z.infer<typeof TestResults>

/** What Ratchet needs to resume a closed cycle. */
export const CycleNotes = z.object({
  outcome: z.enum(['completed', 'completed_with_issues', 'failed', 'stopped']).optional(),
  branch: Text.optional(),
  /** Commit that the first run started from, and the last head of the branch. */
  base: Text.optional(),
  head: Text.optional(),
  scheduling: z.enum(['parallel', 'staged']),
  /** Whether a person is asked between iterations. */
  interactive: z.boolean(),
  parallel: z.number().int(),
  commits: z.array(Text),
  warnings: z.array(Text),
  /** Feedback for the next iteration. */
  open_issues: z.array(Text),
  /** Further tasks that wait for the next iteration. */
  pending_extensions: z.array(Text).default([]),
})

export const CycleRecord = z.object({
  schema: z.literal(1),
  cycle_id: Text,
  title: Text,
  description: Text,
  task_history: z.array(Text),
  status: CycleStatus,
  created_at: Text,
  updated_at: Text,
  completed_at: Text.optional(),
  max_iterations: z.number().int(),
  current_iteration: z.number().int(),
  failure_reason: Text.optional(),
  agents: z.object(
    Object.fromEntries(PHASES.map((p) => [p, AgentState])) as Record<Phase, typeof AgentState>,
  ),
  current_phase: CurrentPhase,
  completed_phases: z.array(Text),
  phase_errors: z.array(z.object({ phase: Text, error: Text, timestamp: Text })),
  requirements: Requirements.optional(),
  exploration: Exploration.optional(),
  plan: Plan.optional(),
  changes: Changes.optional(),
  test_results: TestResults.optional(),
  iterations: z.array(IterationRecord),
  coordination: z.object({
    feedback_log: z.array(FeedbackEntry),
    pending_decisions: z.array(Decision),
    blockers: z.array(Blocker),
  }),
  convergence: Convergence.nullable(),
  phase_gates: PhaseGates.nullable(),
  agent_focus: AgentFocus.nullable(),
  source_refs: z.array(SourceRef).nullable(),
  ratchet: CycleNotes,
})
export type CycleRecord = z.infer<typeof CycleRecord>
