import { describe, expect, test } from 'vitest'
import { analysisReport, strategyFile } from '../../../../src/core/records/analysis-report.js'
import {
  affectedFiles,
  attemptsOf,
  describeAttempt,
  lineIn,
  testTypeOf,
} from '../../../../src/core/test-fix/failure-facts.js'
import { failuresFile } from '../../../../src/core/records/failures-file.js'
import {
  agentResponse,
  estimatedComplexity,
  fixTask,
  OUTPUT_TAIL,
  TASK_FAILURES,
  type FixFacts,
} from '../../../../src/core/test-fix/fix-task.js'
import { TASK_ID } from '../../../../src/contract/test-fix/task.js'

const facts: FixFacts = {
  session: 'WFS-test-login',
  recordPath: '.workflow/WFS-test-login',
  iteration: 2,
  parent: 'IMPL-002',
  dependsOn: ['IMPL-fix-1'],
  maxIterations: 5,
  strategy: 'surgical',
  quality: 'normal',
  analysis: {
    rootCauses: ['no token is sent'],
    approach: 'Send the token.\nThen check it.',
    points: ['src/auth/client.ts:sendRequest:45-50 - add the header', 'src/auth/client.ts:login'],
    expectedOutcome: 'All tests pass',
    layerContext: 'unit',
    verificationSteps: ['run auth'],
    confidence: 0.8,
    affectedTests: ['tests/unit/auth.test.ts > logs in'],
    criticality: [],
    cause: 'c',
  },
  failures: [
    {
      test: 'logs in',
      file: 'tests/unit/auth.test.ts',
      error: 'Expected 200, got 401\n at x',
      line: 45,
      criticality: 'high',
      streak: 2,
      test_type: 'unit',
    },
  ],
  failuresTotal: 1,
  passRate: 85,
  attempts: [
    {
      iteration: 1,
      task: 'IMPL-fix-1',
      strategy: 'conservative',
      failures: ['a > b'],
      fixes_attempted: ['x.ts:f'],
      result: 'rolled_back',
      pass_rate: 60,
      note: 'broke\nlogin',
    },
  ],
  rollbackReason: 'IMPL-fix-1 was rolled back',
  agent: 'gemini',
  model: 'gemini-3-pro',
  timestamp: '2025-11-10T18:00:00+08:00',
  answer: '',
}

