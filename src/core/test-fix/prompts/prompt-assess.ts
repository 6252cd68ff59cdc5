// Asks the test-fix-agent how critical the failures of a run between 95 and 100 % are, if its
// answer decides.
import type { FailureFact } from '../failure-facts.js'
import { ASSESSMENT_FORM } from '../../prompts/prompt-forms.js'
import { fencedJson, joined, section } from '../../prompts/prompt-parts.js'
import { rolePart } from '../../prompts/role-part.js'

/** Most failures that are assessed, and characters of their errors. */
export const ASSESS_SHOWN = 200
const ASSESS_ERROR = 500

/** @param p.failures those without an assessment first */
export function assessPrompt(p: {
  roleText: string
  failures: readonly FailureFact[]
  failuresTotal: number
  passRate: number
}): string {
  const shown = p.failures.slice(0, ASSESS_SHOWN)
  const more = p.failuresTotal - shown.length
  return joined([
    `**TASK EXECUTION: Assess ${p.failuresTotal} failing test${p.failuresTotal === 1 ? '' : 's'}**`,
    rolePart(p.roleText, 'assessment'),
    section('## Failing Tests', [
      `${p.passRate} % of the tests pass. These do not:`,
      '',
      fencedJson(
        shown.map(({ test, file, error }) => ({ test, file, error: error.slice(0, ASSESS_ERROR) })),
      ),
      ...(more > 0 ? ['', `… and ${more} more, not shown; they count as high.`] : []),
    ]),
    section('## Levels', [
      '- **high**: security, a core function broken, data loss, authentication, payment, or a test that passed before and fails now',
      '- **medium**: an edge case that is not critical, a minor degradation, an optional integration',
      '- **low**: flaky, dependent on the environment, a warning, or known and with a workaround',
      '',
      'Rate a test that you cannot judge high. Ratchet may accept the code as it is only if all are low.',
    ]),
    section('## Your Task', [
      'Look at the tests and the code they exercise. Do not change any file, and do not run the suite. Rate each failing test.',
      '',
      ASSESSMENT_FORM,
    ]),
  ])
}
