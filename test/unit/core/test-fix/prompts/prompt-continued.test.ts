import { expect, test } from 'vitest'
import {
  continuedDiagnosePrompt,
  continuedFixPrompt,
  newFailures,
  treeChange,
  treeLine,
} from '../../../../../src/core/test-fix/prompts/prompt-continued.js'
import type { FailureFact } from '../../../../../src/core/test-fix/failure-facts.js'

const SHA = '1a2b3c4d5e6f7a8b'

test.each(
  // prettier-ignore
  [
  { why: 'nothing',                         changed: [],           between: [],           line: 'no file has changed' },
  { why: 'its own work, committed',         changed: ['a'],        between: ['a'],        line: 'your changes were committed in a' },
  { why: 'an edit of an analysis',          changed: ['a'],        between: [],           line: 'your changes were taken back in a' },
  { why: 'a test that was restored',        changed: ['a', 't'],   between: ['a'],        line: 'your changes were committed in a; your changes were taken back in t' },
  { why: 'a change of tests by a person',   changed: ['a'],        between: ['a', 't'],   line: 'your changes were committed in a; others changed t' },
  { why: '[!] a name with a line break',    changed: [],           between: ['a\n## b'],  line: 'others changed a ## b' },
],
)('the first line after $why', ({ changed, between, line }) =>
  expect(treeLine(treeChange(SHA, changed, between))).toBe(
    `The working tree is at commit 1a2b3c4d5e6f. Since your last turn ${line}.`,
  ),
)

const failure = (test: string, error: string): FailureFact => ({
  test,
  file: 't.js',
  error,
  criticality: 'high',
})

test('a failure is known if it was shown with the same error', () => {
  const [same, other, added] = [failure('a', 'x'), failure('b', 'y'), failure('c', 'z')]
  expect(newFailures([same, other, added], [failure('a', 'x'), failure('b', 'w')])).toEqual({
    fresh: [other, added],
    known: [same],
  })
})

const diagnose = {
  roleText: '# Role\n\n## When you analyse failures\n\nname the cause',
  session: 'WFS-test-a',
  iteration: 2,
  maxIterations: 5,
  analysisType: 'test-failure' as const,
  strategy: 'conservative' as const,
  because: 'it is early',
  stuckTests: [],
  simplified: false,
  testCommand: 'npm test',
  attempts: [],
  chain: ['claude'],
  timeoutMs: 1,
  tree: treeChange(SHA, [], []),
  run: {
    kind: 'measured' as const,
    passRate: 50,
    passed: 1,
    total: 2,
    failures: [failure('new', 'a new error')],
    failuresTotal: 1,
    outputPath: '/out',
  },
  known: [failure('old', 'an old error')],
}

test('a continued analysis says what is new, and begins with the tree', () => {
  const text = continuedDiagnosePrompt({ ...diagnose, knowsRole: true })
  expect(text).toMatch(/^The working tree is at commit 1a2b3c4d5e6f\./)
  expect(text).toContain('a new error')
  expect(text).toContain('- t.js > old')
  expect(text).not.toContain('an old error')
  expect(text).not.toContain('name the cause')
  expect(text).toContain('`root_causes`')
  expect(continuedDiagnosePrompt({ ...diagnose, knowsRole: false })).toContain('name the cause')
})

test('a continued analysis of a suite that did not start says why', () =>
  expect(
    continuedDiagnosePrompt({
      ...diagnose,
      knowsRole: true,
      known: [],
      run: { kind: 'not_measured', reason: 'a syntax error', tail: '' },
    }),
  ).toContain('a syntax error'))

const step = (name: string) => ({
  step: name,
  notRun: [],
  outputTo: name,
  onError: 'fail' as const,
  files: [{ path: 'f', text: `text of ${name}`, cut: false }],
})

test('a continued fix repeats neither the plan nor the failures', () => {
  const p = {
    ...diagnose,
    roleText: '# Role\n\n## When the task is a fix\n\nthe rules of a fix',
    task: {
      id: 'IMPL-fix-1',
      title: 'Fix test failures - Iteration 1',
      type: 'test-fix-iteration',
      agent: '@test-fix-agent',
      path: '/w/.ratchet/tasks/IMPL-fix-1.json',
      json: { context: { fix_strategy: 'the plan' } },
    },
    preAnalysis: ['load_failure_context', 'load_fix_strategy', 'a_step_of_a_person'].map(step),
    pending: { strategy: 'conservative' as const, quality: 'normal' as const },
    source: 'claude',
    workflowDir: '',
    session: { workflowDir: '', analysisFile: '' },
    testFramework: 'node',
    coverageTarget: null,
  }
  const text = continuedFixPrompt({ ...p, knowsRole: false })
  expect(text).toMatch(/^The working tree is at commit/)
  expect(text).toContain('IMPL-fix-1')
  expect(text).toContain('the rules of a fix')
  expect(text).toContain('text of a_step_of_a_person')
  expect(text).not.toContain('text of load_fix_strategy')
  expect(text).not.toContain('the plan\n')
  expect(text).not.toContain('a new error')
  expect(continuedFixPrompt({ ...p, knowsRole: true })).not.toContain('the rules of a fix')
})

test('a person who wants another plan is quoted, once', () => {
  const prompt = continuedDiagnosePrompt({
    ...diagnose,
    knowsRole: true,
    change: { words: 'use integers', plan: 'compare with a tolerance' },
  })
  expect(prompt.match(/use integers/g)).toHaveLength(1)
  expect(prompt).toMatch(/## What A Person Wants Changed[^]*## Your Task/)
  expect(prompt).not.toContain('compare with a tolerance') // the session has made that plan
})
