// Summaries of activities, as the Web UI's timeline shows them.
import { expect, test } from 'vitest'
import type { TestRun } from '../../../../src/contract/test-run.js'
import { testsSummary, turnSummary } from '../../../../src/core/run/step-summary.js'

const turn = { role: 'code-developer', agent: 'claude', iteration: 2, kind: 'work' } as const
const measured = (passed: number, total: number) => ({ kind: 'measured', passed, total }) as TestRun

test.each(
  // prettier-ignore
  [
  { why: 'an agent of a cycle goes by its short name', input: turn, summary: 'CD iteration 2: claude as code-developer' },
  { why: 'feedback differs from work', input: { ...turn, kind: 'feedback' }, summary: 'CD iteration 2: claude as code-developer, on feedback' },
  { why: 'a worker of a loop has its task', input: { ...turn, role: 'loop-develop', task: 'T1' }, summary: 'develop iteration 2: claude as loop-develop, T1' },
  { why: 'a preparation has no iterations', input: { ...turn, role: 'requirements-analyst', iteration: 0 }, summary: 'RA: claude as requirements-analyst' },
  { why: 'a fix is a fix', input: { ...turn, role: 'test-fix-agent', task: 'IMPL-fix-2', kind: 'converge' }, summary: 'fix iteration 2: claude as test-fix-agent, IMPL-fix-2, hands over what it has' },
] as const,
)('turn: $why', ({ input, summary }) => expect(turnSummary(input)).toBe(summary))

test.each(
  // prettier-ignore
  [
  { why: 'nothing was measured before the baseline', input: { command: 'python3 -m pytest', step: 'baseline', before: undefined }, summary: 'pytest: baseline' },
  { why: 'pytest of a virtual environment', input: { command: './.venv/bin/python3.12 -m pytest -x', step: 'baseline', before: undefined }, summary: 'pytest -x: baseline' },
  { why: 'a script of Python is named by its file', input: { command: 'python3 run-tests.py', step: 'baseline', before: undefined }, summary: 'python3 run-tests.py: baseline' },
  { why: 'what passed before is known in a retest', input: { command: 'pytest', step: 'iteration-2/retest', before: measured(83, 247) }, summary: 'pytest: iteration 2, retest (83/247 before)' },
  { why: 'no command is known yet', input: { command: '', step: 'baseline', before: undefined }, summary: 'tests: baseline' },
],
)('tests: $why', ({ input, summary }) => expect(testsSummary(input)).toBe(summary))

test('the server takes 400 bytes: a long command or task is cut', () => {
  const long = [
    testsSummary({
      command: '測'.repeat(500),
      step: 'iteration-2/retest',
      before: measured(83, 247),
    }),
    turnSummary({ ...turn, task: '測'.repeat(500) }),
  ]
  expect(long[0]).toContain('(83/247 before)')
  for (const one of long) expect(Buffer.byteLength(one)).toBeLessThan(390)
})
