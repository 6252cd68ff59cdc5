// The files a new test session begins with: workflow-session.json, IMPL_PLAN.md, IMPL-001 where
// tests are to be generated, IMPL-002.
import type { TaskEntry } from '../../contract/test-fix/task.js'
import { REVIEW_RATE } from '../test-fix/gate.js'
import { cell, LINE_SHOWN } from '../text/one-line.js'
import { runnerNamed } from '../runners/known-runners.js'
import type { TestRequest } from '../test-gen/test-request.js'

/** Retries of what a gate of the session finds. */
const SCAN_RETRIES = 2
/** Below `.process/`. */
export const TEST_REQUEST = 'test-request.md'
const COVERAGE_TARGET = 'line:80%,branch:70%,function:90%'

export type NewSession = {
  name: string
  /** Directory of the record, relative to the project. */
  dir: string
  project: string
  /** Last part of the project's path. */
  projectName: string
  testCommand: string
  /** The runner as it was recognised: vitest, pytest, … */
  framework: string
  /** Iterations of a test task, as the configuration has them or as they were asked for. */
  maxIterations: number
  /** They were requested, so the task keeps them even if the configuration changes. */
  fixedIterations: boolean
  /** Tests are written first, for this. */
  tests?: TestRequest | undefined
}

/** Ids of the first tasks: write tests, check them twice, run them. */
export const TEST_GEN_ID = 'IMPL-001'
export const VALIDATION_ID = 'IMPL-001.3'
export const QUALITY_ID = 'IMPL-001.5'
export const TEST_FIX_ID = 'IMPL-002'

/**
 * Fields of workflow-session.json that say what the session is; times, branch and status are the
 * writer's.
 */
export function sessionHead({
  name,
  project,
  projectName,
}: Pick<NewSession, 'name' | 'project' | 'projectName'>): Record<string, unknown> {
  return {
    session_id: name,
    workflow_type: 'test_session',
    type: 'test',
    project,
    description: `Fix the failing tests of ${projectName}`,
  }
}

/** The task files of a new session by file name. */
export function newTaskFiles(session: NewSession): Record<string, unknown> {
  return {
    ...(session.tests === undefined ? {} : testTaskFiles(session, session.tests)),
    [`${TEST_FIX_ID}.json`]: testFixTask(
      session,
      TEST_FIX_ID,
      session.tests === undefined ? [] : [QUALITY_ID],
    ),
  }
}

/** IMPL-001 and its two gates. */
function testTaskFiles(session: NewSession, tests: TestRequest): Record<string, unknown> {
  return {
    [`${TEST_GEN_ID}.json`]: testGenTask(session, TEST_GEN_ID, tests),
    [`${VALIDATION_ID}.json`]: gateTask(session, VALIDATION_ID, {
      title: 'Validate the code of the tests',
      type: 'code-validation',
      after: TEST_GEN_ID,
      acceptance: 'No critical issue, at most 3 errors and 10 warnings',
    }),
    [`${QUALITY_ID}.json`]: gateTask(session, QUALITY_ID, {
      title: 'Check the quality of the tests',
      type: 'test-quality-review',
      after: VALIDATION_ID,
      acceptance: `Coverage of at least ${COVERAGE_TARGET}, and half of the mutants are noticed`,
    }),
  }
}

function gateTask(
  session: NewSession,
  id: string,
  gate: { title: string; type: string; after: string; acceptance: string },
): Record<string, unknown> {
  return {
    ...head(session, id, gate.title),
    meta: {
      type: gate.type,
      agent: '@test-fix-agent',
      test_framework: session.framework,
      project_type: projectType(session.framework),
      coverage_target: COVERAGE_TARGET,
    },
    context: {
      requirements: [gate.title],
      focus_paths: session.tests?.files.length ? session.tests.files : ['.'],
      acceptance: [gate.acceptance],
      depends_on: [gate.after],
    },
    flow_control: {
      pre_analysis: [documentStep(session, 'test_request'), documentStep(session, 'test_analysis')],
      test_commands: commands(session),
    },
  }
}

/**
 * IMPL-001, or a supplement of it: writes tests after the analysis of what is missing.
 */
export function testGenTask(
  session: NewSession,
  id: string,
  { about, files }: TestRequest,
): Record<string, unknown> {
  return {
    ...head(session, id, `Generate tests for ${about}`),
    meta: {
      type: 'test-gen',
      analysis_type: 'coverage-gap',
      agent: '@code-developer',
      test_framework: session.framework,
      project_type: projectType(session.framework),
      coverage_target: COVERAGE_TARGET,
    },
    context: {
      requirements: [
        `Write tests for ${about}`,
        'Write the tests that the analysis in TEST_ANALYSIS_RESULTS.md asks for',
        'Follow the conventions of the existing tests',
        'Change no code that is not a test',
      ],
      focus_paths: files.length > 0 ? [...files] : ['.'],
      acceptance: [
        `\`${session.testCommand}\` finds and runs the new tests`,
        'Every requirement of the analysis has a test',
      ],
      depends_on: [],
    },
    flow_control: {
      pre_analysis: [
        documentStep(session, 'test_request'),
        documentStep(session, 'coverage_gap'),
        documentStep(session, 'test_analysis'),
      ],
      implementation_approach: [
        approach('Write the tests', 'Write the test files layer by layer, unit tests first', [
          'Read the analysis',
          'Write the test files',
          'Check that they are collected',
        ]),
      ],
      target_files: [],
      reusable_test_tools: [],
      test_commands: commands(session),
    },
  }
}

