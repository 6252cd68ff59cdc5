// IMPL-fix-N.json and what goes with it, from an analysis. The same facts give the same text, so it
// can be written again at any time.
import type { AnalysisQuality, Strategy } from '../../contract/test-fix/task.js'
import type { Analysis } from './answers/analysis-answer.js'
import { describeAttempt, type Attempt, type FailureFact } from './failure-facts.js'
import { filesOf } from './modification-point.js'
import { oneLine } from '../text/one-line.js'
import { firstSentence } from '../text/short-text.js'
import { shownId } from '../test-results/test-merge.js'
import { lastChars, plainText } from '../text/test-text.js'

/**
 * Most failing tests that a task names, and characters of each error; all are in
 * iteration-N-failures.json.
 */
export const TASK_FAILURES = 50
const TASK_ERROR = 500
/** Last characters of the test output that a task carries. */
export const OUTPUT_TAIL = 4_000
/** Most earlier attempts that a task carries. */
const TASK_ATTEMPTS = 20

/** Everything that the files of an iteration are made from. */
export type FixFacts = {
  /** Name of the session, and its record as a path from the project: `.workflow/WFS-test-x`. */
  session: string
  recordPath: string
  iteration: number
  /** Number of the cause, from 1, that the task is about, if a turn fixes several. */
  part?: number
  parent: string
  dependsOn: readonly string[]
  maxIterations: number
  strategy: Strategy
  quality: AnalysisQuality
  analysis: Analysis
  /** Failing tests of the run to repair; empty if the suite did not start. */
  failures: readonly FailureFact[]
  failuresTotal: number
  passRate: number | null
  /** Why nothing was measured, where that is so. */
  notStarted?: string | undefined
  /** The end of the output of the tests; empty or absent where it is gone. */
  outputTail?: string | undefined
  attempts: readonly Attempt[]
  rollbackReason?: string | undefined
  /** Agent that gave the analysis, and its model where the configuration names one. */
  agent: string
  model?: string | undefined
  /** ISO 8601. */
  timestamp: string
  /** The whole answer. */
  answer: string
}

/** Names of the files of iteration N, relative to the record. */
export function iterationFiles(iteration: number) {
  const task = (part?: number): string => `.task/${fixTaskId(iteration, part)}.json`
  const process = (name: string): string => `.process/iteration-${iteration}-${name}`
  return {
    task: task(),
    /** One of its causes, from 1. */
    part: task,
    analysis: process('analysis.md'),
    strategy: process('strategy.md'),
    cliOutput: process('cli-output.txt'),
    response: process('response.json'),
    /** The answers that were not used, from 1. */
    refused: (nth: number): string => process(`refused-${nth}.md`),
    /** Failures of the full run after iteration N; 0 is the first run. */
    failures: process('failures.json'),
  }
}

/** @param part number of one of several causes, from 1 */
export function fixTaskId(iteration: number, part?: number): string {
  return `IMPL-fix-${iteration}${part === undefined ? '' : `.${part}`}`
}

