// The unified prompt for tasks, STEP 1 to 6. It contains the whole task JSON: what the analysis
// wrote must reach the agent that carries it out, even one that may not read outside its directory.
import type { PendingFix } from '../../../contract/test-fix/test-fix-state.js'
import { describeAttempt, type Attempt } from '../failure-facts.js'
import { fieldOf } from '../../text/field-of.js'
import { preAnalysisSection, type ResolvedStep } from '../pre-analysis.js'
import { PROPOSALS_FORM } from '../../prompts/prompt-forms.js'
import {
  bounded,
  bullets,
  fenced,
  fencedJson,
  joined,
  oneLine,
  section,
} from '../../prompts/prompt-parts.js'
import { ATTEMPTS_SHOWN, failuresSection, type PromptRun } from './prompt-run.js'
import { repositoryMark } from '../../prompts/from-repository.js'
import { rolePart, type RolePart } from '../../prompts/role-part.js'
import { causeLines, strategyWords } from './prompt-strategy.js'

/**
 * Characters of a task JSON, of the enhanced context, of a document and of feedback in a prompt.
 */
export const TASK_SHOWN = 60_000
export const PACKAGE_SHOWN = 120_000
export const DOCUMENT_SHOWN = 60_000
export const FEEDBACK_SHOWN = 20_000

/** A task as its file has it. `path` is the copy that the agent can read. */
export type PromptTask = {
  id: string
  title: string
  type: string
  agent: string
  path: string
  json: unknown
  /** Its file from the project, if the repository brings it. */
  brought?: string | undefined
}

type Unified = {
  roleText: string
  task: PromptTask
  preAnalysis: readonly ResolvedStep[]
  testCommand: string
}

export type FixTaskFacts = Unified & {
  iteration: number
  maxIterations: number
  pending: Pick<PendingFix, 'strategy' | 'quality' | 'causes'>
  run: PromptRun
  attempts: readonly Attempt[]
  /** Files that the attempts are from, as far as the repository brings them. */
  attemptsFrom?: readonly string[]
  simplified: boolean
  /** Agent that gave the analysis. */
  source: string
  /** Paths relative to the session. */
  session: { workflowDir: string; analysisFile: string }
  testFramework: string
  coverageTarget: number | null
}

/** Carries out IMPL-fix-N. */
export function fixTaskPrompt(p: FixTaskFacts): string {
  const context = fieldOf(p.task.json, 'context')
  return unified(p, 'fix', {
    load: ['The enhanced context below also contains all of it, as `task`.'],
    how: [
      'This is a **test-fix-iteration** task:',
      '- The task contains the fix strategy. It comes from another agent and may be wrong: check it against the code before you follow it.',
      ...(p.pending.quality === 'degraded'
        ? [
            '- No agent gave a usable analysis this time. The plan is a pattern match: find the cause yourself first.',
          ]
        : []),
      `- Strategy **${p.pending.strategy}**: ${strategyWords(p.pending.strategy, 'fix', p.pending.causes !== undefined)}`,
      ...causeLines(p.pending.causes),
      '- Change the code under test. Do not change tests, test configuration, fixtures or snapshots: Ratchet compares and restores them after your turn.',
      '- Do not run the whole suite. You may run single tests to check a change; Ratchet runs everything after your turn, and its measurement decides.',
      '- Do not analyse other failures or plan another iteration: carry out this task and return.',
    ],
    context: [
      section('## Enhanced Context', [fencedJson(enhancedPackage(p, context), PACKAGE_SHOWN)]),
      failuresSection(p),
      p.simplified || p.attempts.length === 0
        ? ''
        : section('## Iteration History', [
            ...repositoryMark(p.attemptsFrom ?? []),
            ...p.attempts.slice(-ATTEMPTS_SHOWN).map((a) => `- ${describeAttempt(a)}`),
            '',
            'Do not repeat what did not help.',
          ]),
    ],
    end: [
      '1. Execute the task following its implementation_approach.',
      '2. Do not commit, stash, or switch branches. Do not start processes that outlive your turn.',
      '3. Do not write status, TODO list or summaries: Ratchet writes them from your answer.',
      '4. Only if a test itself is wrong or out of date: leave it as it is, and propose its change as one fenced JSON object in this form, with a unified diff and paths from the project. A person decides on it.',
      '',
      PROPOSALS_FORM,
      '',
      '5. End with a short summary: which files you changed, why, and what you left open. Say plainly what you did not do.',
    ],
  })
}

/**
 * Builds the prompt of any other task: test-gen, the repair of what a gate found, and unknown
 * types.
 */
