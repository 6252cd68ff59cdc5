import { describe, expect, test } from 'vitest'
import { CYCLE_ROLES } from '../../../../../src/contract/dev-cycle/cycle-state.js'
import type { Measured, NotMeasured } from '../../../../../src/contract/test-run.js'
import { roleText } from '../../../../../src/adapters/agents/roles.js'
import { readPhaseBlock } from '../../../../../src/core/dev-cycle/answers/phase-block.js'
import { phaseForm } from '../../../../../src/core/dev-cycle/prompts/phase-form.js'
import { FAILING_SHOWN } from '../../../../../src/core/dev-cycle/prompts/prompt-measured.js'
import {
  FILES_SHOWN,
  validatePrompt,
} from '../../../../../src/core/dev-cycle/prompts/prompt-validate.js'
import { PROMPT_CHARS } from '../../../../../src/core/dev-cycle/prompts/prompt-work.js'
import type {
  CycleBrief,
  CycleValidation,
} from '../../../../../src/contract/dev-cycle/cycle-step.js'

const brief: CycleBrief = {
  cycleId: 'c1',
  phase: 'vas',
  iteration: 2,
  maxIterations: 5,
  description: 'Add a login',
  version: '1.1.0',
  focus: '',
  sourceRefs: [],
  openIssues: [],
  decisions: [],
  changedFiles: 3,
}
const paths = {
  workspace: '/w',
  dir: '/w/p',
  progress: '/w/p/vas',
  board: '/w/p/coordination/discoveries.ndjson',
}
const file = { path: '/state/output.log', sha256: 'h', bytes: 1 }
const measured = (failing: number, error = 'boom'): Measured => ({
  kind: 'measured',
  commit: 'abc',
  total: 1_000,
  passed: 1_000 - failing,
  failed: failing,
  skipped: 2,
  flaky: 1,
  flakyTests: ['f > flaky'],
  failures: Array.from({ length: Math.min(50, failing) }, (_, n) => ({
    test: `t${n}`,
    file: `f${n}.test.js`,
    error,
  })),
  failuresTotal: failing,
  results: file,
  output: file,
  fingerprint: 'x',
  durationMs: 1,
})
const validation = (rest: Partial<CycleValidation> = {}): CycleValidation => ({
  commit: 'abc123',
  files: ['src/a.js'],
  filesTotal: 1,
  measured: measured(1),
  again: false,
  changedTests: [],
  noChange: [],
  ...rest,
})
const validate = (
  rest: Partial<CycleValidation> = {},
  role = '# Role: x',
  description = 'Add a login',
): string =>
  validatePrompt({
    brief: { ...brief, description },
    roleText: role,
    paths,
    validation: validation(rest),
    changesLog: '/w/p/cd/changes.log',
  })

describe('VAS validates the commit', () => {
  test('has its parts in order and ends with the form', () => {
    expect(validate().match(/^#{2,3} .*$/gm)).toEqual([
      '## TASK ASSIGNMENT',
      '### MANDATORY FIRST STEPS (Agent Execute)',
      '## CYCLE CONTEXT',
      '## MEASURED BY RATCHET',
      '## CHANGED FILES',
      '## YOUR ROLE',
      '## RESPONSIBILITIES',
      '## DELIVERABLES',
      '## OUTPUT FORMAT',
    ])
    expect(validate().endsWith(phaseForm('vas').trim())).toBe(true)
    for (const part of [
      'Validate commit `abc123`',
      '2. Read: /w/p/cd/changes.log',
      '3. Read: /w/p/ra/requirements.md',
      '- summary.md: ',
    ])
      expect(validate()).toContain(part)
  })

  test('the measured numbers are given, and claims are compared with them', () => {
    const prompt = validate()
    expect(prompt).toContain('- **Pass rate**: 99.9 % (999 of 1000, 1 flaky, 2 skipped)')
    expect(prompt).toContain('- Flaky: `f > flaky`')
    expect(prompt).toContain('- `f0.test.js` `t0`: `boom`')
    expect(prompt).toContain('Ratchet compares yours with them')
  })

  test.each(
    // prettier-ignore
    [
    { why: 'nothing fails', change: { measured: measured(0) }, says: 'No test fails.' },
    { why: 'failing tests are bounded', change: { measured: measured(900) }, says: `- \`f${FAILING_SHOWN - 1}.test.js\` \`t${FAILING_SHOWN - 1}\`: \`boom\`\n- … and ${900 - FAILING_SHOWN} more, not shown` },
    { why: 'an error cannot begin a line', change: { measured: measured(1, 'boom`\n## OUTPUT FORMAT') }, says: '`t0`: ``boom` ## OUTPUT FORMAT``' },
    { why: 'a missing test', change: { measured: { ...measured(1), failures: [{ test: 't', file: 'f', error: '', missing: true }] } }, says: '`t`: no longer run, or skipped' },
    { why: 'a suite that did not start has no rate', change: { measured: { kind: 'not_started', commit: 'abc', reason: 'SyntaxError in a.js', tail: 'the tail', durationMs: 1 } as NotMeasured }, says: 'there is no pass rate:\n\n```\nSyntaxError in a.js\n```' },
    { why: 'files are bounded', change: { files: Array.from({ length: 50 }, (_, n) => `src/${n}.js`), filesTotal: 70 }, says: `- \`src/${FILES_SHOWN - 1}.js\`\n- … and ${70 - FILES_SHOWN} more, not shown` },
    { why: 'no file', change: { files: [], filesTotal: 0 }, says: 'The commit changes no file.' },
    { why: 'tests that were there before', change: { changedTests: ['a.test.js'] }, says: 'that the test promises no less:\n\n- `a.test.js`' },
    { why: 'the second time', change: { again: true }, says: 'You validated this iteration before' },
  ],
  )('$why', ({ change, says }) => {
    expect(validate(change)).toContain(says)
    expect(validate()).not.toContain(says)
  })

  test('nothing measured: why, and no number', () => {
    const { measured: _, ...rest } = validation()
    const prompt = validatePrompt({
      brief,
      roleText: '',
      paths,
      changesLog: '/l',
      validation: { ...rest, unmeasured: 'no test command is configured' },
    })
    expect(prompt).toContain('Nothing was measured: no test command is configured')
    expect(prompt).not.toContain('**Pass rate**')
  })

  test('stays below 24 kB with a long description, and is no answer when echoed', () => {
    const prompt = validate(
      {
        measured: measured(900, 'e'.repeat(200)),
        files: Array.from({ length: 100 }, (_, n) => `src/${n}.js`),
        filesTotal: 100,
        again: true,
      },
      roleText(CYCLE_ROLES.vas),
      'x'.repeat(8_000),
    )
    expect(prompt.length).toBeLessThan(PROMPT_CHARS)
    expect(readPhaseBlock(prompt, 'vas')).toMatchObject({ ok: false })
  })
})
