import { describe, expect, test } from 'vitest'
import { PHASES } from '../../../../../src/contract/dev-cycle/discovery.js'
import { readPhaseBlock } from '../../../../../src/core/dev-cycle/answers/phase-block.js'
import { phaseForm } from '../../../../../src/core/dev-cycle/prompts/phase-form.js'

const REAL: Readonly<Record<string, string>> = {
  status: 'success',
  summary: 'All of it',
  test_pass_rate: '85%',
  coverage: '70%',
  tests_passing: '17/20',
  ready_for_production: 'false',
  failed_tests: '[logs in]',
  critical_issues: '1',
}
/** The form with every value replaced, as an agent answers. */
const filled = (form: string): string =>
  form.replace(/^- (?!phase)(\w+): .*$/gm, (_, key: string) => `- ${key}: ${REAL[key] ?? '[]'}`)

describe.each(PHASES)('OUTPUT FORMAT of %s', (phase) => {
  test('the form itself is no answer', () =>
    expect(readPhaseBlock(phaseForm(phase), phase)).toMatchObject({ ok: false }))

  test('the filled form is one, its samples of details are not', () => {
    const reading = readPhaseBlock(filled(phaseForm(phase)), phase)
    expect(reading).toMatchObject({
      ok: true,
      block: {
        status: 'success',
        summary: 'All of it',
        issues: [],
        blockers: [],
        planIssues: [],
        decisions: [],
      },
    })
  })

  test('an echo before or after the answer changes nothing', () => {
    const own = `PHASE_RESULT:\n- phase: ${phase}\n- status: partial\n- summary: Mine\n- issues: [a]`
    const alone = readPhaseBlock(own, phase)
    expect(readPhaseBlock(`${phaseForm(phase)}\n\n${own}`, phase)).toEqual(alone)
    expect(readPhaseBlock(`${own}\n\n${phaseForm(phase)}`, phase)).toEqual(alone)
  })
})

test.each(
  // prettier-ignore
  [
  { phase: 'ra', keys: ['phase', 'status', 'summary', 'issues', 'blockers'] },
  { phase: 'ep', keys: ['phase', 'status', 'summary', 'issues', 'blockers'] },
  { phase: 'cd', keys: ['phase', 'status', 'files_changed', 'summary', 'tasks_completed', 'issues', 'blockers', 'plan_issues'] },
  { phase: 'vas', keys: ['phase', 'status', 'test_pass_rate', 'coverage', 'failed_tests', 'critical_issues', 'ready_for_production', 'issues'] },
] as const,
)('the form of $phase has the keys of the sources', ({ phase, keys }) => {
  const asked = [...phaseForm(phase).matchAll(/^- (\w+):/gm)].map(([, key]) => key)
  expect(asked).toEqual(expect.arrayContaining([...keys]))
})

test.each(PHASES)(
  'the form of %s names the severities: an issue of medium or higher blocks the cycle',
  (phase) => expect(phaseForm(phase)).toContain('[high], [medium] or [low]'),
)

test.each(PHASES)('the form of %s asks for nothing that Ratchet never reads', (phase) => {
  for (const key of ['version', 'plan_version', 'files_written'])
    expect(phaseForm(phase)).not.toContain(`- ${key}:`)
})