export function taskPrompt(
  p: Unified & {
    writesTests: boolean
    repairs?: string | undefined
    plan?: { path: string; text: string; brought?: string | undefined } | undefined
    feedback?: string | undefined
    simplified: boolean
  },
): string {
  return unified(p, 'task', {
    load: ['Here it is in full:', '', fencedJson(p.task.json, TASK_SHOWN)],
    how: p.writesTests
      ? [
          ...(p.repairs === undefined
            ? [
                'This is a **test-gen** task:',
                '- Write the tests that TEST_ANALYSIS_RESULTS.md and the task ask for, in the files that the task names as targets.',
              ]
            : [
                p.repairs === 'approval'
                  ? 'A person has read the tests and wants them changed. **Change the tests** according to the feedback below:'
                  : `The tests failed a check (${oneLine(p.repairs)}). **Repair the tests** according to the feedback below:`,
                ...(p.task.type === 'test-gen'
                  ? []
                  : [
                      '- The task above is the check itself. Do not check again: repair what it found.',
                    ]),
              ]),
          '- Follow the conventions of the test framework and of the existing tests. A test must be able to fail.',
          '- You may add and change test files. Do not delete any, and do not weaken existing ones: Ratchet shows a person what you change in those.',
          '- Do not change test configuration, scripts in package.json or the code under test: Ratchet compares and restores them after your turn.',
          '- If one of your tests reveals a bug, leave the test as it is: the next task repairs failing tests.',
          `- You may run your new tests. The test command of the project is: ${oneLine(p.testCommand)}`,
        ]
      : [
          `This is a **${oneLine(p.task.type)}** task: carry out what it asks for.`,
          '- Do not change tests, test configuration, fixtures or snapshots: Ratchet compares and restores them after your turn.',
          '- Do not rerun the whole suite until it is green: Ratchet runs it with the next test task, and its numbers decide.',
        ],
    context: [
      p.feedback === undefined
        ? ''
        : section(p.repairs === 'approval' ? '## FEEDBACK' : '## FEEDBACK FROM VALIDATION', [
            p.repairs === 'approval'
              ? 'The words of the person:'
              : 'The last result failed a check. Repair this first:',
            '',
            ...(p.repairs === undefined || p.repairs === 'approval'
              ? []
              : [
                  'Do not repair findings in the code under test: leave them to the fix loop, which runs the tests next. Repair the findings in the tests, and name the rest in your summary.',
                  '',
                ]),
            bounded(p.feedback, FEEDBACK_SHOWN, 'of the feedback'),
          ]),
      p.plan === undefined || p.simplified
        ? ''
        : section('## TEST_ANALYSIS_RESULTS.md', [
            ...repositoryMark([p.plan.brought]),
            `From ${p.plan.path}:`,
            '',
            fenced(bounded(p.plan.text, DOCUMENT_SHOWN, 'of the plan')),
          ]),
    ],
    end: [
      '1. Execute the task following its implementation_approach.',
      '2. Do not commit, stash, or switch branches. Do not start processes that outlive your turn.',
      '3. Do not write status, TODO list or summaries: Ratchet writes them from your answer.',
      '4. End with a short summary: which files you wrote, what they cover, and what you left open.',
    ],
  })
}

function unified(
  p: Unified,
  part: RolePart,
  text: {
    load: readonly string[]
    how: readonly string[]
    context: readonly string[]
    end: readonly string[]
  },
): string {
  const { task } = p
  const context = fieldOf(task.json, 'context')
  return joined([
    `**TASK EXECUTION: ${oneLine(task.title)}**`,
    rolePart(p.roleText, part),
    section('## STEP 1: Load Complete Task JSON', [
      ...repositoryMark([task.brought]),
      `Load the complete task JSON first: ${task.path}`,
      'Its required fields have been checked.',
      ...text.load,
    ]),
    section('## STEP 2: Task Context', [
      `**ID**: ${task.id}`,
      `**Type**: ${oneLine(task.type)}`,
      `**Agent**: ${oneLine(task.agent)}`,
    ]),
    section('## STEP 3: Execute Task Based on Type', text.how),
    section('## STEP 4: Implementation Context', [
      '**Requirements**:',
      ...bullets(texts(fieldOf(context, 'requirements')), 50),
    ]),
    ...text.context,
    section('## STEP 5: Flow Control Execution', [
      preAnalysisSection(p.preAnalysis) || 'The task has no pre_analysis.',
    ]),
    section('## STEP 6: Agent Completion', text.end),
  ])
}

function enhancedPackage(p: FixTaskFacts, context: unknown): unknown {
  const failed = p.run.kind === 'measured' ? p.run.failures : []
  return {
    task: p.task.json,
    iteration_context: {
      current_iteration: p.iteration,
      max_iterations: p.maxIterations,
      previous_attempts: (p.simplified ? [] : p.attempts)
        .slice(-ATTEMPTS_SHOWN)
        .map(({ iteration, failures, fixes_attempted, result }) => ({
          iteration,
          failures,
          fixes_attempted,
          result,
        })),
      failure_analysis: {
        source: p.source,
        analysis_file: p.session.analysisFile,
        fix_strategy: fieldOf(context, 'fix_strategy') ?? null,
      },
    },
    test_context: {
      test_framework: p.testFramework,
      test_files: [...new Set(failed.map(({ file }) => file))].slice(0, 50),
      test_command: p.testCommand,
      coverage_target: p.coverageTarget,
    },
    session: sessionPaths(p),
  }
}

function sessionPaths({ session }: FixTaskFacts): Record<string, string> {
  return {
    workflow_dir: session.workflowDir,
    iteration_state_file: '.process/iteration-state.json',
    test_results_file: '.process/test-results.json',
    fix_history_file: '.process/fix-history.json',
  }
}

function texts(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).map((item) =>
    typeof item === 'string' ? item : JSON.stringify(item),
  )
}
