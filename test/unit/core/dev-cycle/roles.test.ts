// The role texts as the prompts of a cycle inline them: each names its documents and its rules.
import { expect, test } from 'vitest'
import { CYCLE_ROLES } from '../../../../src/contract/dev-cycle/cycle-state.js'
import { PHASES } from '../../../../src/contract/dev-cycle/discovery.js'
import { roleText } from '../../../../src/adapters/agents/roles.js'
import { PHASE_TEXTS } from '../../../../src/core/dev-cycle/prompts/prompt-phases.js'

test.each(PHASES)('the text of %s names its documents, the board and the form', (phase) => {
  const text = roleText(CYCLE_ROLES[phase])
  expect(text.startsWith(`# Role: ${CYCLE_ROLES[phase]}\n`)).toBe(true)
  for (const { file } of PHASE_TEXTS[phase].deliverables) expect(text).toContain(`\`${file}\``)
  for (const part of [
    /ead it before you explore/,
    /ever rewrite/,
    /Status `(partial|failed)`/,
    'onesty',
    '{"timestamp":"<ISO8601>"',
  ])
    expect(text).toMatch(part)
  expect(text.split('\n').at(-1)).toMatch(
    /`PHASE_RESULT` block, filled in exactly as under OUTPUT FORMAT/,
  )
})

test.each(
  // prettier-ignore
  [
  { phase: 'ra' as const, why: 'requirements', parts: ['FR-001', 'NFR-001', 'EC-001', 'Document Status', 'Version, Previous, This, Iteration, Updated', 'Scenario, Expected, Test Strategy, Status', 'Constraints, Assumptions, Success Criteria', 'History Summary', '(ENHANCED vX.Y.Z by RA)', '(NEW vX.Y.Z)', 'You write no code'] },
  { phase: 'ep' as const, why: 'plan', parts: ['total_tasks', 'estimated_duration', 'TASK-001', 'estimated_hours', 'depends_on', 'success_criteria', 'critical_path', 'parallel_opportunities', 'without a cycle', 'under 1 hour', 'mitigation', 'Data Model', 'You write no code'] },
  { phase: 'cd' as const, why: 'debugging', parts: ['BUG-001', 'hypothesis', 'experiment', 'confirmed|refuted|inconclusive', 'verify', 'Questions for RA', 'depends_on', 'Implement nothing that neither the plan nor', 'Do not commit', 'plan_issues', 'Only you edit sources'] },
  { phase: 'cd' as const, why: 'the tasks of a test-fix cycle', parts: ['one task of a test-fix cycle', 'A test you write must be able to fail', 'do not change the code under test', 'leave the test as it is', 'Result: a short summary in words'] },
  { phase: 'vas' as const, why: 'validation', parts: ['by_suite', '"lines"', 'critical: ', 'high: ', 'medium: ', 'low: ', '90 % of the tests, 80 % coverage', '95 % of the tests, 85 % coverage', 'security review', 'flaky', 'Never claim a run that did not happen', 'You write no code'] },
],
)('$phase: $why', ({ phase, parts }) => {
  for (const part of parts) expect(roleText(CYCLE_ROLES[phase])).toContain(part)
})

test.each(PHASES)('%s: of a length that leaves room for the task', (phase) => {
  const text = roleText(CYCLE_ROLES[phase])
  expect(text.split('\n').length).toBeGreaterThan(50)
  expect(text.length).toBeLessThan(5_500)
})

test('EP: the plan of the role text is JSON', () => {
  const sample = / {4}\{\n[^]*?\n {4}\}\n/.exec(roleText('exploration-planner'))?.[0] ?? ''
  expect(Object.keys(JSON.parse(sample) as object)).toEqual([
    'version',
    'total_tasks',
    'estimated_duration',
    'tasks',
    'critical_path',
    'parallel_opportunities',
  ])
})