describe('iteration task template', () => {
  const task = fixTask(facts)

  test('has every field of the template, and the later ones', () => {
    expect(task).toEqual({
      id: 'IMPL-fix-2',
      title: 'Fix test failures - Iteration 2',
      status: 'pending',
      meta: {
        type: 'test-fix-iteration',
        agent: '@test-fix-agent',
        iteration: 2,
        parent_task: 'IMPL-002',
        max_iterations: 5,
        test_layer: 'unit',
        analysis_report: '.process/iteration-2-analysis.md',
        cli_output: '.process/iteration-2-cli-output.txt',
        created_by: '@cli-planning-agent',
        analysis_quality: 'normal',
        strategy: 'surgical',
      },
      context: {
        requirements: ['Fix identified test failures', 'Address root causes from analysis'],
        failure_context: {
          failed_tests: ['tests/unit/auth.test.ts > logs in'],
          error_messages: ['Expected 200, got 401\n at x'],
          failure_analysis:
            '1 failing tests; errors in .process/iteration-1-failures.json, report in .process/iteration-2-analysis.md, whole output in .process/test-output.log',
          previous_attempts: [
            'Iteration 1 (IMPL-fix-1, conservative): rolled_back, pass rate 60 %: broke login',
            'IMPL-fix-1 was rolled back',
          ],
        },
        fix_strategy: {
          approach: facts.analysis.approach,
          layer_context: 'unit',
          modification_points: facts.analysis.points,
          expected_outcome: 'All tests pass',
          root_causes: ['no token is sent'],
          confidence_score: 0.8,
          verification_steps: ['run auth'],
          test_execution: {
            mode: 'affected_only',
            affected_tests: ['tests/unit/auth.test.ts > logs in'],
            fallback_to_full: true,
          },
        },
        depends_on: ['IMPL-fix-1'],
        inherited: { iteration_history: facts.attempts },
      },
      flow_control: {
        // prettier-ignore
        pre_analysis: [
          { step: 'load_failure_context', command: 'Read(.workflow/WFS-test-login/.process/iteration-1-failures.json)', output_to: 'previous_failures', on_error: 'skip_optional' },
          { step: 'load_fix_strategy', command: 'Read(.workflow/WFS-test-login/.process/iteration-2-strategy.md)', output_to: 'fix_strategy', on_error: 'fail' },
        ],
        implementation_approach: [
          {
            step: 1,
            title: 'Apply fixes from strategy',
            description: 'Implement fixes identified by the analysis',
            modification_points: 'From fix_strategy',
            logic_flow: [
              'Load failure context and strategy',
              'Apply surgical fixes',
              'Return; Ratchet runs the tests',
              'Ratchet validates the fix',
            ],
          },
        ],
        target_files: ['src/auth/client.ts'],
        exit_conditions: {
          success: 'all_tests_pass',
          failure: 'max_iterations_reached',
          max_iterations: 5,
        },
      },
    })
    expect(task.id).toMatch(TASK_ID)
  })

  test('a degraded one says so and names its author', () => {
    expect(fixTask({ ...facts, quality: 'degraded' }).meta).toMatchObject({
      analysis_quality: 'degraded',
      created_by: 'ratchet',
    })
  })

  test('a suite that did not start has a reason instead of failing tests', () => {
    expect(
      fixTask({
        ...facts,
        failures: [],
        failuresTotal: 0,
        passRate: null,
        notStarted: 'collection error',
      }).context.failure_context,
    ).toMatchObject({ failed_tests: [], error_messages: ['collection error'] })
  })

  test('failure_analysis has the end of the raw output, without colours, and the path of the whole', () => {
    const { failure_analysis: analysis } = fixTask({
      ...facts,
      outputTail: `${'x'.repeat(OUTPUT_TAIL)}\n\u001b[31mFAIL\u001b[0m auth.test.ts\n`,
    }).context.failure_context
    expect(analysis).toMatch(
      /^1 failing tests; errors in \.process\/iteration-1-failures\.json, .*whole output in \.process\/test-output\.log\. The end of the output:\n\n/,
    )
    expect(analysis.endsWith('FAIL auth.test.ts')).toBe(true)
    expect(analysis.length).toBeLessThan(OUTPUT_TAIL + 300)
  })

  test('3,000 failures with long errors leave it below 60 kB', () => {
    const failures = Array.from({ length: 3_000 }, (_, n) => ({
      test: `t${n}`,
      file: 'f',
      error: 'e'.repeat(10_000),
      criticality: 'high' as const,
    }))
    const big = fixTask({ ...facts, failures, failuresTotal: 3_000 })
    expect(big.context.failure_context.failed_tests).toHaveLength(TASK_FAILURES)
    expect(JSON.stringify(big).length).toBeLessThan(60_000)
  })
})

test('agent response', () => {
  expect(agentResponse(facts)).toEqual({
    status: 'success',
    task_id: 'IMPL-fix-2',
    task_path: '.workflow/WFS-test-login/.task/IMPL-fix-2.json',
    analysis_report: '.process/iteration-2-analysis.md',
    cli_output: '.process/iteration-2-cli-output.txt',
    summary: 'Send the token. Then check it.',
    modification_points_count: 2,
    estimated_complexity: 'low',
  })
})

test.each([
  {
    why: 'one test',
    rest: { failuresTotal: 1 },
    summary: 'without an analysis, for 1 failing test',
  },
  {
    why: 'several',
    rest: { failuresTotal: 4 },
    summary: 'without an analysis, for 4 failing tests',
  },
  {
    why: 'no start',
    rest: { notStarted: 'it crashed' },
    summary: 'without an analysis, for a suite that did not start',
  },
])('a fix without a usable analysis says so in its summary: $why', ({ rest, summary }) => {
  expect(agentResponse({ ...facts, ...rest, quality: 'degraded' })).toMatchObject({
    status: 'degraded',
    summary,
  })
})

