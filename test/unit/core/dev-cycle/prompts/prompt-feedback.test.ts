import { expect, test } from 'vitest'
import type { CycleBrief } from '../../../../../src/contract/dev-cycle/cycle-step.js'
import { PHASES, type Phase } from '../../../../../src/contract/dev-cycle/discovery.js'
import { phaseForm } from '../../../../../src/core/dev-cycle/prompts/phase-form.js'
import { feedbackPrompt } from '../../../../../src/core/dev-cycle/prompts/prompt-feedback.js'
import { compared, measured } from '../../../../support/test-runs.js'

const brief = (phase: Phase): CycleBrief => ({
  cycleId: 'c1',
  phase,
  iteration: 2,
  maxIterations: 5,
  description: 'Add a login',
  version: '1.1.0',
  focus: '',
  sourceRefs: [],
  openIssues: [],
  decisions: [],
  changedFiles: 3,
})
const FEEDBACK =
  '## FEEDBACK FROM VALIDATION\n\nTest pass rate: 85%\n\n## ISSUES TO FIX\n\n- t fails\n\n## NEXT STEP\n\nFix it.'
const feedback = (phase: Phase): string =>
  feedbackPrompt({
    brief: brief(phase),
    phase,
    feedback: FEEDBACK,
    paths: { workspace: '/w', dir: '/w/p', progress: `/w/p/${phase}`, board: '/w/p/b.ndjson' },
  })

test.each(PHASES)('feedback to %s begins with the message and restates task and form', (phase) => {
  const prompt = feedback(phase)
  expect(prompt.startsWith(FEEDBACK)).toBe(true)
  expect(prompt.match(/^## .*$/gm)?.slice(3)).toEqual([
    '## TASK ASSIGNMENT',
    '## CYCLE CONTEXT',
    '## DELIVERABLES',
    '## OUTPUT FORMAT',
  ])
  for (const part of [
    '```\nAdd a login\n```',
    '- **Version**: 1.1.0',
    `Write files to /w/p/${phase}:`,
    'Do not commit',
  ])
    expect(prompt).toContain(part)
  expect(prompt.endsWith(phaseForm(phase).trim())).toBe(true)
})

test.each([
  { phase: 'ra' as const, says: 'clarify the requirements' },
  { phase: 'ep' as const, says: 'update plan.json' },
  { phase: 'cd' as const, says: 'update implementation.md with how each was resolved' },
  { phase: 'vas' as const, says: 'check again' },
])('$phase is asked for its own work', ({ phase, says }) => {
  expect(feedback(phase)).toContain(says)
  expect(feedback(phase).includes('Do not bend, weaken or delete a test')).toBe(phase === 'cd')
})

test('CD gets the failing tests by name and error, those that failed before the run marked', () => {
  const failures = Array.from({ length: 20 }, (_, n) => ({
    test: `adds ${n}`,
    file: 'a.test.ts',
    error: `expected ${n}`,
  }))
  const run = measured(10, 35, {
    failures,
    failuresTotal: 25,
    comparison: compared({ known: { total: 1, tests: ['a.test.ts > adds 3'], differently: 0 } }),
  })
  const prompt = feedbackPrompt({
    brief: brief('cd'),
    phase: 'cd',
    feedback: FEEDBACK,
    measured: run,
    paths: { workspace: '/w', dir: '/w/p', progress: '/w/p/cd', board: '/w/p/b.ndjson' },
  })
  for (const { test: name, error } of failures)
    expect(prompt).toMatch(new RegExp(`^- \`a\\.test\\.ts\` \`${name}\`.*: \`${error}\`$`, 'm'))
  expect(prompt).toContain('`adds 3` (failed before the run, too): `expected 3`')
  expect(prompt).toContain('- … and 5 more, not shown')
})

test('feedback to CD with the longest of everything stays below 24 kB: every failing test has its name, the task 4,000 characters', () => {
  const failures = Array.from({ length: 20 }, (_, n) => ({
    test: `adds ${n} `.padEnd(200, 'n'),
    file: 'f'.repeat(300),
    error: 'e'.repeat(500),
  }))
  const paths = { workspace: '/w', dir: '/w/p', progress: '/w/p/cd', board: '/w/p/b.ndjson' }
  const prompt = feedbackPrompt({
    brief: { ...brief('cd'), description: 'x'.repeat(12_000) },
    phase: 'cd',
    feedback: 'f'.repeat(12_000),
    measured: measured(10, 30, { failures }),
    paths,
  })
  expect(prompt.length).toBeLessThan(24_000)
  for (const { test: name } of failures) expect(prompt).toContain(`\`${name}\``)
  expect(prompt).toContain('x'.repeat(4_000))
})