/** The fix task as its file has it. */
export function fixTask(f: FixFacts) {
  const files = iterationFiles(f.iteration)
  const shown = f.failures.slice(0, TASK_FAILURES)
  const layer = commonLayer(f.failures)
  const { analysis } = f
  return {
    id: fixTaskId(f.iteration, f.part),
    title: `Fix test failures - Iteration ${f.iteration}${f.part === undefined ? '' : `, cause ${f.part}`}`,
    status: 'pending',
    meta: {
      type: 'test-fix-iteration',
      agent: '@test-fix-agent',
      iteration: f.iteration,
      parent_task: f.parent,
      max_iterations: f.maxIterations,
      test_layer: layer,
      analysis_report: files.analysis,
      cli_output: files.cliOutput,
      created_by: f.quality === 'degraded' ? 'ratchet' : '@cli-planning-agent',
      analysis_quality: f.quality,
      strategy: f.strategy,
    },
    context: {
      requirements: ['Fix identified test failures', 'Address root causes from analysis'],
      failure_context: {
        failed_tests: shown.map(shownId),
        error_messages:
          f.notStarted === undefined
            ? shown.map(({ error }) => error.slice(0, TASK_ERROR))
            : [f.notStarted.slice(0, TASK_ERROR)],
        failure_analysis: failureAnalysis(f),
        previous_attempts: [
          ...f.attempts.slice(-TASK_ATTEMPTS).map(describeAttempt),
          ...(f.rollbackReason === undefined ? [] : [oneLine(f.rollbackReason)]),
        ],
      },
      fix_strategy: {
        approach: analysis.approach,
        layer_context: analysis.layerContext,
        modification_points: analysis.points,
        expected_outcome: analysis.expectedOutcome,
        root_causes: analysis.rootCauses,
        confidence_score: analysis.confidence,
        ...(analysis.verificationSteps.length === 0
          ? {}
          : { verification_steps: analysis.verificationSteps }),
        test_execution: {
          mode: 'affected_only',
          affected_tests: analysis.affectedTests,
          fallback_to_full: true,
        },
      },
      depends_on: [...f.dependsOn],
      inherited: { iteration_history: f.attempts.slice(-TASK_ATTEMPTS) },
    },
    flow_control: {
      pre_analysis: [
        {
          step: 'load_failure_context',
          command: `Read(${f.recordPath}/${iterationFiles(f.iteration - 1).failures})`,
          output_to: 'previous_failures',
          on_error: 'skip_optional',
        },
        {
          step: 'load_fix_strategy',
          command: `Read(${f.recordPath}/${files.strategy})`,
          output_to: 'fix_strategy',
          on_error: 'fail',
        },
      ],
      implementation_approach: [
        {
          step: 1,
          title: 'Apply fixes from strategy',
          description: 'Implement fixes identified by the analysis',
          modification_points: 'From fix_strategy',
          // The test run is Ratchet's: what it measures after the turn decides.
          logic_flow: [
            'Load failure context and strategy',
            `Apply ${f.strategy} fixes`,
            'Return; Ratchet runs the tests',
            'Ratchet validates the fix',
          ],
        },
      ],
      target_files: filesOf(analysis.points),
      exit_conditions: {
        success: 'all_tests_pass',
        failure: 'max_iterations_reached',
        max_iterations: f.maxIterations,
      },
    },
  }
}

// "Raw test output and error messages": the end of it, and where all of it is.
function failureAnalysis(f: FixFacts): string {
  const files = iterationFiles(f.iteration)
  const found = `${f.notStarted === undefined ? `${f.failuresTotal} failing tests` : 'The suite did not start'}; errors in ${iterationFiles(f.iteration - 1).failures}, report in ${files.analysis}, whole output in .process/test-output.log`
  const tail = plainText(f.outputTail ?? '').trimEnd()
  return tail === '' ? found : `${found}. The end of the output:\n\n${lastChars(tail, OUTPUT_TAIL)}`
}

/** The response of the analysing agent. */
export function agentResponse(f: FixFacts) {
  const files = iterationFiles(f.iteration)
  return {
    status: f.quality === 'degraded' ? 'degraded' : 'success',
    task_id: fixTaskId(f.iteration),
    task_path: `${f.recordPath}/${files.task}`,
    analysis_report: files.analysis,
    cli_output: files.cliOutput,
    summary: analysisSummary(f),
    modification_points_count: f.analysis.points.length,
    estimated_complexity: estimatedComplexity(f.analysis),
  }
}

/** What the fix is to do, in one line of at most 200 characters. */
export function analysisSummary({
  analysis,
  quality,
  failuresTotal,
  notStarted,
}: Pick<FixFacts, 'analysis' | 'quality' | 'failuresTotal' | 'notStarted'>): string {
  if (quality !== 'degraded') return firstSentence(oneLine(analysis.approach))
  // The approach says only that the cause is unknown.
  return notStarted === undefined
    ? `without an analysis, for ${failuresTotal} failing test${failuresTotal === 1 ? '' : 's'}`
    : 'without an analysis, for a suite that did not start'
}

/** From the places to change: one or two in one file, up to five, more. */
export function estimatedComplexity({
  points,
}: Pick<Analysis, 'points'>): 'low' | 'medium' | 'high' {
  if (points.length <= 2 && filesOf(points).length <= 2) return 'low'
  return points.length <= 5 ? 'medium' : 'high'
}

function commonLayer(failures: readonly FailureFact[]): string | undefined {
  const [first] = failures
  return first?.test_type !== undefined &&
    failures.every(({ test_type: type }) => type === first.test_type)
    ? first.test_type
    : undefined
}