test.each([
  { points: 2, level: 'low' },
  { points: 3, level: 'medium' },
  { points: 5, level: 'medium' },
  { points: 6, level: 'high' },
])('$points modification points are of $level complexity', ({ points, level }) =>
  expect(
    estimatedComplexity({ points: Array.from({ length: points }, (_, n) => `f${n}.ts:f`) }),
  ).toBe(level),
)

describe('analysis report', () => {
  test('has front matter and headings in order', () => {
    const report = analysisReport(facts)
    expect(
      report.startsWith(
        '---\niteration: 2\nanalysis_type: regression-analysis\ncli_tool: gemini\nmodel: gemini-3-pro\ntimestamp: 2025-11-10T18:00:00+08:00\npass_rate: 85.0%\n---\n\n# Test Failure Analysis - Iteration 2\n',
      ),
    ).toBe(true)
    expect(report.match(/^#{1,3} .*$/gm)).toEqual([
      '# Test Failure Analysis - Iteration 2',
      '## Summary',
      '## Failed Tests Details',
      '### tests/unit/auth.test.ts > logs in',
      '## Root Cause Analysis',
      '## Fix Strategy',
      '## Modification Points',
      '## Expected Outcome',
      '## CLI Raw Output',
    ])
    expect(report).toContain(
      '- **Failed Tests**: 1\n- **Pass Rate**: 85.0% (Target: 95%+)\n- **Root Causes Identified**: 1\n- **Modification Points**: 2\n',
    )
    expect(report).toContain(
      '- **Error**: Expected 200, got 401 at x\n- **File**: tests/unit/auth.test.ts:45\n- **Criticality**: high\n',
    )
    expect(report).toContain(
      '- `src/auth/client.ts:sendRequest:45-50` - add the header\n- `src/auth/client.ts:login`',
    )
    expect(report).toContain('See: `.process/iteration-2-cli-output.txt`')
  })

  test('a file or a test of several lines starts no heading', () => {
    const report = analysisReport({
      ...facts,
      failures: [
        {
          test: 'a\n## Expected Outcome\nApproved',
          file: 'a.ts\n# b',
          error: 'e\n# f',
          criticality: 'high',
        },
      ],
    })
    expect(report.match(/^#{1,2} .*$/gm)).toEqual([
      '# Test Failure Analysis - Iteration 2',
      '## Summary',
      '## Failed Tests Details',
      '## Root Cause Analysis',
      '## Fix Strategy',
      '## Modification Points',
      '## Expected Outcome',
      '## CLI Raw Output',
    ])
    expect(report).toContain(
      '### a.ts # b > a ## Expected Outcome Approved\n- **Error**: e # f\n- **File**: a.ts # b\n',
    )
  })

  test('takes the prose of the answer where it has the heading, without its JSON', () => {
    const answer =
      'Hm.\r\n## 1. Root Cause Analysis:\r\nThe token\r\n```sh\r\n# not a heading\r\n```\r\nis gone.\r\n### Detail\r\nmore\r\n## Expected Outcome\r\nGreen.\r\n```json\r\n{"a":1}\r\n```\r\n'
    const report = analysisReport({ ...facts, answer })
    expect(report).toContain(
      '## Root Cause Analysis\n\nThe token\n```sh\n# not a heading\n```\nis gone.\n**Detail**\nmore\n\n## Fix Strategy\n\nSend the token.',
    )
    expect(report).toContain('## Expected Outcome\n\nGreen.\n\n## CLI Raw Output')
  })

  test('a truncated code block does not swallow the rest', () => {
    expect(analysisReport({ ...facts, answer: '## Expected Outcome\nx\n```js\nlet a' })).toMatch(
      /let a\n```\n\n## CLI Raw Output/,
    )
  })

  test('a degraded one says so, an unmeasured one has no rate', () => {
    const report = analysisReport({
      ...facts,
      quality: 'degraded',
      passRate: null,
      notStarted: 'no suite',
      failures: [],
      model: undefined,
    })
    expect(report).toContain('> **Degraded**')
    expect(report).toContain('model: default\n')
    expect(report).toContain('pass_rate: "not measured"')
    expect(report).toContain('- **Failed Tests**: the suite did not start')
  })
})

test('the strategy file has what the fix agent needs', () => {
  expect(strategyFile(facts).match(/^#{1,2} .*$/gm)).toEqual([
    '# Fix Strategy - Iteration 2',
    '## Approach',
    '## Root Causes',
    '## Modification Points',
    '## Expected Outcome',
    '## Test Layer',
    '## Verification',
    '## Affected Tests',
    '## Rolled Back Before',
  ])
})

test('the failures file keeps criticality and streak', () => {
  expect(failuresFile(1, facts)).toEqual({
    schema: 1,
    iteration: 1,
    pass_rate: 85,
    total_failures: 1,
    failures: facts.failures,
  })
})

test('attempts take failures and points from the fix-history of the same iteration and task', () => {
  const entry = {
    iteration: 1,
    task: 'IMPL-fix-1',
    modification_points: ['a.ts:f'],
    failures: [{ test: 't', file: 'f', error: '' }],
    affected_tests: [],
    pass_rate_before: 50,
    pass_rate_after: 60,
    result: 'kept',
  }
  const history = [
    { iteration: 0, passRate: 50, result: 'baseline' as const, commit: null, turns: 0 },
    {
      iteration: 1,
      passRate: 60,
      result: 'kept' as const,
      commit: 'c',
      turns: 2,
      task: 'IMPL-fix-1',
      strategy: 'conservative' as const,
    },
  ]
  expect(
    attemptsOf(history, [{ ...entry, task: 'IMPL-fix-9', modification_points: [] }, entry]),
  ).toEqual([
    {
      iteration: 1,
      task: 'IMPL-fix-1',
      strategy: 'conservative',
      failures: ['f > t'],
      fixes_attempted: ['a.ts:f'],
      result: 'kept',
      pass_rate: 60,
    },
  ])
  expect(attemptsOf(history, [])[0]).toMatchObject({ failures: [], fixes_attempted: [] })
  expect(
    describeAttempt({
      iteration: 3,
      failures: [],
      fixes_attempted: [],
      result: 'not_started',
      pass_rate: null,
    }),
  ).toBe('Iteration 3: not_started, pass rate not measured')
})

test.each([
  { error: 'at tests/a.test.ts:45:3', file: 'tests/a.test.ts', line: 45 },
  { error: 'File "/w/tests/test_a.py", line 7, in f', file: 'tests/test_a.py', line: 7 },
  { error: 'other.ts:3', file: 'tests/a.test.ts', line: undefined },
  { error: 'a+b.ts:3', file: 'a+b.ts', line: 3 },
])('line in "$error"', ({ error, file, line }) => expect(lineIn(error, file)).toBe(line))

test.each([
  { file: 'tests/e2e/login.spec.ts', type: 'e2e' },
  { file: 'src/api.integration.test.ts', type: 'integration' },
  { file: 'tests/unit/a.test.ts', type: 'unit' },
  { file: 'tests/a.test.ts', type: 'unit' },
  { file: 'cypress/login.cy.ts', type: 'e2e' },
  { file: 'tests/integration/api.test.ts', type: 'integration' },
  { file: 'test/static/imports.test.js', type: 'static' },
  { file: 'src/a.typecheck.ts', type: 'static' },
  { file: 'src/types/money.test.ts', type: 'unit' },
  { file: 'src/i18n/it/text.test.ts', type: 'unit' },
  { file: 'src/lint/rule.test.ts', type: 'unit' },
  { file: 'app/static/files.test.ts', type: 'unit' },
])('test_type: $file -> $type', ({ file, type }) => expect(testTypeOf(file)).toBe(type))

test('affected files: of failing tests by name, else as named; no path out of the project, at most 20', () => {
  const failing = [
    { test: 'logs in', file: 'a.test.ts' },
    { test: 'logs in', file: 'b.test.ts' },
  ]
  expect(
    affectedFiles(
      [
        'logs in',
        'b.test.ts > logs in',
        'tests/test_c.py::test_x',
        './d.test.ts > y',
        'e.test.ts',
        'all of them',
        '/etc/x.ts',
        '../x.ts > z',
      ],
      failing,
    ),
  ).toEqual(['a.test.ts', 'b.test.ts', 'tests/test_c.py', 'd.test.ts', 'e.test.ts'])
  expect(
    affectedFiles(
      Array.from({ length: 99 }, (_, n) => `t${n}.ts`),
      [],
    ),
  ).toHaveLength(20)
})
