import { expect, test } from 'vitest'
import { gateThresholds } from '../../../../src/core/test-fix/gate-thresholds.js'

test.each(
  // prettier-ignore
  [
  { why: 'a target in one line', task: { meta: { coverage_target: 'line:80%,branch:70%,function:90%' } }, gives: { lines: 80, branches: 70, functions: 90 } },
  { why: 'a bare percentage', task: { meta: { coverage_target: '85%' } }, gives: { lines: 85 } },
  { why: 'a number', task: { meta: { coverage_target: 85.5 } }, gives: { lines: 85.5 } },
  { why: 'targets by name', task: { meta: { coverage_target: { lines: 1, branch: '2%' } } }, gives: { lines: 1, branches: 2 } },
  { why: 'the scan', task: { flow_control: { ai_issue_scan: { max_retries: 1, thresholds: { critical: 0, error: 5, warning: 20 } } } }, gives: { critical: 0, error: 5, warning: 20, retries: 1 } },
  { why: 'the gates above the scan', task: { meta: { coverage_target: 'line:80%' }, flow_control: { ai_issue_scan: { max_retries: 1, thresholds: { error: 5 } }, quality_gates: { max_retries: 0, errors: 0, coverage: { line: 60 } } } }, gives: { lines: 60, error: 0, retries: 0 } },
  { why: 'retries without end', task: { meta: { max_retries: 1_000 } }, gives: { retries: 10 } },
  { why: 'what is none', task: { meta: { coverage_target: 'high' }, flow_control: { ai_issue_scan: { max_retries: -1, thresholds: { error: 'few', warning: 1.5 } }, quality_gates: { coverage: { line: 101 }, pass_rate: 100 } } }, gives: {} },
  { why: 'no object', task: null, gives: {} },
],
)('thresholds: $why', ({ task, gives }) => expect(gateThresholds(task)).toEqual(gives))