/**
 * A test-fix task: runs the suite and enters the fix loop.
 *
 * @param id where the session has tasks already, an id behind them
 */
export function testFixTask(
  session: NewSession,
  id: string,
  dependsOn: readonly string[],
): Record<string, unknown> {
  return {
    ...head(session, id, `Test and fix ${session.projectName}`),
    meta: {
      type: 'test-fix',
      agent: '@test-fix-agent',
      test_framework: session.framework,
      project_type: projectType(session.framework),
      coverage_target: COVERAGE_TARGET,
      ...(session.fixedIterations ? { max_iterations: session.maxIterations } : {}),
    },
    context: {
      requirements: [
        'Run all tests',
        'Fix the code until they pass; do not bend a test to match the code',
      ],
      focus_paths: ['.'],
      acceptance: [
        'Every test passes',
        `or at least ${REVIEW_RATE} % pass and every failure left is of low criticality`,
      ],
      depends_on: [...dependsOn],
    },
    flow_control: {
      pre_analysis: [documentStep(session, 'test_analysis')],
      implementation_approach: [
        approach(
          'Run the tests and fix what fails',
          'Each iteration analyses the failures, applies one fix and runs all tests again',
          ['Run all tests', 'Analyse the failures', 'Apply IMPL-fix-N', 'Run all tests again'],
        ),
      ],
      target_files: [],
      reusable_test_tools: [],
      test_commands: commands(session),
      ai_issue_scan: {
        categories: [],
        severity_levels: ['critical', 'error', 'warning'],
        auto_fix_enabled: false,
        max_retries: SCAN_RETRIES,
        thresholds: { critical: 0, error: 3, warning: 10 },
      },
      quality_gates: { pass_rate: 100, review_pass_rate: REVIEW_RATE, review_criticality: 'low' },
      test_fix_cycle: {
        max_iterations: session.maxIterations,
        diagnosis_tool: '@cli-planning-agent',
        fix_mode: '@test-fix-agent',
        exit_conditions: { success: 'all_tests_pass', failure: 'max_iterations_reached' },
      },
    },
  }
}

/** IMPL_PLAN.md of a session that brings none. */
export function planText(session: NewSession, tasks: readonly TaskEntry[]): string {
  const row = (task: TaskEntry): string =>
    `| ${task.id} | ${cell(task.title, LINE_SHOWN)} | ${task.type} | @${task.role} | ${task.dependsOn.join(', ') || '-'} |`
  return [
    `# Test plan: ${session.name}`,
    '',
    '## Goal',
    '',
    `All tests of \`${session.project}\` pass, measured with \`${session.testCommand}\`.`,
    '',
    ...(session.tests === undefined
      ? []
      : [
          `Before that, tests are written for ${session.tests.about}, as far as some are missing.`,
          '',
        ]),
    '## Tasks',
    '',
    '| task | title | type | agent | depends on |',
    '|---|---|---|---|---|',
    ...tasks.map(row),
    '',
    'Each iteration adds a fix task `IMPL-fix-N` before the others, followed by a run of all tests.',
    '',
    '## Quality gate',
    '',
    '- 100 % pass: success.',
    `- At least ${REVIEW_RATE} %, and every failure of low criticality: partial success, marked for review.`,
    '- Otherwise the failures are analysed and fixed until the iterations are spent.',
    '- A fix that breaks more tests than it repairs, or costs more than 10 points of the best state, is rolled back.',
    '',
    `At most ${session.maxIterations} iterations for each test task.`,
    '',
  ].join('\n')
}

function head({ name }: NewSession, id: string, title: string): Record<string, unknown> {
  return {
    id,
    title,
    status: 'pending',
    context_package_path: null,
    cli_execution_id: `${name}-${id}`,
    cli_execution: { strategy: 'new', resume_from: null },
  }
}

/** Documents below `.process/` that a task reads if they are there. */
const DOCUMENTS = {
  test_request: { action: 'Load what tests are asked for', file: TEST_REQUEST },
  coverage_gap: { action: 'Load the measured coverage', file: 'coverage-gap.json' },
  test_analysis: { action: 'Load the test analysis', file: 'TEST_ANALYSIS_RESULTS.md' },
}

function documentStep({ dir }: NewSession, name: keyof typeof DOCUMENTS): Record<string, unknown> {
  const { action, file } = DOCUMENTS[name]
  return {
    step: `load_${name}`,
    action: `${action}, if there is one`,
    commands: [`Read(${dir}/.process/${file})`],
    output_to: name,
    on_error: 'skip_optional',
  }
}

function approach(title: string, description: string, flow: string[]): Record<string, unknown> {
  return {
    step: 1,
    title,
    description,
    modification_points: [],
    logic_flow: flow,
    depends_on: [],
    output: '',
  }
}

function commands({ testCommand }: NewSession): Record<string, unknown> {
  return { run_tests: testCommand, run_coverage: null, run_specific: null }
}

// Of what is no known runner.
const TYPES: readonly [RegExp, string][] = [
  [/^node|tap|ava/, 'javascript'],
  [/unittest/, 'python'],
  [/^go/, 'go'],
  [/cargo/, 'rust'],
  [/maven|gradle|surefire/, 'java'],
  [/phpunit/, 'php'],
]

function projectType(framework: string): string {
  return (
    runnerNamed(framework)?.language ??
    TYPES.find(([pattern]) => pattern.test(framework))?.[1] ??
    'other'
  )
}
