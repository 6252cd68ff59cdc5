// Makes a prep package from an agent's draft. What Ratchet can measure, it does not take from the
// agent.
import {
  DIMENSIONS,
  type PrepAnswer,
  type PrepDraft,
  type PrepTask,
} from '../../contract/prep/prep-draft.js'
import type { SourceRef } from '../../contract/dev-cycle/prep-package.js'
import type { PrepEnvironment } from '../../contract/prep/prep-step.js'
import type { PrepFor } from '../../contract/prep/prep-input.js'
import { qualityOf, scoresOf, settledScores } from './prep-quality.js'
import { refinedText } from './refined-task.js'

export type PackageFacts = {
  for: PrepFor
  /** As typed. */
  task: string
  project: string
  /** With an offset. */
  generatedAt: string
  ready: boolean
  draft: PrepDraft
  answers: readonly PrepAnswer[]
  sourceRefs: readonly SourceRef[]
} & PrepEnvironment

/** What is read of a package here; the rest is for its command and for people. */
type MadePackage = Record<string, unknown> & {
  prep_status: 'ready' | 'needs_refinement'
  task: Record<string, unknown> & { quality_score: number }
}

/** Gates of a cycle: the core in two iterations, then all of it. */
const AUTO_ITERATION = {
  enabled: true,
  no_confirmation: true,
  max_iterations: 5,
  timeout_per_iteration_ms: 1_800_000,
  convergence: { test_pass_rate: 90, coverage: 80, max_critical_bugs: 0, max_open_issues: 3 },
  phase_gates: {
    zero_to_one: {
      iterations: [1, 2],
      exit_criteria: {
        code_compiles: true,
        core_test_passes: true,
        min_requirements_implemented: 1,
      },
    },
    one_to_hundred: {
      iterations: [3, 4, 5],
      exit_criteria: { test_pass_rate: 90, coverage: 80, critical_bugs: 0 },
    },
  },
  agent_focus: {
    zero_to_one: {
      ra: 'core_requirements_only',
      ep: 'minimal_viable_architecture',
      cd: 'happy_path_first',
      vas: 'smoke_tests_only',
    },
    one_to_hundred: {
      ra: 'full_requirements_with_nfr',
      ep: 'refined_architecture_with_risks',
      cd: 'complete_implementation_with_error_handling',
      vas: 'full_test_suite_with_coverage',
    },
  },
}

/** The same facts give the same package. */
export function makePackage(facts: PackageFacts): MadePackage {
  const { draft, answers } = facts
  const scores = settledScores(scoresOf(draft), answers)
  return {
    version: '1.0.0',
    generated_at: facts.generatedAt,
    prep_status: facts.ready ? 'ready' : 'needs_refinement',
    environment: {
      project_root: facts.project,
      prerequisites: {
        required_passed: true,
        recommended_passed: facts.warnings.length === 0,
        warnings: facts.warnings,
      },
      tech_stack: draft.tech_stack,
      test_framework: facts.testFramework,
      has_project_tech: facts.hasProjectTech,
      has_project_guidelines: facts.hasGuidelines,
    },
    task: {
      original: facts.task,
      refined: refinedText(draft),
      quality_score: qualityOf(scores),
      dimensions: Object.fromEntries(
        DIMENSIONS.map((name) => [
          name,
          { score: scores[name], value: draft.dimensions[name].value },
        ]),
      ),
      source_refs: facts.sourceRefs,
    },
    assumptions: [
      ...draft.assumptions,
      ...answers
        .filter(({ by }) => by === 'ratchet')
        .map(({ about, question, answer }) => ({ about, text: `${question} ${answer}` })),
    ],
    answers: answers
      .filter(({ by }) => by === 'user')
      .map(({ question, answer }) => ({ question, answer })),
    ...(facts.for === 'cycle' ? { auto_iteration: AUTO_ITERATION } : { tasks: tasksOf(draft) }),
  }
}

function tasksOf({ tasks = [] }: PrepDraft): (PrepTask & { id: string })[] {
  return tasks.map((task, n) => ({ id: `T${n + 1}`, ...task }))
}
